#!/usr/bin/env bash
# docs/quantities.md lists every quantity; JSON, tables, texts, pages and summaries have them all, in
# its order, under its names, and no others.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$here/star.sh"
cd "$work" || exit 1

make_star star.csv search_planet.csv 3
expect_code 0 fit star.csv "${quick[@]}" --planets 1 --trend quadratic --star-mass 1+-0.05 --star-luminosity 1.1 --json --out with \
    --no-pictures
expect_code 0 fit star.csv "${quick[@]}" --planets 1 --out without --no-pictures
cp out without.txt
expect_code 0 fit star.csv "${quick[@]}" --planets 1 --trend quadratic --star-mass 1+-0.05 --star-luminosity 1.1
cp out with.txt
expect_code 0 sample star.csv --t-ref 2460060 --planets 1 --trend quadratic --star-mass 1+-0.05 --star-luminosity 1.1 --start \
    with/fit.json --max-steps 60 --burn-in 20 --json
cp out sample.json
expect_code 0 report with
python3 - "$here/../../docs/quantities.md" <<'END' || fail "quantities are not those of docs/quantities.md"
import csv, json, re, sys

rows = [line.strip("|\n ").split("|") for line in open(sys.argv[1], encoding="utf-8") if "|" in line]
names, shown, _, labels, meanings = zip(*[[c.strip(" `") for c in row] for row in rows[2:]])
n_white = names.index("jitter_m_s") + 1  # correlated noise is behind
names, shown, labels, meanings = (some[:n_white] for some in (names, shown, labels, meanings))
kinds = list(zip(names, shown, labels, meanings))
is_of_planet = [not n.startswith(("offset", "trend", "jitter", "lambda")) for n in names]
of_planet = [kind for kind, is_so in zip(kinds, is_of_planet) if is_so]
(bare,) = json.load(open("without/fit.json"))["planets"]
massive = [n for n in names if n in bare and bare[n] is None]
assert massive == ["m_sin_i_jupiter", "a_au", "insolation_earth", "t_eq_k"]

# JSON and planets.ecsv: significance stands before what needs the mass of the star.
light = [s for n, s, _, _ in of_planet if n not in massive]
pairs = lambda some: [name for own in some for name in (own, own + "_err")]
keys = pairs(light) + ["fap", "delta_lnl", "delta_bic", "probability", "fip", "period_days_bound", "at_limit"] + pairs(massive)
for folder, has_mass in (("with", True), ("without", False)):
    fit = json.load(open(f"{folder}/fit.json"))
    (planet,) = fit["planets"]
    assert [key for key in planet if key not in ("aliases", "is_candidate")] == keys, list(planet)
    assert planet["at_limit"] is None and planet["period_days_bound"] is None
    assert all((planet[n] is not None) == has_mass for n in massive)
    assert all(planet[n] is not None for n in light)
    table = [line for line in open(f"{folder}/planets.ecsv") if not line.startswith("#")]
    header, row = csv.reader(table)
    assert header == keys, header
    assert all(float(cell) == planet[key] for key, cell in zip(keys, row) if planet[key] is not None)
assert list(fit["instruments"][0])[2:] == pairs(["offset_m_s", "jitter_m_s"])

# Texts
for text, has_mass in (("with.txt", True), ("without.txt", False)):
    lines = [re.split("  +", line.strip())[0] for line in open(text)]
    first = lines.index("period days")
    wanted = [label for n, _, label, _ in of_planet if has_mass or n not in massive]
    assert lines[first:first + len(wanted) + 3] == wanted + ["FAP", "probability", "delta BIC"], lines

# The page has a row for each, with its meaning.
page = open("with/report.html", encoding="utf-8").read()
table = page[page.index('<table class="orbit">'):]
titles = re.findall(r'<th scope="row" title="([^"]*)">', table[:table.index("</table>")])
assert titles[:len(of_planet)] == [meaning for *_, meaning in of_planet], titles

# A posterior has everything.
quantities = json.load(open("sample.json"))["quantities"]
assert [re.sub(r"_\d+$", "", q["name"]) for q in quantities] == list(names)
END
n_checks=$((n_checks + 1))

# --- A folder from before a quantity was there is read like any other -----------------
mkdir older && cp with/{parameters,covariance,residuals}.ecsv older
python3 - <<'END'
import json
fit = json.load(open("with/fit.json"))
for planet in fit["planets"]:
    for name in ("t_peri", "t_peri_err", "t_sup", "t_sup_err"):
        planet.pop(name)
json.dump(fit, open("older/fit.json", "w"))
END
expect_code 0 report older
expect_equal "rows of what is unknown" 0 "$(grep -c 'title="a passage of pericentre"' older/report.html)"
expect_equal "rows of what is known" 1 "$(grep -c 'title="an inferior conjunction"' older/report.html)"
expect_code 0 fit star.csv "${quick[@]}" --planets 1 --fixed older/fit.json

# --- A star that cannot be -------------------------------------------------------------
for wrong in 0.9+-1 0.9+- x+-0.1 0.9+-x -1 0+-0.1; do
    expect_code 2 fit star.csv --star-mass="$wrong"
    expect_code 2 sample star.csv --planets 1 --star-teff="$wrong"
done
expect_error 2 "*the error of a star's mass, 1, is more than half of it*" fit star.csv --star-mass 0.9+-1

finish
