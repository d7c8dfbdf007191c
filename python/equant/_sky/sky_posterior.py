"""Sampling of astrometry: how well an orbit on the sky is known."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from typing import Any, Optional, Sequence

import numpy as np

from .. import _c
from .._memory import (
    Array,
    Borrowed,
    Handle,
    address,
    choice,
    doubles,
    options,
    path_text,
    pointer,
    record,
    string,
    text,
)
from .._numbers.gate import takes_numbers
from .._sampling_options import sampler_numbers
from ..astrometry import Astrometry, SkyMotions
from ..data import Data, PathLike
from ..engine import EngineLike
from ..errors import call
from ..posterior import Draws, Quantity, run_path, summary_of
from ..progress import ProgressLike, Watch
from .sky_options import sky_fit_options_of, source_pointer
from .sky_prediction import SkyPrediction, predictive


@dataclass(frozen=True)
class SkyPredicted:
    """Where the light of a star will be: medians, intervals of 68.3 %, the ellipse of both.

    Around the barycentre, RA with the cosine of the declination. The abscissa is NaN where no scan
    was given.
    """

    jd: float
    ra_mas: float
    ra_low_mas: float
    ra_high_mas: float
    dec_mas: float
    dec_low_mas: float
    dec_high_mas: float
    ra_sd_mas: float
    dec_sd_mas: float
    correlation: float
    abscissa_mas: float
    abscissa_low_mas: float
    abscissa_high_mas: float


class SkyPosterior(Draws):
    """Draws of orbits on the sky. Made by :func:`equant.sample_astrometry`, or read by
    :func:`equant.load`.

    ``posterior["a0_mas_1"]`` are the values of a quantity in all draws,
    ``[n_populations, n_kept, n_walkers]``.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        summary = options(_c.equant_posterior_summary)
        call(_c.equant_sky_posterior_summarize, handle.pointer, summary)
        #: How the run went.
        self.summary = summary_of(summary)
        #: Elements, sizes, masses, motion, jitters, with medians, intervals and diagnostics.
        self.quantities: tuple[Quantity, ...] = tuple(
            self._quantity(index)
            for index in range(_c.equant_sky_posterior_n_quantities(handle.pointer))
        )

    @classmethod
    def open(cls, path: PathLike) -> SkyPosterior:
        """The draws of a file that :meth:`save` or the command line has written, or of a folder."""
        place = run_path(path)
        return cls(Handle(_c.equant_sky_posterior_open, _c.equant_sky_posterior_free, place))

    @property
    def source(self) -> Astrometry:
        """The astrometry that was fitted: means of transits or CCDs, as they were asked for."""
        return Astrometry(
            Borrowed(_c.equant_sky_posterior_source(self._handle.pointer), self._handle)
        )

    @property
    def velocities(self) -> Optional[Data]:
        """Those that were fitted beside the astrometry; ``None`` where there were none."""
        theirs = _c.equant_sky_posterior_velocities(self._handle.pointer)
        return Data(Borrowed(theirs, self._handle)) if theirs else None

    @property
    def end_jd(self) -> float:
        """The Julian date of the last thing that was seen, be it position or velocity."""
        return float(_c.equant_sky_posterior_end_jd(self._handle.pointer))

    def provenance(self, name: str) -> str:
        """How the run was made: ``"version"``, ``"seed"``, ``"rows"``; empty: it does not say."""
        return string(_c.equant_sky_posterior_provenance(self._handle.pointer, text(name)))

    @takes_numbers
    def knows(self, what: str, number: int = 0) -> bool:
        """Whether :meth:`predictive` can predict it: a companion, an instrument from 1; 0: any."""
        wanted = choice("equant_sky_observable", "what", what)
        return bool(_c.equant_sky_posterior_knows(self._handle.pointer, wanted, number))

    def _quantity(self, index: int) -> Quantity:
        quantity = options(_c.equant_sampled_quantity)
        call(_c.equant_sky_posterior_quantity, self._handle.pointer, index, quantity)
        made: Quantity = record(Quantity, quantity)
        return replace(made, kind=made.name.rstrip("0123456789").rstrip("_"))

    def __getitem__(self, name: str) -> Array:
        values = np.empty(self.shape)
        index = self._index(name)
        call(_c.equant_sky_posterior_values, self._handle.pointer, index, address(values))
        return values

    @property
    def log_likelihoods(self) -> Array:
        """Of all draws, with everything linear integrated."""
        values = np.empty(self.shape)
        call(_c.equant_sky_posterior_log_likelihoods, self._handle.pointer, address(values))
        return values

    @takes_numbers
    def predict(
        self, jd: Any, scan_angle_rad: Any = None, parallax_factor: Any = None
    ) -> tuple[SkyPredicted, ...]:
        """Where draws put the light of the star at other times, around the barycentre.

        Parameters
        ----------
        jd
            Julian dates.
        scan_angle_rad, parallax_factor
            Position angles of scans, and their parallax factors: then abscissae are predicted, too,
            with position, motion and parallax.
        """
        times = np.atleast_1d(doubles(jd, "jd"))
        scans = [
            None
            if one is None
            else np.ascontiguousarray(np.broadcast_to(doubles(one, name), times.shape))
            for one, name in (
                (scan_angle_rad, "scan_angle_rad"),
                (parallax_factor, "parallax_factor"),
            )
        ]
        rows = (_c.equant_sky_predicted * times.size)()
        for row in rows:
            row.struct_size = ctypes.sizeof(_c.equant_sky_predicted)
        call(
            _c.equant_sky_posterior_predict,
            self._handle.pointer,
            times.size,
            address(times),
            address(scans[0]),
            address(scans[1]),
            rows,
        )
        return tuple(record(SkyPredicted, row) for row in rows)

    @takes_numbers
    def predictive(
        self,
        what: str,
        jd: Any,
        *,
        scan_angle_rad: Any = None,
        parallax_factor: Any = None,
        number: int = 0,
        noise: bool = True,
        uncertainty: float = 0.0,
        max_draws: int = 0,
        engine: EngineLike = None,
        progress: ProgressLike = None,
    ) -> SkyPrediction:
        """The distribution of what will be seen at other times, noise included.

        Parameters
        ----------
        what
            ``"abscissa"`` along scans; ``"light_ra"``, ``"light_dec"``, the light around the
            barycentre; ``"companion_ra"``, ``"companion_dec"``, a companion minus its star; or
            ``"velocity"``.
        jd
            Julian dates.
        scan_angle_rad, parallax_factor
            Of abscissae: position angles of the scans, and their parallax factors.
        number
            Of a companion or an instrument, from 1; the first companion, the instrument of the last
            velocity.
        noise
            False: the thing itself, without uncertainty and jitter.
        uncertainty
            Of an observation, in mas or m/s; the median of such data.
        max_draws
            Spread evenly over all; 2000.
        engine
            Where it runs.
        progress
            Who is told on the way.
        """
        return predictive(
            self,
            what,
            jd,
            scan_angle_rad,
            parallax_factor,
            number,
            noise,
            uncertainty,
            max_draws,
            engine,
            progress,
        )

    def save(self, path: PathLike) -> None:
        """Writes all draws as NetCDF, a variable (chain, draw) for each quantity, as ArviZ opens
        it.
        """
        call(_c.equant_sky_posterior_save, self._handle.pointer, path_text(path))

    def __repr__(self) -> str:
        n = int(np.prod(self.shape))
        return f"equant.SkyPosterior({self.summary.n_planets} companions, {n} draws)"


@takes_numbers
def sample_astrometry(
    source: Astrometry,
    velocities: Optional[Data] = None,
    *,
    ccds: bool = False,
    jitter: bool = True,
    colour: bool = True,
    period_days: tuple[float, float] = (0.0, 0.0),
    eccentricity_max: float = 0.0,
    star_mass: float = 0.0,
    star_mass_err: float = 0.0,
    parallax_zero_point_mas: float = 0.0,
    free_velocities: bool = False,
    max_companions: int = 0,
    motions: Optional[SkyMotions] = None,
    scans: Sequence[Astrometry] = (),
    radial_velocity_km_s: float = 0.0,
    seed: int = 1,
    n_populations: int = 0,
    n_walkers: int = 0,
    n_burn_in: int = 0,
    thinning: int = 0,
    max_draws: int = 0,
    max_rhat: float = 0.0,
    min_ess: float = 0.0,
    max_steps: int = 0,
    max_seconds: float = 0.0,
    path: Optional[PathLike] = None,
    checkpoint_seconds: float = 0.0,
    resume: bool = False,
    engine: EngineLike = None,
    progress: ProgressLike = None,
) -> SkyPosterior:
    """Draws from the posterior of the orbit that a fit finds.

    Walkers move in the shape of the orbit and in jitters; all that is linear is integrated exactly
    and drawn behind every draw. Zeros are the defaults of the library (``equant/sky_sample.h``,
    which also tells the priors).

    Parameters
    ----------
    source
        What was seen.
    velocities
        Of the same star.
    ccds, jitter, colour, period_days, eccentricity_max, star_mass, star_mass_err
        As in :func:`equant.fit_astrometry`.
    parallax_zero_point_mas, free_velocities, max_companions, motions, scans
        As there.
    radial_velocity_km_s
        As there.
    seed
        Of the random numbers.
    n_populations, n_walkers, n_burn_in, thinning, max_draws
        Of the sampler.
    max_rhat, min_ess
        Goals for every coordinate.
    max_steps, max_seconds
        Where it stops at the latest.
    path
        Of a file from which the run can go on, written at every checkpoint and at the end. Ctrl-C
        ends a run after a last one.
    checkpoint_seconds
        Between two writings of it; 60.
    resume
        Goes on from that file, with the data and options that it began with, to the draws of a run
        that was not interrupted; goals, steps and seconds may be others.
    engine
        Where it runs.
    progress
        Who is told on the way.
    """
    given = dict(locals())
    watch = Watch(progress)
    asked = options(
        _c.equant_sky_sample_options,
        fit=pointer(sky_fit_options_of(given)),
        **sampler_numbers(given),
        path=None if path is None else path_text(path),
        resume=int(resume),
        progress=watch.callback,
    )
    return SkyPosterior(
        watch.create(
            _c.equant_sky_sample, _c.equant_sky_posterior_free, source_pointer(source), asked
        )
    )
