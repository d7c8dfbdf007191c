"""What fits, searches and draws of astrometry are asked for, as the library takes it."""

from __future__ import annotations

import ctypes
import inspect
from typing import Any, Mapping, Optional, Sequence

from .. import _c
from .._memory import options, pointer
from ..astrometry import Astrometry, SkyMotions
from ..data import Data, data_pointer
from ..engine import EngineLike, as_engine
from ..errors import InvalidArgument


def source_pointer(source: Any) -> Any:
    """The source as the library knows it."""
    if not isinstance(source, Astrometry):
        raise InvalidArgument("an equant.Astrometry is needed: see equant.read_astrometry")
    return source._handle.pointer


def _motions(given: Optional[SkyMotions]) -> Any:
    if given is None:
        return None
    made = options(_c.equant_sky_motions)
    for name in SkyMotions.__dataclass_fields__:
        value = getattr(given, name)
        if isinstance(value, tuple):
            getattr(made, name)[:] = value
        else:
            setattr(made, name, value)
    return made


def sky_fit_options(
    velocities: Optional[Data],
    engine: EngineLike,
    *,
    ccds: bool = False,
    jitter: bool = True,
    colour: bool = True,
    orbit: bool = False,
    false_alarm: float = 0.0,
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
) -> Any:
    """The words of :func:`equant.fit_astrometry`; its kin take some of them."""
    pointers = (ctypes.c_void_p * len(scans))(*(source_pointer(own) for own in scans))
    return options(
        _c.equant_sky_fit_options,
        engine=pointer(as_engine(engine)._options()),
        as_ccds=int(ccds),
        no_jitter=int(not jitter),
        no_colour=int(not colour),
        force_orbit=int(orbit),
        false_alarm_max=false_alarm,
        period_min_days=period_days[0],
        period_max_days=period_days[1],
        eccentricity_max=eccentricity_max,
        star_mass=star_mass,
        star_mass_err=star_mass_err,
        parallax_zero_point_mas=parallax_zero_point_mas,
        velocities=data_pointer(velocities) if velocities is not None else None,
        free_velocities=int(free_velocities),
        max_companions=max_companions,
        motions=pointer(_motions(motions)),
        n_scans=len(scans),
        scans=pointers,
        radial_velocity_km_s=radial_velocity_km_s,
    )


def sky_fit_options_of(given: Mapping[str, Any]) -> Any:
    """Those among the arguments of a function that makes a fit, or needs one."""
    names = inspect.signature(sky_fit_options).parameters
    return sky_fit_options(**{name: given[name] for name in names if name in given})
