#!/usr/bin/env bash
# equant table: what stands in the tables of fits and runs, and what people get wrong.
source "$(dirname "$0")/lib.sh"
source "$here/star.sh"
cd "$work" || exit 1
make_star star.csv search_planets.csv 5
make_star other.csv search_planets.csv 6 --offset 30 --instrument NAME
sed -i 's/NAME/a_b\&c spec-2/' other.csv

expect_code 0 fit star.csv other.csv "${quick[@]}" --star-mass 1+-0.05 --star-radius 1 --star-teff 5772 \
    --no-pictures --out both
cp out fitted.txt
expect_code 0 sample star.csv other.csv --t-ref 2460060 --planets 2 --start both/fit.json --star-mass 1+-0.05 \
    --max-steps 60 --burn-in 20 --no-pictures --out both

# --- For people -------------------------------------------------------------------
expect_code 0 table both --from fit
cp out fit.txt
expect_equal "planets side by side" 1 "$(grep -c '^  Parameter *Unit *Planet b *Planet c$' fit.txt)"
expect_equal "an offset of each instrument" 2 "$(grep -c '^  offset' fit.txt)"
# The digits are those of the text of the fit.
expect_equal "the period" "$(awk '/period days/ {print $3, $4, $5}' fitted.txt)" \
    "$(awk '$1 == "P" {print $3, $4, $5}' fit.txt)"
expect_code 0 table both --what derived --from fit --mass-unit jupiter
expect_equal "the star" 1 "$(grep -c 'M star *M_sun *1.000 ± 0.050' out)"
expect_equal "masses of Jupiters" 1 "$(grep -c 'm sin i *M_jup' out)"
expect_code 0 table both --what derived --from fit --mass-unit earth
expect_equal "masses of Earths" 1 "$(grep -c 'm sin i *M_earth' out)"
expect_code 0 table both --what models
expect_equal "models" 4 "$(grep -cE 'adopted|without' out)"
# What a terminal would obey is shown, and a label is one of LaTeX.
expect_code 0 table both --from fit --star $'A\033]0;mine\a star'
expect_text 'A\x1b]0;mine\x07 star'
expect_code 2 table both --style aastex --label 'a}\input{b'
grep -q "no label of LaTeX" err || fail "a label"
expect_code 0 table both/run.nc --what priors --star 'A star'
expect_text "Priors of A star"
expect_text "log-uniform(1, 365250)"
# An angle has the unit of the table of parameters, and each kind of prior is explained once.
expect_equal "angles in degrees" 4 "$(grep -cE '^ +(ω|M₀) +deg +planet [bc] +uniform\(0, 360\)$' out)"
for kind in $(grep -oE '[a-z-]+\([-0-9., ]+\)$' out | sed 's/(.*//' | sort -u); do
    expect_equal "what $kind is" 1 "$(grep -c "^  $kind([a-z, ]*): " out)"
done
expect_code 0 table both/run.nc --what priors --style ecsv
expect_text '"omega_deg","deg","planet b","uniform(0, 360)"'
expect_code 0 table both/run.nc --what priors --style aa
expect_text '$\omega$ & deg & planet b & $\mathcal{U}(0, 360)$'
expect_text '\textbf{Notes.} $\mathcal{U}(a, b)$: constant density'
expect_code 0 table both --what bibtex
expect_equal "braces that close" "$(tr -cd '{' <out | wc -c)" "$(tr -cd '}' <out | wc -c)"
expect_equal "what a run cites" 1 "$(grep -c '@article{terBraak2006' out)"
expect_code 0 table both --what bibtex --from fit
expect_equal "what a fit does not cite" 0 "$(grep -c '@article{terBraak2006' out)"

# --- LaTeX --------------------------------------------------------------------------
expect_code 0 table both --style aastex --star 'HD_1 & co'
expect_text '\tablecaption{Parameters of HD\_1 \& co\label{tab:parameters}}'
expect_text '\gamma_{\textnormal{a\_b\&c spec-2}}$ & m\,s$^{-1}$'
expect_text '\gamma_\mathrm{simulated}'
expect_equal "ampersands of a row" 3 "$(grep -F '$P$' out | tr -cd '&' | wc -c)"
for style in aastex aa; do
    for what in parameters derived priors models velocities; do
        expect_code 0 table both --style $style --what $what --document --out $style-$what.tex
    done
done
# Noise has words in place of a sign: they stand outside math mode.
expect_code 0 fit star.csv "${quick[@]}" --planets 1 --noise 'rotation(period=20,decay=40)' --no-pictures --out words
expect_code 0 table words --style aa --document --out aa-words.tex
expect_equal "words" 1 "$(grep -c '^rotation amplitude & m' aa-words.tex)"
expect_equal "what is fixed" 1 "$(grep -c '^rotation period & d & $20$ (fixed)' aa-words.tex)"
class=article
kpsewhich aastex631.cls epsf.sty >/dev/null 2>&1 && class=aastex631
if command -v pdflatex >/dev/null; then
    for file in aa-*.tex aastex-*.tex; do
        grep -q "documentclass{aastex631}" "$file" && [ $class = article ] && continue
        n_checks=$((n_checks + 1))
        pdflatex -interaction=nonstopmode -halt-on-error "$file" >latex.txt 2>&1 ||
            fail "pdflatex $file: $(grep -m 1 '^!' latex.txt)"
    done
else
    echo "no pdflatex: LaTeX was not compiled"
fi

# --- What people get wrong -------------------------------------------------------------
mkdir empty
expect_error 2 "*a table of what?*" table
expect_error 2 "*of one folder or one file" table both both
expect_error 1 "*nothing*" table nothing
expect_error 1 "*empty: here is no fit.json and no run.nc*" table empty
expect_error 1 "*empty: here is no run.nc*" table empty --from run
expect_error 1 "*the file of a run has no fit*" table both/run.nc --from fit
expect_error 1 "*a fit has no priors*" table both --what priors --from fit
expect_error 1 "*" table both/fit.json
expect_error 2 "*--style*" table both --style nature
expect_error 2 "*--what*" table both --what everything
expect_error 2 "*--document is of LaTeX*" table both --document
expect_error 1 "*" table both --out nowhere/table.tex
finish
