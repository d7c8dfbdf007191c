"""The posterior of HD 164922 by emcee, whose walkers are evaluated together.

    python emcee_posterior.py [STEPS]

Needs emcee, from PyPI.
"""

import sys

import emcee
import numpy as np

import equant

N_WALKERS = 100
n_steps = int(sys.argv[1]) if len(sys.argv) > 1 else 5000

data = equant.Data.demonstration()
periods = {"period_days_1": "log-uniform(70, 80)", "period_days_2": "log-uniform(1000, 1400)"}
target = equant.Target(data, n_planets=2, priors=periods)

# Walkers start about the best fit: planets by their periods, as the priors have them.
fit = equant.fit(data, n_planets=2, trend="none", progress=False)
start = target.around(fit, N_WALKERS, seed=1)

np.random.seed(1)
moves = [(emcee.moves.DEMove(), 0.8), (emcee.moves.StretchMove(), 0.2)]
sampler = emcee.EnsembleSampler(N_WALKERS, target.n_dim, target, vectorize=True, moves=moves)
sampler.run_mcmc(start, n_steps)

chain = sampler.get_chain(discard=n_steps // 3, flat=True)
for name, values in target.to_columns(chain).items():
    low, median, high = np.quantile(values, [0.1587, 0.5, 0.8413])
    print(f"{name:16} {median:10.3f}  +{high - median:.3f} -{median - low:.3f}")
