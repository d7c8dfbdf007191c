# shellcheck shell=bash
# Small stars for the tests of search and fit, and what their tables are checked with.
# Sourced after lib.sh.

# make_star FILE ORBITS SEED [OPTIONS...]: 60 nights of a simulated star.
make_star() {
    local file=$1 orbits=$2 seed=$3
    shift 3
    "$EQUANT" simulate --orbits "$here/fixtures/$orbits" --start 2460000 --n-obs 60 --cadence 2 \
        --jitter-times --noise 2 --t-ref 2460060 --seed "$seed" "$@" --out "$file" ||
        fail "equant simulate"
}

# A range that is scanned in no time.
quick=(--t-ref 2460060 --period 6:80 --max-eccentricity 0.5)

# expect_ecsv FILE ROWS COLUMN...: a well-formed ECSV table with these columns first.
expect_ecsv() {
    local file=$1 rows=$2
    shift 2
    n_checks=$((n_checks + 1))
    python3 - "$file" "$rows" "$@" <<'END' || fail "$file"
import csv, re, sys
path, n_rows, wanted = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
lines = open(path, encoding="utf-8", newline="").read().split("\n")
assert lines[-1] == "", "the last line has no end"
header = [line for line in lines if line.startswith("#")]
assert header[:4] == ["# %ECSV 1.0", "# ---", "# delimiter: ','", "# datatype:"], header[:4]
columns = [re.match(r"# - \{name: (\w+), .*datatype: (\w+)", line) for line in header]
columns = [(c[1], c[2]) for c in columns if c]
rows = list(csv.reader(lines[len(header):-1]))
assert rows[0] == [name for name, _ in columns], (rows[0], columns)
assert rows[0][:len(wanted)] == wanted, rows[0]
assert n_rows < 0 or len(rows) - 1 == n_rows, len(rows) - 1
for row in rows[1:]:
    assert len(row) == len(columns), row
    for cell, (name, datatype) in zip(row, columns):
        if datatype == "float64":
            float(cell)
        elif datatype == "int64":
            int(cell)
END
}

# PNG and PDF can be made where equant was built with librsvg; else it says so before all else.
has_rendering() {
    "$EQUANT" fit nowhere.csv --format pdf >/dev/null 2>&1
    [ $? -ne 3 ]
}

# expect_picture FILE: drawn, and of the kind that its name says. Without librsvg there is an SVG
# where a PNG would be.
expect_picture() {
    local file=$1
    has_rendering || file=${file%.png}.svg
    n_checks=$((n_checks + 1))
    python3 - "$file" <<'END' || fail "no picture $file"
import sys
bytes = open(sys.argv[1], "rb").read()
kind = sys.argv[1].rsplit(".", 1)[1]
begin, end = {"png": (b"\x89PNG", b"IEND\xaeB`\x82"), "pdf": (b"%PDF", b"%%EOF"),
              "svg": (b"<svg ", b"</svg>")}[kind]
assert bytes.startswith(begin) and bytes.rstrip().endswith(end), (bytes[:20], bytes[-20:])
END
}
