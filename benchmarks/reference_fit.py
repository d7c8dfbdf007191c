"""A least-squares fit of orbits that shares nothing with equant, not even its coordinates:
Levenberg-Marquardt with numerical derivatives in (ln P, K, e cos w, e sin w, M0 + w), offsets
as further parameters, and a jitter for each instrument by maximum likelihood. Slow and plain:
it starts where the truth is. Standard library only."""

import math

import simulations

MOST_ECCENTRICITY = 0.97


def to_coordinates(planet):
    period, k, e, omega, m0 = planet
    return [math.log(period), k, e * math.cos(omega), e * math.sin(omega), m0 + omega]


def to_planet(coordinates):
    log_period, k, h, g, longitude = coordinates
    omega = math.atan2(g, h)
    return math.exp(log_period), k, math.hypot(h, g), omega, longitude - omega


def orbit_velocities(times, coordinates):
    planet = to_planet(coordinates)
    return [simulations.velocity(time, *planet) for time in times]


def orbit_columns(times, coordinates, steps):
    """Derivatives of the velocities with respect to the five coordinates."""
    columns = []
    for i, step in enumerate(steps):
        ends = []
        for sign in (1, -1):
            moved = list(coordinates)
            moved[i] += sign * step
            ends.append(orbit_velocities(times, moved))
        columns.append([(a - b) / (2 * step) for a, b in zip(*ends)])
    return columns


def solve(matrix, right):
    """A symmetric positive definite system, by Cholesky's method; None when it is not."""
    n = len(right)
    factor = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(factor[i][k] * factor[j][k] for k in range(j))
            if i == j and rest <= 0:
                return None
            factor[i][j] = math.sqrt(rest) if i == j else rest / factor[j][j]
    answer = list(right)
    for i in range(n):
        answer[i] = (answer[i] - sum(factor[i][k] * answer[k] for k in range(i))) / factor[i][i]
    for i in reversed(range(n)):
        answer[i] = (answer[i] - sum(factor[k][i] * answer[k] for k in range(i + 1, n)))
        answer[i] /= factor[i][i]
    return answer


def best_jitter(squares):
    """The variance that, added to the errors, makes residuals most likely; of both squares."""

    def slope(jitter):
        return sum(r / (e + jitter) ** 2 - 1 / (e + jitter) for r, e in squares)

    low, high = 0.0, max(r for r, _ in squares)
    if slope(0.0) <= 0:
        return 0.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return low


class Fit:
    """The best orbits near given ones for rows (time, velocity, error, instrument)."""

    def __init__(self, rows, planets, with_jitter):
        self.times, self.velocities, self.errors, self.labels = zip(*rows)
        self.span = max(self.times) - min(self.times)
        self.instruments = sorted(set(self.labels))
        self.variances = [error * error for error in self.errors]
        self.orbits = [to_coordinates(planet) for planet in planets]
        self.offsets = [0.0] * len(self.instruments)
        self.n_jitters = len(self.instruments) if with_jitter else 0
        self._minimise()
        if with_jitter:
            self._maximise_likelihood()
        n_parameters = 5 * len(planets) + len(self.instruments) + self.n_jitters
        self.bic = -2 * self.log_likelihood() + n_parameters * math.log(len(rows))

    def log_likelihood(self):
        residuals = self._residuals(self.orbits, self.offsets)
        return -0.5 * sum(r * r / v + math.log(2 * math.pi * v)
                          for r, v in zip(residuals, self.variances))

    def _residuals(self, orbits, offsets):
        model = [offsets[self.instruments.index(label)] for label in self.labels]
        for orbit in orbits:
            model = [m + v for m, v in zip(model, orbit_velocities(self.times, orbit))]
        return [y - m for y, m in zip(self.velocities, model)]

    def _columns(self):
        columns = []
        for orbit in self.orbits:
            cycles = self.span / math.exp(orbit[0])
            steps = [1e-5 / max(1.0, cycles), 1e-4, 1e-5, 1e-5, 1e-5]
            columns += orbit_columns(self.times, orbit, steps)
        for name in self.instruments:
            columns.append([1.0 if label == name else 0.0 for label in self.labels])
        return columns

    def _moved(self, step):
        n = 5 * len(self.orbits)
        orbits = [[x + dx for x, dx in zip(orbit, step[5 * p:5 * p + 5])]
                  for p, orbit in enumerate(self.orbits)]
        offsets = [x + dx for x, dx in zip(self.offsets, step[n:])]
        is_orbit = all(math.hypot(o[2], o[3]) < MOST_ECCENTRICITY for o in orbits)
        return (orbits, offsets) if is_orbit else None

    def _chi_square(self, orbits, offsets):
        return sum(r * r / v for r, v in zip(self._residuals(orbits, offsets), self.variances))

    def _minimise(self):
        damping, chi_square = 1e-3, self._chi_square(self.orbits, self.offsets)
        for _ in range(60):
            columns = self._columns()
            weighted = [[c / v for c, v in zip(column, self.variances)] for column in columns]
            residuals = self._residuals(self.orbits, self.offsets)
            normal = [[sum(map(float.__mul__, a, b)) for b in columns] for a in weighted]
            right = [sum(map(float.__mul__, a, residuals)) for a in weighted]
            gain = 0.0
            while damping < 1e10:
                damped = [[x * (1 + damping if i == j else 1) for j, x in enumerate(row)]
                          for i, row in enumerate(normal)]
                step = solve(damped, right)
                moved = self._moved(step) if step else None
                trial = self._chi_square(*moved) if moved else math.inf
                if trial <= chi_square:
                    gain, chi_square = chi_square - trial, trial
                    self.orbits, self.offsets = moved
                    damping = max(damping / 5, 1e-9)
                    break
                damping *= 10
            if gain < 1e-4:
                break

    def _set_jitters(self):
        residuals = self._residuals(self.orbits, self.offsets)
        for name in self.instruments:
            jitter = best_jitter([(r * r, e * e) for r, e, label in
                                  zip(residuals, self.errors, self.labels) if label == name])
            self.variances = [e * e + jitter if label == name else v for v, e, label in
                              zip(self.variances, self.errors, self.labels)]

    def _maximise_likelihood(self):
        before = -math.inf
        for _ in range(20):
            self._set_jitters()
            self._minimise()
            now = self.log_likelihood()
            if now - before < 1e-3:
                break
            before = now
