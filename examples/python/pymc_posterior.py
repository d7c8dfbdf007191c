"""The posterior of HD 164922 by NUTS of PyMC, whose gradients come from equant.

    python pymc_posterior.py [DRAWS]

Needs pymc, from PyPI.
"""

import sys

import numpy as np
import pymc

import equant
import equant.pytensor

N_CHAINS = 4
n_draws = int(sys.argv[1]) if len(sys.argv) > 1 else 2000

data = equant.Data.demonstration()
periods = {"period_days_1": "log-uniform(70, 80)", "period_days_2": "log-uniform(1000, 1400)"}
engine = equant.Engine(n_threads=1)  # chains are processes
target = equant.Target(data, n_planets=2, priors=periods, engine=engine)

fit = equant.fit(data, n_planets=2, trend="none", progress=False)
start = target.around(fit, N_CHAINS, seed=1)

with pymc.Model():
    points = pymc.Flat("points", shape=target.n_dim)
    pymc.Potential("posterior", equant.pytensor.log_density(target)(points))
    trace = pymc.sample(
        n_draws,
        tune=1000,
        chains=N_CHAINS,
        initvals=[{"points": point} for point in start],
        init="adapt_full",
        target_accept=0.9,
        random_seed=1,
        progressbar=False,
    )

draws = trace.posterior["points"].values.reshape(-1, target.n_dim)
for name, values in target.to_columns(draws).items():
    low, median, high = np.quantile(values, [0.1587, 0.5, 0.8413])
    print(f"{name:16} {median:10.3f}  +{high - median:.3f} -{median - low:.3f}")
