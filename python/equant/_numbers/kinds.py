"""Which unit an argument has: its name says so, period_days or k_m_s."""

from __future__ import annotations

import re
from typing import NamedTuple, Optional


class Kind(NamedTuple):
    """What an argument takes."""

    #: As astropy writes it: "m / s"; "" for numbers without one.
    unit: str = ""
    #: A whole number, or an array of them.
    is_count: bool = False
    #: A whole number that the library takes without a sign: below zero it would be a huge one.
    is_unsigned: bool = False
    #: What becomes of dates: "jd", "utc", "clock" (of the data), "year"; "" refuses them.
    date: str = ""
    #: Missing values become NaN, and are refused elsewhere.
    takes_missing: bool = False
    #: Names in place of numbers: of instruments, or a date in words.
    takes_text: bool = False
    #: True and false are 1 and 0: columns that say which rows are meant.
    takes_flags: bool = False
    #: Two numbers, such as the ends of a range.
    is_pair: bool = False
    #: Columns of several units, which no unit can convert.
    is_mixed: bool = False


NUMBER = Kind()
COUNT = Kind(is_count=True)
AMOUNT = Kind(is_count=True, is_unsigned=True)
FLAGS = Kind(takes_flags=True)
LABELS = Kind(is_count=True, takes_text=True)
COLUMNS = Kind(is_mixed=True)
CLOCK = Kind("d", date="clock")
JULIAN_DATE = Kind("d", date="jd")
UTC = Kind("d", date="utc", takes_text=True)

#: Endings of names, of which the longest counts.
_ENDINGS = {
    "_days": "d",
    "_hours": "h",
    "_minutes": "min",
    "_s": "s",
    "_seconds": "s",
    "_per_day": "1 / d",
    "_m_s": "m / s",
    "_km_s": "km / s",
    "_m_s_day": "m / (s d)",
    "_m_s_day2": "m / (s d2)",
    "_mas": "mas",
    "_mas_yr": "mas / yr",
    "_mas_per_yr": "mas / yr",
    "_rad": "rad",
    "_deg": "deg",
    "_au": "AU",
    "_jupiter": "jupiterMass",
    "_k": "K",
    "_m": "m",
    "_yr": "yr",
}

#: Names that do not end with a unit.
_NAMES = {
    "star_mass": Kind("solMass"),
    "mass": Kind("solMass"),
    "radius": Kind("solRad"),
    "luminosity": Kind("solLum"),
    "m_sin_i": Kind("jupiterMass"),
    "temperature": Kind("K"),
    "inclination": Kind("deg"),
    "jitter": Kind("m / s"),
    "epoch_year": Kind("yr", date="year"),
    "jd": JULIAN_DATE,
    "reference_jd": JULIAN_DATE,
    "time": UTC,
    "t_conj": Kind("d", date="clock"),
    "t_sup": Kind("d", date="clock"),
    "t_peri": Kind("d", date="clock"),
    "transit": COUNT,
    **dict.fromkeys(
        ("time_days", "times_days", "at_days", "clock_days", "start_days", "end_days"), CLOCK
    ),
    "reference_time_days": CLOCK,
    **dict.fromkeys(
        (
            "eccentricity",
            "eccentricity_max",
            "false_alarm",
            "false_alarm_max",
            "probability",
            "probability_min",
            "share",
            "ratio_n",
            "max_rhat",
            "min_ess",
            "airmass_max",
            "moon_illumination_max",
            "danby_tolerance",
            "least_value",
            "parallax_factor",
            "colour_factor",
            "spread",
            "amplitude",
            "rotation",
            "width",
            "cost",
            "weights",
            "probabilities",
            "uncertainty",
            "excess_noise",
            "alpha",
            "beta",
            "at_alpha",
            "at_beta",
            "means",
            "variances",
            "residuals",
            "standard_deviations",
        ),
        NUMBER,
    ),
    **dict.fromkeys(
        (
            "seed",
            "first",
            "n",
            "draws",
            "cells",
            "purpose",
            "retries",
            "thinning",
            "max_companions",
            "max_draws",
            "max_planets",
            "max_steps",
            "danby_max_iterations",
        ),
        AMOUNT,
    ),
    **dict.fromkeys(("number", "source_id", "groups", "place"), COUNT),
    "weight": FLAGS,
    "outliers": Kind(takes_text=True),
    **dict.fromkeys(("instruments", "at_instruments", "instrument"), LABELS),
    **dict.fromkeys(
        ("parameters", "points", "cube", "elements", "coordinates", "covariance", "trend_terms"),
        COLUMNS,
    ),
}


def kind_of(name: str) -> Optional[Kind]:
    """What an argument of this name takes; None for what is no number.

    >>> kind_of("star_mass_err").unit, kind_of("k_max_m_s").unit, kind_of("n_sets").is_count
    ('solMass', 'm / s', True)
    >>> kind_of("progress") is None
    True
    """
    if name in _NAMES:
        return _NAMES[name]
    if name.startswith("n_"):
        return AMOUNT
    plain = name[: -len("_err")] if name.endswith("_err") else name.replace("_err_", "_")
    endings = [ending for ending in _ENDINGS if plain.endswith(ending)]
    if plain in _NAMES:
        return _NAMES[plain]
    return Kind(_ENDINGS[max(endings, key=len)]) if endings else None


def kind_of_parameter(name: str) -> Kind:
    """What a parameter of a model is a number of: "b.period_days", "k_m_s_1", "jitter[HARPS]".

    >>> [kind_of_parameter(name).unit for name in ("b.period_days", "k_m_s_1", "jitter[HARPS]")]
    ['d', 'm / s', 'm / s']
    """
    word = name.rsplit(".", 1)[-1].split("[", 1)[0]
    return kind_of(word) or kind_of(re.sub(r"_\d+$", "", word)) or NUMBER
