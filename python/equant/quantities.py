"""Quantities: the catalogue of everything that results hold."""

from __future__ import annotations

import ctypes
import functools
from dataclasses import dataclass, fields
from typing import Any

from . import _c
from ._memory import options, string, text, word
from .errors import call


@dataclass(frozen=True)
class QuantityKind:
    """A kind of quantity: a parameter of a model, or what follows from parameters.

    ``name`` stands in tables and in Python, followed by ``_1``, ``_2`` where there is one for each
    planet or instrument (``axis``: ``"per_planet"``, ``"per_instrument"`` or ``"alone"``);
    files of runs have it as a variable with an axis instead. ``role`` is ``"element"``,
    ``"linear"``, ``"noise"`` or ``"derived"``, and ``derived_from`` has the names of what a derived quantity takes. Angles are
    in radians; ``shown_name``, ``shown_unit`` and ``shown_factor`` are those of JSON and tables of
    planets, which have degrees. ``label`` stands before its value in texts, ``symbol`` in
    pictures, ``html`` on pages.
    """

    name: str
    unit: str
    meaning: str
    axis: str
    role: str
    derived_from: tuple[str, ...]
    needs_star_mass: bool
    is_angle: bool
    is_posterior_only: bool
    shown_name: str
    shown_unit: str
    shown_factor: float
    table_unit: str
    label: str
    symbol: str
    html: str
    html_unit: str
    needs_star_luminosity: bool


def _kind(index: int) -> QuantityKind:
    info = options(_c.equant_quantity_info)
    call(_c.equant_quantity_at, index, info)
    values: dict[str, Any] = {f.name: getattr(info, f.name) for f in fields(QuantityKind)}
    values = {k: string(v) if isinstance(v, bytes) else v for k, v in values.items()}
    flags = ("needs_star_mass", "needs_star_luminosity", "is_angle", "is_posterior_only")
    values.update({flag: bool(values[flag]) for flag in flags})
    values.update(
        axis=word("equant_quantity_axis", values["axis"]),
        role=word("equant_quantity_role", values["role"]),
        derived_from=tuple(values["derived_from"].split()),
    )
    return QuantityKind(**values)


@functools.cache
def quantity_kinds() -> tuple[QuantityKind, ...]:
    """The catalogue of quantities, elements of orbits first.

    Examples
    --------
    >>> import equant
    >>> [kind.name for kind in equant.quantity_kinds()][:3]
    ['period_days', 'k_m_s', 'eccentricity']
    """
    return tuple(_kind(index) for index in range(_c.equant_n_quantities()))


def quantity_kind(name: str) -> QuantityKind:
    """The kind of a quantity by its name, with or without a number.

    Examples
    --------
    >>> import equant
    >>> equant.quantity_kind("t_conj_2").meaning
    'an inferior conjunction'
    """
    index = ctypes.c_size_t()
    call(_c.equant_quantity_find, text(name), ctypes.byref(index))
    return quantity_kinds()[index.value]


@functools.cache
def planet_kinds() -> tuple[QuantityKind, ...]:
    """Those that the planets of a fit have."""
    return tuple(
        kind
        for kind in quantity_kinds()
        if kind.axis == "per_planet" and not kind.is_posterior_only
    )


#: What ends the name of a column that is no quantity of the catalogue tells its unit, too.
_ENDINGS = {"_days": "d", "_m_s": "m / s", "_rad": "rad", "_deg": "deg", "_au": "AU"}


def unit_of_column(name: str) -> str:
    """The unit of a column as astropy writes it; empty for a pure number or a text."""
    plain = name
    for ending in ("_err", "_low", "_high", "_median", "_bound"):
        plain = plain.removesuffix(ending)
    stem = plain.rstrip("0123456789").removesuffix("_") if plain[-1:].isdigit() else plain
    for kind in quantity_kinds():
        if kind.name in (plain, stem):
            return kind.table_unit
        if kind.shown_name in (plain, stem):
            return "deg"
    return next((unit for ending, unit in _ENDINGS.items() if stem.endswith(ending)), "")
