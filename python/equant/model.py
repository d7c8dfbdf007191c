"""Which parameters describe a star: the columns of a parameter set."""

from __future__ import annotations

from typing import Any, Optional

from . import _c
from ._memory import Handle, choice, options, string, text
from ._numbers.gate import takes_numbers

#: Trends by the number of their terms.
TRENDS = ("none", "linear", "quadratic")


class Model:
    """Which parameters describe a star: the columns of a parameter set.

    The columns are, in this order: ``period_days, k_m_s, eccentricity, omega_rad, m0_rad`` of
    each planet; offsets in m/s, one for each instrument, where they are given; the trend where
    it is given; a jitter in m/s for each instrument where the model has them; the parameters of
    each noise term.

    Parameters
    ----------
    n_planets
        Number of planets, from 0 on.
    n_instruments
        That of the data set.
    trend
        ``"none"``, ``"linear"`` or ``"quadratic"``.
    offset_columns, trend_columns
        ``"solved"``: left out of the parameter sets, found exactly for each of them by weighted
        least squares. ``"given"``: columns of the parameter sets.
    jitter
        Whether there is a jitter column for each instrument, added in quadrature to the
        uncertainties.
    noise
        Names of noise terms, each at most once: ``"rotation, night"``; :func:`noise_terms` lists
        them. ``"night@1"`` is of instrument 1 alone, counted from 0. Their parameters are columns. Chi-square is then r' C⁻¹ r, with the covariance C that
        noise, jitters and uncertainties make together.

    Examples
    --------
    >>> model = Model(1, offset_columns="given", jitter=True)
    >>> model.parameter_names  # doctest: +NORMALIZE_WHITESPACE
    ('period_days_1', 'k_m_s_1', 'eccentricity_1', 'omega_rad_1', 'm0_rad_1', 'offset_m_s_1',
     'jitter_m_s_1')
    >>> Model(0, noise="night, exponential").parameter_names
    ('night_amplitude_m_s', 'exponential_amplitude_m_s', 'exponential_decay_days')
    >>> Model(0, n_instruments=2, noise="night@1").parameter_names
    ('night_amplitude_m_s_2',)
    """

    @takes_numbers
    def __init__(
        self,
        n_planets: int = 1,
        *,
        n_instruments: int = 1,
        trend: str = "none",
        offset_columns: str = "solved",
        trend_columns: str = "solved",
        jitter: bool = False,
        noise: Optional[str] = None,
    ) -> None:
        self.n_planets = n_planets
        self.n_instruments = n_instruments
        self.trend = trend
        self.offset_columns = offset_columns
        self.trend_columns = trend_columns
        self.jitter = bool(jitter)
        self.noise = noise or ""
        chosen = options(
            _c.equant_model_options,
            n_planets=n_planets,
            n_instruments=n_instruments,
            trend=choice("equant_trend", "trend", trend),
            offset_columns=choice("equant_nuisance", "offset_columns", offset_columns),
            trend_columns=choice("equant_nuisance", "trend_columns", trend_columns),
            with_jitter=int(self.jitter),
            noise=text(self.noise),
        )
        self._handle = Handle(_c.equant_model_create, _c.equant_model_free, chosen)
        pointer = self._handle.pointer
        #: Number of columns of a parameter set.
        self.n_parameters = int(_c.equant_model_n_parameters(pointer))
        #: Number of linear parameters, given or solved: offsets, then trend terms.
        self.n_linear = int(_c.equant_model_n_linear(pointer))

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Names of the columns, with their units."""
        pointer = self._handle.pointer
        names = (_c.equant_model_parameter_name(pointer, i) for i in range(self.n_parameters))
        return tuple(string(name) for name in names)

    def _keywords(self) -> dict[str, Any]:
        names = ("n_planets", "n_instruments", "trend", "offset_columns", "trend_columns", "jitter")
        keywords = {name: getattr(self, name) for name in names}
        return {**keywords, "noise": self.noise} if self.noise else keywords

    def __reduce__(self) -> Any:
        return _model_from, (self._keywords(),)

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value!r}" for name, value in self._keywords().items())
        return f"equant.Model({inside})"


def _model_from(keywords: dict[str, Any]) -> Model:
    return Model(**keywords)
