"""Sampling: what a run has found, and how well."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

import numpy as np

from . import _c
from ._folder.folder_lock import RUN
from ._folder.paper_tables import PaperTables
from ._memory import (
    AnyHandle,
    Array,
    Borrowed,
    Handle,
    address,
    options,
    path_text,
    record,
    string,
    view,
    word,
)
from ._numbers.gate import takes_numbers
from ._numbers.kinds import COUNT
from ._numbers.measured import between
from ._planning.plan import Plan
from ._planning.plan import plan as make_plan
from ._planning.prediction import Conjunction, Prediction
from ._planning.prediction import conjunctions as find_conjunctions
from ._planning.prediction import predict as make_prediction
from .data import Data, PathLike
from .engine import EngineLike
from .errors import InvalidArgument, call
from .progress import ProgressLike
from .quantities import quantity_kinds
from .table import Table

if TYPE_CHECKING:
    from .fitted_star import Fit


@dataclass(frozen=True)
class PosteriorSummary:
    """How a run went.

    ``end`` says why it ended: ``"converged"``, ``"steps"`` or ``"seconds"``; ``"none"`` for a file
    whose run may go on. ``rhat``, ``ess_bulk``, ``ess_tail`` and ``turnover`` (how often a walker
    has forgotten where it was) are the worst of all quantities, as are ``drift`` (between the early
    and the late half of the run, in standard errors of the shares below the 1, 5, 50, 95 and 99 %
    quantiles), ``discord`` (likewise between populations) and ``start_width`` (how much wider
    walkers began than the draws are). ``lacks`` is the criterion that is missed by most: ``"none"``,
    ``"rhat"``, ``"ess"``, ``"turnover"``, ``"burn_in"``, ``"drift"``, ``"populations"`` or
    ``"round_trips"``; ``lacks_quantity`` is the index of its quantity. ``n_parameters`` counts columns
    of a parameter set, ``n_fitted`` those that no prior fixes. ``log_evidence`` may be used where
    ``evidence_is_sound``: the tail of the importance weights, ``evidence_k_hat``, is light, and
    populations agree, ``evidence_spread``.
    """

    end: str
    n_planets: int
    n_parameters: int
    n_populations: int
    n_walkers: int
    n_kept: int
    n_temperatures: int
    n_steps: int
    n_burn_in: int
    rhat: float
    ess_bulk: float
    ess_tail: float
    turnover: float
    acceptance: float
    seconds: float
    reference_time_days: float
    backend: str
    log_evidence: float
    log_evidence_err: float
    round_trips: float
    n_fitted: int
    evidence_k_hat: float
    evidence_spread: float
    evidence_is_sound: int
    drift: float
    discord: float
    start_width: float
    lacks: str
    lacks_quantity: int
    lacks_found: float
    lacks_wanted: float


def summary_of(struct: Any) -> PosteriorSummary:
    """That of the library, with words for its numbers."""
    values = {f.name: getattr(struct, f.name) for f in fields(PosteriorSummary)}
    values.update(
        end=word("equant_sample_end", struct.end),
        lacks=word("equant_sample_criterion", struct.lacks),
        backend=string(struct.backend),
    )
    return PosteriorSummary(**values)


@dataclass(frozen=True)
class Quantity:
    """A parameter of the model, or what follows from them.

    ``low`` and ``high`` hold 68.3 % of the draws; ``mode`` is where they are densest, ``best`` the
    value in the draw of the highest density. ``planet`` and ``instrument`` count from 1; 0 is none.
    ``kind`` is its name in the catalogue, :func:`equant.quantity_kinds`.
    """

    name: str
    unit: str
    is_angle: bool
    is_derived: bool
    planet: int
    instrument: int
    instrument_name: Optional[str]
    median: float
    low: float
    high: float
    mode: float
    best: float
    rhat: float
    ess_bulk: float
    ess_tail: float
    kind: str
    turnover: float
    drift: float
    discord: float
    start_width: float

    def __str__(self) -> str:
        return f"{self.name} = {between(self.median, self.low, self.high)} {self.unit}".rstrip()


@dataclass(frozen=True)
class Mode:
    """A group of draws with other periods, such as an alias."""

    weight: float
    weight_err: float
    period_days: Array


class Draws:
    """What all posteriors have: draws of named quantities, and how their run went."""

    summary: PosteriorSummary
    quantities: tuple[Quantity, ...]

    def __getitem__(self, name: str) -> Array:
        raise NotImplementedError

    @property
    def log_likelihoods(self) -> Array:
        """Log-likelihoods of all draws, ``[n_populations, n_kept, n_walkers]``."""
        raise NotImplementedError

    @property
    def converged(self) -> bool:
        """Whether all goals are met."""
        return self.summary.end == "converged"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the quantities."""
        return tuple(quantity.name for quantity in self.quantities)

    def quantity(self, name: str) -> Quantity:
        """The quantity of this name."""
        return self.quantities[self._index(name)]

    def _index(self, name: str) -> int:
        if name not in self.names:
            raise InvalidArgument(f"there is no '{name}'; there are {', '.join(self.names)}")
        return self.names.index(name)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of draws: populations, steps that were kept, walkers."""
        summary = self.summary
        return summary.n_populations, summary.n_kept, summary.n_walkers

    @property
    def table(self) -> Table:
        """Medians, intervals and diagnostics of all quantities."""
        names = ("name", "unit", "median", "low", "high", "best", "rhat", "ess_bulk", "ess_tail")
        return Table.from_records(self.quantities, names)

    @property
    def draws(self) -> Table:
        """All draws, one row each, with their log-likelihoods."""
        columns = {name: self[name].ravel() for name in self.names}
        return Table({**columns, "log_likelihood": self.log_likelihoods.ravel()})

    def to_pandas(self) -> Any:
        """All draws as a pandas ``DataFrame``."""
        return self.draws.to_pandas()

    def to_qtable(self) -> Any:
        """All draws as an astropy ``QTable``, with units; needs astropy."""
        return self.draws.to_qtable()


class Posterior(Draws, PaperTables):
    """Draws from the posterior of a star. Made by :func:`equant.sample` and its kin.

    ``posterior["period_days_1"]`` are the values of a quantity in all draws,
    ``[n_populations, n_kept, n_walkers]``. Posteriors can be pickled; :meth:`save` writes one to a
    folder, and :func:`equant.load` reads it back.
    """

    def __init__(self, handle: Handle, _summary: Optional[PosteriorSummary] = None) -> None:
        self._handle = handle
        summary = options(_c.equant_posterior_summary)
        call(_c.equant_posterior_summarize, handle.pointer, summary)
        #: How the run went.
        self.summary = _summary or summary_of(summary)
        #: Parameters and what follows from them, with medians, intervals and diagnostics.
        self.quantities: tuple[Quantity, ...] = tuple(
            self._quantity(index)
            for index in range(_c.equant_posterior_n_quantities(handle.pointer))
        )

    @classmethod
    def open(cls, path: PathLike) -> Posterior:
        """What the run of a file, or of a folder, has found so far."""
        place = run_path(path)
        return cls(Handle(_c.equant_posterior_open, _c.equant_posterior_free, place))

    def _quantity(self, index: int) -> Quantity:
        quantity = options(_c.equant_sampled_quantity)
        call(_c.equant_posterior_quantity, self._handle.pointer, index, quantity)
        made: Quantity = record(Quantity, quantity)
        return replace(made, kind=quantity_kinds()[quantity.kind].name)

    @property
    def data(self) -> Data:
        """The observations of the run."""
        theirs: AnyHandle = Borrowed(
            _c.equant_posterior_dataset(self._handle.pointer), self._handle
        )
        return Data(theirs)

    @property
    def provenance(self) -> dict[str, str]:
        """How the run was made, in words: version, seed, priors, options."""
        pointer = self._handle.pointer
        indices = range(_c.equant_posterior_n_provenance(pointer))
        return {
            string(_c.equant_posterior_provenance_name(pointer, i)): string(
                _c.equant_posterior_provenance_text(pointer, i)
            )
            for i in indices
        }

    def __getitem__(self, name: str) -> Array:
        values = np.empty(self.shape)
        call(_c.equant_posterior_values, self._handle.pointer, self._index(name), address(values))
        return values

    @property
    def log_likelihoods(self) -> Array:
        """Log-likelihoods of all draws, ``[n_populations, n_kept, n_walkers]``."""
        values = np.empty(self.shape)
        call(_c.equant_posterior_log_likelihoods, self._handle.pointer, address(values))
        return values

    @property
    def modes(self) -> tuple[Mode, ...]:
        """Groups of draws with other periods, the heaviest first."""
        found = []
        for index in range(_c.equant_posterior_n_modes(self._handle.pointer)):
            info = options(_c.equant_posterior_mode_info)
            call(_c.equant_posterior_mode, self._handle.pointer, index, info)
            periods = view(self._handle, info.period_days, (self.summary.n_planets,))
            found.append(Mode(info.weight, info.weight_err, periods))
        return tuple(found)

    @takes_numbers
    def predict(
        self,
        time_days: Any,
        *,
        what: str = "observation",
        instrument: Union[None, int, str] = None,
        uncertainty_m_s: float = 0.0,
        max_draws: int = 0,
        engine: EngineLike = None,
        progress: ProgressLike = None,
    ) -> Prediction:
        """The predictive distribution of the velocity at some times, noise included.

        Each draw predicts a normal distribution: its orbits, trend and offset, its noise process
        given the data, and what the data leave open of that.

        Parameters
        ----------
        time_days
            In their order, among the data or after them.
        what
            ``"observation"``, with its uncertainty and jitter, or ``"velocity"``, without.
        instrument
            Whose, by name or from 1; None means that of the last observation.
        uncertainty_m_s
            Of an observation; 0 means the median of that instrument.
        max_draws
            Spread evenly over all; 0 means 2000.
        engine, progress
            As in :func:`search`.
        """
        return make_prediction(
            self, time_days, what, instrument, uncertainty_m_s, max_draws, engine, progress
        )

    @takes_numbers
    def conjunctions(self, start_days: float, end_days: float) -> tuple[Conjunction, ...]:
        """When planets pass between the star and us, with errors: transits, if there are any."""
        return find_conjunctions(self, start_days, end_days)

    @takes_numbers
    def plan(
        self,
        time_days: Any,
        n: int = 1,
        *,
        target: str = "everything",
        rivals: Sequence[Posterior] = (),
        probabilities: Any = None,
        instruments: Any = None,
        uncertainty_m_s: Any = None,
        cost: Any = None,
        weight: Any = None,
        min_gap_days: float = 0.0,
        exposure_days: Any = None,
        overhead_days: Any = None,
        place: Any = None,
        clock_days: Any = None,
        max_draws: int = 0,
        engine: EngineLike = None,
        progress: ProgressLike = None,
    ) -> Plan:
        """Which of some times to observe next: where an observation is expected to teach most.

        Parameters
        ----------
        time_days
            When observations could be made, in their order, after the data.
        n
            How many to choose, one after the other.
        target
            What is to be learnt: ``"everything"``, ``"modes"`` (which of the periods that draws
            have), ``"models"`` (this posterior or a rival), or a quantity such as ``"k_m_s_2"``.
        rivals
            Posteriors of other models of the same observations.
        probabilities
            Of this model and its rivals; None means by their evidence, or equal.
        instruments, uncertainty_m_s, cost, weight
            Of each candidate, or of all: names or numbers from 1, m/s, any unit, and what an answer
            at that time is worth.
        min_gap_days
            Between two observations.
        exposure_days, overhead_days, place
            How long each observation takes, around its time, what passes before it, and which
            telescope it takes, a number from 0: no two of one telescope overlap. Where ``cost`` is
            None it is the hours of both.
        clock_days
            The same times by one clock, where those of the data are barycentric.
        max_draws
            Of each posterior; 0 means 1000.
        engine, progress
            As in :func:`search`.
        """
        return make_plan(
            self,
            time_days,
            n,
            target,
            rivals,
            probabilities,
            instruments,
            uncertainty_m_s,
            cost,
            weight,
            min_gap_days,
            exposure_days,
            overhead_days,
            place,
            clock_days,
            max_draws,
            engine,
            progress,
        )

    @takes_numbers(thin=COUNT)
    def to_arviz(self, *, log_likelihood: Optional[bool] = None, thin: int = 1) -> Any:
        """The draws as ArviZ wants them, named as in the file of a run; needs arviz.

        Names are those of quantities, with an axis for planets or instruments, and units are in
        the attributes. The group ``log_likelihood`` has one value for each observation, given all
        others: what ``arviz.loo`` and ``arviz.waic`` ask for.

        A chain is a population. ArviZ takes the draws of a chain for a series in time; they are
        walkers beside walkers, so its own effective sizes are too large. Those of :attr:`table`
        follow each walker.

        Parameters
        ----------
        log_likelihood
            Whether to have those of single observations; None: where noise is white. With
            correlated noise each draw takes milliseconds.
        thin
            Of the kept steps every how many is taken.
        """
        from ._packages.arviz import posterior_to_arviz

        return posterior_to_arviz(self, log_likelihood, thin)

    def plot(self, names: Any = None, axes: Any = None) -> Any:
        """Draws the corner picture of some quantities; needs matplotlib.

        Returns the axes, ``[n, n]``, with None above the diagonal; `axes` are others to draw into.
        """
        from .plots import plot_corner

        return plot_corner(self, names, axes)

    def plot_trace(self, names: Any = None, axes: Any = None) -> Any:
        """Draws quantities against the step of the sampler; needs matplotlib.

        Returns the axes, one for each quantity; `axes` are others to draw into.
        """
        from .plots import plot_trace

        return plot_trace(self, names, axes)

    def save(self, folder: PathLike, *, overwrite: bool = False, force: bool = False) -> None:
        """Writes the run to a folder, in the file run.nc of ``equant sample --out``.

        ``equant report`` makes a page of it, :func:`equant.load` reads it back,
        :func:`sample_resume` and ``equant sample --resume`` go on with it, ArviZ opens it.

        Parameters
        ----------
        folder
            Made where it is not there.
        overwrite
            Replace a run that is there.
        force
            Go on where another program has the folder, or where it cannot be locked.
        """
        from .saved import save_run

        save_run(self, folder, overwrite, force)

    def report(
        self,
        path: PathLike = "report.html",
        *,
        fit: Optional[Fit] = None,
        star_name: Optional[str] = None,
        references: Sequence[str] = (),
        eccentric: bool = False,
        periodograms: bool = True,
    ) -> str:
        """Makes one HTML page about the star, as ``equant report`` does; answers with its path.

        `fit` is one of the same data, to be on the page as well; the rest is as in
        :meth:`Fit.report`.
        """
        from .saved import write_report

        return write_report(
            path,
            fit,
            self,
            star_name=star_name,
            references=references,
            eccentric=eccentric,
            periodograms=periodograms,
        )

    def __copy__(self) -> Posterior:
        return self  # nothing of it can change

    def __deepcopy__(self, memo: Any) -> Posterior:
        return self

    def __reduce__(self) -> Any:
        """The file of the run; and the summary, for a file does not tell how its run ended."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.nc")
            call(_c.equant_posterior_save, self._handle.pointer, path_text(path))
            with open(path, "rb") as file:
                return _posterior_from, (file.read(), self.summary)

    def _headline(self) -> str:
        s = self.summary
        n_draws = s.n_populations * s.n_kept * s.n_walkers
        state = {
            "converged": "converged",
            "steps": "not converged: out of steps",
            "seconds": "not converged: out of time",
        }.get(s.end, "unfinished")
        if s.lacks != "none" and s.lacks_quantity < len(self.quantities):
            state += f" ({s.lacks} of {self.quantities[s.lacks_quantity].name})"
        return (
            f"{n_draws} draws, {state}, R-hat {s.rhat:.4f}, ESS {min(s.ess_bulk, s.ess_tail):.0f}"
        )

    def __repr__(self) -> str:
        lines = (f"  {quantity}" for quantity in self.quantities)
        return "\n".join([f"equant.Posterior: {self._headline()}", *lines])

    def _repr_html_(self) -> str:
        return f"<b>{self._headline()}</b>{self.table._repr_html_()}"


def _posterior_from(contents: bytes, summary: PosteriorSummary) -> Posterior:
    """A posterior from what pickling kept of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.nc")
        with open(path, "wb") as file:
            file.write(contents)
        create, free = _c.equant_posterior_open, _c.equant_posterior_free
        return Posterior(Handle(create, free, path_text(path)), summary)


def run_path(path: PathLike) -> bytes:
    """The file of a run, which in a folder is run.nc."""
    place = path_text(path)
    return os.path.join(place, RUN.encode()) if os.path.isdir(place) else place
