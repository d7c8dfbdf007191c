"""The posterior of HD 164922 by NUTS of BlackJAX, whose gradients come from equant.

    python blackjax_posterior.py [DRAWS]

Needs jax and blackjax, from PyPI.
"""

import sys

import blackjax
import jax
import numpy as np

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
start = jax.numpy.asarray(target.around(fit, N_CHAINS, seed=1))

density = equant.jax.log_density(target)
keys = jax.random.split(jax.random.PRNGKey(1), N_CHAINS)


def run_chain(key, point):
    """Steps and masses are learnt in 1000 steps, which are not counted."""
    key_of_warmup, key_of_draws = jax.random.split(key)
    warmup = blackjax.window_adaptation(
        blackjax.nuts, density, is_mass_matrix_diagonal=False, target_acceptance_rate=0.9
    )
    (state, learnt), _ = warmup.run(key_of_warmup, point, num_steps=1000)
    nuts = blackjax.nuts(density, **learnt)

    def step(state, key):
        state, _ = nuts.step(key, state)
        return state, state.position

    return jax.lax.scan(step, state, jax.random.split(key_of_draws, n_draws))[1]


# Chains side by side are one batch of the target.
draws = np.asarray(jax.jit(jax.vmap(run_chain))(keys, start)).reshape(-1, target.n_dim)
for name, values in target.to_columns(draws).items():
    low, median, high = np.quantile(values, [0.1587, 0.5, 0.8413])
    print(f"{name:16} {median:10.3f}  +{high - median:.3f} -{median - low:.3f}")
