"""What the checks of the fit share: options, the stars of a folder, runs of `equant fit`,
and what it means that a period was found. Standard library only."""

import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
METRES_PER_UNIT = {"M/S": 1.0, "KM/S": 1000.0}


def parser(description, wants_data):
    """Options that every check has; `wants_data`: it reads the shared data."""
    options = argparse.ArgumentParser(description=description)
    options.add_argument("--equant", default=os.environ.get("EQUANT", ROOT / "build" / "equant"),
                         help="the command to check; default $EQUANT or build/equant")
    options.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)),
                         help="stars at a time, on one thread each; default one a processor")
    if wants_data:
        shared = os.environ.get("EQUANT_SHARED_DATA", ROOT.parent / "shared" / "data")
        options.add_argument("--data", type=pathlib.Path, default=pathlib.Path(shared),
                             help="the folder of real data; default $EQUANT_SHARED_DATA or "
                                  "../shared/data")
    else:
        options.add_argument("--seed", type=int, default=1, help="of the simulations; default 1")
    return options


def require_command(prog, chosen):
    """Ends the check where there is no command."""
    if not os.access(chosen.equant, os.X_OK):
        sys.exit(f"{prog}: {chosen.equant} is not there; run make first")


def require_data(chosen):
    """Skips the check where there are no data; EQUANT_REQUIRE_DATA=1 makes it fail."""
    if not chosen.data.is_dir():
        required = bool(os.environ.get("EQUANT_REQUIRE_DATA"))
        print(f"{'FAIL' if required else 'SKIP'}: there is no folder {chosen.data}; "
              "name it with --data")
        sys.exit(1 if required else 77)


def parse(options):
    """The chosen options; ends the check where there is no command or no data."""
    chosen = options.parse_args()
    require_command(options.prog, chosen)
    if hasattr(chosen, "data"):
        require_data(chosen)
    return chosen


def fit(equant, files, *options, limit=None):
    """The JSON of `equant fit`, with "seconds"; or {"error", "seconds"}. It is given up after
    `limit` seconds, where there is one."""
    start = time.monotonic()
    try:
        run = subprocess.run([str(equant), "fit", *map(str, files), "--json", *options],
                             capture_output=True, text=True, check=False, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"error": f"not done after {limit:g} s", "seconds": time.monotonic() - start}
    seconds = time.monotonic() - start
    if run.returncode != 0:
        return {"error": run.stderr.strip() or f"exit code {run.returncode}", "seconds": seconds}
    return json.loads(run.stdout) | {"seconds": seconds}


def in_parallel(jobs, function, items):
    """function(item) of every item, in order, `jobs` of them at a time, as they come."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(function, items)


def period_is(period, wanted, span):
    """The same period: within 0.5 %, or half a frequency resolution 1/(2 span)."""
    return (abs(period - wanted) <= 0.005 * wanted
            or abs(1 / period - 1 / wanted) <= 0.5 / span)


def describe_planet(planet):
    """One line: period, amplitude, eccentricity, and how sure the fit is."""
    return (f"P {planet['period_days']:.6g} d, K {planet['k_m_s']:.4g} m/s, "
            f"e {planet['eccentricity']:.2f}, FAP {planet['fap']:.1g}, "
            f"delta BIC {planet['delta_bic']:.1f}"
            + (f", {100 * planet['probability']:.0f} %" if planet.get("probability") else ""))


def noise_terms(result):
    """[(name, {parameter: value}), ...] of the noise that a fit chose."""
    noise = result.get("noise") or {}
    terms = []
    for term in noise.get("terms", []) if isinstance(noise, dict) else noise:
        given = term.get("parameters", {}) if isinstance(term, dict) else {}
        values = {name: value.get("value") if isinstance(value, dict) else value
                  for name, value in given.items()}
        terms.append((term["name"] if isinstance(term, dict) else str(term), values))
    return terms


def noise_periods(result):
    """[(name, days), ...] of the terms that have a period."""
    return [(name, values["period"]) for name, values in noise_terms(result)
            if values.get("period")]


def describe_noise(result):
    """The noise that a fit chose, in few words; white where it says nothing."""
    words = []
    for name, values in noise_terms(result):
        size = f" {values['amplitude']:.2g} m/s" if values.get("amplitude") else ""
        words.append(name + size + (f" {values['period']:.4g} d" if values.get("period") else ""))
    return ", ".join(words) or "white"


class VelocityFile:
    """A .vels file, read without equant."""

    def __init__(self, path):
        self.name, self.unit, self.rows = path.stem, "M/S", []
        for line in path.read_text(errors="replace").splitlines():
            if line.startswith("#"):
                key, _, value = line[1:].partition("=")
                if key.strip() == "value_units":
                    self.unit = value.strip().upper()
            elif line.strip():
                self.rows.append([float(field) for field in line.split()[:3]])
        scale = METRES_PER_UNIT[self.unit]
        self.times = [row[0] for row in self.rows]
        self.velocities = [scale * row[1] for row in self.rows]
        self.errors = [scale * row[2] for row in self.rows]


class Star:
    """A .sys file and the observations of all files that it names."""

    def __init__(self, path):
        self.name, self.path, self.files, self.missing = path.stem, path, [], []
        for line in path.read_text(errors="replace").splitlines():
            fields = line.split()
            if len(fields) >= 2 and fields[0] == "RV[]":
                vels = path.parent / fields[1].strip('"')
                if vels.exists():
                    self.files.append(VelocityFile(vels))
                else:
                    self.missing.append(vels.name)
        self.times = sorted(t for file in self.files for t in file.times)
        self.errors = [error for file in self.files for error in file.errors]
        self.n_obs = len(self.times)
        self.span = self.times[-1] - self.times[0] if self.times else 0.0

    def median_error(self):
        return statistics.median(self.errors)


def read_catalogue(path):
    """{star: [planet, ...]} of TRUTH.csv, strongest planet first."""
    planets = {}
    with open(path, newline="") as stream:
        for row in csv.DictReader(stream):
            planets.setdefault(row["system"], []).append({
                "period_days": float(row["period_days"]),
                "k_m_s": float(row["k_m_s_from_mass"] or "nan"),
                "eccentricity": float(row["eccentricity"] or "nan"),
                "method": row["method"], "lists": row["lists"]})
    for of_star in planets.values():
        of_star.sort(key=lambda planet: -planet["k_m_s"] if planet["k_m_s"] > 0 else 0.0)
    return planets
