"""The star: what is known of it from elsewhere, with errors."""

from __future__ import annotations

import ctypes
from dataclasses import asdict, dataclass
from typing import Any, Optional

from . import _c
from ._memory import options
from ._numbers.gate import takes_numbers
from .errors import InvalidArgument, call


@takes_numbers
@dataclass(frozen=True)
class Star:
    """What is known of a star from elsewhere: solar units, and kelvin; zeros mean unknown.

    Errors are standard deviations, independent of each other, and zero where a number is exact. Fits
    propagate them, and each draw of a posterior has a star of its own. The mass gives m sin i and
    a; with the luminosity, or radius and effective temperature in its place, follow insolation and
    equilibrium temperature.

    Examples
    --------
    >>> import equant
    >>> star = equant.Star(mass=0.874, mass_err=0.012, radius=0.999, radius_err=0.017)
    >>> round(star.density_g_cm3, 3), round(star.density_err_g_cm3, 3)
    (1.236, 0.065)
    """

    mass: float = 0.0
    mass_err: float = 0.0
    radius: float = 0.0
    radius_err: float = 0.0
    luminosity: float = 0.0
    luminosity_err: float = 0.0
    temperature_k: float = 0.0
    temperature_err_k: float = 0.0

    def __post_init__(self) -> None:
        call(_c.equant_star_check, self._options())

    def _options(self) -> Any:
        return options(_c.equant_star, **asdict(self))

    def _derived(self) -> tuple[float, float, float, float]:
        places = [ctypes.c_double() for _ in range(4)]
        call(_c.equant_star_derive, self._options(), *map(ctypes.byref, places))
        luminosity, luminosity_err, density, density_err = (place.value for place in places)
        return luminosity, luminosity_err, density, density_err

    @property
    def total_luminosity(self) -> tuple[float, float]:
        """As given, or from radius and temperature, with its error; NaN where it is unknown."""
        return self._derived()[:2]

    @property
    def density_g_cm3(self) -> float:
        """Mean density; NaN where mass or radius are unknown."""
        return self._derived()[2]

    @property
    def density_err_g_cm3(self) -> float:
        """Its propagated error."""
        return self._derived()[3]


def star_of(star: Optional[Star], star_mass: float) -> Star:
    """The star of two arguments, of which one may say all."""
    if star is None:
        return Star(mass=star_mass)
    if not isinstance(star, Star):
        raise InvalidArgument(f"star is an equant.Star, not {type(star).__name__}")
    if star_mass and star.mass and star_mass != star.mass:
        raise InvalidArgument(
            f"star has a mass of {star.mass:g}, and star_mass says {star_mass:g}: leave one out"
        )
    return star if star.mass else Star(**{**asdict(star), "mass": star_mass})
