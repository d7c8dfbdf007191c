"""Chains of samplers, ours and others': runs of `equant sample`, effective sizes after Vehtari
et al. (2021), quantiles with their Monte Carlo errors. Needs numpy and h5py."""

import math
import statistics
import subprocess
import sys
import time

import h5py
import numpy as np

# ---- effective sizes -------------------------------------------------------------------------


def normal_scores(values):
    """Ranks of all values, ties sharing theirs, as deviates of the normal distribution."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - 0.5 * (counts - 1)
    quantile = statistics.NormalDist().inv_cdf
    scores = np.array([quantile((rank - 0.375) / (values.size + 0.25)) for rank in ranks])
    return scores[inverse].reshape(values.shape)


def split(chains):
    """Twice as many chains, of half the length."""
    half = chains.shape[1] // 2
    return np.concatenate([chains[:, :half], chains[:, chains.shape[1] - half:]])


def autocovariances(chains):
    """Of each chain at all lags, by Fourier transforms; divided by the length."""
    n = chains.shape[1]
    deviations = chains - chains.mean(axis=1, keepdims=True)
    power = np.abs(np.fft.rfft(deviations, 2 * n, axis=1)) ** 2
    return np.fft.irfft(power, axis=1)[:, :n] / n


def effective_size(chains):
    """Of chains[chain, draw]: Geyer's initial monotone sequence over all chains together."""
    n_chains, n = chains.shape
    covariance = autocovariances(chains).mean(axis=0)
    within = covariance[0] * n / (n - 1)
    total = covariance[0] + chains.mean(axis=1).var(ddof=1)
    if total == 0:
        return math.nan
    correlation = 1 - (within - covariance) / total
    correlation[0] = 1
    pairs = correlation[:n // 2 * 2].reshape(-1, 2).sum(axis=1)
    n_positive = len(pairs) if np.all(pairs > 0) else int(np.argmax(pairs <= 0))
    monotone = np.minimum.accumulate(pairs[:n_positive])
    n_draws = n_chains * n
    return n_draws / max(-1 + 2 * monotone.sum(), 1 / math.log10(n_draws))


def bulk_size(chains):
    return effective_size(normal_scores(split(chains)))


def quantile_with_error(chains, probability):
    """A quantile and its Monte Carlo error, from the effective size of "below it"."""
    value = np.quantile(chains, probability)
    below = (chains <= value).astype(float)
    size = effective_size(split(below))
    error = math.sqrt(probability * (1 - probability) / size)
    low, high = np.quantile(chains, [max(probability - error, 0), min(probability + error, 1)])
    return value, 0.5 * (high - low)


# ---- runs of equant --------------------------------------------------------------------------


def unwrap(angles):
    """Angles as numbers without a jump where most of them are."""
    middle = np.angle(np.exp(1j * angles).mean())
    return middle + np.angle(np.exp(1j * (angles - middle)))


class Run:
    """What `equant sample` leaves: quantities by name, as [chain, step], a chain for each walker
    of each population."""

    def __init__(self, path):
        with h5py.File(path) as file:
            posterior, stats = file["posterior"], file["sample_stats"]
            self.n_populations = posterior["chain"].shape[0]
            self.n_walkers = int(posterior["walker"][...].max()) + 1
            self.reference_time = float(np.ravel(posterior.attrs["reference_time_days"])[0])
            self.arrays = {name: self.as_chains(posterior[name][...])
                           for name in posterior if posterior[name].ndim >= 2}
            self.log_likelihood = self.as_chains(stats["log_likelihood"][...])
            self.instruments = self.names(posterior, "instrument")
            self.log_z = self.log_z_error = math.nan
            if "evidence" in file:
                self.log_z = float(np.ravel(file["evidence"]["lnZ"][...])[0])
                self.log_z_error = float(np.ravel(file["evidence"]["lnZ_err"][...])[0])
        self.n_steps = self.log_likelihood.shape[1]

    @staticmethod
    def names(group, name):
        if name not in group:
            return []
        return [item.decode() if isinstance(item, bytes) else str(item)
                for item in group[name][...]]

    def as_chains(self, values):
        """[population, step and walker, ...] to [population and walker, step, ...]."""
        n_steps = values.shape[1] // self.n_walkers
        by_walker = values.reshape(values.shape[0], n_steps, self.n_walkers, *values.shape[2:])
        by_walker = np.moveaxis(by_walker, 2, 1)
        return by_walker.reshape(-1, n_steps, *values.shape[2:])

    def planet(self, name, planet):
        return self.arrays[name][:, :, planet]


def sample(equant, files, folder, *options):
    """Runs `equant sample`; returns its Run and the seconds it took. Ends the check when it
    fails."""
    command = [str(equant), "sample", *map(str, files), "--out", str(folder), *map(str, options)]
    start = time.monotonic()
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - start
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}: {run.stderr.strip() or f'exit code {run.returncode}'}")
    return Run(folder / "run.nc"), seconds
