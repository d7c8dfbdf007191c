"""Fit: the planets of a star, without a starting guess."""

from __future__ import annotations

import html
import warnings
from dataclasses import dataclass, fields, make_dataclass, replace
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence

import numpy as np

from . import _c
from ._measured import bounded, measured
from ._memory import (
    Array,
    Handle,
    address,
    choice,
    elements,
    options,
    pointer,
    record,
    string,
    text,
    view,
    word,
)
from ._spoken_call import spoken_call
from .comparison import (
    Alias,
    AliasPair,
    ComparedModel,
    alias_pairs_of,
    aliases_of,
    compared_models,
    numbers_of,
)
from .data import Data, PathLike, data_pointer
from .engine import Engine, EngineLike, as_engine
from .errors import InvalidArgument, call
from .evaluator import Evaluator
from .fitted_noise import FittedNoise, Outlier, noise_of, outliers_of, widened_errors
from .model import Model
from .orbits import radial_velocity
from .progress import ProgressLike, Watch
from .quantities import planet_kinds, quantity_kind, quantity_kinds
from .star import Star, star_of
from .states import (
    Ephemeris,
    StatesLike,
    as_states,
    ephemerides_of,
    letters_of,
    states_pointer,
)
from .table import Table

if TYPE_CHECKING:
    from .posterior import Posterior


@dataclass(frozen=True)
class FittedQuantity:
    """A quantity of a fit with its standard error.

    ``kind`` is its name in the catalogue, :func:`equant.quantity_kinds`. ``planet`` and
    ``instrument`` count from 1; 0 is none.
    """

    name: str
    kind: str
    planet: int
    instrument: int
    value: float
    err: float

    def __str__(self) -> str:
        unit = quantity_kind(self.kind).unit
        return f"{self.name} = {measured(self.value, self.err)} {unit}".rstrip()


# What only a fit knows of a planet: numbers, and the enumerations of words.
_SIGNIFICANCE = (
    "false_alarm",
    "log_likelihood_gain",
    "delta_bic",
    "probability",
    "false_inclusion",
)
# Intervals of planets that few observations share in, by the beginning of their names in C.
_INTERVALS = {"k_m_s_interval": "k_m_s", "eccentricity_interval": "eccentricity"}
_WORDS = {"at_limit": "equant_limit", "refused_because": "equant_refusal"}


def _planet_fields() -> list[tuple[str, Any]]:
    quantities = [n for kind in planet_kinds() for n in (kind.name, f"{kind.name}_err")]
    numbers = [(n, float) for n in (*quantities, *_SIGNIFICANCE)]
    words = [(n, str) for n in _WORDS]
    intervals = [(n, Optional[tuple[float, float]]) for n in _INTERVALS]
    return [*numbers, ("period_days_bound", Optional[float]), *words, *intervals]


def _interval(judged: Any, name: str) -> Optional[tuple[float, float]]:
    low, high = getattr(judged, f"{name}_low"), getattr(judged, f"{name}_high")
    return None if np.isnan(low) else (low, high)


_PlanetFields: Any = make_dataclass("_PlanetFields", _planet_fields(), frozen=True)


class Planet(_PlanetFields):  # type: ignore[misc]
    """A planet of a fit: what the catalogue of quantities has of planets, and its significance.

    Each quantity is an attribute under its name, such as ``period_days`` or ``t_conj``, and so is
    its standard error, ``period_days_err``; :func:`equant.quantity_kinds` says which there are, in
    which units, and what they mean. Times are next to the reference time. What needs the mass of
    the star is NaN where that was not given. ``false_alarm`` is a probability,
    ``log_likelihood_gain`` what the model loses without the planet, everything else refitted, and
    ``delta_bic`` by how much the BIC grows. ``probability`` is that of the planet being there, at
    any of its aliases, by the evidences of the models with and without it, and ``false_inclusion``
    that of the contrary; NaN where it was not judged, as of planets that were given. Where few
    observations share in a signal, ``k_m_s_interval`` and ``eccentricity_interval`` hold 68.3 % of
    the probability, and errors say little; an infinite K, or an e of 1, says that the data set no
    upper end. None for all other planets.

    ``at_limit`` is ``"none"``, or the end of the range of periods at which the planet was found,
    ``"longest"`` or ``"shortest"``. The likelihood still grows there: the period has no error but
    a bound, ``period_days_bound``, which it is at least or at most (None: the data set none).

    ``refused_because`` is ``"not"`` for the planets of a fit; for its candidate it is the condition
    that was not met, ``"false_alarm"``, ``"bic"``, ``"few_observations"``, ``"undetermined"``,
    ``"improbable"`` or ``"cycle"``,
    which :attr:`Fit.refusal` puts into words.
    """

    @property
    def elements(self) -> Array:
        """The five elements of the orbit, as a parameter set has them."""
        names = (kind.name for kind in quantity_kinds() if kind.role == "element")
        return np.array([getattr(self, name) for name in names])

    def measured(self, name: str) -> str:
        """A quantity with its error, or its bound, in the unit that the name says.

        ``"omega_rad"`` is in radians and ``"omega_deg"`` in degrees.
        """
        shown = {kind.shown_name: kind for kind in planet_kinds() if kind.shown_name != kind.name}
        scale = shown[name].shown_factor if name in shown else 1.0
        kind = shown[name].name if name in shown else quantity_kind(name).name
        value, error = getattr(self, kind) * scale, getattr(self, f"{kind}_err") * scale
        if self.at_limit == "none" or kind not in ("period_days", "a_au"):
            return measured(value, error)
        power = 1.0 if kind == "period_days" else 2.0 / 3.0  # Kepler's third law
        if self.period_days_bound is None:
            return "undetermined"
        bound = value * (self.period_days_bound / self.period_days) ** power
        return bounded(bound, self.at_limit == "longest")

    def __repr__(self) -> str:
        period = self.measured("period_days")
        k = measured(self.k_m_s, self.k_m_s_err)
        e = measured(self.eccentricity, self.eccentricity_err)
        return f"equant.Planet(P = {period} days, K = {k} m/s, e = {e})"


@dataclass(frozen=True)
class FitSummary:
    """How well a fit fits.

    ``n_fitted`` counts the parameters that were free: fixed planets and jitters that were left out
    have columns in the model, but are not among them. A planet could have periods from
    ``period_min_days`` to ``period_max_days`` in the end.
    """

    n_obs: int
    n_fitted: int
    chi_square: float
    log_likelihood: float
    bic: float
    rms_m_s: float
    reference_time_days: float
    log_likelihood_without_planets: float
    bic_without_planets: float
    period_min_days: float
    period_max_days: float


@dataclass(frozen=True)
class FitContents:
    """All that makes a fit beside its data; from the library, or from a folder."""

    summary: FitSummary
    quantities: tuple[FittedQuantity, ...]
    planets: tuple[Planet, ...]
    aliases: tuple[tuple[Alias, ...], ...]
    alias_pairs: tuple[AliasPair, ...]
    n_planets: tuple[float, ...]
    candidate: Optional[Planet]
    refusal: str
    trend: str
    parameters: Array
    covariance: Array
    residuals_m_s: Array
    model_velocities_m_s: Array
    noise: FittedNoise
    noise_m_s: Array
    outliers: tuple[Outlier, ...]
    star: Star
    made_by: str


def planet_from(quantities: Sequence[FittedQuantity], judged: Mapping[str, Any]) -> Planet:
    """A planet of these quantities, all others unknown, and of what only a fit knows of it."""
    values: dict[str, Any] = dict.fromkeys((field.name for field in fields(Planet)), np.nan)
    values.update(judged)
    for quantity in quantities:
        values[quantity.kind] = quantity.value
        values[f"{quantity.kind}_err"] = quantity.err
    return Planet(**values)


def _contents(handle: Handle, data: Data, star: Star, made_by: str) -> FitContents:
    """What the library has found, in memory of our own."""
    fit = handle.pointer
    summary = options(_c.equant_fit_summary)
    call(_c.equant_fit_summarize, fit, summary)
    n = _c.equant_model_n_parameters(_c.equant_fit_model(fit))
    quantities = _quantities(fit, _c.equant_fit_n_quantities, _c.equant_fit_quantity)
    refused = _quantities(
        fit, _c.equant_fit_n_candidate_quantities, _c.equant_fit_candidate_quantity
    )
    planets = (
        _judged(
            [quantity for quantity in quantities if quantity.planet == index + 1],
            _c.equant_fit_planet,
            fit,
            index,
        )
        for index in range(_c.equant_fit_n_planets(fit))
    )
    return FitContents(
        summary=record(FitSummary, summary),
        quantities=quantities,
        planets=tuple(planets),
        aliases=aliases_of(fit),
        alias_pairs=alias_pairs_of(fit),
        n_planets=numbers_of(fit),
        candidate=_judged(refused, _c.equant_fit_candidate, fit) if refused else None,
        refusal=string(_c.equant_fit_refusal(fit)),
        trend=word("equant_trend", _c.equant_fit_trend(fit)),
        parameters=_kept(handle, _c.equant_fit_parameters, n),
        covariance=_kept(handle, _c.equant_fit_covariance, n, n),
        residuals_m_s=_kept(handle, _c.equant_fit_residuals_m_s, summary.n_obs),
        model_velocities_m_s=_kept(handle, _c.equant_fit_velocities_m_s, summary.n_obs),
        noise=noise_of(fit, data),
        noise_m_s=_kept(handle, _c.equant_fit_noise_m_s, summary.n_obs),
        outliers=outliers_of(fit, data),
        star=star,
        made_by=made_by,
    )


def _quantities(fit: Any, count: Any, function: Any) -> tuple[FittedQuantity, ...]:
    found = []
    for index in range(count(fit)):
        quantity = options(_c.equant_fitted_quantity)
        call(function, fit, index, quantity)
        made: FittedQuantity = record(FittedQuantity, quantity)
        found.append(replace(made, kind=quantity_kinds()[quantity.kind].name))
    return tuple(found)


def _judged(quantities: Sequence[FittedQuantity], function: Any, *arguments: Any) -> Planet:
    """A planet of these quantities; the library's own struct knows its significance."""
    judged = options(_c.equant_planet)
    call(function, *arguments, judged)
    bound = judged.period_days_bound
    return planet_from(
        quantities,
        {
            **{name: getattr(judged, name) for name in _SIGNIFICANCE},
            "period_days_bound": None if np.isnan(bound) else bound,
            **{name: word(enum, getattr(judged, name)) for name, enum in _WORDS.items()},
            **{name: _interval(judged, own) for name, own in _INTERVALS.items()},
        },
    )


def _kept(handle: Handle, function: Any, *shape: int) -> Array:
    return view(handle, function(handle.pointer), shape).copy()


class Fit:
    """The planets of a star and everything fitted along with them. Made by :func:`equant.fit`.

    Fits can be pickled; :meth:`save` writes one to a folder, and :func:`equant.load` reads it back.
    """

    #: The letters of the planets: as states said, else b, c, ...
    letters: str = ""
    #: When planets are at events, by number from 0 and "t_conj", "t_sup" or "t_peri".
    ephemerides: Mapping[tuple[int, str], Ephemeris] = {}
    #: Models that differ by one choice, behind the adopted one, where ``models=True`` asked for them.
    models: tuple[ComparedModel, ...] = ()

    def __init__(self, contents: FitContents, data: Data, engine: Engine) -> None:
        self.data = data
        self._engine = engine
        #: How well it fits: chi-square, likelihood, BIC, rms.
        self.summary: FitSummary = contents.summary
        #: Everything that is known, with standard errors: planet by planet, then offsets, trend
        #: and jitters.
        self.quantities: tuple[FittedQuantity, ...] = contents.quantities
        #: The planets, by period.
        self.planets: tuple[Planet, ...] = contents.planets
        #: The planet that was tried last and refused, if any.
        self.candidate: Optional[Planet] = contents.candidate
        #: Why :attr:`candidate` was refused, with its figures; "" without one.
        self.refusal: str = contents.refusal
        #: What was fitted: ``"none"``, ``"linear"`` or ``"quadratic"``.
        self.trend: str = contents.trend
        #: The parameter set that was found, ready for :meth:`evaluator`.
        self.parameters: Array = contents.parameters
        #: Covariance of :attr:`parameters`; zero for what was not fitted.
        self.covariance: Array = contents.covariance
        #: Observed minus predicted velocities, in the order of the data.
        self.residuals_m_s: Array = contents.residuals_m_s
        #: Predicted velocities, offsets and trend included, in the order of the data.
        self.model_velocities_m_s: Array = contents.model_velocities_m_s
        #: Of each planet the periods that its signal may have, the most probable, its own, first.
        self.aliases: tuple[tuple[Alias, ...], ...] = contents.aliases
        #: Periods that two planets may have only together, the most probable first.
        self.alias_pairs: tuple[AliasPair, ...] = contents.alias_pairs
        #: The probability of 0, 1, 2 ... planets: a quick estimate, each planet for itself;
        #: :func:`equant.compare` samples it.
        self.n_planets: tuple[float, ...] = contents.n_planets
        #: The noise beside jitters: terms, indicators, and what was tried.
        self.noise: FittedNoise = contents.noise
        #: What correlated noise explains of :attr:`residuals_m_s`; zeros without any.
        self.noise_m_s: Array = contents.noise_m_s
        #: Observations and nights that the rest does not predict, by time.
        self.outliers: tuple[Outlier, ...] = contents.outliers
        #: Uncertainties as the fit believes them: those of outliers are wider; without jitters.
        self.uncertainties_m_s: Array = widened_errors(data, contents.outliers)
        #: Mass of the star in solar masses; 0 where it is unknown.
        self.star: Star = contents.star
        self.star_mass: float = contents.star.mass
        #: The call, or the command, that made it.
        self.made_by: str = contents.made_by
        #: The model that was fitted, with offsets, trend, jitters and parameters of noise as
        #: columns.
        self.model = Model(
            len(self.planets),
            n_instruments=data.n_instruments,
            trend=self.trend,
            offset_columns="given",
            trend_columns="given",
            jitter=True,
            noise=self.noise.names_of(data) or None,
        )
        self._make_read_only()

    def _make_read_only(self) -> None:
        for array in vars(self).values():
            if isinstance(array, np.ndarray):
                array.flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._make_read_only()

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Names of :attr:`parameters`."""
        return self.model.parameter_names

    def _columns(self, prefix: str) -> Array:
        """The parameters whose names begin like this; they stand side by side."""
        places = [i for i, name in enumerate(self.parameter_names) if name.startswith(prefix)]
        return self.parameters[places[0] : places[-1] + 1] if places else self.parameters[:0]

    def evaluator(self, engine: EngineLike = None) -> Evaluator:
        """An evaluator of the fitted model, whose parameter sets are like :attr:`parameters`.

        What indicators explain is taken off its velocities, and uncertainties are those that the
        fit believes.
        """
        is_plain = not self.noise.indicators and not self.outliers
        data = self.data if is_plain else self._data_as_believed()
        return Evaluator(data, self.model, engine=engine or self._engine)

    def _data_as_believed(self) -> Data:
        data = self.data
        explained = sum(
            (own.slope_m_s * own.column(data) for own in self.noise.indicators),
            np.zeros(data.n_obs),
        )
        # Instruments are numbered by their first rows: those come first, in the same order.
        _, first = np.unique(data.instruments, return_index=True)
        order = np.concatenate([first, np.delete(np.arange(data.n_obs), first)])
        return Data.from_arrays(
            data.times_days[order],
            (data.velocities_m_s - explained)[order],
            self.uncertainties_m_s[order],
            np.array(data.instrument_names)[data.instruments[order]],
            reference_time_days=data.reference_time_days,
        )

    @property
    def rotation_days(self) -> Optional[float]:
        """In how many days the star turns; None where the noise says nothing of it."""
        turns = self.noise.rotation
        return None if turns is None else turns.value

    @property
    def offsets_m_s(self) -> Array:
        """Velocity offsets, one for each instrument."""
        return self._columns("offset_")

    @property
    def trend_terms(self) -> Array:
        """Slope in m/s/day, then curvature in m/s/day^2, as far as there is a trend."""
        return self._columns("trend_")

    @property
    def jitters_m_s(self) -> Array:
        """Noise beyond the uncertainties, one for each instrument; zero where none is fitted."""
        return self._columns("jitter_")

    def velocities(self, time_days: Any, planets: Optional[Sequence[int]] = None) -> Any:
        """Velocities of the fit in m/s at any times, without the offsets of instruments.

        Parameters
        ----------
        time_days
            On the time scale of the data.
        planets
            Indices of planets, whose velocities alone are wanted; None means all of them, and
            the trend.
        """
        chosen = self.planets if planets is None else [self.planets[index] for index in planets]
        rows = np.array([planet.elements for planet in chosen]).reshape(-1, _c.EQUANT_N_ELEMENTS)
        return radial_velocity(
            time_days,
            *rows.T,
            reference_time_days=self.data.reference_time_days,
            trend_terms=self.trend_terms if planets is None else (),
        )

    @property
    def table(self) -> Table:
        """The planets as a table, one row each."""
        apart = ("refused_because", *_INTERVALS)
        names = [field.name for field in fields(Planet) if field.name not in apart]
        columns = Table.from_records(self.planets, names)
        bounds = np.array(columns["period_days_bound"], dtype=float)  # of None NaN
        numbers = np.arange(1, len(self.planets) + 1)
        return Table({"planet": numbers, **columns, "period_days_bound": bounds})

    def to_pandas(self) -> Any:
        """The planets as a pandas ``DataFrame``."""
        return self.table.to_pandas().set_index("planet")

    def plot(self) -> Any:
        """Draws velocities, residuals and the phase curve of each planet; needs matplotlib."""
        from .plots import plot_fit

        return plot_fit(self)

    def save(
        self, folder: PathLike, *, star_name: Optional[str] = None, force: bool = False
    ) -> None:
        """Writes the fit to a folder, in the files of ``equant fit --out``.

        ``equant report`` makes a page of it, and :func:`equant.load` reads it back. Not there are
        the picture, which :meth:`plot` draws, and curve.ecsv, which :meth:`velocities` gives.

        Parameters
        ----------
        folder
            Made where it is not there. Files of an earlier fit in it are replaced.
        star_name
            What the star is called, for reports.
        force
            Go on where another program has the folder, or where it cannot be locked.
        """
        from .saved import save_fit

        save_fit(self, folder, star_name, force)

    def paper_table(
        self,
        what: str = "parameters",
        style: str = "plain",
        *,
        mass_unit: str = "auto",
        star_name: Optional[str] = None,
        document: bool = False,
    ) -> str:
        """A table for a paper, as ``equant table`` makes it; its text.

        Parameters
        ----------
        what
            ``"parameters"``, ``"derived"``, ``"models"``, ``"velocities"`` or ``"bibtex"``.
        style
            ``"plain"``, ``"aastex"``, ``"aa"``, ``"mrt"``, ``"ecsv"`` or ``"votable"``.
        mass_unit
            ``"jupiter"``, ``"earth"`` or ``"auto"``.
        star_name
            What the star is called.
        document
            LaTeX that compiles by itself.
        """
        from .saved import make_table

        return make_table(
            self,
            None,
            what=what,
            style=style,
            mass_unit=mass_unit,
            star_name=star_name,
            document=document,
        )

    def report(
        self,
        path: PathLike = "report.html",
        *,
        posterior: Optional[Posterior] = None,
        star_name: Optional[str] = None,
        references: Sequence[str] = (),
        eccentric: bool = False,
        periodograms: bool = True,
    ) -> str:
        """Makes one HTML page about the star, as ``equant report`` does; answers with its path.

        Parameters
        ----------
        path
            Of the page; or a folder, in which it is report.html.
        posterior
            Draws for the same data, to be on the page as well.
        star_name
            What the star is called.
        references
            Papers that published the data.
        eccentric
            Periodograms with eccentric orbits, which take longer.
        periodograms
            Whether there are any.
        """
        from .saved import write_report

        return write_report(
            path,
            self,
            posterior,
            star_name=star_name,
            references=references,
            eccentric=eccentric,
            periodograms=periodograms,
        )

    def _rows(self) -> list[list[str]]:
        rows = []
        for kind in planet_kinds():
            values = [getattr(planet, kind.name) for planet in self.planets]
            if values and not np.isnan(values).all():
                rows.append(
                    [kind.label, *(planet.measured(kind.shown_name) for planet in self.planets)]
                )
        return rows

    def _headline(self) -> str:
        n, found = len(self.planets), self.summary
        planets = "no planet" if n == 0 else "1 planet" if n == 1 else f"{n} planets"
        turns = self.noise.rotation
        star = "" if turns is None else f"; the star turns in {turns.value:.3g} days"
        return f"{planets}{star}, {found.n_obs} observations, rms {found.rms_m_s:.2f} m/s"

    def __repr__(self) -> str:
        header = ["", *(f"planet {number + 1}" for number in range(len(self.planets)))]
        rows = [header, *self._rows()]
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
        return "\n".join([f"equant.Fit: {self._headline()}", *(lines if self.planets else ())])

    def _repr_html_(self) -> str:
        numbers = "".join(f"<th>planet {i + 1}</th>" for i in range(len(self.planets)))
        rows = "".join(
            f"<tr><th>{html.escape(label)}</th>" + "".join(f"<td>{c}</td>" for c in cells) + "</tr>"
            for label, *cells in self._rows()
        )
        return (
            f"<b>{self._headline()}</b><table><thead><tr><th></th>{numbers}</tr></thead>"
            f"<tbody>{rows}</tbody></table>"
        )


def fit(
    data: Data,
    n_planets: Optional[int] = None,
    *,
    max_planets: int = 0,
    false_alarm_max: float = 0.0,
    probability_min: float = 0.0,
    budget_s: float = 0.0,
    method: str = "scan",
    period_min_days: float = 0.0,
    period_max_days: float = 0.0,
    eccentricity_max: float = 0.0,
    trend: str = "default",
    known: Any = None,
    n_fixed: int = 0,
    jitter: bool = True,
    noise: Optional[str] = None,
    indicators: Any = "auto",
    indicators_as: str = "columns",
    outliers: Any = None,
    star_mass: float = 0.0,
    star: Optional[Star] = None,
    states: StatesLike = None,
    basis: Optional[str] = None,
    seed: int = 0,
    engine: EngineLike = None,
    exact_precision: bool = False,
    models: bool = False,
    progress: ProgressLike = None,
) -> Fit:
    """Finds the planets of a star, with offsets, trend and jitters, without a starting guess.

    A warning says so where the data do not carry as many planets as were asked for, and where an
    indicator is left out or missing in some rows.

    Parameters
    ----------
    data
        The observations.
    n_planets
        None takes as many as the data ask for.
    max_planets
        Where `n_planets` is None; 0 means 10.
    false_alarm_max
        That one planet more may have; 0 means 1e-3.
    probability_min
        That a planet must have to be there, where the fit decides how many there are; what has
        less is a candidate; 0 means that it is not asked for.
    budget_s
        Seconds after which no planet more is looked for: what was found until then is refitted and
        judged as ever, and a remark says so. 0 means as long as it takes.
    method
        ``"scan"``: exact scans, one planet more at a time; ``"de"``: differential evolution of
        all planets together.
    period_min_days, period_max_days, eccentricity_max
        Of the scans; 0 means half a day, twice the span of the data (a planet found at that end
        is followed up to eight times the span), and 0.9.
    trend
        ``"default"`` (a line or a parabola where the data ask for one), ``"none"``, ``"linear"``
        or ``"quadratic"``.
    known
        Planets to start from, refined with the rest: rows of five elements, or planets.
    n_fixed
        The first of them that stay as they are.
    jitter
        Whether noise beyond the uncertainties is fitted.
    noise
        Beside jitters: ``"white"``; ``"auto"``: what the data ask for of nights, rotation, slow
        drifts, and indicators that the velocities follow; or terms that are there in any case,
        ``"rotation(period=20:30, decay=60), night"``: a value fixes a parameter, a range bounds
        it. None: ``"auto"`` where the fit decides how many planets there are, else ``"white"``.
        :attr:`Fit.noise` says what it is.
    indicators
        That velocities may follow: ``"auto"``: those of the data that the data ask for, where the
        noise is not white; ``"none"``; or names, ``"fwhm,bis"`` or a list, which are there in any
        case.
    indicators_as
        ``"columns"``: velocities follow each as it was measured; ``"series"``: all of them and the
        velocities are series of one process, spots, and their likelihoods are one
        (:attr:`FittedNoise.series`).
    outliers
        Observations and nights that the rest does not predict: ``"auto"`` widens the errors of
        those that are hardly chance; ``"none"``; or the share of them that is to be expected, 0.05.
        None: ``"auto"`` where the noise is, else ``"none"``. :attr:`Fit.outliers` names them.
    star_mass
        In solar masses, for m sin i and a; 0 where it is unknown.
    star
        A :class:`Star`: mass with its error, radius, luminosity, temperature, for more.
    states
        What is known of parameters: :class:`States`, or a dict of them,
        ``{"b.period_days": "normal(20.8851, 0.0003)", "b.eccentricity": 0}``. Planets that they
        name are there; without `n_planets` there are no others.
    basis
        Coordinates of the last climb, ``"per tc secosw sesinw k"``; the maximum is the same in all.
        :func:`equant.orbit_coordinates` has planets in them. None: as the fit likes.
    models
        Whether models that differ by one choice are fitted as well: without a planet, on circles,
        with another trend, without jitter; :attr:`Fit.models` has them.
    seed, engine, exact_precision, progress
        As in :func:`search`.

    Examples
    --------
    >>> import equant
    >>> data = equant.Data.demonstration()
    >>> found = equant.fit(data, 2, period_min_days=50, period_max_days=2000)
    >>> [round(planet.period_days) for planet in found.planets]
    [76, 1199]
    """
    made_by = spoken_call(fit, locals())
    if n_planets is not None and n_planets < 0:
        raise InvalidArgument(f"n_planets must be 0 or more, or None, not {n_planets}")
    if indicators_as not in ("columns", "series"):
        raise InvalidArgument(f"indicators_as is 'columns' or 'series', not {indicators_as!r}")
    rows = elements(known, "known")
    known_star = star_of(star, star_mass)
    said = as_states(states)
    watch = Watch(progress)
    chosen_engine = as_engine(engine)
    chosen = options(
        _c.equant_fit_options,
        engine=pointer(chosen_engine._options()),
        exact_precision=int(exact_precision),
        method=choice("equant_fit_method", "method", method),
        n_planets={None: 0, 0: -1}.get(n_planets, n_planets),
        max_planets=max_planets,
        false_alarm_max=false_alarm_max,
        probability_min=probability_min,
        budget_s=budget_s,
        period_min_days=period_min_days,
        period_max_days=period_max_days,
        eccentricity_max=eccentricity_max,
        trend=choice("equant_trend", "trend", trend),
        n_known=len(rows),
        known=address(rows),
        n_fixed=n_fixed,
        no_jitter=int(not jitter),
        noise=text(noise),
        indicators=text(indicators if isinstance(indicators, str) else ",".join(indicators)),
        indicators_as_series=int(indicators_as == "series"),
        outliers=text(None if outliers is None else str(outliers)),
        star=pointer(known_star._options()),
        states=states_pointer(said),
        basis=text(basis),
        seed=seed,
        progress=watch.callback,
    )
    handle = watch.create(_c.equant_fit_star, _c.equant_fit_free, data_pointer(data), chosen)
    found = Fit(_contents(handle, data, known_star, made_by), data, chosen_engine)
    found.letters = letters_of(handle.pointer)
    found.ephemerides = ephemerides_of(handle.pointer)
    if models:
        found.models = compared_models(watch, data_pointer(data), handle.pointer, chosen)
    for index in range(_c.equant_fit_n_remarks(handle.pointer)):
        warnings.warn(string(_c.equant_fit_remark(handle.pointer, index)), stacklevel=2)
    if n_planets is not None and len(found.planets) < n_planets:
        warnings.warn(
            f"{n_planets} planet{'' if n_planets == 1 else 's'} asked for and "
            f"{len(found.planets)} found: {data.n_obs} observations carry no more",
            stacklevel=2,
        )
    return found
