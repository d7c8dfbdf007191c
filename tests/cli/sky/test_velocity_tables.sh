#!/usr/bin/env bash
# Velocities in csv, ECSV, VOTables and FITS, of Gaia as its draft has them (a row for each transit, or
# arrays for each source) and of other telescopes: the same data from all of them, to the byte.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

"$python" - "$here/sky" <<'PYTHON' || exit 1
import random, struct, sys, zipfile
sys.path.insert(0, sys.argv[1])
from table_files import write_all, write_csv
random.seed(3)

def single(value):
    return float(f"{struct.unpack('f', struct.pack('f', value))[0]:.7g}")

def gaia(source_id, n, rows=True):
    valid = [k % 5 != 1 for k in range(n)]
    velocity = [None if k == 7 else round(random.gauss(-330, 20), 4) for k in range(n)]
    def error():
        return [None if k == 7 else single(random.uniform(0.2, 2)) for k in range(n)]
    series = [("transit_id", "long", "", [10**16 + k for k in range(n)]),
              ("obs_time_rv", "double", "d", [1700 + 120 * k + random.uniform(0, 30) for k in range(n)]),
              ("radial_velocity", "double", "km.s**-1", velocity),
              ("radial_velocity_error", "float", "km.s**-1", error()),
              ("raw_radial_velocity_error", "float", "km.s**-1", error()),
              ("radial_velocity_mc_error", "float", "km.s**-1", error()),
              ("radial_velocity_is_valid", "boolean", "", valid)]
    ids = ("source_id", "long", "", [source_id] * n)
    return [ids] + series

def arrays(*tables):
    return [(name, kind, unit, [table[i][3][0] if i == 0 else table[i][3] for table in tables])
            for i, (name, kind, unit, _) in enumerate(tables[0])]

one, two = gaia(4295806720123456001, 15), gaia(5853498713190525696, 12)
write_all("rows", one)
write_all("arrays", arrays(one))
write_all("both", [(name, kind, unit, a + b) for (name, kind, unit, a), (*_, b) in zip(one, two)])
write_all("both_arrays", arrays(one, two))
write_csv("nothing.csv", [(n, k, u, [False] * 15 if k == "boolean" else v) for n, k, u, v in one])
write_csv("nanoseconds.csv", [(n, "long" if n == "obs_time_rv" else k, u,
          [int(t * 86400e9) for t in v] if n == "obs_time_rv" else v) for n, k, u, v in one])
write_csv("julian.csv", [(n, k, u, [t + 2455197.5 for t in v] if n == "obs_time_rv" else v) for n, k, u, v in one])
write_csv("without.csv", [c for c in one if "error" not in c[0]])
write_csv("uneven.csv", [(n, k, u, [v[0][:-1]] if n == "radial_velocity" else v) for n, k, u, v in arrays(one)])
text = open("both_arrays.csv").read().split("\n")
open("again.csv", "w").write("\n".join(text[:3] + text[1:2]) + "\n")
n = 20
write_all("other", [("bjd", "double", "d", [2455000.5 + 7 * k for k in range(n)]),
                    ("rv", "double", "m/s", [round(random.gauss(0, 30), 3) for k in range(n)]),
                    ("rv_err", "float", "m/s", [single(random.uniform(1, 2)) for k in range(n)]),
                    ("instrument", "text", "", ["HARPS" if k % 3 else "HIRES" for k in range(n)])])
for stem in "rows", "both_arrays":
    with zipfile.ZipFile(f"{stem}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(f"{stem}.vot", f"RVS_EPOCH_DATA_SINGLE-Gaia DR4 {stem}.xml")
whole = open("rows.vot").read()
open("cut.vot", "w").write(whole[: len(whole) * 2 // 3])
open("cut.fits", "wb").write(open("rows.fits", "rb").read()[:5000])
open("no_velocities.xml", "w").write(open("other.xml").read().replace('"rv"', '"colour"'))
PYTHON

kinds="csv ecsv xml vot fits"
run data rows.vot
grep -q "has no expat" err && kinds="csv ecsv fits"
run data rows.fits
grep -q "has no cfitsio" err && kinds=${kinds/ fits/}

# read_as FILE OUT OPTION...: what is read of a file, with its name as FILE; how units and formats were
# recognised may differ where it is not Gaia's.
read_as() {
    local file=$1 out=$2
    shift 2
    expect_code 0 data "$file" --json "$@"
    sed "s|$file|FILE|g; s|\"ECSV\"|\"named columns\"|" out >"$out"
}
# same STEM WANTED OPTION...: all files of a stem are read as WANTED was.
same() {
    local stem=$1 wanted=$2 kind
    shift 2
    for kind in $kinds; do
        [ "$stem.$kind" != other.csv ] || continue # its header has no units
        read_as "$stem.$kind" found.read "$@"
        [ -e "$wanted" ] || cp found.read "$wanted"
        n_checks=$((n_checks + 1))
        cmp -s "$wanted" found.read || fail "$stem.$kind is read as another than $wanted"
    done
}
same rows one.read
same arrays one.read
same other other.read

# ---- what is in them
expect_code 0 data rows.csv --json
for words in '"Gaia epoch velocities"' '"Gaia RVS"' '0.11 km/s' \
    'times from TCB to TDB, uncertainties from radial_velocity_error' \
    '3 marked as not valid, 1 without a velocity'; do
    expect_text "$words"
done
expect_code 0 data rows.csv --json --columns err=raw_radial_velocity_error
expect_text "uncertainties from raw_radial_velocity_error"
expect_code 1 data rows.csv --columns err=vbroad
expect_code 0 data julian.csv --json
n_checks=$((n_checks + 1))
sed 's|julian.csv|FILE|g; s| (they are Julian dates)||' out | cmp -s - one.read || fail "Julian dates are other times"

# ---- many sources
same both second.read --only-star 5853498713190525696
same both_arrays second.read --only-star 5853498713190525696
run data rows.zip --json
if [[ $kinds == *vot* ]] && ! grep -q "has no libzip" err; then
    n_checks=$((n_checks + 1))
    sed "s|rows.zip/RVS_EPOCH_DATA_SINGLE-Gaia DR4 rows.xml|FILE|g" out | cmp -s - one.read || fail "rows.zip is read as another"
fi

# ---- refused, in one sentence
# refused FILE WORDS
refused() {
    expect_code 1 data "$1"
    n_checks=$((n_checks + 1))
    grep -q "$2" err || fail "$1: $(cat err) instead of '$2'"
    [ "$(grep -vc "^equant: --" err)" = 1 ] || fail "$1: more than a sentence"
}
refused nothing.csv "no velocity of Gaia can be used: 15 marked as not valid"
refused nanoseconds.csv "is no time of Gaia, which counts days since 2010.0; nanoseconds stand here"
refused without.csv "there is no column radial_velocity_error"
refused uneven.csv "the arrays of this row have 15 and 14 values"
refused both.csv "this file has several stars"
if [[ $kinds == *vot* ]]; then
    refused cut.vot "this VOTable is cut or broken"
    refused no_velocities.xml "no table of velocities"
fi
[[ $kinds == *fits* ]] && refused cut.fits "FITS"

finish
