"""Kepler's equation, velocities of orbits, random orbits, and other coordinates of planets."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike

from . import _c
from ._memory import Array, address, choice, doubles, options, output
from ._numbers.gate import takes_numbers
from ._numbers.kinds import JULIAN_DATE
from .data import Data
from .device import DeviceMemory, device_memory, device_output
from .engine import Engine, EngineLike, as_engine
from .errors import InvalidArgument, call
from .evaluator import Evaluator
from .model import TRENDS


@takes_numbers
def kepler(
    mean_anomaly_rad: Any,
    eccentricity: Any,
    *,
    sin_cos: bool = False,
    out: Any = None,
    engine: EngineLike = None,
) -> Any:
    """Solves Kepler's equation, M = E - e sin E.

    Parameters
    ----------
    mean_anomaly_rad, eccentricity
        Any finite M, any 0 <= e < 1; other pairs give NaN. They are broadcast against each
        other. Arrays on a GPU must have the same shape, and `engine` must name the GPU.
    sin_cos
        Also return sin E and cos E, which cost nothing.
    out
        An array to be filled with E; with `sin_cos` a tuple of three.
    engine
        An :class:`Engine`, or the name of a backend.

    Returns
    -------
    E, or the tuple (E, sin E, cos E)
        In radians, on the same revolution as M: floats for two floats, else arrays.

    Examples
    --------
    >>> round(kepler(1.0, 0.5), 12)
    1.498701133518
    >>> E, sine, cosine = kepler([0.0, 3.141592653589793], 0.3, sin_cos=True)
    >>> cosine
    array([ 1., -1.])
    """
    chosen = as_engine(engine)
    outs = out if sin_cos and out is not None else (out, None, None)
    anomalies = device_memory(mean_anomaly_rad)
    if anomalies is not None:
        eccentricities = device_memory(eccentricity)
        if eccentricities is None or eccentricities.shape != anomalies.shape:
            raise InvalidArgument("both arrays must be on the GPU, and of the same shape")
        return _kepler_on_device(anomalies, eccentricities, sin_cos, outs, chosen)
    pair = np.broadcast_arrays(
        doubles(mean_anomaly_rad, "mean anomalies"), doubles(eccentricity, "eccentricities")
    )
    M, e = (np.ascontiguousarray(array) for array in pair)
    shape = pair[0].shape
    arrays = [output(given, shape) for given in outs[: 3 if sin_cos else 1]]
    places = [address(array) for array in arrays] + [None] * (3 - len(arrays))
    call(_c.equant_kepler_solve, M.size, address(M), address(e), chosen._options(), *places)
    answers = [array.item() if shape == () and out is None else array for array in arrays]
    return tuple(answers) if sin_cos else answers[0]


def _kepler_on_device(
    M: DeviceMemory, e: DeviceMemory, sin_cos: bool, outs: Sequence[Any], engine: Engine
) -> Any:
    backend = engine.backend or ""
    wanted = outs[: 3 if sin_cos else 1]
    made = [device_output(out, M.shape, "out", backend, M.stream) for out in wanted]
    places = [place for _, place in made] + [None] * (3 - len(made))
    n = int(np.prod(M.shape))
    call(
        _c.equant_kepler_solve_on_device,
        n,
        M.address,
        e.address,
        engine._options(),
        *places,
        M.stream,
    )
    arrays = tuple(array for array, _ in made)
    return arrays if sin_cos else arrays[0]


@takes_numbers(time_days=JULIAN_DATE, reference_time_days=JULIAN_DATE)
def radial_velocity(
    time_days: Any,
    period_days: Any,
    k_m_s: Any,
    eccentricity: Any = 0.0,
    omega_rad: Any = 0.0,
    m0_rad: Any = 0.0,
    *,
    reference_time_days: float = 0.0,
    offset_m_s: float = 0.0,
    trend_terms: ArrayLike = (),
    engine: EngineLike = None,
) -> Any:
    """Radial velocity of a star with one or more planets, in m/s.

    Parameters
    ----------
    time_days
        A time, or an array of them.
    period_days, k_m_s, eccentricity, omega_rad, m0_rad
        Elements of the star's orbit: numbers for one planet, equally long sequences for several,
        whose velocities add up.
    reference_time_days
        When the mean anomaly is `m0_rad`.
    offset_m_s
        Velocity of the system.
    trend_terms
        Nothing, or the slope in m/s/day, or slope and curvature in m/s/day^2.
    engine
        An :class:`Engine`, or the name of a backend.

    Examples
    --------
    >>> radial_velocity([0.0, 1.0, 2.0], period_days=4.0, k_m_s=50.0).round(6)
    array([ 50.,   0., -50.])
    """
    times = doubles(time_days, "times")
    if times.size == 0:
        return np.empty(times.shape)
    columns = (period_days, k_m_s, eccentricity, omega_rad, m0_rad)
    planets = np.stack(np.broadcast_arrays(*(np.atleast_1d(column) for column in columns)), -1)
    order = np.argsort(times.ravel(), kind="stable")
    zeros = np.zeros(times.size)
    data = Data.from_arrays(
        times.ravel()[order], zeros, 1.0, reference_time_days=reference_time_days
    )
    evaluator = Evaluator(
        data,
        n_planets=len(planets),
        trend=TRENDS[np.size(trend_terms)],
        offset_columns="given",
        trend_columns="given",
        engine=engine,
    )
    sorted_m_s = evaluator.velocities(np.concatenate([planets.ravel(), [offset_m_s], trend_terms]))
    velocities = np.empty(times.size)
    velocities[order] = sorted_m_s
    return velocities.reshape(times.shape) if times.ndim else velocities.item()


@takes_numbers
def orbits_draw(
    n_sets: int,
    n_planets: int = 1,
    *,
    seed: int = 0,
    first: int = 0,
    period_days: tuple[float, float] = (0.0, 0.0),
    k_m_s: tuple[float, float] = (0.0, 0.0),
    eccentricity_max: float = 0.0,
    out: Optional[Array] = None,
) -> Array:
    """Random orbits from the distributions of Ford (2008), ``[n_sets, n_planets * 5]``.

    Systems are addressed, not stepped: number ``first + i`` of a seed is the same whoever asks.

    Parameters
    ----------
    n_sets, n_planets
        Number of systems, and of planets in each.
    seed, first
        Of the first system.
    period_days, k_m_s
        Ranges, log-uniform; the paper's [2, 3652.5) and [1, 500) without them.
    eccentricity_max
        Uniform from 0 to this; the paper's 0.99 without it.
    out
        An array to be filled.

    Examples
    --------
    >>> orbits_draw(3, 2, seed=1).shape
    (3, 10)
    """
    distribution = options(
        _c.equant_orbit_distribution,
        period_min_days=period_days[0],
        period_max_days=period_days[1],
        k_min_m_s=k_m_s[0],
        k_max_m_s=k_m_s[1],
        eccentricity_max=eccentricity_max,
    )
    sets = output(out, (n_sets, _c.EQUANT_N_ELEMENTS * n_planets))
    call(_c.equant_orbits_draw, distribution, seed, first, n_sets, n_planets, address(sets))
    return sets


@takes_numbers
def basis_from_elements(elements: Any, basis: str) -> Array:
    """Coordinates of planets, ``[..., 5]``, from their elements.

    ======== =============================================================================
    elements P, K, e, omega, M0
    regular  ln P, ln K, e cos omega, e sin omega, M0 + omega
    roots    ln P, sqrt K, sqrt e cos omega, sqrt e sin omega, M0 + omega
    linear   ln P, e cos M0, e sin M0, A, B: the velocity is linear in (A, B)
    ======== =============================================================================

    Elements outside their domain give NaN.

    Examples
    --------
    >>> basis_from_elements([1.0, 4.0, 0.25, 0.0, 1.0], "roots")
    array([0. , 2. , 0.5, 0. , 1. ])
    """
    return _change_basis(_c.equant_basis_from_elements, elements, basis)


@takes_numbers
def basis_to_elements(coordinates: Any, basis: str) -> Array:
    """Elements of planets, ``[..., 5]``, from coordinates; angles in [0, 2 pi)."""
    return _change_basis(_c.equant_basis_to_elements, coordinates, basis)


def _change_basis(function: Any, values: Any, basis: str) -> Array:
    given = doubles(values, "planets")
    if given.ndim == 0 or given.shape[-1] != _c.EQUANT_N_ELEMENTS:
        raise InvalidArgument("planets have five columns")
    result = np.empty(given.shape)
    number = choice("equant_basis", "basis", basis)
    call(function, number, given.size // _c.EQUANT_N_ELEMENTS, address(given), address(result))
    return result
