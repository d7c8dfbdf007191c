"""Is there a planet of about 1200 days around HD 164922? Evidence by UltraNest.

    python ultranest_evidence.py [LIVE_POINTS]

Needs ultranest, from PyPI.
"""

import sys

import numpy as np
import ultranest
from ultranest.mlfriends import RobustEllipsoidRegion

import equant

n_live = int(sys.argv[1]) if len(sys.argv) > 1 else 400
data = equant.Data.demonstration()
period = {"period_days_1": "log-uniform(1000, 1400)"}
np.random.seed(1)

for n_planets in (0, 1):
    target = equant.Target(
        data,
        n_planets,
        priors=period if n_planets else None,
        space="parameters",
        marginalise_offsets=True,
    )
    sampler = ultranest.ReactiveNestedSampler(
        list(target.names),
        target.log_likelihood,
        target.prior_transform,
        wrapped_params=list(target.wraps),
        vectorized=True,
    )
    # Evaluations are cheap: ellipsoids, which waste some, beat regions that take long to make.
    results = sampler.run(
        min_num_live_points=n_live,
        min_ess=n_live,
        region_class=RobustEllipsoidRegion,
        show_status=False,
        viz_callback=False,
    )
    print(f"planets {n_planets}: ln Z = {results['logz']:.1f} +- {results['logzerr']:.1f}")

for name, values in target.to_columns(results["samples"]).items():
    print(f"{name:16} {np.median(values):10.3f} +- {np.std(values):.3f}")
