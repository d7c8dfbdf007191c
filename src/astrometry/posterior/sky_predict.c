/* equant_sky_posterior_predict: where draws put a star at other times. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "physics/sky_orbit.h"

#define YEAR_DAYS 365.25

/* Columns of a companion, and of the source. */
enum { PERIOD, ECCENTRICITY, M0, A_CONSTANT, B_CONSTANT, F_CONSTANT, G_CONSTANT, N_OF_ORBIT };
enum { RA, DEC, PARALLAX, PM_RA, PM_DEC, N_OF_SOURCE };
static const char *const orbit_names[N_OF_ORBIT] = {
    "period_days", "eccentricity", "m0_rad", "A_mas", "B_mas", "F_mas", "G_mas"};
static const char *const source_names[N_OF_SOURCE] = {"ra_mas", "dec_mas", "parallax_mas",
                                                      "pm_ra_mas_yr", "pm_dec_mas_yr"};

/* All draws of what a prediction needs. */
typedef struct sky_draws {
    size_t n, n_orbits;
    double reference_jd;
    double *values;              /* behind all columns */
    double *orbits, *source;     /* [n_orbits][N_OF_ORBIT][n], [N_OF_SOURCE][n] */
    double *ra, *dec, *abscissa; /* [n] each, of the time in hand */
} sky_draws;

static bool find_column(const equant_sky_posterior *posterior, const char *name, size_t *index)
{
    for (*index = 0; *index < equant_sky_posterior_n_quantities(posterior); (*index)++) {
        equant_sampled_quantity own = {.struct_size = sizeof own};
        if (equant_sky_posterior_quantity(posterior, *index, &own) == EQUANT_SUCCESS &&
            strcmp(own.name, name) == 0)
            return true;
    }
    return false;
}

/* A column of that name, or zeros. */
static equant_status load(const equant_sky_posterior *posterior, const char *name, double *values)
{
    size_t index;
    return find_column(posterior, name, &index)
               ? equant_sky_posterior_values(posterior, index, values)
               : EQUANT_SUCCESS;
}

static size_t count_orbits(const equant_sky_posterior *posterior)
{
    size_t n = 0, index;
    char name[32];
    do
        snprintf(name, sizeof name, "period_days_%zu", ++n);
    while (find_column(posterior, name, &index));
    return n - 1;
}

static equant_status load_all(const equant_sky_posterior *posterior, sky_draws *made)
{
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    equant_status status = equant_sky_posterior_summarize(posterior, &facts);
    if (status != EQUANT_SUCCESS)
        return status;
    made->n = (size_t)(facts.n_populations * facts.n_kept * facts.n_walkers);
    made->n_orbits = count_orbits(posterior);
    made->reference_jd = facts.reference_time_days;
    size_t n_columns = made->n_orbits * N_OF_ORBIT + N_OF_SOURCE + 3;
    made->values = calloc(n_columns * made->n + 1, sizeof *made->values);
    if (!made->values)
        return status_out_of_memory();
    made->orbits = made->values;
    made->source = made->orbits + made->n_orbits * N_OF_ORBIT * made->n;
    made->ra = made->source + N_OF_SOURCE * made->n;
    made->dec = made->ra + made->n;
    made->abscissa = made->dec + made->n;
    for (size_t p = 0; p < made->n_orbits; p++)
        for (size_t k = 0; k < N_OF_ORBIT && status == EQUANT_SUCCESS; k++) {
            char name[32];
            snprintf(name, sizeof name, "%s_%zu", orbit_names[k], p + 1);
            status = load(posterior, name, made->orbits + (p * N_OF_ORBIT + k) * made->n);
        }
    for (size_t k = 0; k < N_OF_SOURCE && status == EQUANT_SUCCESS; k++)
        status = load(posterior, source_names[k], made->source + k * made->n);
    return status;
}

/* Where one draw has the light. */
static void place_draw(const sky_draws *draws_of, size_t i, double days, double *ra, double *dec)
{
    size_t n = draws_of->n;
    *ra = *dec = 0.0;
    for (size_t p = 0; p < draws_of->n_orbits; p++) {
        const double *own = draws_of->orbits + p * N_OF_ORBIT * n + i;
        double turned = SKY_ORBIT_TWO_PI * days / own[PERIOD * n] + own[M0 * n];
        sky_place at = sky_place_at(sky_orbit_full_turn(turned), own[ECCENTRICITY * n]);
        *ra += own[B_CONSTANT * n] * at.X + own[G_CONSTANT * n] * at.Y;
        *dec += own[A_CONSTANT * n] * at.X + own[F_CONSTANT * n] * at.Y;
    }
}

static void place_all(sky_draws *of, double jd, double angle, double factor)
{
    double days = jd - of->reference_jd, years = days / YEAR_DAYS;
    for (size_t i = 0; i < of->n; i++) {
        const double *source = of->source + i;
        place_draw(of, i, days, &of->ra[i], &of->dec[i]);
        double east = source[RA * of->n] + years * source[PM_RA * of->n] + of->ra[i],
               north = source[DEC * of->n] + years * source[PM_DEC * of->n] + of->dec[i];
        of->abscissa[i] =
            east * sin(angle) + north * cos(angle) + factor * source[PARALLAX * of->n];
    }
}

static int by_number(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* Sorts them. */
static void find_interval(size_t n, double *values, double *median, double *low, double *high)
{
    const double shares[3] = {0.158655253931457, 0.5, 0.841344746068543};
    double *const results[3] = {low, median, high};
    qsort(values, n, sizeof *values, by_number);
    for (int k = 0; k < 3; k++) {
        double place = shares[k] * (double)(n - 1);
        size_t i = (size_t)place < n - 1 ? (size_t)place : n - 1, next = i + 1 < n ? i + 1 : i;
        *results[k] = values[i] + (place - (double)i) * (values[next] - values[i]);
    }
}

static void find_spread(const sky_draws *of, equant_sky_predicted *made)
{
    double n = (double)of->n, ra = 0.0, dec = 0.0, rr = 0.0, dd = 0.0, rd = 0.0;
    for (size_t i = 0; i < of->n; i++) {
        ra += of->ra[i] / n;
        dec += of->dec[i] / n;
    }
    for (size_t i = 0; i < of->n; i++) {
        rr += (of->ra[i] - ra) * (of->ra[i] - ra) / n;
        dd += (of->dec[i] - dec) * (of->dec[i] - dec) / n;
        rd += (of->ra[i] - ra) * (of->dec[i] - dec) / n;
    }
    made->ra_sd_mas = sqrt(rr);
    made->dec_sd_mas = sqrt(dd);
    made->correlation = rr > 0.0 && dd > 0.0 ? rd / sqrt(rr * dd) : 0.0;
}

equant_status equant_sky_posterior_predict(const equant_sky_posterior *posterior, size_t n,
                                           const double *jd, const double *scan_angle_rad,
                                           const double *parallax_factor,
                                           equant_sky_predicted *predicted)
{
    sky_draws of = {.n = 0};
    bool has_scans = scan_angle_rad && parallax_factor;
    if (!posterior || n == 0 || !jd || !predicted)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a prediction takes a posterior and times");
    equant_status status = load_all(posterior, &of);
    for (size_t t = 0; t < n && status == EQUANT_SUCCESS; t++) {
        equant_sky_predicted known = {
            .jd = jd[t], .abscissa_mas = NAN, .abscissa_low_mas = NAN, .abscissa_high_mas = NAN};
        status = OPTIONS_CHECK(&predicted[t]);
        if (status == EQUANT_SUCCESS && !isfinite(jd[t]))
            status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "time %zu is no number", t + 1);
        if (status != EQUANT_SUCCESS)
            break;
        place_all(&of, jd[t], has_scans ? scan_angle_rad[t] : 0.0,
                  has_scans ? parallax_factor[t] : 0.0);
        find_spread(&of, &known);
        find_interval(of.n, of.ra, &known.ra_mas, &known.ra_low_mas, &known.ra_high_mas);
        find_interval(of.n, of.dec, &known.dec_mas, &known.dec_low_mas, &known.dec_high_mas);
        if (has_scans)
            find_interval(of.n, of.abscissa, &known.abscissa_mas, &known.abscissa_low_mas,
                          &known.abscissa_high_mas);
        OPTIONS_FILL(known, &predicted[t]);
    }
    free(of.values);
    return status;
}
