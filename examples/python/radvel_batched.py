"""A posterior of radvel, its walkers evaluated together: HD 164922 by emcee.

    python radvel_batched.py [STEPS]

Needs radvel and emcee, from PyPI.
"""

import sys

import emcee
import numpy as np
import radvel

import equant

N_PLANETS, N_WALKERS = 2, 100
n_steps = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
data = equant.Data.demonstration()

# The posterior as radvel's own examples build it.
begin = {"per1": 1201.0, "tc1": 2455577.0, "k1": 7.2, "per2": 75.75, "tc2": 2455219.0, "k2": 2.2}
parameters = radvel.Parameters(N_PLANETS, basis="per tc secosw sesinw k")
for name, value in begin.items():
    parameters[name] = radvel.Parameter(value=value)
for name in ("secosw1", "sesinw1", "secosw2", "sesinw2"):
    parameters[name] = radvel.Parameter(value=0.1)
for name in ("dvdt", "curv"):
    parameters[name] = radvel.Parameter(value=0.0, vary=False)
model = radvel.RVModel(parameters, time_base=data.reference_time_days)
likelihoods = []
for number, name in enumerate(data.instrument_names):
    mine = data.instruments == number
    observed = (data.times_days, data.velocities_m_s, data.uncertainties_m_s)
    rows = [column[mine] for column in observed]
    likelihoods.append(radvel.likelihood.RVLikelihood(model, *rows, suffix=f"_{name}"))
likelihood = radvel.likelihood.CompositeLikelihood(likelihoods)
for name in data.instrument_names:
    likelihood.params[f"gamma_{name}"] = radvel.Parameter(value=0.0)
    likelihood.params[f"jit_{name}"] = radvel.Parameter(value=2.6)
likelihood.vector.dict_to_vector()
posterior = radvel.posterior.Posterior(likelihood)
posterior.priors += [radvel.prior.EccentricityPrior(N_PLANETS)]
posterior.priors += [radvel.prior.PositiveKPrior(N_PLANETS)]
posterior.priors += [
    radvel.prior.HardBounds(f"jit_{name}", 0.0, 10.0) for name in data.instrument_names
]

# All that is new: the posterior in batches.
batched = equant.radvel.BatchedPosterior(posterior)

centre = posterior.get_vary_params()
print(f"radvel: {posterior.logprob_array(centre):.9f}")
print(f"equant: {batched(centre):.9f}")

np.random.seed(1)
start = centre + 1e-2 * np.random.standard_normal((N_WALKERS, batched.n_dim))
moves = [(emcee.moves.DEMove(), 0.8), (emcee.moves.StretchMove(), 0.2)]
sampler = emcee.EnsembleSampler(N_WALKERS, batched.n_dim, batched, vectorize=True, moves=moves)
sampler.run_mcmc(start, n_steps)
chain = sampler.get_chain(discard=n_steps // 3, flat=True)
for name, values in zip(batched.names, chain.T):
    print(f"{name:8} {np.median(values):12.3f} +- {np.std(values):.3f}")
