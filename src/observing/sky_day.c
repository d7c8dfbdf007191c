#include "observing/sky_day.h"

#include <math.h>
#include <stdlib.h>

#include "core/numbers/whole_number.h"
#include "core/status_fail.h"

double sky_airmass(double altitude_deg)
{
    static const double to_radians = 0.017453292519943295;
    if (altitude_deg < 0.0)
        return INFINITY;
    double lifted = altitude_deg + 244.0 / (165.0 + 47.0 * pow(altitude_deg, 1.1));
    return 1.0 / sin(lifted * to_radians);
}

#if EQUANT_HAVE_ERFA
#include <erfa.h>
#include <erfam.h>

/* Sun, moon and the Earth are computed every six hours of a day and a half; cubics between them are
 * good to a metre of the Earth's place and a milliarcsecond of the moon's. */
enum { N_NODES = 7, STENCIL = 4 };
static const double node_days = 0.25;

/* ERFA's leap seconds and UTC as it is now begin in 1972; its series of the moon and of the Earth
 * are for 1900 to 2100. */
static const double first_jd = 2441317.5, last_jd = 2488069.5;

typedef struct sky_node {
    double earth[3], earth_velocity[3]; /* barycentric: au, au a day         */
    double sun[3], moon[3];             /* as seen from the Earth's middle: au */
    double tdb_minus_tt_s;
} sky_node;

struct sky_day {
    double middle_jd, tt_minus_utc_days;
    double longitude, latitude, height_m; /* radians */
    eraASTROM frame;                      /* of its middle */
    double star[3], star_motion[3];       /* a unit vector then, and what it changes in a day */
    sky_node nodes[N_NODES];
};

static void place_star(sky_day *day, const equant_star_position *star)
{
    double ra = star->ra_deg * ERFA_DD2R, dec = star->dec_deg * ERFA_DD2R;
    double motion_ra = star->pm_ra_mas_per_yr * ERFA_DMAS2R / ERFA_DJY;
    double motion_dec = star->pm_dec_mas_per_yr * ERFA_DMAS2R / ERFA_DJY;
    double days = day->middle_jd - (ERFA_DJ00 + (star->epoch_year - 2000.0) * ERFA_DJY);
    double east[3] = {-sin(ra), cos(ra), 0.0};
    double north[3] = {-sin(dec) * cos(ra), -sin(dec) * sin(ra), cos(dec)};
    double size, at[3];
    eraS2c(ra, dec, at);
    for (int i = 0; i < 3; i++) {
        day->star_motion[i] = motion_ra * east[i] + motion_dec * north[i];
        at[i] += days * day->star_motion[i];
    }
    eraPn(at, &size, day->star);
}

static void fill_node(sky_node *node, double tt_whole, double tt_part)
{
    double heliocentric[2][3], barycentric[2][3], moon[2][3];
    eraEpv00(tt_whole, tt_part, heliocentric, barycentric);
    eraMoon98(tt_whole, tt_part, moon);
    for (int i = 0; i < 3; i++) {
        node->earth[i] = barycentric[0][i];
        node->earth_velocity[i] = barycentric[1][i];
        node->sun[i] = -heliocentric[0][i];
        node->moon[i] = moon[0][i];
    }
    node->tdb_minus_tt_s = eraDtdb(tt_whole, tt_part, 0.0, 0.0, 0.0, 0.0);
}

static equant_status fill_day(sky_day *day, double longitude_deg)
{
    double whole = floor(day->middle_jd), part = day->middle_jd - whole;
    double origins, tai_minus_utc_s;
    int year, month, date;
    double fraction;
    int is_known = eraJd2cal(whole, part, &year, &month, &date, &fraction) == 0 &&
                   eraDat(year, month, date, 0.0, &tai_minus_utc_s) >= 0;
    day->longitude = longitude_deg * ERFA_DD2R;
    if (!is_known || eraApco13(whole, part, 0.0, day->longitude, day->latitude, day->height_m, 0.0,
                               0.0, 0.0, 0.0, 0.0, 0.5, &day->frame, &origins) < 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "ERFA knows no UTC at JD %.5f",
                           day->middle_jd);
    day->tt_minus_utc_days = (tai_minus_utc_s + ERFA_TTMTAI) / ERFA_DAYSEC;
    for (int i = 0; i < N_NODES; i++) {
        double days = (i - N_NODES / 2) * node_days + day->tt_minus_utc_days;
        fill_node(&day->nodes[i], whole, part + days);
    }
    return EQUANT_SUCCESS;
}

equant_status sky_day_create(const equant_site *site, const equant_star_position *star,
                             double middle_jd_utc, sky_day **day)
{
    if (!(middle_jd_utc >= first_jd && middle_jd_utc <= last_jd))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "JD %.1f is not between 1972 and 2100, for which sun and moon are known",
                           middle_jd_utc);
    sky_day *made = calloc(1, sizeof *made);
    if (made == NULL)
        return status_out_of_memory();
    made->middle_jd = middle_jd_utc;
    made->latitude = site->latitude_deg * ERFA_DD2R;
    made->height_m = site->height_m;
    place_star(made, star);
    equant_status status = fill_day(made, site->longitude_deg);
    if (status != EQUANT_SUCCESS) {
        free(made);
        return status;
    }
    *day = made;
    return EQUANT_SUCCESS;
}

/* Lagrange's weights of four nodes around a time. */
static int find_weights(double days, double weights[STENCIL])
{
    double at = days / node_days + N_NODES / 2;
    int first = whole_number_within(floor(at) - 1.0, 0, N_NODES - STENCIL);
    double x = at - first;
    weights[0] = -(x - 1.0) * (x - 2.0) * (x - 3.0) / 6.0;
    weights[1] = x * (x - 2.0) * (x - 3.0) / 2.0;
    weights[2] = -x * (x - 1.0) * (x - 3.0) / 2.0;
    weights[3] = x * (x - 1.0) * (x - 2.0) / 6.0;
    return first;
}

static sky_node node_at(const sky_day *day, double days)
{
    double weights[STENCIL];
    int first = find_weights(days, weights);
    sky_node sum = {0};
    for (int k = 0; k < STENCIL; k++) {
        const sky_node *node = &day->nodes[first + k];
        for (int i = 0; i < 3; i++) {
            sum.earth[i] += weights[k] * node->earth[i];
            sum.earth_velocity[i] += weights[k] * node->earth_velocity[i];
            sum.sun[i] += weights[k] * node->sun[i];
            sum.moon[i] += weights[k] * node->moon[i];
        }
        sum.tdb_minus_tt_s += weights[k] * node->tdb_minus_tt_s;
    }
    return sum;
}

/* The observer at an instant: where, how fast, and how the Earth is turned. */
typedef struct observer {
    double from_earth[3];               /* au, axes of the ICRS, as all of these */
    double barycentric[3], velocity[3]; /* au; in units of the speed of light    */
    double turned;                      /* the local angle of the Earth's rotation */
} observer;

static observer observer_at(const sky_day *day, const sky_node *node, double jd_utc)
{
    observer here;
    double turned[2][3], moved[3];
    double whole = floor(jd_utc), rotation = eraEra00(whole, jd_utc - whole);
    double bpn[3][3];
    eraCr((double(*)[3])day->frame.bpn, bpn);
    eraPvtob(day->longitude, day->latitude, day->height_m, 0.0, 0.0, 0.0, rotation, turned);
    eraTrxp(bpn, turned[0], here.from_earth);
    eraTrxp(bpn, turned[1], moved);
    for (int i = 0; i < 3; i++) {
        here.from_earth[i] /= ERFA_DAU;
        here.barycentric[i] = node->earth[i] + here.from_earth[i];
        here.velocity[i] = node->earth_velocity[i] * ERFA_AULT / ERFA_DAYSEC + moved[i] / ERFA_CMPS;
    }
    here.turned = rotation + day->longitude;
    return here;
}

/* Where light from a direction comes from for one who moves. */
static void aberrate(const observer *here, const double sun[3], double direction[3])
{
    double from[3] = {direction[0], direction[1], direction[2]};
    double speed2 = here->velocity[0] * here->velocity[0] + here->velocity[1] * here->velocity[1] +
                    here->velocity[2] * here->velocity[2];
    double velocity[3] = {here->velocity[0], here->velocity[1], here->velocity[2]};
    double distance = sqrt(sun[0] * sun[0] + sun[1] * sun[1] + sun[2] * sun[2]);
    eraAb(from, velocity, distance, sqrt(1.0 - speed2), direction);
}

/* Azimuth from north by east, altitude, and hour angle, in radians. */
static void find_horizontal(const sky_day *day, const observer *here, const double direction[3],
                            double *azimuth, double *altitude, double *hour_angle)
{
    double bpn[3][3], ra, dec, from[3] = {direction[0], direction[1], direction[2]}, of_date[3];
    eraCr((double(*)[3])day->frame.bpn, bpn);
    eraRxp(bpn, from, of_date);
    eraC2s(of_date, &ra, &dec);
    *hour_angle = eraAnpm(here->turned - ra);
    eraHd2ae(*hour_angle, dec, day->latitude, azimuth, altitude);
}

/* The direction and the distance from the observer of what has this place from the Earth. */
static double look_at(const observer *here, const double from_earth[3], double direction[3])
{
    double distance, seen[3];
    for (int i = 0; i < 3; i++)
        seen[i] = from_earth[i] - here->from_earth[i];
    eraPn(seen, &distance, direction);
    return distance;
}

/* The part of the moon's disc that is lit, from the angle between sun and observer there. */
static double illumination_of(const double moon[3], double moon_au, const double sun[3],
                              double sun_au)
{
    double to_sun[3], direction[3], size;
    for (int i = 0; i < 3; i++)
        to_sun[i] = sun[i] * sun_au - moon[i] * moon_au;
    eraPn(to_sun, &size, direction);
    double cosine = -(direction[0] * moon[0] + direction[1] * moon[1] + direction[2] * moon[2]);
    return 0.5 * (1.0 + cosine);
}

void sky_day_at(const sky_day *day, double jd_utc, equant_sky_conditions *conditions)
{
    double days = jd_utc - day->middle_jd, azimuth, altitude, hour_angle, size;
    double star[3], seen_star[3], sun[3], moon[3], moved[3];
    sky_node node = node_at(day, days);
    observer here = observer_at(day, &node, jd_utc);
    for (int i = 0; i < 3; i++)
        moved[i] = day->star[i] + days * day->star_motion[i];
    eraPn(moved, &size, star);

    conditions->jd_utc = jd_utc;
    conditions->bjd_tdb =
        jd_utc + (day->tt_minus_utc_days +
                  (node.tdb_minus_tt_s + ERFA_AULT * eraPdp(here.barycentric, star)) / ERFA_DAYSEC);
    conditions->barycentric_velocity_m_s = ERFA_CMPS * eraPdp(here.velocity, star);

    for (int i = 0; i < 3; i++)
        seen_star[i] = star[i];
    aberrate(&here, node.sun, seen_star);
    find_horizontal(day, &here, seen_star, &azimuth, &altitude, &hour_angle);
    conditions->altitude_deg = altitude * ERFA_DR2D;
    conditions->azimuth_deg = azimuth * ERFA_DR2D;
    conditions->hour_angle_hours = hour_angle * ERFA_DR2D / 15.0;
    conditions->airmass = sky_airmass(conditions->altitude_deg);

    /* The moon shares the Earth's way around the sun, so that the aberration of that is none. */
    double moon_au = look_at(&here, node.moon, moon);
    double sun_au = look_at(&here, node.sun, sun);
    conditions->moon_illumination = illumination_of(moon, moon_au, sun, sun_au);
    conditions->moon_separation_deg = eraSepp(moon, seen_star) * ERFA_DR2D;
    find_horizontal(day, &here, moon, &azimuth, &altitude, &hour_angle);
    conditions->moon_altitude_deg = altitude * ERFA_DR2D;
    aberrate(&here, node.sun, sun);
    find_horizontal(day, &here, sun, &azimuth, &altitude, &hour_angle);
    conditions->sun_altitude_deg = altitude * ERFA_DR2D;
}

#else

equant_status sky_day_create(const equant_site *site, const equant_star_position *star,
                             double middle_jd_utc, sky_day **day)
{
    (void)site, (void)star, (void)middle_jd_utc, (void)day;
    return status_fail(EQUANT_ERROR_UNAVAILABLE,
                       "where stars, sun and moon are is computed by ERFA, without which this "
                       "library was built; install liberfa-dev and build it again");
}

void sky_day_at(const sky_day *day, double jd_utc, equant_sky_conditions *conditions)
{
    (void)day, (void)jd_utc, (void)conditions;
}

#endif

void sky_day_free(sky_day *day)
{
    free(day);
}
