"""A fit in a folder, in the files of `equant fit --out`, and back.

The command draws a picture and writes curve.ecsv besides, which nothing reads; it also looks for
hints, which `equant report` finds anew where a folder has none.
"""

from __future__ import annotations

import json
import math
import os
from dataclasses import fields
from typing import Any, Iterator, Optional

import numpy as np

from ..data import Data, Rows, Words, data_from_rows
from ..engine import Engine, version
from ..errors import FormatError, InputOutputError, InvalidArgument
from ..comparison import (
    Alias,
    alias_pairs_from_json,
    alias_pairs_to_json,
    aliases_from_json,
    aliases_to_json,
    numbers_from_json,
    numbers_to_json,
)
from ..fitted_noise import (
    noise_from_json,
    noise_to_json,
    outliers_from_json,
    outliers_to_json,
)
from ..fitted_star import Fit, FitContents, FitSummary, FittedQuantity, Planet, planet_from
from ..noise import Noise
from ..quantities import QuantityKind, planet_kinds, quantity_kind, quantity_kinds
from ..star import star_from_json, star_to_json
from .ecsv import Column, ecsv_columns, ecsv_descriptions, ecsv_text, ecsv_units
from .folder_lock import folder_lock
from .whole_file import write_whole

MARK = "fit.json"  # written last: a folder with it is complete

#: Names in fit.json of what a fit's summary and a planet's significance are called here.
_SUMMARY = {
    "n_obs": "n_obs",
    "n_parameters": "n_fitted",
    "chi2": "chi_square",
    "lnl": "log_likelihood",
    "bic": "bic",
    "rms_m_s": "rms_m_s",
    "lnl_without_planets": "log_likelihood_without_planets",
    "bic_without_planets": "bic_without_planets",
    "t_ref": "reference_time_days",
    "period_min_days": "period_min_days",
    "period_max_days": "period_max_days",
}
_SIGNIFICANCE = {
    "fap": "false_alarm",
    "delta_lnl": "log_likelihood_gain",
    "delta_bic": "delta_bic",
    "probability": "probability",
    "fip": "false_inclusion",
}
_THRESHOLD = 0.95  # planets that are less probable are candidates
#: Of planets that nobody has named.
_LETTERS = "bcdefghijklmnopqrstuvwxyz"
_TREND = {"trend_m_s_day": "linear_m_s_day", "trend_m_s_day2": "quadratic_m_s_day2"}


def _number(value: float) -> Optional[float]:
    return float(value) if math.isfinite(value) else None


# Writing --------------------------------------------------------------------------------------


def write_fit(fit: Fit, folder: str, star_name: str, is_forced: bool) -> None:
    """Writes all files of a fit."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise InputOutputError(f"cannot make the folder {folder}: {error.strerror}") from error
    with folder_lock(folder, is_forced):
        _check_kind(os.path.join(folder, MARK), '{"planets":', "a fit")
        _check_kind(os.path.join(folder, "origin.json"), '{"version":', "the origin of a fit")
        for name, columns in _tables(fit).items():
            path = os.path.join(folder, name)
            _check_kind(path, "#%ECSV", "an ECSV table")
            write_whole(path, ecsv_text(columns, fit.summary.reference_time_days))
        origin = {
            "version": version(),
            "star_name": star_name,
            "command": fit.made_by,
            **star_to_json(fit.star),
        }
        write_whole(os.path.join(folder, "origin.json"), _json_text(origin))
        write_whole(os.path.join(folder, MARK), _json_text(_fit_json(fit)))


def _check_kind(path: str, beginning: str, what: str) -> None:
    """Refuses to overwrite a file that is something else."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            begun = "".join(file.read(256).split())
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputOutputError(f"cannot overwrite {path}: {error.strerror}") from error
    if begun and not begun.startswith(beginning):
        raise InvalidArgument(
            f"{path} would be overwritten, and is not {what}; name another folder, or remove it"
        )


def _json_text(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _letter_json(fit: Fit, index: int) -> dict[str, str]:
    """Where planets have other letters than the usual ones."""
    is_usual = fit.letters == _LETTERS[: len(fit.letters)]
    return {} if is_usual else {"letter": fit.letters[index]}


def _fit_json(fit: Fit) -> dict[str, Any]:
    errors = {quantity.name: quantity for quantity in fit.quantities}
    terms = {
        shown: errors[name] if name in errors else None
        for name, shown in _TREND.items()
        if fit.trend != "none"
    }
    summary = {shown: getattr(fit.summary, name) for shown, name in _SUMMARY.items()}
    return {
        "planets": [
            {
                **_planet_json(planet, fit.aliases[index]),
                **_letter_json(fit, index),
                "is_candidate": planet.probability < _THRESHOLD,
            }
            for index, planet in enumerate(fit.planets)
        ],
        **alias_pairs_to_json(fit.alias_pairs),
        "threshold": _THRESHOLD,
        "probabilities": "quick",
        "n_planets": numbers_to_json(fit.n_planets),
        "models": _models_json(fit),
        "instruments": _instruments_json(fit),
        "trend": _pairs_json(terms) if terms else None,
        "noise": noise_to_json(fit.noise, _rms(fit.residuals_m_s - fit.noise_m_s)),
        "outliers": outliers_to_json(fit.outliers),
        **{k: v if isinstance(v, int) else _number(v) for k, v in summary.items()},
        "candidate": _candidate_json(fit),
        "warnings": list(fit.data.warnings),
        "hints": [],
    }


def _models_json(fit: Fit) -> list[dict[str, Any]]:
    """What the fit was compared with, and itself."""
    summary, planets, candidate = fit.summary, fit.planets, fit.candidate

    def model(n: int, lnl: float, bic: float, odds: float, **periods: float) -> dict[str, Any]:
        named = {f"{name}_period_days": periods.get(name) for name in ("without", "with")}
        numbers = {"lnl": _number(lnl), "bic": _number(bic), "delta_lnz": _number(odds)}
        return {"n_planets": n, **named, **numbers}

    found = []
    own = (summary.log_likelihood, summary.bic)
    if planets:
        without = (summary.log_likelihood_without_planets, summary.bic_without_planets)
        found.append(model(0, *without, -_log_odds(planets[0]) if len(planets) == 1 else np.nan))
    for planet in planets if len(planets) > 1 else ():
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
    """ln Z that a model gains by a planet."""
    with np.errstate(divide="ignore"):
        return float(np.log(planet.probability) - np.log(planet.false_inclusion))


def _rms(values: Any) -> float:
    return float(np.sqrt(np.mean(values**2)))


def _pairs_json(quantities: dict[str, Optional[FittedQuantity]]) -> dict[str, Any]:
    pairs: dict[str, Any] = {}
    for name, quantity in quantities.items():
        pairs[name] = None if quantity is None else _number(quantity.value)
        pairs[f"{name}_err"] = None if quantity is None else _number(quantity.err)
    return pairs


def _planet_json(planet: Planet, aliases: tuple[Alias, ...] = ()) -> dict[str, Any]:
    def measured(needs_star_mass: bool) -> dict[str, Any]:
        found = {}
        for kind in planet_kinds():
            if kind.needs_star_mass == needs_star_mass:
                value, err = (getattr(planet, kind.name + end) for end in ("", "_err"))
                found[kind.shown_name] = _number(value * kind.shown_factor)
                found[f"{kind.shown_name}_err"] = _number(err * kind.shown_factor)
        return found

    judged = {shown: _number(getattr(planet, name)) for shown, name in _SIGNIFICANCE.items()}
    limit = {
        "at_limit": None if planet.at_limit == "none" else planet.at_limit,
        "period_days_bound": planet.period_days_bound,
    }
    for name, interval in (
        ("k_m_s", planet.k_m_s_interval),
        ("eccentricity", planet.eccentricity_interval),
    ):
        if interval is not None:
            limit[f"{name}_low"], limit[f"{name}_high"] = map(_number, interval)
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
        for shown, name in _SIGNIFICANCE.items()
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


# Reading --------------------------------------------------------------------------------------


def read_fit(folder: str) -> Fit:
    """The fit that somebody, the command line or :meth:`Fit.save`, left in a folder."""
    path = os.path.join(folder, MARK)
    found = _read_json(path)
    try:
        summary = _summary(found)
        noise = noise_from_json(found.get("noise"))
        data, model, residuals, explained = _read_data(folder, found, summary.reference_time_days)
        parameters, covariance = _read_parameters(folder)
        origin_path = os.path.join(folder, "origin.json")
        origin = _read_json(origin_path) if os.path.exists(origin_path) else {}
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
            n_planets=numbers_from_json(found.get("n_planets")),
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
            planet.get("letter", usual) for planet, usual in zip(found["planets"], _LETTERS)
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"{path}: this is not what a fit leaves: {error}") from None
    _check(folder, fit)
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
    except ValueError as error:
        raise FormatError(f"{path}: {error}") from None
    if not isinstance(found, dict):
        raise FormatError(f"{path}: this is not what a fit leaves")
    return found


def _value(number: Optional[float]) -> float:
    return math.nan if number is None else float(number)


def _summary(found: dict[str, Any]) -> FitSummary:
    counts = {item.name for item in fields(FitSummary) if item.type == "int"}
    values: dict[str, Any] = {name: found.get(shown) for shown, name in _SUMMARY.items()}
    typed: dict[str, Any] = {k: int(v) if k in counts else _value(v) for k, v in values.items()}
    return FitSummary(**typed)


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
        elif kind.name in _TREND and kind.name in exact:
            key = _TREND[kind.name]
            err = _value(found["trend"][f"{key}_err"])
            made.append(FittedQuantity(kind.name, kind.name, 0, 0, exact[kind.name], err))
        elif kind.name in exact:
            own = exact[kind.name], errors[kind.name]
            made.append(FittedQuantity(kind.name, kind.name, 0, 0, *own))
    return tuple(made)


def _planet(shown: dict[str, Any], quantities: list[FittedQuantity]) -> Planet:
    judged: dict[str, Any] = {name: _value(shown.get(key)) for key, name in _SIGNIFICANCE.items()}
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
