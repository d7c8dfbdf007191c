"""Published orbits, each against the epochs of its own source."""

from __future__ import annotations

import ctypes
from typing import Any, Iterable, Mapping, Union

import numpy as np

from .. import _c
from .._memory import Array, Handle, options, path_text, pointer, string
from .._numbers.gate import takes_numbers
from ..astrometry import Astrometry
from ..engine import EngineLike, as_engine
from ..errors import InvalidArgument, call

#: Columns of checks that are named otherwise in tables than in C.
_MEMBERS = {
    "ln_ratio": "log_ratio",
    "published_gain": "gain_published",
    "chi2_5p": "chi_square_5p",
    "chi2_published": "chi_square_published",
    "chi2_best": "chi_square_best",
    "distance2": "distance_square",
    "distance_probability": "chance",
    "period_days": "period_days",
    "period_days_err": "period_days_err",
    "eccentricity": "eccentricity",
    "a0_mas": "a0_mas",
    "fap": "false_alarm",
}
_DTYPE = np.dtype(
    [
        ("source_id", np.int64),
        ("solution_type", "U48"),
        ("judgement", "U16"),
        ("verdict", "U10"),
        ("published_period_days", np.float64),
        ("published_eccentricity", np.float64),
        ("has_correlations", np.int64),
    ]
    + [(name, np.float64) for name in _MEMBERS]
)


def _row(orbit: Any, check: Any) -> tuple[Any, ...]:
    is_checked = check.judgement != _c.EQUANT_SKY_UNCHECKED
    return (
        orbit.source_id,
        orbit.solution_type.decode(),
        string(_c.equant_sky_judgement_name(check.judgement)),
        string(_c.equant_sky_verdict_name(check.verdict)) if is_checked else "",
        orbit.period_days,
        orbit.eccentricity,
        orbit.has_correlations,
        *(getattr(check, member) for member in _MEMBERS.values()),
    )


def _read(path: Any, lists: Iterable[Any]) -> Handle:
    names = [path_text(one) for one in lists]
    if not names:
        return Handle(_c.equant_sky_orbits_read, _c.equant_sky_orbits_free, path_text(path), None)
    paths = (ctypes.c_char_p * len(names))(*names)
    known = Handle(_c.equant_sky_sources_read, _c.equant_sky_sources_free, len(names), paths)
    return Handle(
        _c.equant_sky_orbits_read, _c.equant_sky_orbits_free, path_text(path), known.pointer
    )


Sources = Union[Iterable[Astrometry], Mapping[int, Astrometry]]


def _pairs(orbits: Handle, sources: Sources) -> list[tuple[Astrometry, Any]]:
    """Each source with each of its orbits."""
    found = []
    numbers = list(sources) if isinstance(sources, Mapping) else None
    for i, source in enumerate(sources.values() if isinstance(sources, Mapping) else sources):
        if not isinstance(source, Astrometry):
            raise InvalidArgument("sources must be equant.Astrometry, as equant.read_astrometry gives")
        n = ctypes.c_size_t()
        own = numbers[i] if numbers is not None else source.source_id or 0
        first = _c.equant_sky_orbits_find(orbits.pointer, own, ctypes.byref(n))
        for index in range(first, first + n.value):
            orbit = options(_c.equant_sky_published)
            call(_c.equant_sky_orbits_at, orbits.pointer, index, ctypes.byref(orbit))
            found.append((source, orbit))
    return found


@takes_numbers
def check_orbits(
    path: Any,
    sources: Sources,
    *,
    lists: Iterable[Any] = (),
    false_alarm: float = 0.0,
    period_days: tuple[float, float] = (0.0, 0.0),
    engine: EngineLike = None,
) -> Array:
    """Published orbits against the epochs of their sources: a structured array, a row for each.

    Experimental. Columns are those of ``equant check``. Sources without a published orbit, and orbits
    whose source is not given, have no row.

    Parameters
    ----------
    path
        A table like ``nss_two_body_orbit``.
    sources
        Epochs of the sources, all in memory together; or those of each number, where they have none
        of their own.
    lists
        Tables with ``source_id`` and ``dr3_source_id``, where orbits are of DR3.
    false_alarm
        Allowed to an orbit, and lowest probability of the distance of orbits that agree; 0: 0.001.
    period_days
        Shortest and longest of the epochs' own orbit; 0: 1 day, 20 times the span.
    engine
        Its threads compute.
    """
    pairs = _pairs(_read(path, lists), sources)
    n = len(pairs)
    asked = options(
        _c.equant_sky_fit_options,
        engine=pointer(as_engine(engine)._options()),
        false_alarm_max=false_alarm,
        period_min_days=period_days[0],
        period_max_days=period_days[1],
    )
    addresses = (ctypes.c_void_p * max(n, 1))(*(source._handle.pointer for source, _ in pairs))
    orbits = (_c.equant_sky_published * max(n, 1))(*(orbit for _, orbit in pairs))
    checks = (_c.equant_sky_check * max(n, 1))()
    checks[0].struct_size = ctypes.sizeof(_c.equant_sky_check)
    call(_c.equant_sky_orbits_check, n, addresses, orbits, pointer(asked), checks)
    return np.array([_row(orbits[i], checks[i]) for i in range(n)], dtype=_DTYPE)
