"""What several files of tests share: a star, its fit, its posterior. None of them is changed."""

import pytest

import equant


@pytest.fixture(scope="session")
def data():
    return equant.Data.demonstration()


@pytest.fixture(scope="session")
def fit(data):
    return equant.fit(data, 1, period_min_days=500.0, star_mass=0.87)


@pytest.fixture(scope="session")
def sampled():
    """A function that samples a star in no time: the same draws for the same options."""

    def short_run(data, **options):
        priors = {"period_days_1": "log-uniform(1000, 1500)"}
        return equant.sample(
            data, 1, priors=priors, start="prior", max_steps=120, n_burn_in=40, seed=3, **options
        )

    return short_run


@pytest.fixture(scope="session")
def posterior(data, sampled):
    return sampled(data, star_name="a star")
