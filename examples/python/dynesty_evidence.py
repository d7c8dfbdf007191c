"""Is there a planet of about 1200 days around HD 164922? Evidence by dynesty.

    python dynesty_evidence.py [LIVE_POINTS]

Needs dynesty, from PyPI.
"""

import sys

import dynesty
import numpy as np

import equant

n_live = int(sys.argv[1]) if len(sys.argv) > 1 else 500
data = equant.Data.demonstration()
period = {"period_days_1": "log-uniform(1000, 1400)"}
log_z = []

for n_planets in (0, 1):
    # dynesty asks for one point at a time, which is the work of one thread.
    target = equant.Target(
        data,
        n_planets,
        priors=period if n_planets else None,
        space="parameters",
        marginalise_offsets=True,
        engine=equant.Engine(n_threads=1),
    )
    sampler = dynesty.NestedSampler(
        target.log_likelihood,
        target.prior_transform,
        target.n_dim,
        nlive=n_live,
        periodic=list(np.flatnonzero(target.wraps)) or None,
        sample="rwalk",
        rstate=np.random.default_rng(1),
    )
    sampler.run_nested(print_progress=False)
    results = sampler.results
    log_z.append(results.logz[-1])
    print(f"planets {n_planets}: ln Z = {results.logz[-1]:.1f} +- {results.logzerr[-1]:.1f}")

print(f"ln of the Bayes factor for the planet: {log_z[1] - log_z[0]:.1f}")
weighted = results.samples_equal(rstate=np.random.default_rng(1))
for name, values in target.to_columns(weighted).items():
    print(f"{name:16} {np.median(values):10.3f} +- {np.std(values):.3f}")
