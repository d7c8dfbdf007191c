"""A fit from a folder, as `equant fit --out` or :meth:`Fit.save` left it."""

from __future__ import annotations

import json
import math
import os
from dataclasses import fields
from typing import Any, Optional

import numpy as np

from .._data.rows import Rows, Words
from .._fit.fit_contents import FitContents, FitSummary
from .._fit.fitted_planet import FittedQuantity, Planet, planet_from
from ..comparison import alias_pairs_from_json, aliases_from_json, numbers_from_json
from ..data import Data, data_from_rows
from ..engine import Engine
from ..errors import FormatError, InputOutputError
from ..fitted_star import Fit
from ..noise import Noise
from ..quantities import QuantityKind, planet_kinds, quantity_kinds
from ..star import star_from_json
from .ecsv import ecsv_columns, ecsv_descriptions, ecsv_units
from .fit_names import LETTERS, MARK, SIGNIFICANCE, SUMMARY, TREND
from .noise_json import noise_from_json, outliers_from_json

#: What numbers, lists and names raise that are others than a fit writes.
_NOT_OF_A_FIT = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,  # a count of 1e999
    RecursionError,
)


def read_fit(folder: str) -> Fit:
    """The fit that somebody, the command line or :meth:`Fit.save`, left in a folder."""
    path = os.path.join(folder, MARK)
    found = _read_json(path)
    origin_path = os.path.join(folder, "origin.json")
    origin = _read_json(origin_path) if os.path.exists(origin_path) else {}
    try:
        summary = _summary(found)
        noise = noise_from_json(found.get("noise"))
        data, model, residuals, explained = _read_data(folder, found, summary.reference_time_days)
        parameters, covariance = _read_parameters(folder)
        quantities = _quantities(found, parameters, covariance)
        contents = FitContents(
            summary=summary,
            quantities=quantities,
            planets=tuple(
                _planet(planet, [q for q in quantities if q.planet == number])
                for number, planet in enumerate(found["planets"], 1)
            ),
            aliases=tuple(aliases_from_json(planet.get("aliases")) for planet in found["planets"]),
            alias_pairs=alias_pairs_from_json(found.get("alias_pairs")),
            number_probabilities=numbers_from_json(found.get("n_planets")),
            candidate=_candidate(found["candidate"]),
            refusal=found["candidate"]["refused_because"]["sentence"] if found["candidate"] else "",
            trend=_trend(found["trend"]),
            parameters=np.array(list(parameters.values())),
            covariance=covariance,
            residuals_m_s=residuals,
            model_velocities_m_s=model,
            noise=noise,
            noise_m_s=explained,
            outliers=outliers_from_json(found.get("outliers", ())),
            star=star_from_json(origin),
            made_by=origin.get("command") or "",
        )
        fit = Fit(contents, data, Engine())
        fit.letters = "".join(
            planet.get("letter", usual) for planet, usual in zip(found["planets"], LETTERS)
        )
        fit.has_letters = any("letter" in planet for planet in found["planets"])
        fit.masses_jupiter = tuple(
            (float(planet["m_jupiter"]), _value(planet["m_jupiter_err"]))
            if planet.get("m_jupiter") is not None
            else None
            for planet in found["planets"]
        )
        _check(folder, fit)
    except _NOT_OF_A_FIT as error:
        if isinstance(error, (FormatError, OSError)):
            raise
        raise FormatError(f"{path}: this is not what a fit leaves: {error}") from None
    return fit


def _check(folder: str, fit: Fit) -> None:
    """A folder may hold the files of two fits, where somebody copied or stopped in between."""
    if fit.parameter_names != tuple(_parameter_columns(folder)["name"]):
        raise FormatError(f"{folder}: parameters.ecsv and {MARK} are not of one fit")
    if not fit.noise.is_white:
        _check_with_noise(folder, fit)
        return
    there, kept = fit.evaluator().chi_square(fit.parameters), fit.summary.chi_square
    if not math.isclose(there, kept, rel_tol=1e-6):
        raise FormatError(
            f"{folder}: chi-square is {there:.8g} with these data, and {kept:.8g} in {MARK}: the "
            "two are not of one fit"
        )


def _check_with_noise(folder: str, fit: Fit) -> None:
    """The same where there is noise beside jitters, by the likelihood.

    That of a fit with indicators as series knows more than velocities.
    """
    if fit.noise.series:
        return
    data = fit.data
    variances = fit.uncertainties_m_s**2 + fit.jitters_m_s[data.instruments] ** 2
    if fit.noise.terms:
        there = Noise(fit.noise.text_of(data)).log_likelihood(
            data.times_days, fit.residuals_m_s, variances, instruments=data.instruments
        )
    else:
        squares = fit.residuals_m_s**2 / variances
        there = -0.5 * float(np.sum(squares + np.log(2.0 * math.pi * variances)))
    kept = fit.summary.log_likelihood
    if not math.isclose(there, kept, rel_tol=1e-6, abs_tol=1e-6):
        raise FormatError(
            f"{folder}: ln L is {there:.8g} with these data, and {kept:.8g} in {MARK}: the two "
            "are not of one fit"
        )


def _read_json(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except OSError as error:
        raise InputOutputError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path}: {error}") from None
    if not isinstance(found, dict):
        raise FormatError(f"{path}: this is not what a fit leaves")
    return found


def _value(number: Optional[float]) -> float:
    return math.nan if number is None else float(number)


def _summary(found: dict[str, Any]) -> FitSummary:
    counts = {item.name for item in fields(FitSummary) if item.type == "int"}
    values: dict[str, Any] = {name: found.get(shown) for shown, name in SUMMARY.items()}
    if values["n_fitted"] is None:  # which older files call so
        values["n_fitted"] = found.get("n_parameters")
    typed: dict[str, Any] = {k: int(v) if k in counts else _value(v) for k, v in values.items()}
    return FitSummary(**typed, end=str(found.get("end", "finished")))


def _trend(terms: Optional[dict[str, Any]]) -> str:
    if terms is None:
        return "none"
    return "linear" if terms["quadratic_m_s_day2"] is None else "quadratic"


def _read_data(folder: str, found: dict[str, Any], epoch: float) -> tuple[Data, Any, Any, Any]:
    path = os.path.join(folder, "residuals.ecsv")
    wanted = ("time", "velocity", "uncertainty", "instrument", "model", "residual")
    cells = ecsv_columns(path, wanted)
    numbers = {name: np.array(cells[name], float) for name in wanted if name != "instrument"}
    names = tuple(instrument["name"] for instrument in found["instruments"])
    unknown = set(cells["instrument"]) - set(names)
    if unknown:
        raise FormatError(
            f"{path}: the instrument {min(unknown)} in it is not in {MARK}: the two are not of "
            "one fit"
        )
    rows: Rows = {
        "time_days": numbers["time"],
        "velocity_m_s": numbers["velocity"],
        "uncertainty_m_s": numbers["uncertainty"],
        "instrument": np.array([names.index(name) for name in cells["instrument"]]),
    }
    indicators = [name for name in cells if name not in wanted and f"{name}_err" in cells]
    units = ecsv_units(path)
    for name in indicators:
        rows[name, "value"] = np.array(cells[name], float)
        rows[name, "err"] = np.array(cells[f"{name}_err"], float)
    words: Words = {name: (None, units.get(name, "").replace(" ", "")) for name in indicators}
    time_name = ecsv_descriptions(path).get("time", "JD")
    data = data_from_rows(rows, names, epoch, found.get("warnings", ()), words, time_name)
    explained = np.array(cells.get("noise_m_s", [0.0] * len(cells["time"])), float)
    return data, numbers["model"], numbers["residual"], explained


def _parameter_columns(folder: str) -> dict[str, list[str]]:
    return ecsv_columns(os.path.join(folder, "parameters.ecsv"), ("name", "value"))


def _read_parameters(folder: str) -> tuple[dict[str, float], Any]:
    columns = _parameter_columns(folder)
    parameters = {name: float(value) for name, value in zip(columns["name"], columns["value"])}
    matrix = ecsv_columns(os.path.join(folder, "covariance.ecsv"), tuple(parameters))
    covariance = np.array([[float(cell) for cell in matrix[name]] for name in parameters])
    if covariance.shape != (len(parameters), len(parameters)):
        raise FormatError(f"{folder}: covariance.ecsv and parameters.ecsv are not of one fit")
    return parameters, covariance.T.copy()


def _quantities(
    found: dict[str, Any], exact: dict[str, float], covariance: Any
) -> tuple[FittedQuantity, ...]:
    """All quantities; those that are parameters with all digits."""
    errors = dict(zip(exact, map(float, np.sqrt(np.diag(covariance)))))
    made = []

    def take(kind: QuantityKind, name: str, shown: dict[str, Any], planet: int, unit: int) -> None:
        if kind.needs_star_luminosity and kind.shown_name not in shown:
            return  # of an older version
        value, err = (_value(shown[kind.shown_name + end]) for end in ("", "_err"))
        if kind.needs_star_mass and math.isnan(value):
            return
        scale = kind.shown_factor
        value = exact.get(name, value / scale)
        made.append(FittedQuantity(name, kind.name, planet, unit, value, err / scale))

    for number, planet in enumerate(found["planets"], 1):
        for kind in planet_kinds():
            take(kind, f"{kind.name}_{number}", planet, number, 0)
    for kind in quantity_kinds():
        if kind.axis == "per_instrument":
            for number, instrument in enumerate(found["instruments"], 1):
                take(kind, f"{kind.name}_{number}", instrument, 0, number)
        elif kind.name in TREND and kind.name in exact:
            key = TREND[kind.name]
            err = _value(found["trend"][f"{key}_err"])
            made.append(FittedQuantity(kind.name, kind.name, 0, 0, exact[kind.name], err))
        elif kind.name in exact:
            own = exact[kind.name], errors[kind.name]
            made.append(FittedQuantity(kind.name, kind.name, 0, 0, *own))
    return tuple(made)


def _planet(shown: dict[str, Any], quantities: list[FittedQuantity]) -> Planet:
    judged: dict[str, Any] = {name: _value(shown.get(key)) for key, name in SIGNIFICANCE.items()}
    judged["at_limit"] = shown.get("at_limit") or "none"
    judged["period_days_bound"] = shown.get("period_days_bound")
    judged["refused_because"] = shown.get("refused_because", {"condition": "not"})["condition"]
    for name in ("k_m_s", "eccentricity"):
        low, high = shown.get(f"{name}_low"), shown.get(f"{name}_high")
        has_end = high is not None
        judged[f"{name}_interval"] = None if low is None else (low, high if has_end else math.inf)
    return planet_from(quantities, judged)


def _candidate(shown: Optional[dict[str, Any]]) -> Optional[Planet]:
    if shown is None:
        return None
    return _planet(
        shown,
        [
            FittedQuantity(
                f"{kind.name}_1",
                kind.name,
                1,
                0,
                _value(shown[kind.shown_name]) / kind.shown_factor,
                _value(shown[f"{kind.shown_name}_err"]) / kind.shown_factor,
            )
            for kind in planet_kinds()
        ],
    )
