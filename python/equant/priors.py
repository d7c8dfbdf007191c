"""What is believed of a star before its data."""

from __future__ import annotations

from typing import Any, Iterator, Mapping, MutableMapping, Optional

from . import _c
from ._memory import Handle, choice, options, read_path, string, text
from ._numbers.gate import takes_numbers
from ._numbers.kinds import kind_of_parameter
from ._numbers.values import as_text
from .data import Data, PathLike, data_pointer
from .errors import call
from .table import Table


class Priors(MutableMapping[str, str]):
    """A prior for each parameter of a model, as a mapping from names to texts.

    A name may also stand for all parameters of its kind: ``priors["eccentricity"]`` is set for
    every planet. Texts are ``"log-uniform(1, 1000)"``, ``"normal(75.76, 0.05)"``,
    ``"beta(0.867, 3.03)"``, ``"fixed(0)"`` and others; a number, or a quantity, fixes a parameter.

    Parameters
    ----------
    data
        The observations, from which some of the bounds follow.
    n_planets, trend
        Of the model, whose offsets and jitters are all parameters.
    prior_set
        A name of :func:`prior_sets`; None takes the first, that of Ford & Gregory (2006).
    noise
        Terms of correlated noise in the words of :func:`fit`, ``"rotation(period=20:30),night"``:
        their parameters have priors that are uniform in the logarithm.
    changes
        Priors that differ from those of the set.

    Examples
    --------
    >>> import equant
    >>> priors = equant.Priors(equant.Data.demonstration(), 1, prior_set="kipping")
    >>> priors["eccentricity_1"]
    'beta(0.867, 3.03, 0, 1)'
    >>> priors["period_days"] = "log-uniform(1000, 1500)"
    >>> priors["period_days_1"]
    'log-uniform(1000, 1500)'
    """

    @takes_numbers
    def __init__(
        self,
        data: Data,
        n_planets: int = 1,
        *,
        trend: str = "none",
        prior_set: Optional[str] = None,
        noise: Optional[str] = None,
        changes: Optional[Mapping[str, Any]] = None,
    ) -> None:
        chosen = _options(n_planets, trend, prior_set, noise)
        self._handle = Handle(
            _c.equant_priors_create, _c.equant_priors_free, data_pointer(data), chosen
        )
        self._data = data
        self.n_planets = n_planets
        self.trend = trend
        self.noise = noise
        self.update(changes or {})

    @classmethod
    @takes_numbers
    def from_file(
        cls,
        path: PathLike,
        data: Data,
        n_planets: int = 1,
        *,
        trend: str = "none",
        prior_set: Optional[str] = None,
        noise: Optional[str] = None,
    ) -> Priors:
        """The same with what a YAML file says."""
        made = cls.__new__(cls)
        made._data, made.n_planets, made.trend, made.noise = data, n_planets, trend, noise
        made._handle = Handle(
            _c.equant_priors_from_file,
            _c.equant_priors_free,
            read_path(path),
            data_pointer(data),
            _options(n_planets, trend, prior_set, noise),
        )
        return made

    def _names(self) -> list[str]:
        handle = self._handle.pointer
        return [string(_c.equant_priors_name(handle, i)) for i in range(_c.equant_priors_n(handle))]

    def __getitem__(self, name: str) -> str:
        try:
            column = self._names().index(name)
        except ValueError:
            raise KeyError(name) from None
        return string(_c.equant_priors_text(self._handle.pointer, column))

    def __setitem__(self, name: str, prior: Any) -> None:
        said = as_text(prior, name, kind_of_parameter(name))
        call(_c.equant_priors_change, self._handle.pointer, text(name), text(said))

    def __delitem__(self, name: str) -> None:
        raise TypeError("every parameter has a prior; set another one instead")

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return int(_c.equant_priors_n(self._handle.pointer))

    @property
    def table(self) -> Table:
        """Parameters and their priors."""
        return Table({"parameter": list(self), "prior": list(self.values())})

    def __reduce__(self) -> Any:
        return _priors_from, (self._data, self.n_planets, self.trend, dict(self), self.noise)

    def __repr__(self) -> str:
        inside = "".join(f"\n  {name}: {prior}" for name, prior in self.items())
        return f"equant.Priors({inside})"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def prior_sets() -> dict[str, str]:
    """Names of the sets of priors, with a line about each.

    Examples
    --------
    >>> list(prior_sets())[:2]
    ['ford-gregory', 'kipping']
    """
    return {
        string(_c.equant_prior_set_name(index)): string(_c.equant_prior_set_description(index))
        for index in range(_c.equant_n_prior_sets())
    }


def _priors_from(
    data: Data, n_planets: int, trend: str, texts: dict[str, str], noise: Optional[str] = None
) -> Priors:
    return Priors(data, n_planets, trend=trend, noise=noise, changes=texts)


def _options(n_planets: int, trend: str, prior_set: Optional[str], noise: Optional[str]) -> Any:
    return options(
        _c.equant_priors_options,
        n_planets=n_planets,
        trend=choice("equant_trend", "trend", trend),
        prior_set=text(prior_set),
        noise=text(noise, "noise"),
    )
