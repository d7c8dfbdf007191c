"""A fit into a folder, in the files of `equant fit --out`.

The command draws a picture and writes curve.ecsv besides, which nothing reads; it also looks for
hints, which `equant report` finds anew where a folder has none.
"""

from __future__ import annotations

import math
import os
from typing import Any, Iterator, Optional

import numpy as np

from .._fit.fitted_planet import FittedQuantity, Planet
from ..comparison import Alias, alias_pairs_to_json, aliases_to_json, numbers_to_json
from ..data import Data
from ..engine import version
from ..fitted_star import Fit
from ..quantities import planet_kinds, quantity_kind
from ..star import star_to_json
from .ecsv import Column, ecsv_text
from .fit_names import MARK, SIGNIFICANCE, SUMMARY, THRESHOLD, TREND, number_json
from .folder_lock import folder_lock
from .json_text import json_text
from .noise_json import noise_to_json, outliers_to_json
from .whole_file import Kind, check_target, ecsv_kind, make_folder, write_whole


def write_fit(fit: Fit, folder: str, star_name: str, is_forced: bool) -> None:
    """Writes all files of a fit."""
    make_folder(folder)
    with folder_lock(folder, is_forced):
        files = _files(fit, star_name)
        for name, (_, kind) in files.items():
            check_target(os.path.join(folder, name), kind)
        for name, (text, kind) in files.items():
            write_whole(os.path.join(folder, name), text, kind)


def _files(fit: Fit, star_name: str) -> dict[str, tuple[str, Kind]]:
    """All files with their kinds, in the order in which they are written."""
    time = fit.summary.reference_time_days
    files = {
        name: (ecsv_text(columns, time), ecsv_kind(columns[0].name))
        for name, columns in _tables(fit).items()
    }
    origin = {
        "version": version(),
        "star_name": star_name,
        "command": fit.made_by,
        **star_to_json(fit.star),
    }
    kind = Kind("the origin of a fit", '{"version":')
    files["origin.json"] = json_text(origin), kind
    files[MARK] = json_text(_fit_json(fit)), Kind("a fit", '{"planets":')
    return files


def _letter_json(fit: Fit, index: int) -> dict[str, str]:
    """Where states have said what planets are called."""
    return {"letter": fit.letters[index]} if fit.has_letters else {}


def _fit_json(fit: Fit) -> dict[str, Any]:
    errors = {quantity.name: quantity for quantity in fit.quantities}
    terms = {
        shown: errors[name] if name in errors else None
        for name, shown in TREND.items()
        if fit.trend != "none"
    }
    summary = {shown: getattr(fit.summary, name) for shown, name in SUMMARY.items()}
    counts = {"n_obs": summary.pop("n_obs"), "n_parameters": len(fit.parameters)}
    numbers = () if all(map(math.isnan, fit.number_probabilities)) else fit.number_probabilities
    return {
        "planets": [
            {
                **_planet_json(planet, fit.aliases[index], fit.masses_jupiter[index]),
                **_letter_json(fit, index),
                "is_candidate": planet.probability < THRESHOLD,
            }
            for index, planet in enumerate(fit.planets)
        ],
        "threshold": THRESHOLD,
        "probabilities": "quick" if numbers else "none",
        "n_planets": numbers_to_json(numbers),
        **alias_pairs_to_json(fit.alias_pairs),
        "models": _models_json(fit),
        "instruments": _instruments_json(fit),
        "trend": _pairs_json(terms) if terms else None,
        "noise": noise_to_json(fit.noise, _rms(fit.residuals_m_s - fit.noise_m_s)),
        "outliers": outliers_to_json(fit.outliers),
        "end": fit.summary.end,
        **counts,
        **{k: v if isinstance(v, int) else number_json(v) for k, v in summary.items()},
        "candidate": _candidate_json(fit),
        "warnings": list(fit.data.warnings),
        "hints": [],
    }


def _models_json(fit: Fit) -> list[dict[str, Any]]:
    """What the fit was compared with, and itself."""
    summary, planets, candidate = fit.summary, fit.planets, fit.candidate

    def model(n: int, lnl: float, bic: float, odds: float, **periods: float) -> dict[str, Any]:
        named = {f"{name}_period_days": periods.get(name) for name in ("without", "with")}
        numbers = {"lnl": number_json(lnl), "bic": number_json(bic), "delta_lnz": number_json(odds)}
        return {"n_planets": n, **named, **numbers}

    found = []
    own = (summary.log_likelihood, summary.bic)
    if planets:
        without = (summary.log_likelihood_without_planets, summary.bic_without_planets)
        found.append(model(0, *without, -_log_odds(planets[0]) if len(planets) == 1 else np.nan))
    # A fit that was cut off has not compared them.
    compared = len(planets) > 1 and math.isfinite(planets[0].log_likelihood_gain)
    for planet in planets if compared else ():
        rest = (own[0] - planet.log_likelihood_gain, own[1] + planet.delta_bic)
        odds = -_log_odds(planet)
        found.append(model(len(planets) - 1, *rest, odds, without=planet.period_days))
    found.append(model(len(planets), *own, 0.0))
    if candidate is not None:
        more = (own[0] + candidate.log_likelihood_gain, own[1] - candidate.delta_bic)
        odds = _log_odds(candidate)
        found.append(model(len(planets) + 1, *more, odds, **{"with": candidate.period_days}))
    return found if len(found) > 1 else []


def _log_odds(planet: Planet) -> float:
    """Ln Z that a model gains by a planet."""
    with np.errstate(divide="ignore"):
        return float(np.log(planet.probability) - np.log(planet.false_inclusion))


def _rms(values: Any) -> float:
    return float(np.sqrt(np.mean(values**2)))


def _pairs_json(quantities: dict[str, Optional[FittedQuantity]]) -> dict[str, Any]:
    pairs: dict[str, Any] = {}
    for name, quantity in quantities.items():
        pairs[name] = None if quantity is None else number_json(quantity.value)
        pairs[f"{name}_err"] = None if quantity is None else number_json(quantity.err)
    return pairs


def _planet_json(
    planet: Planet, aliases: tuple[Alias, ...] = (), mass: Optional[tuple[float, float]] = None
) -> dict[str, Any]:
    def measured(needs_star_mass: bool) -> dict[str, Any]:
        found = {}
        for kind in planet_kinds():
            if kind.needs_star_mass == needs_star_mass:
                value, err = (getattr(planet, kind.name + end) for end in ("", "_err"))
                found[kind.shown_name] = number_json(value * kind.shown_factor)
                found[f"{kind.shown_name}_err"] = number_json(err * kind.shown_factor)
        return found

    judged = {shown: number_json(getattr(planet, name)) for shown, name in SIGNIFICANCE.items()}
    limit: dict[str, Any] = {}
    for name, interval in (
        ("k_m_s", planet.k_m_s_interval),
        ("eccentricity", planet.eccentricity_interval),
    ):
        if interval is not None:
            limit[f"{name}_low"], limit[f"{name}_high"] = map(number_json, interval)
    if mass is not None:
        limit["m_jupiter"], limit["m_jupiter_err"] = map(number_json, mass)
    limit["period_days_bound"] = planet.period_days_bound
    limit["at_limit"] = None if planet.at_limit == "none" else planet.at_limit
    gain = planet.log_likelihood_gain
    family = {"aliases": aliases_to_json(aliases, gain)} if aliases else {}
    return {**measured(False), **judged, **limit, **family, **measured(True)}


def _candidate_json(fit: Fit) -> Optional[dict[str, Any]]:
    if fit.candidate is None:
        return None
    because = {"condition": fit.candidate.refused_because, "sentence": fit.refusal}
    return {**_planet_json(fit.candidate), "refused_because": because}


def _instruments_json(fit: Fit) -> list[dict[str, Any]]:
    found = []
    for index, name in enumerate(fit.data.instrument_names):
        own = {
            quantity_kind(quantity.kind).shown_name: quantity
            for quantity in fit.quantities
            if quantity.instrument == index + 1
        }
        n_obs = fit.data.instrument_n_obs[index]
        found.append({"name": name, "n_obs": n_obs, **_pairs_json(dict(own))})
    return found


def _tables(fit: Fit) -> dict[str, list[Column]]:
    names = fit.parameter_names
    units = [quantity_kind(name).table_unit for name in names]
    errors = np.sqrt(np.diag(fit.covariance))
    for number, planet in enumerate(fit.planets, 1):
        if planet.at_limit != "none":  # which has a bound, and no error
            errors[names.index(f"period_days_{number}")] = math.nan
    rows = fit.data.to_columns()
    return {
        "planets.ecsv": _planet_columns(fit),
        "parameters.ecsv": [
            Column("name", "", names, is_text=True),
            Column("value", "", fit.parameters),
            Column("uncertainty", "", errors, "standard error; 0 where the value was kept"),
            Column("unit", "", units, is_text=True),
        ],
        "covariance.ecsv": [
            Column("name", "", names, is_text=True),
            *(Column(name, "", column) for name, column in zip(names, fit.covariance.T)),
        ],
        "residuals.ecsv": [
            Column("time", "d", rows["time_days"], fit.data.time_name),
            Column("velocity", "m / s", rows["velocity_m_s"], "as observed"),
            Column("uncertainty", "m / s", rows["uncertainty_m_s"], "as stated, without jitter"),
            Column("instrument", "", [str(name) for name in rows["instrument"]], is_text=True),
            Column("model", "m / s", fit.model_velocities_m_s, "planets, trend and offset"),
            Column("residual", "m / s", fit.residuals_m_s, "velocity minus model"),
            *_noise_columns(fit),
            *_indicator_columns(fit.data),
        ],
    }


def _noise_columns(fit: Fit) -> Iterator[Column]:
    if fit.noise.terms:
        meaning = "of the residual, what correlated noise explains"
        yield Column("noise_m_s", "m / s", fit.noise_m_s, meaning)


def _indicator_columns(data: Data) -> Iterator[Column]:
    for name, entry in data.indicators.items():
        unit = "m / s" if entry.unit == "m/s" else ""
        yield Column(name, unit, entry.values)
        yield Column(f"{name}_err", unit, entry.uncertainties)


def _planet_columns(fit: Fit) -> list[Column]:
    descriptions = {
        "fap": "false-alarm probability, analytic",
        "delta_lnl": "log-likelihood lost without it",
        "delta_bic": "growth of the BIC without it",
        "probability": "that it is there, by evidences",
        "fip": "false inclusion: probability that it is not there",
    }

    def measured(needs_star_mass: bool) -> list[Column]:
        found = []
        for kind in planet_kinds():
            if kind.needs_star_mass != needs_star_mass:
                continue
            unit = kind.shown_unit if kind.is_angle else kind.table_unit
            for end, meaning in (("", kind.meaning), ("_err", "")):
                values = [getattr(planet, kind.name + end) for planet in fit.planets]
                cells = [value * kind.shown_factor for value in values]
                found.append(Column(kind.shown_name + end, unit, cells, meaning))
        return found

    judged = [
        Column(shown, "", [getattr(planet, name) for planet in fit.planets], descriptions[shown])
        for shown, name in SIGNIFICANCE.items()
    ]
    bounds = [planet.period_days_bound for planet in fit.planets]
    limits = [planet.at_limit for planet in fit.planets]
    judged += [
        Column(
            "period_days_bound",
            "d",
            [math.nan if bound is None else bound for bound in bounds],
            "of a period at a limit, which has no error",
        ),
        Column(
            "at_limit",
            "",
            ["" if limit == "none" else limit for limit in limits],
            "end of the range at which the period lies: longest, shortest",
            True,
        ),
    ]
    return [*measured(False), *judged, *measured(True)]
