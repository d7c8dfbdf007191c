/* equant_sky_posterior_predict: where draws put a star at other times. */
#include <stdbool.h>
#include <stdlib.h>

#include "astrometry/posterior/sky_view.h"
#include "core/status_fail.h"
#include "inference/predict/prediction_time.h"

/* All draws at the time in hand. */
typedef struct sky_places {
    size_t n;
    double *ra, *dec, *abscissa; /* [n] each */
} sky_places;

static void place_all(const sky_view *view, double jd, double angle, double factor, sky_places *of)
{
    double days = jd - view->reference_jd, factors[SKY_MODEL_MAX_COLUMNS];
    sky_view_scan(view, days, angle, factor, factors);
    for (size_t i = 0; i < of->n; i++) {
        sky_view_place light = sky_view_light(view, i, days);
        of->ra[i] = light.ra;
        of->dec[i] = light.dec;
        of->abscissa[i] = sky_view_abscissa(view, i, days, angle, factors);
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

static void find_spread(const sky_places *of, equant_sky_predicted *made)
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
    bool has_scans = scan_angle_rad && parallax_factor;
    if (!posterior || n == 0 || !jd || !predicted)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a prediction takes a posterior and times");
    const sky_view view = sky_view_of(posterior);
    sky_places of = {.n = posterior->n_draws,
                     .ra = malloc(3 * posterior->n_draws * sizeof(double))};
    equant_status status = of.ra ? EQUANT_SUCCESS : status_out_of_memory();
    of.dec = of.ra ? of.ra + of.n : NULL;
    of.abscissa = of.ra ? of.dec + of.n : NULL;
    for (size_t t = 0; t < n && status == EQUANT_SUCCESS; t++) {
        equant_sky_predicted known = {
            .jd = jd[t], .abscissa_mas = NAN, .abscissa_low_mas = NAN, .abscissa_high_mas = NAN};
        status = OPTIONS_CHECK(&predicted[t]);
        if (status == EQUANT_SUCCESS)
            status = prediction_time_check("time", t + 1, jd[t]);
        if (status != EQUANT_SUCCESS)
            break;
        place_all(&view, jd[t], has_scans ? scan_angle_rad[t] : 0.0,
                  has_scans ? parallax_factor[t] : 0.0, &of);
        find_spread(&of, &known);
        find_interval(of.n, of.ra, &known.ra_mas, &known.ra_low_mas, &known.ra_high_mas);
        find_interval(of.n, of.dec, &known.dec_mas, &known.dec_low_mas, &known.dec_high_mas);
        if (has_scans)
            find_interval(of.n, of.abscissa, &known.abscissa_mas, &known.abscissa_low_mas,
                          &known.abscissa_high_mas);
        OPTIONS_FILL(known, &predicted[t]);
    }
    free(of.ra);
    return status;
}
