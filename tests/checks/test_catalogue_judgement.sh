#!/usr/bin/env bash
# benchmarks/check-catalogue tells planets that the catalogue has from others and says what these may
# be: here of a command that writes what it is told, for one star of a made-up catalogue.
set -u
if ! command -v python3 >/dev/null; then
    echo "SKIP: python3 is not installed"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
data=$work/data/systemic
mkdir -p "$data"
printf 'RV[] "Star_1.vels"\n' >"$data/Star.sys"
awk 'BEGIN { for (i = 0; i < 20; i++) print 2450000 + 50 * i, i % 3, 1 }' >"$data/Star_1.vels"
cat >"$data/TRUTH.csv" <<'END'
system,period_days,k_m_s_from_mass,eccentricity,method,lists
Star,10,50,0,RV,Confirmed planets
END
cat >"$work/equant" <<'END'
#!/usr/bin/env python3
import json, pathlib, sys
folder = pathlib.Path(sys.argv[sys.argv.index("--out") + 1])
(folder / "Star").mkdir()
planets = [{"period_days": period, "k_m_s": 3, "eccentricity": 0, "fap": 1e-5, "delta_bic": 9}
           for period in (10.01, 4.9999, 25.8, 333.0)]
noise = {"terms": [{"name": "rotation", "parameters": {"period": {"value": 25.7},
                                                       "amplitude": {"value": 2.0}}}]}
(folder / "Star" / "fit.json").write_text(json.dumps(
    {"planets": planets, "noise": noise, "candidate": None, "trend": None, "rms_m_s": 1.0}))
(folder / "summary.ecsv").write_text("name,status,message,seconds\nStar,ok,,1.5\n")
END
chmod +x "$work/equant"
said=$("$EQUANT_SOURCE/benchmarks/check-catalogue" --equant "$work/equant" --data "$work/data" --quick \
    --jobs 1)
bad=0
expect() {
    # shellcheck disable=SC2053  # the right side is meant as a pattern
    [[ $said == $1 ]] || { echo "not said: $1"; bad=1; }
}
expect '*4 planets around 1 stars, 3 of them not catalogued (allowed: 10)*'
expect '*P 4.9999 d*FAP 1e-05*catalogued 10 d: that is twice this*'
expect '*P 25.8 d*noise rotation 2 m/s 25.7 d; catalogued: 10*may be: rotation period*'
expect '*P 333 d*no reason yet*'
expect '*strongest planet found: 1 of 1 stars*'
expect '*the catalogue as it is: strongest planet of 1 of 1 stars*not catalogued 3*'
said=$("$EQUANT_SOURCE/benchmarks/check-catalogue" --equant "$work/equant" --data "$work/data" --quick \
    --jobs 1 --star Nobody 2>&1) && bad=1
expect 'there is no such star*'
[ $bad -eq 0 ] || echo "$said"
exit $bad
