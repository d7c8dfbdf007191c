"""Which orbits explain these radial velocities?

equant finds the planets of a star in its Doppler measurements, says how well they are known, and
evaluates Keplerian orbits by the million.

>>> import equant
>>> data = equant.Data.demonstration()
>>> evaluator = equant.Evaluator(data, n_planets=2)
>>> evaluator.chi_square(equant.orbits_draw(1000, 2, seed=1)).shape
(1000,)

:class:`Data` reads observations, :func:`search` scans for periods, :func:`fit` finds planets,
:func:`sample` draws from the posterior, :func:`compare` says how many planets there are,
:class:`Evaluator` and :func:`kepler` are the fast paths under all of them, and :class:`Target` is the
posterior as a function for other samplers.

Times are in days, velocities in m/s, angles in radians, everywhere. Elements are those of the
star's motion, velocity positive away from us. What equant refuses to do is an :class:`Error`.
"""

from __future__ import annotations

from . import radvel
from ._archives.evaluator_list import EvaluatorList
from ._archives.sampled_stars import sample_stars
from ._fit.fit_contents import FitSummary
from ._fit.fitted_noise import (
    FittedNoise,
    FittedTerm,
    FollowedIndicator,
    NoiseSeries,
    NoiseValue,
    TriedIndicator,
    TriedTerm,
)
from ._fit.fitted_planet import FittedQuantity, Planet
from ._fit.interacting import (
    InteractingFit,
    InteractingPlanet,
    InteractingSummary,
    fit_interacting,
)
from ._fit.outliers import Outlier
from ._fit.rivals import Rival
from ._fit.sb2 import DoubleLined, fit_double_lined
from ._observing.nights import Night, Nights, Slots, nights
from ._observing.sky import (
    Site,
    SkyConditions,
    StarPosition,
    calendar,
    sites,
    sky_conditions,
)
from ._planning.plan import Expected, Plan, PlanGroup, Planned, mixture_entropy
from ._planning.prediction import Conjunction, Prediction
from ._planning.schedule import Schedule, Scheduled, ScheduleStar, schedule
from ._sky.sky_catalogue import (
    catalogue_astrometry,
    catalogue_joint,
    search_catalogue,
    write_catalogue,
)
from ._sky.sky_checks import check_orbits
from ._sky.sky_injection import SkyInjection, companion_mass, inject_astrometry
from ._sky.sky_periodogram import SkyPeriodogram, periodogram_astrometry
from ._sky.sky_posterior import SkyPosterior, SkyPredicted, sample_astrometry
from ._sky.sky_prediction import SkyPrediction
from .archive import fit_many, fit_stars, sample_many, stream_stars
from .astrometry import (
    Astrometry,
    SkyMotions,
    read_astrometry,
    read_motions,
    stream_astrometry,
)
from .comparison import Alias, AliasPair, ComparedModel, Comparison, Signal, compare
from .data import Data
from .device import DeviceArray, DeviceInfo, device_describe
from .engine import Backend, Engine, Placement, backends, default_threads, placement, version
from .errors import (
    Cancelled,
    DeviceError,
    Error,
    FormatError,
    InputOutputError,
    InternalError,
    InvalidArgument,
    OutOfMemory,
    Unavailable,
)
from .evaluator import Derivatives, Evaluation, Evaluator, KernelInfo
from .fitted_star import Fit
from .fitting import fit
from .indicators import Indicator
from .injection import Injection, inject, minimum_mass
from .model import Model
from .noise import LinearTerms, Noise, NoiseSlopes, NoiseTerm, noise_terms
from .orbits import basis_from_elements, basis_to_elements, kepler, orbits_draw, radial_velocity
from .periodogram import Peak, Periodogram, search
from .posterior import Mode, Posterior, PosteriorSummary, Quantity
from .priors import Priors, prior_sets
from .progress import Progress
from .quantities import QuantityKind, quantity_kind, quantity_kinds
from .random_numbers import random_normal, random_uniform
from .sampling import sample, sample_resume
from .saved import load
from .sky_fit import (
    SkyCompanion,
    SkyFit,
    SkyModel,
    SkyPeak,
    SkySearch,
    SkySolution,
    fit_astrometry,
    search_astrometry,
    solve_astrometry,
)
from .star import Star
from .states import (
    Ephemeris,
    StarFile,
    States,
    orbit_coordinates,
    planet_mass_jupiter,
    read_star_file,
)
from .table import Table
from .target import Target

__version__ = version()

__all__ = [
    "Alias",
    "AliasPair",
    "Astrometry",
    "Backend",
    "Cancelled",
    "ComparedModel",
    "Comparison",
    "Conjunction",
    "Data",
    "Derivatives",
    "DeviceArray",
    "DeviceError",
    "DeviceInfo",
    "DoubleLined",
    "Engine",
    "Ephemeris",
    "Error",
    "Evaluation",
    "Evaluator",
    "EvaluatorList",
    "Expected",
    "Fit",
    "FitSummary",
    "FittedNoise",
    "FittedQuantity",
    "FittedTerm",
    "FollowedIndicator",
    "FormatError",
    "Indicator",
    "Injection",
    "InputOutputError",
    "InteractingFit",
    "InteractingPlanet",
    "InteractingSummary",
    "InternalError",
    "InvalidArgument",
    "KernelInfo",
    "LinearTerms",
    "Mode",
    "Model",
    "Night",
    "Nights",
    "Noise",
    "NoiseSeries",
    "NoiseSlopes",
    "NoiseTerm",
    "NoiseValue",
    "OutOfMemory",
    "Outlier",
    "Peak",
    "Periodogram",
    "Placement",
    "Plan",
    "PlanGroup",
    "Planet",
    "Planned",
    "Posterior",
    "PosteriorSummary",
    "Prediction",
    "Priors",
    "Progress",
    "Quantity",
    "QuantityKind",
    "Rival",
    "Schedule",
    "ScheduleStar",
    "Scheduled",
    "Signal",
    "Site",
    "SkyCompanion",
    "SkyConditions",
    "SkyFit",
    "SkyInjection",
    "SkyModel",
    "SkyMotions",
    "SkyPeak",
    "SkyPeriodogram",
    "SkyPosterior",
    "SkyPredicted",
    "SkyPrediction",
    "SkySearch",
    "SkySolution",
    "Slots",
    "Star",
    "StarFile",
    "StarPosition",
    "States",
    "Table",
    "Target",
    "TriedIndicator",
    "TriedTerm",
    "Unavailable",
    "backends",
    "basis_from_elements",
    "basis_to_elements",
    "calendar",
    "catalogue_astrometry",
    "catalogue_joint",
    "check_orbits",
    "companion_mass",
    "compare",
    "default_threads",
    "device_describe",
    "fit",
    "fit_astrometry",
    "fit_double_lined",
    "fit_interacting",
    "fit_many",
    "fit_stars",
    "inject",
    "inject_astrometry",
    "kepler",
    "load",
    "minimum_mass",
    "mixture_entropy",
    "nights",
    "noise_terms",
    "orbit_coordinates",
    "orbits_draw",
    "periodogram_astrometry",
    "placement",
    "planet_mass_jupiter",
    "prior_sets",
    "quantity_kind",
    "quantity_kinds",
    "radial_velocity",
    "radvel",
    "random_normal",
    "random_uniform",
    "read_astrometry",
    "read_motions",
    "read_star_file",
    "sample",
    "sample_astrometry",
    "sample_many",
    "sample_resume",
    "sample_stars",
    "schedule",
    "search",
    "search_astrometry",
    "search_catalogue",
    "sites",
    "sky_conditions",
    "solve_astrometry",
    "stream_astrometry",
    "stream_stars",
    "version",
    "write_catalogue",
]
