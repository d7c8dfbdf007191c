"""Noise of real stars against celerite2, spleaf and george, each where it is installed."""

import numpy as np
import pytest

import equant
from shared_data import shared_file

STARS = ["HD 164922", "agatha/HD41248_HARPS_TERRA.dat", "agatha/CoRoT7_HARPS_TERRA.dat"]
ROTATING = "amplitude=3.1, period=25.7, decay=43, width=0.55"


@pytest.fixture(params=STARS)
def star(request):
    """Velocities about their mean: the star that ships with the program, and two active ones."""
    if request.param == "HD 164922":
        return equant.Data.demonstration()
    return equant.Data.from_files(shared_file(request.param))


def rows(star):
    """Times from zero, so that others lose no digits in them; distinct, which george wants."""
    velocities = star.velocities_m_s - star.velocities_m_s.mean()
    times = star.times_days - star.times_days[0]
    keep = np.concatenate([[True], np.diff(times) > 0.0])
    return times[keep], velocities[keep], (star.uncertainties_m_s**2 + 1.5**2)[keep]


def tolerance_of(kernel):
    """spleaf's Matern 5/2 has squares of times in it, and loses digits over decades."""
    return 1e-6 if kernel == "Matern52Kernel" else 1e-9


def assert_same(ours, theirs, tolerance=1e-9):
    assert ours == pytest.approx(theirs, rel=tolerance)


@pytest.mark.parametrize("quality", [0.3, 2.5])
def test_oscillators_of_celerite2(star, quality):
    celerite2 = pytest.importorskip("celerite2", reason="celerite2 is not installed")
    times, velocities, variances = rows(star)
    kernel = celerite2.terms.SHOTerm(sigma=3.1, rho=25.7, Q=quality)
    process = celerite2.GaussianProcess(kernel)
    process.compute(times, diag=variances)
    noise = equant.Noise(f"sho(amplitude=3.1, period=25.7, quality={quality})")
    ours = noise.log_likelihood(times, velocities, variances)
    assert_same(ours, process.log_likelihood(velocities))


def test_rotation_of_celerite2(star):
    celerite2 = pytest.importorskip("celerite2", reason="celerite2 is not installed")
    times, velocities, variances = rows(star)
    kernel = celerite2.terms.RotationTerm(sigma=3.1, period=25.7, Q0=1.2, dQ=0.4, f=0.3)
    process = celerite2.GaussianProcess(kernel)
    process.compute(times, diag=variances)
    noise = equant.Noise(
        "rotation(amplitude=3.1, period=25.7, quality=1.2, extra_quality=0.4, mix=0.3)"
    )
    assert_same(
        noise.log_likelihood(times, velocities, variances), process.log_likelihood(velocities)
    )
    at = np.linspace(-10.0, times[-1] + 10.0, 41)
    mean, variance = process.predict(velocities, t=at, return_var=True)
    ours = noise.predict(times, velocities, variances, at)
    assert ours[0] == pytest.approx(mean, abs=1e-7)
    assert ours[1] == pytest.approx(variance, abs=1e-7)


@pytest.mark.parametrize(
    "words, kernel, values",
    [
        ("matern32(amplitude=3.1, decay=12)", "Matern32Kernel", (3.1, 12.0)),
        ("matern52(amplitude=3.1, decay=12)", "Matern52Kernel", (3.1, 12.0)),
        ("sho(amplitude=3.1, period=25.7, quality=2)", "SHOKernel", (3.1, 25.7, 2.0)),
        ("es(amplitude=3.1, decay=12)", "ESKernel", (3.1, 12.0)),
        (f"mep({ROTATING})", "MEPKernel", (3.1, 25.7, 43.0, 0.55)),
        (f"esp2({ROTATING})", "ESPKernel", (3.1, 25.7, 43.0, 0.55, 2)),
        (f"esp3({ROTATING})", "ESPKernel", (3.1, 25.7, 43.0, 0.55, 3)),
    ],
)
def test_kernels_of_spleaf(star, words, kernel, values):
    cov = pytest.importorskip("spleaf.cov", reason="spleaf is not installed")
    term = pytest.importorskip("spleaf.term")
    times, velocities, variances = rows(star)
    process = cov.Cov(
        times, err=term.Error(np.sqrt(variances)), gp=getattr(term, kernel)(*values)
    )
    ours = equant.Noise(words).log_likelihood(times, velocities, variances)
    assert_same(ours, process.loglike(velocities), tolerance_of(kernel))


@pytest.mark.parametrize(
    "words, kernel, values",
    [
        (f"mep({ROTATING})", "MEPKernel", (3.1, 25.7, 43.0, 0.55)),
        (f"esp2({ROTATING})", "ESPKernel", (3.1, 25.7, 43.0, 0.55, 2)),
        ("matern52(amplitude=3.1, decay=12)", "Matern52Kernel", (3.1, 12.0)),
    ],
)
def test_two_series_of_spleaf(star, words, kernel, values):
    """Velocities 0.7 G + 5 G', and what an indicator would be, 1.3 G, at the same times."""
    cov = pytest.importorskip("spleaf.cov", reason="spleaf is not installed")
    term = pytest.importorskip("spleaf.term")
    times, velocities, variances = rows(star)
    shifted = np.roll(velocities, 1)
    full, values_of_both, variances_of_both, index = cov.merge_series(
        [times, times], [velocities, shifted], [variances, variances]
    )
    process = cov.Cov(
        full,
        err=term.Error(np.sqrt(variances_of_both)),
        gp=term.MultiSeriesKernel(
            getattr(term, kernel)(*values), index, np.array([0.7, 1.3]), np.array([5.0, 0.0])
        ),
    )
    alpha, beta = np.empty(len(full)), np.zeros(len(full))
    alpha[index[0]], alpha[index[1]], beta[index[0]] = 0.7, 1.3, 5.0
    noise = equant.Noise(words)
    ours = noise.log_likelihood(full, values_of_both, variances_of_both, alpha=alpha, beta=beta)
    assert_same(ours, process.loglike(values_of_both), 10.0 * tolerance_of(kernel))


def test_matrices_of_george(star):
    george = pytest.importorskip("george", reason="george is not installed")
    times, velocities, variances = rows(star)
    if len(times) > 500:
        times, velocities, variances = times[:500], velocities[:500], variances[:500]
    kernels = george.kernels
    squared = kernels.ExpSquaredKernel(43.0**2)
    periodic = kernels.ExpSine2Kernel(gamma=0.5 / 0.55**2, log_period=np.log(25.7))
    for words, kernel in (
        (f"qp({ROTATING})", 3.1**2 * squared * periodic),
        ("matern32(amplitude=3.1, decay=12)", 3.1**2 * kernels.Matern32Kernel(144.0)),
        ("matern52(amplitude=3.1, decay=12)", 3.1**2 * kernels.Matern52Kernel(144.0)),
        ("exponential(amplitude=3.1, decay=12)", 3.1**2 * kernels.ExpKernel(144.0)),
    ):
        # george adds 1.25e-12 to its diagonal
        process = george.GP(kernel, white_noise=np.log(1e-30), fit_white_noise=False)
        process.compute(times, np.sqrt(variances))
        noise = equant.Noise(words)
        ours = noise.log_likelihood(times, velocities, variances)
        assert_same(ours, process.log_likelihood(velocities), 1e-8)
    mean, variance = process.predict(velocities, np.array([30.0, 70.0]), return_var=True)
    ours = noise.predict(times, velocities, variances, [30.0, 70.0])
    assert ours[0] == pytest.approx(mean, abs=1e-8)
    assert ours[1] == pytest.approx(variance, abs=1e-8)


def test_slopes_of_spleaf(star):
    cov = pytest.importorskip("spleaf.cov", reason="spleaf is not installed")
    term = pytest.importorskip("spleaf.term")
    times, velocities, variances = rows(star)
    process = cov.Cov(
        times,
        err=term.Error(np.sqrt(variances)),
        gp=term.MEPKernel(3.1, 25.7, 43.0, 0.55),
    )
    process.loglike(velocities)
    theirs = process.loglike_grad()[1]
    ours = equant.Noise(f"mep({ROTATING})").differentiate(times, velocities, variances)
    assert ours.by_parameter == pytest.approx(np.asarray(theirs), rel=1e-6)
