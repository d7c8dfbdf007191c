#include "sky/parallax_path.h"

#include <math.h>

#include "terminal/angles.h"

enum { N_UNKNOWN = 4 };

/* Of the ecliptic, as good as constant: z is y times its tangent. */
#define TILT_DEGREES 23.437

/* The Earth from the Sun, equatorial, au: the low-precision Sun of the Astronomical Almanac, good
 * to 0.0003 au; Gaia is a hundredth further out, and the barycentre at most a hundredth from the
 * Sun. */
static void earth_at(double jd, double place[3])
{
    const double gaia = 1.01;
    double days = jd - 2451545.0;
    double length = (280.460 + 0.9856474 * days) * RADIANS_PER_DEGREE;
    double anomaly = (357.528 + 0.9856003 * days) * RADIANS_PER_DEGREE;
    double lambda =
        length + (1.915 * sin(anomaly) + 0.020 * sin(2.0 * anomaly)) * RADIANS_PER_DEGREE;
    double distance = 1.00014 - 0.01671 * cos(anomaly) - 0.00014 * cos(2.0 * anomaly);
    double tilt = TILT_DEGREES * RADIANS_PER_DEGREE;
    place[0] = -gaia * distance * cos(lambda);
    place[1] = -gaia * distance * cos(tilt) * sin(lambda);
    place[2] = -gaia * distance * sin(tilt) * sin(lambda);
}

void parallax_path_factors(const struct parallax_path *path, double jd, double factors[2])
{
    double place[3], a = path->right_ascension_rad, d = path->declination_rad;
    earth_at(jd, place);
    factors[0] = place[0] * sin(a) - place[1] * cos(a);
    factors[1] = (place[0] * cos(a) + place[1] * sin(a)) * sin(d) - place[2] * cos(d);
}

/* Elimination with the largest pivot; false where there is none. */
static bool solve(double m[N_UNKNOWN][N_UNKNOWN + 1], double x[N_UNKNOWN])
{
    for (int i = 0; i < N_UNKNOWN; i++) {
        int best = i;
        for (int r = i + 1; r < N_UNKNOWN; r++)
            if (fabs(m[r][i]) > fabs(m[best][i]))
                best = r;
        if (!(fabs(m[best][i]) > 1e-12))
            return false;
        for (int c = 0; c <= N_UNKNOWN; c++) {
            double kept = m[i][c];
            m[i][c] = m[best][c];
            m[best][c] = kept;
        }
        for (int r = 0; r < N_UNKNOWN; r++)
            for (int c = N_UNKNOWN; r != i && c >= i; c--)
                m[r][c] -= m[r][i] / m[i][i] * m[i][c];
    }
    for (int i = 0; i < N_UNKNOWN; i++)
        x[i] = m[i][N_UNKNOWN] / m[i][i];
    return true;
}

/* The declination of which cos a sin d and sin a sin d - tan(tilt) cos d are what was found. */
static double declination_of(double a, const double found[2])
{
    enum { N_STEPS = 3600 };
    double best = 0.0, least = INFINITY, slope = tan(TILT_DEGREES * RADIANS_PER_DEGREE);
    for (int i = -N_STEPS; i <= N_STEPS; i++) {
        double d = 0.25 * TWO_PI * i / N_STEPS;
        double miss[2] = {cos(a) * sin(d) - found[0], sin(a) * sin(d) - slope * cos(d) - found[1]};
        double square = miss[0] * miss[0] + miss[1] * miss[1];
        if (square < least) {
            least = square;
            best = d;
        }
    }
    return best;
}

/* The factor along a scan is linear in sin a, cos a, cos a sin d and, as z goes with y, sin a sin d
 * - tan(tilt) cos d. */
struct parallax_path parallax_path_find(size_t n, double reference_jd, const double *time_days,
                                        const double *angle_deg, const double *factor)
{
    const double close = 0.03; /* of factors that are 0.7 or so */
    double m[N_UNKNOWN][N_UNKNOWN + 1] = {{0.0}}, x[N_UNKNOWN], place[3], square = 0.0;
    struct parallax_path path = {0};
    for (size_t k = 0; k < n; k++) {
        double psi = angle_deg[k] * RADIANS_PER_DEGREE, s = sin(psi), c = cos(psi);
        earth_at(reference_jd + time_days[k], place);
        const double row[N_UNKNOWN + 1] = {place[0] * s, -place[1] * s, place[0] * c, place[1] * c,
                                           factor[k]};
        for (int i = 0; i < N_UNKNOWN; i++)
            for (int j = 0; j <= N_UNKNOWN; j++)
                m[i][j] += row[i] * row[j];
    }
    if (!solve(m, x))
        return path;
    path.right_ascension_rad = atan2(x[0], x[1]);
    path.declination_rad = declination_of(path.right_ascension_rad, x + 2);
    for (size_t k = 0; k < n; k++) {
        double factors[2], psi = angle_deg[k] * RADIANS_PER_DEGREE;
        parallax_path_factors(&path, reference_jd + time_days[k], factors);
        double miss = factors[0] * sin(psi) + factors[1] * cos(psi) - factor[k];
        square += miss * miss;
    }
    path.is_known = square <= close * close * (double)n;
    return path;
}
