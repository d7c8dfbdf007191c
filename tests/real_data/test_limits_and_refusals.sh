#!/usr/bin/env bash
# Stars of other programs whose period was given with an error at the end of the range, whose
# candidate was refused for another reason than the one that was named, or whose planet was lost to noise.
source "$(dirname "$0")/../cli/lib.sh"
shared "" || exit 77

# HD 4747: the likelihood has its maximum beyond twice the span, 12282 days.
expect_code 0 fit "$data/orvara/HD4747_RV.dat" --noise white --json
expect_equal "HD 4747" "True None True" "$(json '12000 < it["planets"][-1]["period_days"] < 14000') $(json \
    'it["planets"][-1]["at_limit"]') $(json 'any("widened" in hint for hint in it["hints"])')"

# K2-24 with one planet of at least 100 days: the likelihood grows with the period.
expect_code 0 fit "$data/radvel/epic203771098.csv" --planets 1 --period 100: --json
expect_equal "K2-24" "longest None True" "$(json 'it["planets"][0]["at_limit"]') $(json \
    'it["planets"][0]["period_days_err"]') $(json '100 < it["planets"][0]["period_days_bound"] < 200')"

# GJ 832: one candidate, alone and in a batch.
expect_code 0 fit "$data/systemic/GJ832.sys"
expect_text "No planet found, but 1 candidate."
printf 'GJ832 %s\n' "$data/systemic/GJ832.sys" >"$work/list"
expect_code 0 fit --batch "$work/list" --out "$work/stars"
expect_text "  0 planets and 1 candidate  "

# 51 Peg: a trend does as well as the second planet.
expect_code 0 fit "$data/kima/51Peg.rv" --noise white --json
expect_equal "51 Peg" "bic True" "$(json 'it["candidate"]["refused_because"]["condition"]') $(json \
    'it["candidate"]["fap"] < 1e-9 and it["candidate"]["delta_bic"] < 0')"

# HD 86264: noise explains the planet as well, and less probably.
expect_code 0 fit "$data/systemic/HD86264.sys" --json
expect_equal "HD 86264" "True True" "$(json '1400 < it["planets"][0]["period_days"] < 1600') $(json \
    'it["planets"][0]["probability"] > 0.7')"

# HD 220773: the planet is about as probable as noise, and is a candidate.
expect_code 0 fit "$data/systemic/HD220773.sys" --json
expect_equal "HD 220773" "1 True True" "$(json 'len(it["planets"])') $(json \
    '3500 < it["planets"][0]["period_days"] < 4000') $(json '0.1 < it["n_planets"][1]["probability"] < 0.95')"
finish
