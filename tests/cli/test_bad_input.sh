#!/usr/bin/env bash
# What people get wrong, each with its sentence and its exit code: 1 the data or
# the computation failed, 2 the command line, 3 not available here.
source "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
good=$here/fixtures/two_instruments.csv
header=period_days_1,k_m_s_1,eccentricity_1,omega_rad_1,m0_rad_1
printf '%s\n10,5,0.1,1,2\n' $header >orbit.csv

# --- The command line ------------------------------------------------------
expect_error 2 "equant: there is no command 'evaluat'; did you mean 'evaluate'?" evaluat
expect_error 2 "equant: there is no command 'xyzzy'" xyzzy
expect_error 2 "equant: there is no command 'xyzzy'" help xyzzy
expect_error 2 "equant: there is no option --frobnicate" --frobnicate
expect_error 2 "equant: there is no option --frobnicate" data --frobnicate "$good"
expect_error 2 "equant: there is no option -z" info -z
expect_error 2 "equant: option --unit wants a value" data "$good" --unit
expect_error 2 "equant: option --json takes no value" data "$good" --json=yes
expect_error 2 "equant: info takes no files; leave 'x' out" info x
expect_error 2 "equant: no data: name a file, or use --demo" data
expect_error 2 "equant: --demo stands in place of files; leave '$good' out" data --demo "$good"
expect_error 2 "equant: --demo has its own unit and reference time; *" data --demo --unit km/s
expect_error 2 "equant: data are read from files; for standard input write /dev/stdin *" data -
expect_error 2 "equant: --unit is m/s or km/s, not 'furlongs'" data "$good" --unit furlongs
printf 'star,time,rv,rv_err\nA,1,2,1\nA,2,3,1\nB,1,2,1\n' >stars.csv
for command in data search fit 'sample --planets 1' compare models; do
    expect_error 1 "equant: stars.csv:4: this file has several stars: column 'star' says 'B' here *" \
        $command stars.csv
    grep -q -e '--only-star NAME .* `equant catalogue`' err || fail "$command says no way out"
done
printf 'star,time,rv,rv_err\nHD 1,1,2,1\n' >one.csv
printf 'object,time,rv,rv_err\nhd1,2,3,1\n' >same.csv
printf 'target,time,rv,rv_err\nHD 2,3,3,1\n' >two.csv
expect_code 0 data one.csv same.csv
grep -q "taken for one star" out && fail "one star by two spellings is two"
expect_code 0 data one.csv same.csv two.csv
grep -q "warning: one.csv names the star 'HD 1', and two.csv names 'HD 2'; all were taken" out ||
    fail "files of two stars are joined without a word"
expect_error 1 "equant: stars.csv: no row is of the star 'C'; *" data stars.csv --only-star C
expect_error 2 "equant: --t-ref wants a number, not 'today'" data "$good" --t-ref today
expect_error 2 "equant: --precision is double, mixed, single or pair, not 'triple'" \
    evaluate --orbits orbit.csv "$good" --precision triple
expect_error 2 "equant: --solver is fast or danby, not 'newton'" solve --solver newton
expect_error 2 "equant: --summation is plain or compensated, not 'kahan'" solve --summation kahan
expect_error 2 "equant: --threads wants a whole number from 1 to 4096, not '-2'" solve --threads -2
expect_error 2 "equant: --threads wants a whole number from 1 to 4096, not '0'" solve --threads 0
expect_error 2 "equant: --tolerance wants a number above zero, not '-1e-6'" solve --tolerance -1e-6
expect_error 2 "equant: --max-iterations wants a whole number from 1 to 1000, not '1.5'" \
    solve --max-iterations 1.5
expect_error 2 "equant: solve reads standard input; write < pairs.txt" solve pairs.txt
expect_error 2 "equant: no orbits: name their table with --orbits" evaluate "$good"
expect_error 2 "equant: --trend wants a whole number from 0 to 2, not '3'" \
    evaluate --orbits orbit.csv "$good" --trend 3
expect_error 2 "equant: --out would overwrite 'orbit.csv', which is to be read" \
    evaluate --orbits orbit.csv "$good" --out "$work/orbit.csv"
expect_error 2 "equant: --samples wants a whole number of at least 1, not '0'" \
    montecarlo --demo --samples 0
for count in 1e-3 1.5e0 -1e3 1e3x 0x1e3 1e17 nan; do
    expect_error 2 "equant: --samples wants a whole number of at least 1, not '$count'" \
        montecarlo --demo --samples "$count"
done
expect_error 2 "equant: --planets wants a whole number from 1 to 100, not 'two'" \
    montecarlo --demo --planets two
expect_error 2 "equant: --best wants a whole number from 1 to 1000000, not '0'" \
    montecarlo --demo --best 0
expect_error 2 "equant: periods must satisfy 0 < minimum < maximum, not 10 and 5 days" \
    montecarlo --demo --period-min 10 --period-max 5
expect_error 2 "equant: the largest eccentricity must lie between 0 and 1, not at 1.5" \
    montecarlo --demo --eccentricity-max 1.5
expect_error 2 "equant: no times: give --times, or --start, --n-obs and --cadence together" \
    simulate --orbits orbit.csv --start 0
expect_error 2 "equant: --times stands in place of --start, *" \
    simulate --orbits orbit.csv --times x --start 0
expect_error 2 "equant: --noise cannot be negative, as -1 is" \
    simulate --orbits orbit.csv --start 0 --n-obs 3 --cadence 1 --noise -1
expect_error 2 "equant: --instrument wants a name without blanks, *, not 'a,b'" \
    simulate --orbits orbit.csv --start 0 --n-obs 3 --cadence 1 --instrument a,b
expect_error 2 "equant: what is 'orbit.csv'? simulate takes options only" simulate orbit.csv

# --- What this machine lacks -----------------------------------------------
expect_error 3 "equant: this build has no backend 'abacus' (equant info lists those it has)" \
    solve --backend abacus
missing=cpu/neon
case $(uname -m) in aarch64 | arm64) missing=cpu/avx2 ;; esac
expect_error 3 "equant: this build has no backend '$missing' *" \
    montecarlo --demo --backend $missing

# --- Data files ------------------------------------------------------------
# bad_data NAME CONTENTS SENTENCE: a file that must be refused so.
bad_data() {
    printf "$2" >"$1"
    expect_error 1 "equant: $1:$3" data "$1"
}
expect_error 1 "equant: missing.csv: there is no such file; *" data missing.csv
mkdir folder
expect_error 1 "equant: folder: this folder has no files" data folder
bad_data empty.csv '' ' the file is empty'
bad_data header.csv 'time,mnvel,errvel,tel\n' ' there is a line of column names, but no rows *'
bad_data comments.txt '# one\n# two\n' ' there are comments alone, and no rows of data'
bad_data text.csv 'time,mnvel,errvel\n1,2,1\n2,abc,1\n' "3: 'abc' is not a number, *velocity*"
bad_data nan.csv 'time,mnvel,errvel\n1,2,1\n2,nan,1\n' "3: the velocity is 'nan'; *"
bad_data inf.csv 'time,mnvel,errvel\n1,2,1\ninf,3,1\n' "3: the time is 'inf'; *"
bad_data zero.csv 'time,mnvel,errvel\n1,2,1\n2,3,0\n' '3: the uncertainty is 0, but must be above zero; *'
bad_data negative.csv 'time,mnvel,errvel\n1,2,-1\n' '2: the uncertainty is -1, but must be above *'
bad_data no_errors.csv 'time,mnvel\n1,2\n2,3\n' '1: no column of uncertainties is named here *'
bad_data short.csv 'time,mnvel,errvel\n1,2,1\n2,3\n' '3: this row has 2 cells where 3 belong; *'
bad_data two_columns.txt '1 2\n2 3\n' '1: this row has 2 cells; a row needs time, velocity and *'
bad_data binary.dat 'time\0\1\2\377\n1 2 3\n' ' this is a binary file; *'

# --- Tables of orbits ------------------------------------------------------
# bad_orbits NAME CONTENTS SENTENCE
bad_orbits() {
    printf "$2" >"$1"
    expect_error 1 "equant: $1:$3" evaluate --orbits "$1" "$good"
}
expect_error 1 "equant: missing.csv: cannot open: No such file or directory" \
    evaluate --orbits missing.csv "$good"
expect_error 1 "equant: folder: cannot read: Is a directory" evaluate --orbits folder "$good"
bad_orbits o_empty.csv '' ' the table of orbits is empty'
bad_orbits o_rows.csv "$header\n" ' the table has a header but no rows'
bad_orbits o_names.csv '10,5,0.1,1,2\n' '1: the first line must name the columns, such as *'
bad_orbits o_missing.csv 'period_days_1,k_m_s_1,eccentricity_1,omega_rad_1\n10,5,0.1,1\n' \
    '1: column m0_rad_1 is missing'
bad_orbits o_second.csv "$header,period_days_2\n10,5,0.1,1,2,20\n" '1: column k_m_s_2 is missing'
bad_orbits o_twice.csv "$header,omega_deg_1\n10,5,0.1,1,2,3\n" '1: column omega_rad_1 is there twice'
bad_orbits o_unknown.csv "$header,mass\n10,5,0.1,1,2,3\n" \
    "1: column 'mass' means nothing here, with 1 planet and 2 instruments"
bad_orbits o_offset.csv "$header,offset_m_s_1\n10,5,0.1,1,2,3\n" '1: column offset_m_s_2 is missing'
bad_orbits o_number.csv "$header\n10,5,0.1,1,2\n\n10,5,O.1,1,2\n" \
    "4: 'O.1' is not a number (column eccentricity_1)"
bad_orbits o_degrees.csv 'period_days_1,k_m_s_1,eccentricity_1,omega_deg_1,m0_deg_1\n10,5,0,x,2\n' \
    "2: 'x' is not a number (column omega_deg_1)"
bad_orbits o_data.csv 'time,mnvel,errvel\n1,2,3\n' \
    "1: column 'time' means nothing here; name them period_days_1,k_m_s_1,*"
bad_orbits o_short.csv "$header\n10,5,0.1,1\n" '2: this row has 4 columns, the header has 5'
bad_orbits o_binary.csv "$header\n10,5,\\0,0.1,1\n" '2: this line holds a zero byte; *'
head -c 1200000 /dev/zero | tr '\0' x >o_endless.csv
expect_error 1 "equant: o_endless.csv:1: this line has no end; is this a text file?" \
    evaluate --orbits o_endless.csv "$good"
printf '%s,trend_m_s_day\n10,5,0.1,1,2,3\n' $header >o_trend.csv
expect_error 1 "equant: o_trend.csv:1: the table gives the trend, so leave --trend out" \
    evaluate --orbits o_trend.csv "$good" --trend 1
expect_error 1 "equant: orbit.csv: the table ends after row 1" \
    simulate --orbits orbit.csv --row 9 --start 0 --n-obs 3 --cadence 1
expect_error 1 "equant: orbit.csv: the table ends after row 1" \
    simulate --orbits orbit.csv --row 2 --start 0 --n-obs 3 --cadence 1
expect_error 1 "equant: orbit.csv: the table ends after row 1" \
    evaluate --orbits orbit.csv "$good" --skip 9

# Orbits that cannot be: evaluate gives them chi-square inf, goes on, and says so in the
# end; simulate has nothing to write and refuses.
for orbit in 10,5,1,1,2 10,5,-0.1,1,2 -10,5,0.1,1,2 0,5,0.1,1,2 10,nan,0.1,1,2 10,5,0.1,inf,2; do
    printf '%s\n%s\n' $header $orbit >impossible.csv
    expect_error 1 "equant: impossible.csv: row 1 is no orbit (1 such in all); *" \
        evaluate --orbits impossible.csv "$good"
    expect_text "inf,-inf,nan,nan"
    expect_error 1 "equant: impossible.csv:2: this is no orbit: *" \
        simulate --orbits impossible.csv --start 0 --n-obs 3 --cadence 1
done

# --- Pairs for solve ---------------------------------------------------------
# bad_pair LINE SENTENCE: after one good line, so that the number is 2.
bad_pair() {
    printf '1 0.5\n%s\n' "$1" >pairs
    expect_error 1 "equant: stdin:2: $2" solve <pairs
    expect_equal "solutions before a bad line" 1 "$(wc -l <out)"
}
bad_pair '1 1' 'the eccentricity must be in \[0, 1), not 1'
bad_pair '1 -0.1' 'the eccentricity must be in \[0, 1), not -0.1'
bad_pair '1 nan' 'the eccentricity must be in \[0, 1), not nan'
bad_pair 'inf 0.5' 'the mean anomaly must be finite, not inf'
bad_pair 'one 0.5' "'one' is not a number"
bad_pair '1 0.5x' "'0.5x' is not a number"
bad_pair '1' 'two numbers are wanted, `M e`'
bad_pair '1 0.5 2' 'two numbers are wanted, `M e`'

# --- Days from two zero points in one file -----------------------------------
printf 'time,rv,err\n55000,1,1\n2455001,2,1\n2455002,3,1\n' >clocks.csv
expect_code 0 data clocks.csv --unit m/s
expect_text "warning: clocks.csv: no time lies between 55000 and 2455001"
printf 'time,rv,err\n15020,1,1\n51544,2,1\n' >century.csv
expect_code 0 data century.csv --unit m/s
expect_equal "warnings of a century" 0 "$(grep -c 'no time lies' "$work/out")"

# --- Output that cannot be written -------------------------------------------
expect_error 1 "equant: no/such/folder.csv: cannot write: No such file or directory" \
    evaluate --orbits orbit.csv "$good" --out no/such/folder.csv
expect_error 1 "equant: no/such/folder.csv: cannot write: No such file or directory" \
    simulate --orbits orbit.csv --start 0 --n-obs 3 --cadence 1 --out no/such/folder.csv
expect_error 1 "equant: no/such/folder.csv: cannot write: No such file or directory" \
    montecarlo --demo --samples 100 --out no/such/folder.csv
if [ -w /dev/full ]; then
    expect_error 1 "equant: /dev/full: cannot write: No space left on device" \
        evaluate --orbits orbit.csv "$good" --out /dev/full
    n_checks=$((n_checks + 1))
    "$EQUANT" data "$good" --json >/dev/full 2>err
    expect_equal "exit code on a full disk" 1 $?
    expect_equal "sentence" "equant: standard output: cannot write: No space left on device" \
        "$(cat err)"
fi
finish
