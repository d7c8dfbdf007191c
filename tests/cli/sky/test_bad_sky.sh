#!/usr/bin/env bash
# Bad files of astrometry, each through data, fit and catalogue: what is wrong is said in one sentence
# with the file and the row, or what is left out in a remark; nothing is wrong in silence.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

python3 - <<'PYTHON'
import math, random
random.seed(2)
scans = sorted((random.uniform(-900, 900), random.uniform(0, 360)) for _ in range(60))
ID = "4295806720123456789" # above 2^53

def row(number, time, degrees):
    factor = math.sin(math.radians(degrees) + 6.2832 * time / 365.25)
    return [f"{2457936.875 + time:.6f}", f"{5 * factor + random.gauss(0, 0.1):.6f}", "0.1",
            f"{degrees:.5f}", f"{factor:.6f}", str(number + 1), ID]

def write(name, rows):
    with open(name, "w") as out:
        out.write("t,w,sigma,psi_deg,f,transit_id,source_id\n")
        out.writelines(",".join(cells) + "\n" for cells in rows)

def changed(name, *changes):
    rows = [list(cells) for cells in base]
    for number, column, text in changes:
        rows[number][column] = text
    write(name, rows)

base = [row(k, *scan) for k, scan in enumerate(scans)]
write("good.csv", base)
changed("sentinel.csv", (5, 2, "2e8"), (9, 2, "200000000"))
changed("centroid.csv", (5, 1, "-2e8"))
changed("arcseconds.csv", (5, 1, "46000"))
changed("factors.csv", (5, 4, "nan"), (7, 4, ""))
changed("errors.csv", (3, 2, "0"), (4, 2, "-0.1"))
changed("letters.csv", (3, 1, "abc"))
changed("rounded.csv", *((k, 6, "4.295806720123457e18") for k in range(60)))
changed("long.csv", (3, 6, "99999999999999999999999"))
changed("mixed.csv", (30, 6, "77"))
write("repeated.csv", base[:6] + [base[5]] + base[6:12] + [base[11]] + base[12:])
write("unsorted.csv", random.sample(base, 60))
write("one_angle.csv", [row(k, time, 40.0) for k, (time, _) in enumerate(scans)])
write("one_time.csv", [row(k, 10.0, degrees) for k, (_, degrees) in enumerate(scans)])
write("few.csv", base[:4])
write("empty.csv", [])
short = [list(cells) for cells in base]
short[3] = short[3][:3]
write("short.csv", short)

head = """<?xml version="1.0"?><VOTABLE version="1.4"><RESOURCE><TABLE>
<FIELD name="source_id" datatype="long"/><FIELD name="transit_id" datatype="long"/>
<FIELD name="obs_time_tcb" datatype="long"/><FIELD name="centroid_pos_al" datatype="double"/>
<FIELD name="centroid_pos_error_al" datatype="float"/><FIELD name="scan_pos_angle" datatype="double"/>
<FIELD name="parallax_factor_al" datatype="float"/>
<DATA><TABLEDATA>
"""
rows = "".join(f"<TR><TD>{ID}</TD><TD>{k}</TD><TD>{int((t + 2739) * 86400e9)}</TD><TD>{k}.5</TD>"
               f"<TD>0.1</TD><TD>{d:.4f}</TD><TD>0.5</TD></TR>\n" for k, (t, d) in enumerate(scans))
open("whole.xml", "w").write(head + rows + "</TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>\n")
open("cut.xml", "w").write(head + rows[: len(rows) // 2])

def card(name, value):
    return f"{name:<8}= {value:>20}".ljust(80)

image = "".join([card("SIMPLE", "T"), card("BITPIX", "8"), card("NAXIS", "2"), card("NAXIS1", "10"),
                 card("NAXIS2", "10"), "END".ljust(80)])
open("image.fits", "wb").write(image.ljust(2880).encode() + b"\0" * 2880)
open("cut.fits", "wb").write(image.ljust(2880).encode() + b"\0" * 50)
open("noise.bin", "wb").write(bytes(random.randrange(256) for _ in range(4000)))
PYTHON

# expect_refused FILE SENTENCE: all three commands say so, and the table of the catalogue is not there.
expect_refused() {
    expect_error 1 "equant: $1$2" data "$1"
    expect_error 1 "equant: $1$2" fit "$1"
    rm -f table.csv
    expect_error 1 "equant: $1$2" catalogue "$1" --out table.csv
    n_checks=$((n_checks + 1))
    [ "$(wc -l 2>/dev/null <table.csv || echo 0)" -le 1 ] || fail "$1: the catalogue has rows"
}

# expect_remark FILE ROWS TEXT: it is read with so many rows, and data and fit say why.
expect_remark() {
    expect_code 0 data "$1"
    expect_text "$3"
    expect_code 0 fit "$1" --period 100: --no-pictures
    n_checks=$((n_checks + 1))
    grep -qF -- "$3" err || fail "fit $1 does not say: $3"
    rm -f table.csv
    expect_code 0 catalogue "$1" --out table.csv --period-min 100
    expect_equal "transits of $1" "$2" "$(awk -F, 'NR == 2 { print $2 }' table.csv)"
    expect_equal "the number of $1" 4295806720123456789 "$(awk -F, 'NR == 2 { print $1 }' table.csv)"
}

expect_remark good.csv 60 "times: JD"
cp table.csv good.table
expect_remark sentinel.csv 58 "left out: 2 measurements without finite numbers, or with an uncertainty that is not above zero, or with 1e6 mas and more, which stand for none; the first is in line 7"
expect_remark centroid.csv 59 "left out: 1 measurements"
expect_remark arcseconds.csv 60 "1 of 60 abscissae lie more than a hundred times further out than half of all do, the first at JD"
expect_remark factors.csv 58 "the first is in line 7"
expect_remark errors.csv 58 "the first is in line 5"
expect_remark repeated.csv 60 "left out: 2 rows that repeat time, angle and abscissa of another"
n_checks=$((n_checks + 1))
cmp -s table.csv good.table || fail "repeated rows change the result"
expect_remark unsorted.csv 60 "times: JD"
n_checks=$((n_checks + 1))
cmp -s table.csv good.table || fail "the order of rows changes the result"

expect_refused letters.csv ":5: 'abc' in column 2 is no number"
expect_refused short.csv ":5: this row has 3 cells where the table has 7 columns"
expect_refused empty.csv ": the table has no rows"
expect_refused mixed.csv ":33: the rows of source 4295806720123456789 do not stand together; sort the table by source_id"
expect_refused rounded.csv ":2: '4.295806720123457e18' in column 7 is no whole number of 64 bits; *"
expect_refused long.csv ":5: '99999999999999999999999' in column 7 is no whole number of 64 bits; *"

# A base that the rows do not determine is no failure of a catalogue: its row says so.
for file in one_angle.csv one_time.csv few.csv; do
    expect_error 1 "equant: $file: *" fit $file
    rm -f table.csv
    expect_code 0 catalogue $file --out table.csv
    expect_equal "$file" ",unsolved" "$(tail -n 1 table.csv | grep -o ',unsolved')"
done

expect_error 1 "equant: one_angle.csv: 60 measurements do not determine dec beside the other parameters of the model" \
    fit one_angle.csv
expect_error 1 "equant: few.csv: 4 measurements do not determine * beside the other parameters of the model" \
    fit few.csv

for option in '--noise auto' '--set b.eccentricity=0' '--trend linear' '--probabilities none'; do
    # shellcheck disable=SC2086  # an option and its value
    expect_error 2 "equant: ${option% *} is for velocities alone; leave it out with astrometry" fit one_angle.csv $option
done
expect_error 2 "equant: --planets is for velocities alone; with astrometry --max-planets says *" \
    fit one_angle.csv --planets 1
expect_error 2 "equant: on the sky there may be 1 to 3 companions, not 4" fit one_angle.csv --max-planets 4
cut -d, -f1-6 good.csv >unnumbered.csv
for command in fit search sample inject; do
    expect_error 2 "equant: --source: unnumbered.csv: there are no numbers of sources in this file; leave 7 out" \
        $command unnumbered.csv --source 7
done
expect_error 1 "equant: good.csv: there is no source 7 in this file" fit good.csv --source 7
expect_error 2 "equant: --set is for velocities alone; leave it out with astrometry" \
    sample one_angle.csv --set b.eccentricity=0
for command in fit search; do
    expect_error 1 "equant: one_angle.csv: a period of 1e-05 days repeats too often in * days of data: search from *" \
        $command one_angle.csv --period 1e-5:100
done
expect_error 1 "*a period of 1e-05 days; catalogues are searched from 0.01 days on" \
    catalogue one_angle.csv --period-min 1e-5 --out short.csv

run data whole.xml
if [ "$code" -ne 3 ]; then # with expat
    expect_refused cut.xml ":*: this VOTable is cut or broken *, after * rows; get it again"
fi
run data image.fits
if [ "$code" -ne 3 ]; then # with cfitsio
    expect_refused image.fits ": this FITS file has no table of *epoch astrometry*"
    expect_refused cut.fits ": this FITS file *"
    whole=gaia/dr4_serialisations/epoch_astrometry_1.fits
    for n_bytes in 5000 20000 40000; do
        shared "$whole" && head -c $n_bytes "$data/$whole" >part.fits && expect_refused part.fits ": *"
    done
fi
for command in data fit; do
    expect_code 1 $command noise.bin
done
finish
