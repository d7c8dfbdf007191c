"""Is there a planet of about 1200 days around HD 164922? Evidence by nautilus.

    python nautilus_evidence.py [LIVE_POINTS]

Needs nautilus-sampler, from PyPI.
"""

import sys

import nautilus
import numpy as np

import equant

n_live = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
data = equant.Data.demonstration()
period = {"period_days_1": "log-uniform(1000, 1400)"}

for n_planets in (0, 1):
    target = equant.Target(
        data,
        n_planets,
        priors=period if n_planets else None,
        space="parameters",
        marginalise_offsets=True,
    )
    # One network is enough where evaluations are cheaper than networks.
    sampler = nautilus.Sampler(
        target.prior_transform,
        target.log_likelihood,
        n_dim=target.n_dim,
        n_live=n_live,
        n_networks=1,
        periodic=np.flatnonzero(target.wraps),
        vectorized=True,
        pass_dict=False,
        seed=1,
    )
    sampler.run(n_eff=2 * n_live)
    print(f"planets {n_planets}: ln Z = {sampler.log_z:.2f} +- {sampler.n_eff**-0.5:.2f}")

points, log_weights, _ = sampler.posterior()
weights = np.exp(log_weights)
for name, values in target.to_columns(points).items():
    mean = np.average(values, weights=weights)
    variance = np.average((values - mean) ** 2, weights=weights)
    print(f"{name:16} {mean:10.3f} +- {variance**0.5:.3f}")
