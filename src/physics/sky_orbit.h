/* The orbit of a star as it is seen on the sky: where it stands in the plane of its orbit, and how
 * that plane is turned. In plain double.
 *
 *   X, Y          place in the plane of the orbit in units of the semi-major axis, X to pericentre
 *   M, E, e       mean anomaly, eccentric anomaly, eccentricity
 *   A, B, F, G    constants of Thiele and Innes: Dec = A X + F Y,  RA* = B X + G Y
 *   C, H          the same along the line of sight, away from us: z = C X + H Y
 *   a0            semi-major axis of the orbit of the light, in the unit of the constants
 *   i             inclination: below 90 degrees the position angle grows
 *   omega         argument of pericentre of the star
 *   Omega         position angle, North through East, of the node where the star recedes
 *
 * The sums and differences of the constants are circles:
 *   A + G = s cos(omega + Omega),  B - F = s sin(omega + Omega),   s = a0 (1 + cos i)
 *   A - G = d cos(omega - Omega), -B - F = d sin(omega - Omega),   d = a0 (1 - cos i)
 * so that a0 = (s + d) / 2 and tan^2(i/2) = d / s, without the loss of digits that the usual roots
 * have for orbits seen from above. (omega, Omega) and both turned by half a circle are the same
 * constants: velocities tell them apart. */
#ifndef EQUANT_PHYSICS_SKY_ORBIT_H
#define EQUANT_PHYSICS_SKY_ORBIT_H

#include <math.h>

#define SKY_ORBIT_PI 3.14159265358979323846
#define SKY_ORBIT_TWO_PI 6.28318530717958647693

typedef struct sky_constants {
    double A, B, F, G;
} sky_constants;

typedef struct sky_elements {
    double a0, i, omega, Omega;
} sky_elements;

/* Rows a0, i, omega, Omega; columns A, B, F, G. */
typedef struct sky_elements_slopes {
    double by[4][4];
} sky_elements_slopes;

static inline sky_constants sky_constants_of(const sky_elements *own)
{
    double cos_w = cos(own->omega), sin_w = sin(own->omega);
    double cos_o = cos(own->Omega), sin_o = sin(own->Omega), cos_i = cos(own->i);
    return (sky_constants){
        .A = own->a0 * (cos_w * cos_o - sin_w * sin_o * cos_i),
        .B = own->a0 * (cos_w * sin_o + sin_w * cos_o * cos_i),
        .F = -own->a0 * (sin_w * cos_o + cos_w * sin_o * cos_i),
        .G = -own->a0 * (sin_w * sin_o - cos_w * cos_o * cos_i),
    };
}

/* Angles to [0, 2 pi). */
static inline double sky_orbit_full_turn(double angle)
{
    double turned = angle - SKY_ORBIT_TWO_PI * floor(angle / SKY_ORBIT_TWO_PI);
    return turned < SKY_ORBIT_TWO_PI ? turned : 0.0;
}

/* Of the two nodes the one in [0, pi); omega in [0, 2 pi). */
static inline sky_elements sky_elements_of(const sky_constants *own)
{
    double s = hypot(own->A + own->G, own->B - own->F);
    double d = hypot(own->A - own->G, own->B + own->F);
    double sum = atan2(own->B - own->F, own->A + own->G);
    double difference = atan2(-own->B - own->F, own->A - own->G);
    double omega = 0.5 * (sum + difference), Omega = 0.5 * (sum - difference);
    double turns = floor(Omega / SKY_ORBIT_PI);
    return (sky_elements){
        .a0 = 0.5 * (s + d),
        .i = 2.0 * atan2(sqrt(d), sqrt(s)),
        .omega = sky_orbit_full_turn(omega - turns * SKY_ORBIT_PI),
        .Omega = Omega - turns * SKY_ORBIT_PI,
    };
}

/* Not finite where an element is not defined: seen exactly from above or from below. */
static inline sky_elements_slopes sky_elements_derive(const sky_constants *own)
{
    double plus_x = own->A + own->G, plus_y = own->B - own->F;
    double minus_x = own->A - own->G, minus_y = -own->B - own->F;
    double s = hypot(plus_x, plus_y), d = hypot(minus_x, minus_y);
    /* How plus_x, plus_y, minus_x, minus_y change with A, B, F, G. */
    static const double px[4] = {1, 0, 0, 1}, py[4] = {0, 1, -1, 0};
    static const double mx[4] = {1, 0, 0, -1}, my[4] = {0, -1, -1, 0};
    sky_elements_slopes slopes;
    for (int k = 0; k < 4; k++) {
        double by_s = (plus_x * px[k] + plus_y * py[k]) / s;
        double by_d = (minus_x * mx[k] + minus_y * my[k]) / d;
        double by_sum = (plus_x * py[k] - plus_y * px[k]) / (s * s);
        double by_difference = (minus_x * my[k] - minus_y * mx[k]) / (d * d);
        slopes.by[0][k] = 0.5 * (by_s + by_d);
        slopes.by[1][k] = (s * by_d - d * by_s) / ((s + d) * sqrt(s * d));
        slopes.by[2][k] = 0.5 * (by_sum + by_difference);
        slopes.by[3][k] = 0.5 * (by_sum - by_difference);
    }
    return slopes;
}

/* E - e sin E = M: Newton's steps with the second derivative, kept inside an interval that holds
 * the root. */
static inline double sky_orbit_anomaly(double M, double e)
{
    double turned = M - SKY_ORBIT_TWO_PI * floor(M / SKY_ORBIT_TWO_PI + 0.5);
    double m = fabs(turned), low = m, high = fmin(m + e, SKY_ORBIT_PI);
    double E = fmin(high, m + e * sin(m) / (1.0 - sin(m + e) + sin(m)));
    for (int step = 0; step < 40; step++) {
        double miss = E - e * sin(E) - m, slope = 1.0 - e * cos(E), bend = e * sin(E);
        if (miss > 0.0)
            high = E;
        else
            low = E;
        double change = miss / slope;
        change = miss / (slope - 0.5 * change * bend);
        double next = E - change;
        if (!(next >= low && next <= high))
            next = 0.5 * (low + high);
        double moved = fabs(next - E);
        E = next;
        if (moved <= 1e-8) /* the next step would be the cube of this one */
            break;
    }
    return turned < 0.0 ? -E : E;
}

/* A place in the plane of the orbit, and how it and its velocity move with M and with e. */
typedef struct sky_place {
    double X, Y;
    double X_M, Y_M, X_e, Y_e;
    double X_MM, Y_MM, X_Me, Y_Me;
} sky_place;

static inline sky_place sky_place_at(double M, double e)
{
    double E = sky_orbit_anomaly(M, e), sine = sin(E), cosine = cos(E);
    double root = sqrt((1.0 - e) * (1.0 + e)), inverse = 1.0 / (1.0 - e * cosine);
    double E_e = sine * inverse, square = inverse * inverse;
    return (sky_place){
        .X = cosine - e,
        .Y = root * sine,
        .X_M = -sine * inverse,
        .Y_M = root * cosine * inverse,
        .X_e = -sine * E_e - 1.0,
        .Y_e = root * cosine * E_e - e / root * sine,
        .X_MM = -(cosine - e) * square * inverse,
        .Y_MM = -root * sine * square * inverse,
        .X_Me = -(cosine - e) * square * E_e - sine * cosine * square,
        .Y_Me = -e / root * cosine * inverse - root * sine * square * E_e +
                root * cosine * cosine * square,
    };
}

#endif
