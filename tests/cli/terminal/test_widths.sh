#!/usr/bin/env bash
# On a terminal no line is wider than it is, and the progress of a fit is one estimate of the time left.
source "$(dirname "$0")/../lib.sh"

if ! python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
    echo "SKIP: this machine gives no pseudo-terminals"
    exit 77
fi
cat >"$work/terminal.py" <<'PYTHON'
"""terminal.py WIDTH COMMAND...: what it writes on a terminal of that width, a line for each that it
draws; with those that are wider marked by "WIDE"."""
import fcntl, os, pty, re, struct, sys, termios

width, command = int(sys.argv[1]), sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    os.environ["TERM"] = "xterm"
    os.execv(command[0], command)
written = b""
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    written += piece
os.waitpid(child, 0)
text = re.sub("\033\\[[0-9;]*[A-Za-z]", "", written.decode("utf-8", "replace"))
for line in re.split("[\r\n]+", text):
    print("WIDE " if len(line) > width else "", line, sep="")
PYTHON

# at_width WIDTH ARGUMENTS...: in $work/out; no line is too wide.
at_width() {
    local width=$1
    shift
    n_checks=$((n_checks + 1))
    python3 "$work/terminal.py" "$width" "$EQUANT" "$@" >"$work/out"
    [ -s "$work/out" ] || fail "equant $* writes nothing on a terminal"
    grep '^WIDE' "$work/out" >"$work/wide" &&
        fail "equant $* on a terminal of $width: $(wc -l <"$work/wide") lines are wider: $(head -n 1 "$work/wide")"
}

cd "$work" || exit 1
"$EQUANT" simulate --orbits "$here/fixtures/search_planet.csv" --start 2460000 --n-obs 40 \
    --cadence 2 --noise 2 --t-ref 2460020 --seed 5 --out star.csv
sed '2,$s/simulated/an instrument whose name nobody has shortened yet/' star.csv >long.csv
"$EQUANT" sample star.csv --planets 1 --walkers 24 --burn-in 20 --max-steps 40 --min-ess 1e9 --no-pictures \
    --out run >out 2>err || fail "no run: $(cat err)"
printf 'day,ra,dec\n' >catalogue.csv

for width in 60 80; do
    at_width "$width" help
    for command in fit sample search compare plan nights catalogue; do
        at_width "$width" "$command" --help
    done
    at_width "$width" info
    at_width "$width" data long.csv
    at_width "$width" search long.csv
    expect_text "alias of"
    at_width "$width" fit long.csv --planets 1 --star-mass 0.9 --events 2
    expect_text "period days"
    at_width "$width" fit star.csv --noise auto
    at_width "$width" models star.csv --planets 1
    at_width "$width" montecarlo star.csv --samples 1000
    at_width "$width" predict run --days 20
    at_width "$width" plan run --days 20 --draws 50
    at_width "$width" sample star.csv --planets 1 --walkers 24 --burn-in 20 --max-steps 40 --min-ess 1e9 --no-pictures
    at_width "$width" inject star.csv --noise white --sizes 2 --cells 2 --draws 1
    at_width "$width" compare star.csv --sweeps 4
    expect_text "sweeps"
    at_width "$width" nights --ra 10 --dec 20 --site paranal --nights 3
done

# In a pipe lines stay as they are.
run search long.csv
n_checks=$((n_checks + 1))
[ "$(awk '{if (length > n) n = length} END {print n}' out)" -gt 80 ] || fail "lines are cut in a pipe"

# The line of progress: one time left, which is never none before the end of a fit that takes seconds.
at_width 60 fit --demo --threads 1
if grep -q " %  .*about" out; then
    expect_equal "a time left of nothing" "" "$(grep " %  .*about" out | grep -m 1 'about 0 s left')"
    n_checks=$((n_checks + 1))
    grep " %  .*about" out | sed 's/.* \([0-9]*\) %.*/\1/' | awk '$1 < last {exit 1} {last = $1}' ||
        fail "the share of the fit that is done falls: $(grep " %  .*about" out | sed 's/.* \([0-9]* %\).*/\1/' | uniq | xargs)"
else
    echo "the fit of --demo was too quick for a line of progress: not looked at"
fi
finish
