"""The posterior of HD 164922 by NUTS of NumPyro, whose gradients come from equant.

    python numpyro_posterior.py [DRAWS]

Needs jax and numpyro, from PyPI.
"""

import sys

import jax
import numpy as np
from numpyro.infer import MCMC, NUTS

import equant
import equant.jax

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)

N_CHAINS = 4
n_draws = int(sys.argv[1]) if len(sys.argv) > 1 else 2000

data = equant.Data.demonstration()
periods = {"period_days_1": "log-uniform(70, 80)", "period_days_2": "log-uniform(1000, 1400)"}
target = equant.Target(data, n_planets=2, priors=periods)

fit = equant.fit(data, n_planets=2, trend="none", progress=False)
start = target.around(fit, N_CHAINS, seed=1)

density = equant.jax.log_density(target)
nuts = NUTS(potential_fn=lambda point: -density(point), dense_mass=True, target_accept_prob=0.9)
# Chains side by side are one batch of the target.
mcmc = MCMC(
    nuts, num_warmup=1000, num_samples=n_draws, num_chains=N_CHAINS, chain_method="vectorized"
)
mcmc.run(jax.random.PRNGKey(1), init_params=jax.numpy.asarray(start))

for name, values in target.to_columns(np.asarray(mcmc.get_samples())).items():
    low, median, high = np.quantile(values, [0.1587, 0.5, 0.8413])
    print(f"{name:16} {median:10.3f}  +{high - median:.3f} -{median - low:.3f}")
