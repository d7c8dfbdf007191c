"""Texts that are none, and counts that no count can be, are refused by the name of the argument."""

import numpy as np
import pytest

import equant


@pytest.fixture(scope="module")
def data():
    days = np.sort(np.random.default_rng(1).uniform(2455000, 2455200, 20))
    return equant.Data.from_arrays(days, np.sin(days), np.ones(20))


@pytest.mark.parametrize("value", [3, b"x", object(), 1.5])
@pytest.mark.parametrize("name", ["noise", "basis", "indicators", "states"])
def test_what_is_no_text(data, name, value):
    with pytest.raises(equant.InvalidArgument, match=f"^{name} must be a (text|mapping)"):
        equant.fit(data, n_planets=0, **{name: value})


@pytest.mark.parametrize("name", ["trend", "method"])
def test_what_is_no_word_of_a_list(data, name):
    with pytest.raises(equant.InvalidArgument, match=f"^{name} must be one of"):
        equant.fit(data, n_planets=0, **{name: ["none"]})


def test_names_may_come_in_any_row(data):
    for names in ({"fwhm": 1}, ("fwhm",), (one for one in ["fwhm"]), "fwhm"):
        with pytest.raises(equant.InvalidArgument, match="no indicator 'fwhm'"):
            equant.fit(data, n_planets=0, indicators=names)
    with pytest.raises(equant.InvalidArgument, match="^indicators must be a text, not 3"):
        equant.search(data, indicators=["fwhm", 3])


@pytest.mark.parametrize(
    "wrong", [dict(n_sets=-2), dict(seed=-1), dict(seed=2**70), dict(first=-1)]
)
def test_counts_that_wrapped(wrong):
    given = dict(n_sets=2) | wrong
    with pytest.raises(equant.InvalidArgument, match=f"^{next(iter(wrong))} must be"):
        equant.orbits_draw(**given)
    assert equant.orbits_draw(2, seed=2**64 - 1).shape == (2, 5)
