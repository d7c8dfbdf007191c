"""An example setup file of radvel: radvel's own likelihood of it without Gaussian processes, its
maximum, draws of it; and where equant's orbits are in radvel's coordinates. Needs radvel."""

import math
import sys

import emcee
import numpy as np
import radvel
import scipy.optimize

SMALLEST_GAIN = 1e-10      # of ln L times priors, for which a maximum is still climbed
MOST_CLIMBS = 40


class Star:
    """One setup file, as radvel reads it."""

    def __init__(self, path):
        self.path = path
        self.names = vars(radvel.utils.load_module_from_file(path.stem, str(path)))
        self.params = self.names["params"]
        self.n_planets = int(self.names["nplanets"])
        self.basis = self.names["fitting_basis"]
        table = self.names["data"]
        self.time, self.velocity, self.error = (np.asarray(table[name], dtype=float)
                                                for name in ("time", "mnvel", "errvel"))
        self.tel = np.asarray(table["tel"]).astype(str)
        self.tels = list(dict.fromkeys(self.tel))
        self.time_base = float(self.names["time_base"])

    # ---- radvel's side ---------------------------------------------------------------------

    def likelihood(self, are_linear):
        """Of white noise; `are_linear`: offsets are integrated out where the file says so."""
        params = radvel.Parameters(self.n_planets, basis=self.basis)
        for name in self.params:
            if not name.startswith("gp_"):
                own = self.params[name]
                params[name] = radvel.Parameter(own.value, vary=own.vary, linear=own.linear)
                if own.linear and not are_linear:
                    params[name] = radvel.Parameter(own.value, vary=True)
        model = radvel.RVModel(params, time_base=self.time_base)
        return radvel.likelihood.CompositeLikelihood([
            radvel.likelihood.RVLikelihood(model, self.time[own], self.velocity[own],
                                           self.error[own], suffix=f"_{tel}")
            for tel in self.tels if (own := self.tel == tel).any()])

    def posterior(self, are_linear=False, are_ranges=False):
        """With the priors of the file; `are_ranges`: Jeffreys' without their densities."""
        made = radvel.posterior.Posterior(self.likelihood(are_linear))
        for prior in self.names["priors"]:
            if str(getattr(prior, "param", "")).startswith("gp_"):
                continue
            if are_ranges and type(prior).__name__ == "Jeffreys":
                prior = radvel.prior.HardBounds(prior.param, prior.minval, prior.maxval)
            made.priors.append(prior)
        return made

    def processes(self):
        """radvel's likelihood with the Gaussian processes of the file, at its start."""
        _, made = radvel.utils.initialize_posterior(str(self.path))
        return made.likelihood.logprob()

    # ---- the same in words of equant ---------------------------------------------------------

    def elements(self, params):
        """P, K, e, omega, M0 of the planets, in the order of the file."""
        plain = params.basis.to_any_basis(params, "per tp e w k")
        rows = []
        for number in range(1, self.n_planets + 1):
            period, tp, e, omega, k = (float(plain[f"{word}{number}"].value)
                                       for word in ("per", "tp", "e", "w", "k"))
            rows.append([period, k, e, omega, 2 * math.pi * ((self.time_base - tp) / period % 1)])
        return rows

    def point(self, posterior, fit, order):
        """A fit of equant as a point of `posterior`; `order`: its planet for each of radvel's."""
        names = fit.data.instrument_names
        values = {f"gamma_{name}": v for name, v in zip(names, fit.offsets_m_s)}
        values |= {f"jit_{name}": v for name, v in zip(names, fit.jitters_m_s)}
        values |= dict(zip(("dvdt", "curv"), fit.trend_terms))
        for number, index in enumerate(order, 1):
            period, k, e, omega, m0 = fit.planets[index].elements
            params = radvel.Parameters(1, basis="per tp e w k")
            tp = self.time_base - m0 / (2 * math.pi) * period
            for word, value in zip(("per", "tp", "e", "w", "k"), (period, tp, e, omega, k)):
                params[f"{word}1"] = radvel.Parameter(value)
            own = params.basis.to_any_basis(params, self.basis)
            for word in self.basis.split():
                values[f"{word}{number}"] = own[f"{word}1"].value
            near, days = f"tc{number}", period
            if near in values:      # the conjunction that radvel means
                start = self.params[near].value
                values[near] += days * round((start - values[near]) / days)
        return np.array([values[name] for name in posterior.name_vary_params()])


def optimise(posterior, point):
    """radvel's maximum from a point, by Powell's method and simplexes until nothing is gained."""
    scales = np.array([_scale(name, value)
                       for name, value in zip(posterior.name_vary_params(), point)])
    start = np.array(point, dtype=float)

    def merit(steps):
        value = -posterior.logprob_array(start + scales * steps)
        return value if math.isfinite(value) else 1e25

    best, steps = merit(np.zeros(len(start))), np.zeros(len(start))
    for _ in range(MOST_CLIMBS):
        before = best
        for method, options in (("Powell", {"xtol": 1e-10, "ftol": 1e-14}),
                                ("Nelder-Mead", {"xatol": 1e-10, "fatol": 1e-13, "adaptive": True,
                                                 "maxfev": 4000})):
            found = scipy.optimize.minimize(merit, steps, method=method, options=options)
            if found.fun < best:
                best, steps = found.fun, found.x
        if before - best < SMALLEST_GAIN:
            break
    posterior.set_vary_params(start + scales * steps)
    return posterior.likelihood.logprob()


def _scale(name, value):
    """How far a parameter is likely to be known."""
    word = name.rstrip("0123456789")
    if word in ("per", "logper"):
        return 1e-3 * abs(value)
    return {"tc": 1.0, "tp": 1.0, "dvdt": 1e-2, "curv": 1e-3, "secosw": 0.1, "sesinw": 0.1,
            "logk": 0.1}.get(word, 0.5)


def chains(posterior, steps, ensembles, walkers=50):
    """radvel's own MCMC: {name: [chain, step]}, a chain for each walker of each ensemble. All begin
    in a small ball around the maximum, and may look mixed before they have left it: behind radvel's
    burn-in a quarter more is left out, and no test of radvel's ends the run early."""
    radvel.mcmc(posterior, nwalkers=walkers, nrun=steps, ensembles=ensembles, headless=True,
                serial=True, minAfactor=math.inf)
    state = sys.modules["radvel.mcmc"].statevars
    together = np.concatenate([np.moveaxis(own.get_chain(), 1, 0) for own in state.samplers])
    together = together[:, together.shape[1] // 4:]
    return {name: together[:, :, i] for i, name in enumerate(posterior.name_vary_params())}


def mixed_chains(posterior, steps, ensembles, walkers=100):
    """Draws of radvel's posterior by emcee's moves of differential evolution and snooker, where the
    stretch moves of radvel's MCMC hardly mix: {name: [chain, step]}. Walkers begin wide around the
    maximum where `posterior` stands; the first quarter of the steps is left out."""
    best, names = posterior.get_vary_params(), posterior.name_vary_params()
    scales = np.array([_scale(name, value) for name, value in zip(names, best)])
    moves = [(emcee.moves.DEMove(), 0.8), (emcee.moves.DESnookerMove(), 0.1),
             (emcee.moves.StretchMove(), 0.1)]
    found = []
    for number in range(ensembles):
        sampler = emcee.EnsembleSampler(walkers, len(best), posterior.logprob_array, moves=moves)
        state = sampler.run_mcmc([_wide_start(posterior, best, scales) for _ in range(walkers)],
                                 steps // 4)
        sampler.reset()
        sampler.run_mcmc(state, steps - steps // 4)
        print(f"  ensemble {number + 1} of {ensembles}: {sampler.acceptance_fraction.mean():.2f} "
              "of the moves accepted", flush=True)
        found.append(np.moveaxis(sampler.get_chain(), 1, 0))
    together = np.concatenate(found)
    return {name: together[:, :, i] for i, name in enumerate(names)}


def _wide_start(posterior, best, scales):
    while True:
        point = best + 0.5 * scales * np.random.standard_normal(len(best))
        if math.isfinite(posterior.logprob_array(point)):
            return point
