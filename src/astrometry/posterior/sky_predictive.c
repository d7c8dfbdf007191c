/* equant_sky_predict: the distribution of what will be seen, by draws of orbits on the sky. */
#include <stdatomic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/posterior/sky_view.h"
#include "core/placement.h"
#include "core/progress_report.h"
#include "core/status_fail.h"
#include "inference/predict/predictive_summary.h"
#include "inference/predict/next_instrument.h"
#include "inference/predict/prediction_time.h"
#include "parallel/parallel_for.h"

#define OPTION(member) OPTION_OR_ZERO(options, equant_sky_predict_options, member)

/* Times between two reports of progress. */
enum { BLOCK = 128 };

struct equant_sky_prediction {
    size_t n, number, n_draws;
    double uncertainty;
    equant_sky_predicted_value *values;
};

/* What one call works with. */
typedef struct predictive_work {
    const equant_sky_predict_options *options;
    const sky_view *view;
    equant_sky_observable what;
    const double *jd;
    size_t *draws; /* [n_draws]: which of the posterior                              */
    const double *offset, *jitter; /* columns; NULL: none                                */
    bool is_observed;
} predictive_work;

/* Room of one thread. */
typedef struct thread_room {
    double *means, *variances; /* [n_draws] */
    mixture_grid grid;
} thread_room;

/* ---- what is asked for ----------------------------------------------------------------------- */

static const double *column_of_instrument(const equant_sky_posterior *posterior, const char *base,
                                          size_t number)
{
    char name[SKY_QUANTITIES_NAME_SIZE];
    snprintf(name, sizeof name, "%s_%zu", base, number);
    return sky_posterior_column(posterior, name);
}

static bool is_of_companion(equant_sky_observable what)
{
    return what == EQUANT_SKY_OBSERVABLE_COMPANION_RA ||
           what == EQUANT_SKY_OBSERVABLE_COMPANION_DEC;
}

static bool is_of_light(equant_sky_observable what)
{
    return what == EQUANT_SKY_OBSERVABLE_LIGHT_RA || what == EQUANT_SKY_OBSERVABLE_LIGHT_DEC;
}

static bool knows(const sky_view *view, equant_sky_observable what, size_t number)
{
    const equant_dataset *velocities = view->posterior->velocities;
    if (what == EQUANT_SKY_OBSERVABLE_VELOCITY)
        return velocities != NULL && number <= equant_dataset_n_instruments(velocities) &&
               view->n_orbits > 0 && view->orbits[0].k != NULL;
    if (is_of_companion(what))
        return sky_view_knows_companion(view, number > 0 ? number - 1 : 0);
    return view->has_star;
}

int equant_sky_posterior_knows(const equant_sky_posterior *posterior, equant_sky_observable what,
                               size_t number)
{
    if (!posterior)
        return 0;
    const sky_view view = sky_view_of(posterior);
    return knows(&view, what, number);
}

double equant_sky_posterior_end_jd(const equant_sky_posterior *posterior)
{
    if (!posterior)
        return NAN;
    const equant_dataset *velocities = posterior->velocities;
    equant_sky_rows rows = {.struct_size = sizeof rows};
    double end = -INFINITY;
    if (equant_astrometry_rows(posterior->source, &rows) == EQUANT_SUCCESS)
        end = posterior->facts.reference_time_days + rows.time_days[rows.n_rows - 1];
    if (velocities != NULL)
        end = fmax(end, sky_data_velocity_jd(
                            velocities, equant_dataset_times_days(
                                            velocities)[equant_dataset_n_obs(velocities) - 1]));
    return end;
}

static int by_number(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* The usual uncertainty of rows of a kind; 0 where there is none of them. */
static equant_status median_uncertainty(const equant_sky_posterior *posterior, equant_sky_kind kind,
                                        double *median)
{
    equant_sky_rows rows = {.struct_size = sizeof rows};
    size_t n = 0;
    equant_status status = equant_astrometry_rows(posterior->source, &rows);
    double *own = status == EQUANT_SUCCESS ? malloc(rows.n_rows * sizeof *own) : NULL;
    if (own == NULL)
        return status != EQUANT_SUCCESS ? status : status_out_of_memory();
    for (size_t k = 0; k < rows.n_rows; k++)
        if (rows.kind[k] == kind && rows.frame[k] == 0)
            own[n++] = rows.uncertainty_mas[k];
    qsort(own, n, sizeof *own, by_number);
    *median = n > 0 ? 0.5 * (own[(n - 1) / 2] + own[n / 2]) : 0.0;
    free(own);
    return EQUANT_SUCCESS;
}

/* Whose observations, and how good they are. */
static equant_status choose_noise(predictive_work *work, equant_sky_prediction *made)
{
    const equant_sky_predict_options *options = work->options;
    const equant_sky_posterior *posterior = work->view->posterior;
    equant_status status = EQUANT_SUCCESS;
    made->number = OPTION(number);
    made->uncertainty = OPTION(uncertainty);
    if (made->uncertainty != 0.0 && !(made->uncertainty >= 1e-6 && made->uncertainty <= 1e12))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "an uncertainty of %g is that of no observation: it lies between 1e-6 "
                           "and 1e12",
                           made->uncertainty);
    if (work->what == EQUANT_SKY_OBSERVABLE_VELOCITY) {
        status = next_instrument_choose(posterior->velocities, &made->number, &made->uncertainty);
        made->number++;
        work->offset = column_of_instrument(posterior, "offset_m_s", made->number);
        work->jitter = column_of_instrument(posterior, "jitter_m_s", made->number);
    } else if (is_of_companion(work->what)) {
        made->number = made->number > 0 ? made->number : 1;
        if (made->uncertainty == 0.0)
            status = median_uncertainty(posterior, EQUANT_SKY_COMPANION, &made->uncertainty);
    } else if (work->what == EQUANT_SKY_OBSERVABLE_ABSCISSA) {
        made->number = 0;
        work->jitter = sky_posterior_column(posterior, "jitter_mas");
        if (made->uncertainty == 0.0)
            status = median_uncertainty(posterior, EQUANT_SKY_STAR, &made->uncertainty);
    } else {
        made->number = 0;
    }
    if (OPTION(without_noise) || is_of_light(work->what))
        made->uncertainty = 0.0;
    work->is_observed = made->uncertainty > 0.0;
    return status;
}

static equant_status check(const sky_view *view, size_t n, const double *jd,
                           const equant_sky_predict_options *options)
{
    equant_sky_observable what = OPTION(what);
    for (size_t t = 0; t < n; t++) {
        equant_status status = prediction_time_check("time", t + 1, jd[t]);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    if ((int)what < EQUANT_SKY_OBSERVABLE_ABSCISSA || what > EQUANT_SKY_OBSERVABLE_VELOCITY)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "there is nothing with number %d to be predicted", (int)what);
    if (what == EQUANT_SKY_OBSERVABLE_ABSCISSA &&
        (OPTION(scan_angle_rad) == NULL || OPTION(parallax_factor) == NULL))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "abscissae are predicted along scans: their angles and parallax factors "
                           "are needed");
    for (size_t t = 0; t < n && what == EQUANT_SKY_OBSERVABLE_ABSCISSA; t++)
        if (!isfinite(OPTION(scan_angle_rad)[t]) || !isfinite(OPTION(parallax_factor)[t]))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "angle or parallax factor of scan %zu is no number", t + 1);
    if (knows(view, what, OPTION(number)))
        return EQUANT_SUCCESS;
    if (what == EQUANT_SKY_OBSERVABLE_VELOCITY)
        return view->posterior->velocities == NULL
                   ? status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                                 "this run has no velocities, and so none are predicted")
                   : status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                                 "the run has %zu instruments of velocities, and none has number "
                                 "%zu",
                                 equant_dataset_n_instruments(view->posterior->velocities),
                                 OPTION(number));
    if (is_of_companion(what))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "nothing tells how far companion %zu is from its star: give the mass of "
                           "the star, or positions of the companion, when sampling",
                           OPTION(number) > 0 ? OPTION(number) : 1);
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "this run is of positions of a companion alone: nothing is known of the "
                       "star");
}

/* ---- the distribution ------------------------------------------------------------------------ */

static double value_of(const predictive_work *work, const equant_sky_prediction *made, size_t draw,
                       size_t t, double days, const double *factors)
{
    const equant_sky_predict_options *options = work->options;
    sky_view_place light;
    switch (work->what) {
    case EQUANT_SKY_OBSERVABLE_ABSCISSA:
        return sky_view_abscissa(work->view, draw, days, OPTION(scan_angle_rad)[t], factors);
    case EQUANT_SKY_OBSERVABLE_VELOCITY:
        return sky_view_velocity(work->view, draw, days) +
               (work->offset != NULL ? work->offset[draw] : 0.0);
    case EQUANT_SKY_OBSERVABLE_COMPANION_RA:
    case EQUANT_SKY_OBSERVABLE_COMPANION_DEC:
        light = sky_view_light_of(work->view, made->number - 1, draw, days);
        return -sky_view_ratio(work->view, made->number - 1, draw) *
               (work->what == EQUANT_SKY_OBSERVABLE_COMPANION_RA ? light.ra : light.dec);
    default:
        light = sky_view_light(work->view, draw, days);
        return work->what == EQUANT_SKY_OBSERVABLE_LIGHT_RA ? light.ra : light.dec;
    }
}

/* Means and variances of the draws that have a value; returns how many they are. */
static size_t fill_draws(const predictive_work *work, const equant_sky_prediction *made, size_t t,
                         thread_room *room)
{
    const equant_sky_predict_options *options = work->options;
    double reference = work->view->reference_jd, factors[SKY_MODEL_MAX_COLUMNS] = {0.0};
    double days = work->what == EQUANT_SKY_OBSERVABLE_VELOCITY
                      ? sky_data_velocity_days(work->jd[t], reference)
                      : work->jd[t] - reference;
    size_t n = 0;
    if (work->what == EQUANT_SKY_OBSERVABLE_ABSCISSA)
        sky_view_scan(work->view, days, OPTION(scan_angle_rad)[t], OPTION(parallax_factor)[t],
                      factors);
    for (size_t i = 0; i < made->n_draws; i++) {
        size_t draw = work->draws[i];
        double value = value_of(work, made, draw, t, days, factors),
               jitter = work->jitter != NULL ? work->jitter[draw] : 0.0;
        if (!isfinite(value))
            continue;
        room->means[n] = value;
        room->variances[n++] = made->uncertainty * made->uncertainty + jitter * jitter;
    }
    double smoothing =
        work->is_observed || n == 0 ? 0.0 : predictive_summary_smoothing(n, room->means);
    for (size_t i = 0; i < n && !work->is_observed; i++)
        room->variances[i] = smoothing;
    return n;
}

static equant_status describe(const predictive_work *work, size_t t, thread_room *room,
                              equant_sky_prediction *made)
{
    equant_sky_predicted_value *out = made->values + t;
    mixture_facts facts;
    const mixture of = {
        .n = fill_draws(work, made, t, room), .means = room->means, .variances = room->variances};
    if (of.n == 0)
        return EQUANT_ERROR_INVALID_ARGUMENT;
    equant_status status = mixture_describe(&of, &room->grid, &facts);
    if (status != EQUANT_SUCCESS)
        return status;
    predictive_summary own = predictive_summary_of(&facts, &room->grid);
    *out = (equant_sky_predicted_value){.jd = work->jd[t],
                                        .mean = own.mean,
                                        .sd = own.deviation,
                                        .low_95 = own.low_95,
                                        .low_68 = own.low_68,
                                        .median = own.median,
                                        .high_68 = own.high_68,
                                        .high_95 = own.high_95,
                                        .entropy = own.entropy,
                                        .information = work->is_observed ? own.information : NAN,
                                        .n_modes = own.n_modes};
    for (size_t k = 0; k < own.n_modes; k++) {
        out->mode[k] = own.modes[k].value;
        out->mode_share[k] = own.modes[k].weight;
    }
    return EQUANT_SUCCESS;
}

_Static_assert((int)EQUANT_SKY_MOST_MODES == (int)PREDICTIVE_MOST_MODES, "all modes have a place");

static equant_status report_progress(const predictive_work *work, double done)
{
    const equant_sky_predict_options *options = work->options;
    return progress_report_tell(OPTION(progress), OPTION(progress_context), "predicting", done);
}

typedef struct description {
    const predictive_work *work;
    size_t first; /* of these times */
    thread_room *rooms;
    equant_sky_prediction *made;
    atomic_int failed;
} description;

static void describe_some(void *context, size_t first, size_t end, int thread)
{
    description *of = context;
    for (size_t t = first; t < end; t++) {
        equant_status one = describe(of->work, of->first + t, of->rooms + thread, of->made);
        if (one != EQUANT_SUCCESS)
            parallel_keep_larger(&of->failed, (int)one);
    }
}

static equant_status describe_all(const predictive_work *work, int n_threads, thread_room *rooms,
                                  equant_sky_prediction *made)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t first = 0; first < made->n && status == EQUANT_SUCCESS; first += BLOCK) {
        size_t end = first + BLOCK < made->n ? first + BLOCK : made->n;
        description of = {.work = work, .first = first, .rooms = rooms, .made = made};
        status = report_progress(work, (double)first / (double)made->n);
        if (status != EQUANT_SUCCESS)
            break;
        parallel_for(n_threads, end - first, 1, describe_some, &of);
        int failed = atomic_load(&of.failed);
        if (failed == EQUANT_ERROR_INVALID_ARGUMENT)
            status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                                 "no draw has a parallax above zero: nothing can be predicted");
        else if (failed != EQUANT_SUCCESS)
            status = status_out_of_memory();
    }
    return status;
}

static equant_status choose_draws(predictive_work *work, equant_sky_prediction *made)
{
    const equant_sky_predict_options *options = work->options;
    size_t n_all = work->view->posterior->n_draws, most = OPTION(max_draws);
    most = most > 0 ? most : PREDICTIVE_USUAL_DRAWS;
    made->n_draws = n_all < most ? n_all : most;
    work->draws = malloc(made->n_draws * sizeof *work->draws);
    if (work->draws == NULL)
        return status_out_of_memory();
    for (size_t i = 0; i < made->n_draws; i++)
        work->draws[i] = (size_t)(((double)i + 0.5) * (double)n_all / (double)made->n_draws);
    return EQUANT_SUCCESS;
}

static equant_status predict_times(predictive_work *work, equant_sky_prediction *made)
{
    const equant_sky_predict_options *options = work->options;
    const equant_engine_options *engine = OPTION(engine);
    int n_threads = placement_threads(OPTION_OR_ZERO(engine, equant_engine_options, n_threads));
    equant_status status = choose_noise(work, made);
    if (status == EQUANT_SUCCESS)
        status = choose_draws(work, made);
    thread_room *rooms = calloc((size_t)n_threads, sizeof *rooms);
    if (status == EQUANT_SUCCESS && rooms == NULL)
        status = status_out_of_memory();
    for (int i = 0; i < n_threads && status == EQUANT_SUCCESS; i++) {
        rooms[i].means = malloc(2 * made->n_draws * sizeof(double));
        rooms[i].variances = rooms[i].means ? rooms[i].means + made->n_draws : NULL;
        status = rooms[i].means ? EQUANT_SUCCESS : status_out_of_memory();
    }
    if (status == EQUANT_SUCCESS)
        status = describe_all(work, n_threads, rooms, made);
    for (int i = 0; i < n_threads && rooms != NULL; i++) {
        free(rooms[i].means);
        mixture_grid_free(&rooms[i].grid);
    }
    free(rooms);
    free(work->draws);
    return status;
}

equant_status equant_sky_predict(const equant_sky_posterior *posterior, size_t n, const double *jd,
                                 const equant_sky_predict_options *options,
                                 equant_sky_prediction **prediction)
{
    if (posterior == NULL || n == 0 || jd == NULL || prediction == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a prediction takes a posterior and times");
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    const sky_view view = sky_view_of(posterior);
    status = check(&view, n, jd, options);
    if (status != EQUANT_SUCCESS)
        return status;
    predictive_work work = {.options = options, .view = &view, .what = OPTION(what), .jd = jd};
    equant_sky_prediction *made = calloc(1, sizeof *made);
    if (made != NULL)
        made->values = calloc(n, sizeof *made->values);
    if (made == NULL || made->values == NULL) {
        equant_sky_prediction_free(made);
        return status_out_of_memory();
    }
    made->n = n;
    status = predict_times(&work, made);
    if (status == EQUANT_SUCCESS)
        *prediction = made;
    else
        equant_sky_prediction_free(made);
    return status;
}

/* ---- what it says ---------------------------------------------------------------------------- */

void equant_sky_prediction_free(equant_sky_prediction *prediction)
{
    if (prediction == NULL)
        return;
    free(prediction->values);
    free(prediction);
}

size_t equant_sky_prediction_n(const equant_sky_prediction *prediction)
{
    return prediction ? prediction->n : 0;
}

equant_status equant_sky_prediction_at(const equant_sky_prediction *prediction, size_t index,
                                       equant_sky_predicted_value *out)
{
    if (!prediction)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no sky prediction");
    equant_status status = STATUS_CHECK_ITEM(out, "times", prediction->n, index);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_sky_predicted_value known = prediction->values[index];
    OPTIONS_FILL(known, out);
    return EQUANT_SUCCESS;
}

size_t equant_sky_prediction_number(const equant_sky_prediction *prediction)
{
    return prediction ? prediction->number : 0;
}

double equant_sky_prediction_uncertainty(const equant_sky_prediction *prediction)
{
    return prediction ? prediction->uncertainty : NAN;
}

size_t equant_sky_prediction_n_draws(const equant_sky_prediction *prediction)
{
    return prediction ? prediction->n_draws : 0;
}
