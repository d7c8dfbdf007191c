/* The root is approached from above, where E - e sin E - M is convex and
 * Newton's iteration cannot jump: first in long double because that is cheap,
 * then in quadruple precision until the step vanishes. */
#include "quad_kepler.h"

#include <math.h>
#include <quadmath.h>

/* E - sin E without cancellation. */
static __float128 angle_minus_sine(__float128 angle)
{
    if (fabsq(angle) > 0.5Q)
        return angle - sinq(angle);
    __float128 square = angle * angle;
    __float128 term = angle * square / 6;
    __float128 sum = term;
    for (int k = 4; fabsq(term) > 1e-36Q * fabsq(sum); k += 2) {
        term *= -square / (k * (k + 1));
        sum += term;
    }
    return sum;
}

/* 1 - e cos E without cancellation. */
static __float128 slope_at(__float128 e, __float128 angle)
{
    __float128 half_sine = sinq(angle / 2);
    return (1 - e) + 2 * e * half_sine * half_sine;
}

/* An upper bound of the root for 0 <= m <= pi: E <= m + e, E <= m/(1-e), and
 * E - sin E >= E^3/12 on [0, pi]. */
static long double upper_bound(long double m, long double e)
{
    long double bound = fminl(m + e, m / (1 - e));
    return e > 0 ? fminl(bound, cbrtl(12 * m / e)) : bound;
}

/* The root to about 1e-15 or so, from above. Cancellation in small angles only
 * costs the quadruple stage another step. */
static long double approximate_root(long double m, long double e)
{
    long double root = upper_bound(m, e);
    for (int step = 0; step < 60; step++) {
        long double half_sine = sinl(root / 2);
        long double slope = (1 - e) + 2 * e * half_sine * half_sine;
        long double excess =
            root < 0.1L ? root * root * root / 6 * (1 - root * root / 20) : root - sinl(root);
        long double change = ((1 - e) * root + e * excess - m) / slope;
        root -= change;
        if (!(fabsl(change) > 1e-12L * root))
            break;
    }
    return root;
}

/* 0 <= m <= pi. */
static __float128 refined_root(__float128 m, __float128 e)
{
    if (m == 0)
        return 0;
    __float128 root = approximate_root((long double)m, (long double)e);
    for (int step = 0; step < 100; step++) {
        __float128 f = (1 - e) * root + e * angle_minus_sine(root) - m;
        __float128 change = f / slope_at(e, root);
        root -= change;
        if (!(fabsq(change) > 1e-33Q * root))
            break;
    }
    return root;
}

__float128 quad_kepler_reduce(__float128 angle)
{
    /* sinq and cosq reduce any argument exactly. */
    return fabsq(angle) > M_PIq ? atan2q(sinq(angle), cosq(angle)) : angle;
}

quad_kepler quad_kepler_solve(__float128 mean_anomaly, __float128 eccentricity)
{
    quad_kepler solution;
    __float128 m = quad_kepler_reduce(mean_anomaly);
    solution.mean_reduced = m;
    __float128 root = refined_root(fabsq(m), eccentricity);
    solution.eccentric_reduced = copysignq(root, m);
    solution.sine = sinq(solution.eccentric_reduced);
    solution.cosine = cosq(solution.eccentric_reduced);
    /* e sin E is the same on every revolution, and never cancels against a small M. */
    solution.eccentric = m == mean_anomaly ? solution.eccentric_reduced
                                           : mean_anomaly + eccentricity * solution.sine;
    solution.slope = slope_at(eccentricity, root);
    return solution;
}

void quad_kepler_solve_all(size_t n, const double *mean_anomaly, const double *eccentricity,
                           quad_kepler *solutions)
{
#pragma omp parallel for schedule(dynamic, 1024)
    for (size_t k = 0; k < n; k++)
        solutions[k] = quad_kepler_solve(mean_anomaly[k], eccentricity[k]);
}
