"""A data set as notebooks show it."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..data import Data


def as_html(data: Data) -> str:
    """Instruments with their observations, and what there is to know of them."""
    rows = []
    for index, name in enumerate(data.instrument_names):
        mine = data.instruments == index
        times = data.times_days[mine]
        rows.append(
            f"<tr><td>{html.escape(name)}</td><td>{times.size}</td>"
            f"<td>{times.min():.1f} – {times.max():.1f}</td>"
            f"<td>{np.median(data.uncertainties_m_s[mine]):.2f}</td></tr>"
        )
    notes = "".join(f"<li>{html.escape(warning)}</li>" for warning in data.warnings)
    return (
        f"<b>{data.n_obs} observations</b> over {data.span_days:.1f} days, reference time "
        f"{data.reference_time_days:.10g}<table><thead><tr><th>instrument</th><th>n</th>"
        "<th>days</th><th>median uncertainty, m/s</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>" + (f"<ul>{notes}</ul>" if notes else "")
    )
