"""HD 164922 as radvel sees it: two planets, a jitter for each instrument, offsets integrated out,
radvel's own priors. Needs radvel."""

import numpy as np
import radvel

N_PLANETS = 2
BASIS = "per tc secosw sesinw k"
# Where radvel's example for this star begins.
BEGIN = {"per1": 1206.3, "tc1": 2456779.0, "k1": 10.0, "per2": 75.771, "tc2": 2456277.6, "k2": 1.0}
FIRST_JITTER, LARGEST_JITTER = 2.6, 10.0


def posterior(data):
    """Of reference_posterior.Observations; built as radvel's documentation has it, at the best fit."""
    parameters = radvel.Parameters(N_PLANETS, basis="per tc e w k")
    for name, value in BEGIN.items():
        parameters[name] = radvel.Parameter(value=value)
    for planet in range(1, N_PLANETS + 1):
        parameters[f"e{planet}"] = radvel.Parameter(value=0.01)
        parameters[f"w{planet}"] = radvel.Parameter(value=np.pi / 2)
    parameters["dvdt"] = radvel.Parameter(value=0.0)
    parameters["curv"] = radvel.Parameter(value=0.0)
    parameters = parameters.basis.to_any_basis(parameters, BASIS)
    model = radvel.RVModel(parameters, time_base=float(np.median(data.times)))
    likelihoods = []
    for number, name in enumerate(data.instruments):
        is_his = data.instrument == number
        likelihoods.append(radvel.likelihood.RVLikelihood(
            model, data.times[is_his], data.velocities[is_his], data.errors[is_his],
            suffix=f"_{name}"))
    together = radvel.likelihood.CompositeLikelihood(likelihoods)
    priors = [radvel.prior.EccentricityPrior(N_PLANETS), radvel.prior.PositiveKPrior(N_PLANETS)]
    for name in data.instruments:
        together.params[f"gamma_{name}"] = radvel.Parameter(value=0.0, vary=False, linear=True)
        together.params[f"jit_{name}"] = radvel.Parameter(value=FIRST_JITTER)
        priors.append(radvel.prior.HardBounds(f"jit_{name}", 0.0, LARGEST_JITTER))
    for name in ("dvdt", "curv"):
        together.params[name].vary = False
    together.vector.dict_to_vector()
    made = radvel.posterior.Posterior(together)
    made.priors += priors
    return radvel.fitting.maxlike_fitting(made, verbose=False)
