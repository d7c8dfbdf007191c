/* Coordinates of planets: from elements and back. The formulas are those of
 * physics/velocity_derivatives.h, for one planet at a time. */
#include <math.h>

#include "core/status_fail.h"
#include "model/circle.h"
#include "model/orbit_elements.h"

#include "core/basis.h"

enum { N_COORDINATES = N_ELEMENTS }; /* of a planet, in every basis */

bool basis_is_known(equant_basis basis)
{
    return (int)basis >= EQUANT_BASIS_ELEMENTS && basis <= EQUANT_BASIS_LINEAR;
}

/* One planet. */
typedef struct orbit {
    double period, k, eccentricity, omega, m0;
} orbit;

/* In [0, 2 pi). */
static double wrapped(double angle)
{
    double rest = fmod(angle, TWO_PI);
    if (rest < 0.0)
        rest += TWO_PI;
    return rest < TWO_PI ? rest + 0.0 : 0.0; /* + 0.0: no negative zero */
}

/* Negative amplitudes turn the orbit by half a turn; they have no logarithm and no root. */
static bool is_orbit(equant_basis basis, const orbit *o)
{
    bool signed_k = basis == EQUANT_BASIS_ELEMENTS || basis == EQUANT_BASIS_LINEAR;
    return o->period > 0.0 && isfinite(o->period) && isfinite(o->k) && (o->k >= 0.0 || signed_k) &&
           o->eccentricity >= 0.0 && o->eccentricity < 1.0 && isfinite(o->omega) && isfinite(o->m0);
}

/* sqrt(1 - e^2) */
static double axis_ratio(double eccentricity)
{
    return sqrt((1.0 - eccentricity) * (1.0 + eccentricity));
}

static void from_orbit(equant_basis basis, const orbit *o, double *coordinates)
{
    double e = o->eccentricity, root_e = sqrt(e), beta = axis_ratio(e);
    double a = o->k * beta * beta * cos(o->omega), b = o->k * beta * sin(o->omega);
    double cos_m0 = cos(o->m0), sin_m0 = sin(o->m0);
    coordinates[0] = basis == EQUANT_BASIS_ELEMENTS ? o->period : log(o->period);
    switch (basis) {
    case EQUANT_BASIS_ELEMENTS:
        coordinates[1] = o->k;
        coordinates[2] = e;
        coordinates[3] = wrapped(o->omega);
        coordinates[4] = wrapped(o->m0);
        break;
    case EQUANT_BASIS_REGULAR:
        coordinates[1] = log(o->k);
        coordinates[2] = e * cos(o->omega);
        coordinates[3] = e * sin(o->omega);
        coordinates[4] = wrapped(o->m0 + o->omega);
        break;
    case EQUANT_BASIS_ROOTS:
        coordinates[1] = sqrt(o->k);
        coordinates[2] = root_e * cos(o->omega);
        coordinates[3] = root_e * sin(o->omega);
        coordinates[4] = wrapped(o->m0 + o->omega);
        break;
    case EQUANT_BASIS_LINEAR:
        coordinates[1] = e * cos_m0;
        coordinates[2] = e * sin_m0;
        coordinates[3] = a * cos_m0 - b * sin_m0;
        coordinates[4] = -(a * sin_m0 + b * cos_m0);
        break;
    }
}

/* An amplitude from A and B, a shape from p and q. */
static orbit orbit_from_linear(const double *c)
{
    orbit o = {.eccentricity = hypot(c[1], c[2]), .m0 = atan2(c[2], c[1])};
    double beta = axis_ratio(o.eccentricity), cos_m0 = cos(o.m0), sin_m0 = sin(o.m0);
    double a = c[3] * cos_m0 - c[4] * sin_m0, b = -(c[3] * sin_m0 + c[4] * cos_m0);
    o.k = hypot(a / (beta * beta), b / beta);
    o.omega = atan2(b / beta, a / (beta * beta));
    return o;
}

static orbit to_orbit(equant_basis basis, const double *c)
{
    orbit o = {c[0], c[1], c[2], c[3], c[4]};
    switch (basis) {
    case EQUANT_BASIS_ELEMENTS:
        return o;
    case EQUANT_BASIS_REGULAR:
        o.k = exp(c[1]);
        o.eccentricity = hypot(c[2], c[3]);
        o.omega = atan2(c[3], c[2]);
        o.m0 = c[4] - o.omega;
        break;
    case EQUANT_BASIS_ROOTS:
        o.k = c[1] >= 0.0 ? c[1] * c[1] : NAN;
        o.eccentricity = c[2] * c[2] + c[3] * c[3];
        o.omega = atan2(c[3], c[2]);
        o.m0 = c[4] - o.omega;
        break;
    case EQUANT_BASIS_LINEAR:
        o = orbit_from_linear(c);
        break;
    }
    o.period = exp(c[0]);
    return o;
}

static equant_status check_call(equant_basis basis, size_t n_planets, const double *in,
                                const double *out)
{
    if (!basis_is_known(basis))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no basis number %d",
                           (int)basis);
    if (n_planets > 0 && (!in || !out))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "elements and coordinates must be given: one of them is NULL");
    return EQUANT_SUCCESS;
}

static void fill_nan(double *planet)
{
    for (int i = 0; i < N_COORDINATES; i++)
        planet[i] = NAN;
}

equant_status equant_basis_from_elements(equant_basis basis, size_t n_planets,
                                         const double *elements, double *coordinates)
{
    equant_status status = check_call(basis, n_planets, elements, coordinates);
    for (size_t p = 0; status == EQUANT_SUCCESS && p < n_planets; p++) {
        const double *e = elements + p * N_COORDINATES;
        orbit o = {e[0], e[1], e[2], e[3], e[4]};
        if (is_orbit(basis, &o))
            from_orbit(basis, &o, coordinates + p * N_COORDINATES);
        else
            fill_nan(coordinates + p * N_COORDINATES);
    }
    return status;
}

equant_status equant_basis_to_elements(equant_basis basis, size_t n_planets,
                                       const double *coordinates, double *elements)
{
    equant_status status = check_call(basis, n_planets, coordinates, elements);
    for (size_t p = 0; status == EQUANT_SUCCESS && p < n_planets; p++) {
        orbit o = to_orbit(basis, coordinates + p * N_COORDINATES);
        double *e = elements + p * N_COORDINATES;
        if (is_orbit(basis, &o)) {
            e[0] = o.period;
            e[1] = o.k;
            e[2] = o.eccentricity;
            e[3] = wrapped(o.omega);
            e[4] = wrapped(o.m0);
        } else {
            fill_nan(e);
        }
    }
    return status;
}
