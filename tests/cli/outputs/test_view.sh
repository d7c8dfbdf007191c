#!/usr/bin/env bash
# equant view: the page for browsers with files in it, whole and under their names.
source "$(dirname "$0")/../lib.sh"
source "$here/star.sh"
cd "$work" || exit 1
make_star star.csv search_planets.csv 5
printf '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="application-name" content="equant">\n<p><!-- files --></p>\n' >page.html

# expect_within PAGE FILE...: these files, and no other, byte by byte.
expect_within() {
    n_checks=$((n_checks + 1))
    python3 - "$@" <<'END' || fail "$1 does not hold ${*:2}"
import base64, html.parser, pathlib, sys

class Page(html.parser.HTMLParser):
    files, path = {}, None
    def handle_starttag(self, tag, attributes):
        self.path = dict(attributes).get("data-path")
        if self.path is not None:
            self.files[self.path] = ""
    def handle_data(self, data):
        if self.path is not None:
            self.files[self.path] += data
    def handle_endtag(self, tag):
        self.path = None

page = Page()
page.feed(pathlib.Path(sys.argv[1]).read_text())
held = {path: base64.b64decode(text) for path, text in page.files.items()}
wanted = {path.split("=")[0]: pathlib.Path(path.split("=")[-1]).read_bytes() for path in sys.argv[2:]}
assert held == wanted, (sorted(held), sorted(wanted))
END
}

expect_code 0 view star.csv --page page.html
expect_equal "where it is" view.html "$(cat out)"
expect_within view.html star.csv=star.csv
expect_equal "the page around it" "$(sed '/<!--/d' page.html)" "$(grep -v 'script\|^[A-Za-z0-9+/=]*$\|</p>' view.html)"

# Of sizes that end a line and a group of three, and of names that are markup or stand twice.
for n in 1 2 3 53 54 55; do
    { cat star.csv; printf '#%*s' "$n" ''; } >"size-$n.csv"
    expect_code 0 view "size-$n.csv" --page page.html --out sizes.html
    expect_within sizes.html "size-$n.csv=size-$n.csv"
done
cp star.csv '"><b>&.csv'
mkdir other
cp star.csv other/star.csv
expect_code 0 view star.csv '"><b>&.csv' other/star.csv --page page.html
expect_within view.html star.csv=star.csv '"><b>&.csv="><b>&.csv' 3/star.csv=other/star.csv

expect_code 0 fit star.csv "${quick[@]}" --planets 1 --no-pictures --out result
expect_code 0 view result --page page.html
expect_equal "where it is" result/view.html "$(cat out)"
expect_within result/view.html fit.json=result/fit.json residuals.ecsv=result/residuals.ecsv

# --- What people get wrong ------------------------------------------------------
expect_error 2 "equant: no input: name the folder of a fit, or files of velocities*" view --page page.html
expect_error 1 "equant: other: here is no fit.json; make it with --out of \`equant fit\`" view other --page page.html
expect_error 3 "equant: none.html: there is no page here; \`make web\` makes it (docs/web.md), and --page names it" \
    view star.csv --page none.html
expect_error 1 "equant: star.csv: this is not the page that \`make web\` makes" view other/star.csv --page star.csv --out new.html
expect_error 1 "equant: page.html: this is a web page and no table*" view page.html --page page.html
cp page.html own.html
echo mine >notes.html
expect_error 2 "equant: --out would overwrite 'notes.html', which is not a page of \`equant view\`*" view star.csv --page page.html --out notes.html
expect_error 2 "equant: *star.csv*" view star.csv --page page.html --out star.csv
expect_equal "the notes" mine "$(cat notes.html)"
finish
