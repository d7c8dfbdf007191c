#include "inference/optimise/noise_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/likelihood/set_noise.h"
#include "inference/likelihood/small_matrix.h"

/* The largest step of a search. */
#define LARGEST_STEP 1.5
/* A jitter below this share of the typical uncertainty is none; a fit starts from the other. */
#define JITTER_NONE 1e-3
#define JITTER_START 0.3
/* A column of which less than this share is new beside the others explains nothing. */
#define NEGLIGIBLE_SHARE 1e-10

struct noise_fit_memory {
    size_t n; /* 0: nothing is known yet */
    double inverse[MOST_COORDINATES * MOST_COORDINATES];
};

/* ---- coordinates -------------------------------------------------------------------------------
 */

static double typical_uncertainty(const study *star)
{
    const double *sigma = equant_dataset_uncertainties_m_s(star->dataset);
    double sum = 0.0;
    for (size_t k = 0; k < star->n_obs; k++)
        sum += log(sigma[k]);
    return exp(sum / (double)star->n_obs);
}

static void list_jitters(noise_fit *fit)
{
    double sigma = typical_uncertainty(fit->star);
    for (size_t i = 0; i < fit->star->n_instruments && fit->star->with_jitter; i++)
        fit->coordinates[fit->n++] = (coordinate){
            fit->first_jitter + i, SIZE_MAX, log(JITTER_NONE * sigma), INFINITY, false, NULL, 0.0};
}

static coordinate of_parameter(size_t column, size_t divisor, const noise_range *range,
                               bool is_amplitude)
{
    coordinate made = {.column = column,
                       .divisor = divisor,
                       .lowest = log(range->lowest),
                       .highest = log(range->highest),
                       .prior = range->prior};
    if (made.prior && !is_amplitude)
        made.log_within = log(log_normal_sum_between(made.prior, made.lowest, made.highest));
    return made;
}

static void list_terms(noise_fit *fit)
{
    const noise_menu *menu = &fit->star->menu;
    size_t first = fit->first_jitter + fit->star->n_instruments;
    for (size_t t = 0; t < menu->n_terms; t++) {
        const noise_menu_term *term = &menu->terms[t];
        for (size_t i = 0;
             i < term->kind->n_parameters && fit->problem->shape->noise.terms >> t & 1; i++) {
            const noise_range *parameter = &term->parameters[i];
            if (noise_range_is_open(parameter))
                fit->coordinates[fit->n++] = of_parameter(
                    first + term->first + i,
                    parameter->per_period ? first + term->first + 1 : SIZE_MAX, parameter, i == 0);
        }
    }
}

/* How indicators that are series see the process, and their jitters. */
static void list_series(noise_fit *fit)
{
    const noise_menu *menu = &fit->star->menu;
    if (!menu->series)
        return;
    size_t first = fit->first_jitter + fit->star->n_instruments + menu->first_series;
    bool has_process = fit->problem->shape->noise.terms >> menu->series_term & 1;
    for (size_t i = 0; i < series_rows_n_values(menu->series); i++) {
        bool is_logarithm;
        const noise_range range = series_rows_range(menu->series, i, &is_logarithm);
        bool is_jitter = i > 0 && (i - 1) % SERIES_VALUES + 1 == SERIES_JITTER;
        if (noise_range_is_open(&range) && (is_jitter || has_process))
            fit->coordinates[fit->n++] =
                (coordinate){first + i,
                             SIZE_MAX,
                             is_logarithm ? log(range.lowest) : range.lowest,
                             is_logarithm ? log(range.highest) : range.highest,
                             !is_logarithm,
                             NULL,
                             0.0};
    }
}

double noise_fit_clamp(const coordinate *c, double x)
{
    return fmin(c->highest, fmax(c->lowest, x));
}

double noise_fit_log_prior(const coordinate *c, double x)
{
    return c->prior ? log_normal_sum_density(c->prior, x) - c->log_within
                    : -log(c->highest - c->lowest);
}

/* Of a family of terms that exclude each other one is counted as any. */
double noise_fit_log_odds(const noise_fit *fit)
{
    const noise_menu *menu = &fit->star->menu;
    unsigned chosen = fit->problem->shape->noise.terms & ~menu->always.terms;
    double sum = 0.0;
    for (size_t t = 0; t < menu->n_terms; t++) {
        const noise_menu_term *term = &menu->terms[t];
        const noise_range *amplitude = &term->parameters[0];
        if (!(chosen >> t & 1) || !(term->share > 0.0) || !amplitude->prior)
            continue;
        double seen = term->share *
                      log_normal_sum_between(amplitude->prior, log(amplitude->lowest), INFINITY);
        sum += log(term->share) - log1p(-seen);
    }
    return sum;
}

void noise_fit_read(const noise_fit *fit, const double *set, double *x)
{
    double sigma = typical_uncertainty(fit->star);
    for (size_t i = 0; i < fit->n; i++) {
        const coordinate *c = &fit->coordinates[i];
        double value = set[c->column] / (c->divisor == SIZE_MAX ? 1.0 : set[c->divisor]);
        bool is_jitter = isinf(c->highest);
        if (is_jitter && !(value > JITTER_NONE * sigma))
            value = JITTER_START * sigma;
        x[i] = noise_fit_clamp(c, c->is_plain ? value : log(value));
    }
}

/* A jitter at the end of its range is none. */
void noise_fit_write(const noise_fit *fit, const double *x, double *set)
{
    for (size_t i = 0; i < fit->n; i++) {
        const coordinate *c = &fit->coordinates[i];
        bool is_jitter = isinf(c->highest);
        set[c->column] = c->is_plain ? x[i] : is_jitter && x[i] <= c->lowest ? 0.0 : exp(x[i]);
    }
    for (size_t i = 0; i < fit->n; i++) {
        const coordinate *c = &fit->coordinates[i];
        if (c->divisor != SIZE_MAX)
            set[c->column] *= set[c->divisor];
    }
}

/* ---- likelihood --------------------------------------------------------------------------------
 */

/* Of the residual's square what no column explains, by elimination in the matrix of products;
 * behind it the diagonal as it was. */
static double unexplained(const noise_fit *fit)
{
    size_t n = fit->width;
    double *m = fit->matrix, *before = m + n * n;
    small_matrix_products(fit->n_rows, n, fit->whitened, n, m);
    for (size_t p = 0; p < n; p++)
        before[p] = m[p * n + p];
    for (size_t p = 0; p + 1 < n; p++) {
        double pivot = m[p * n + p];
        if (!(pivot > NEGLIGIBLE_SHARE * before[p]))
            continue;
        for (size_t i = p + 1; i < n; i++) {
            double share = m[i * n + p] / pivot;
            for (size_t j = p + 1; j <= i; j++)
                m[i * n + j] -= share * m[j * n + p];
        }
    }
    return m[n * n - 1];
}

/* What the best mean leaves of the residual, from the elimination: into fit->left. */
static void leave_residual(noise_fit *fit)
{
    size_t n = fit->width;
    const double *m = fit->matrix, *before = m + n * n;
    double *factors = fit->state;
    for (size_t p = n - 1; p-- > 0;) {
        double pivot = m[p * n + p], sum = m[(n - 1) * n + p];
        for (size_t i = p + 1; i + 1 < n; i++)
            sum -= factors[i] * m[i * n + p];
        factors[p] = pivot > NEGLIGIBLE_SHARE * before[p] ? sum / pivot : 0.0;
    }
    for (size_t k = 0; k < fit->n_rows; k++) {
        const double *row = fit->columns + k * n;
        double left = row[n - 1];
        for (size_t p = 0; p + 1 < n; p++)
            left -= factors[p] * row[p];
        fit->left[k] = left;
    }
}

/* Factors the noise at some coordinates. False where there is none, and when the caller has had
 * enough. */
static bool factor_at(noise_fit *fit, const double *x)
{
    study *star = fit->star;
    if (fit->wanted == EQUANT_SUCCESS)
        fit->wanted = study_still_wanted(star);
    if (fit->wanted != EQUANT_SUCCESS)
        return false;
    noise_process process;
    noise_fit_write(fit, x, fit->set);
    const double *jitters = fit->set + fit->first_jitter;
    const noise_factor_rows rows =
        set_noise_rows(star, jitters + star->n_instruments, fit->alpha, fit->beta);
    noise_menu_process(&star->menu, fit->problem->shape->noise, jitters + star->n_instruments,
                       &process);
    set_noise_variances(star, fit->problem->shape->noise, jitters, fit->variances);
    return noise_factor_make(&fit->factor, &process, &rows, fit->variances);
}

/* - ln L, up to a constant, with the mean at its best to first order; infinite when the caller has
 * had enough. */
double noise_fit_objective(noise_fit *fit, const double *x)
{
    if (!factor_at(fit, x))
        return INFINITY;
    memcpy(fit->whitened, fit->columns, fit->n_rows * fit->width * sizeof *fit->whitened);
    noise_factor_whiten(&fit->factor, fit->width, fit->whitened, fit->state);
    double result = 0.5 * (unexplained(fit) + fit->factor.log_determinant);
    return isnan(result) ? INFINITY : result;
}

/* The same with the mean as leave_residual has left it. */
static double objective_at_mean(noise_fit *fit, const double *x)
{
    if (!factor_at(fit, x))
        return INFINITY;
    memcpy(fit->whitened, fit->left, fit->n_rows * sizeof *fit->whitened);
    double sum = noise_factor_square(&fit->factor, fit->whitened, fit->state);
    double result = 0.5 * (sum + fit->factor.log_determinant);
    return isnan(result) ? INFINITY : result;
}

/* ---- making one --------------------------------------------------------------------------------
 */

void noise_fit_close(noise_fit *fit)
{
    free(fit->columns);
    free(fit->whitened);
    free(fit->state);
    free(fit->matrix);
    free(fit->left);
    free(fit->variances);
    free(fit->set);
    free(fit->alpha);
    free(fit->beta);
    noise_factor_free(&fit->factor);
}

/* Columns of the mean that may move, side by side, in place; returns how many, residual included.
 */
static size_t keep_free(const noise_fit *fit, size_t n_mean, double *all)
{
    double *to = all;
    for (size_t k = 0; k < fit->star->n_obs; k++) {
        for (size_t j = 0; j < n_mean; j++)
            if (fit->problem->is_free[j])
                *to++ = all[k * (n_mean + 1) + j];
        *to++ = all[k * (n_mean + 1) + n_mean];
    }
    return (size_t)(to - all) / fit->star->n_obs;
}

/* The columns of velocities as those of all rows. */
static void spread(noise_fit *fit, size_t width, const double *columns)
{
    const series_rows *series = fit->star->menu.series;
    if (series)
        series_rows_spread(series, width, columns, fit->columns);
    else
        memcpy(fit->columns, columns, fit->n_rows * width * sizeof *fit->columns);
}

equant_status noise_fit_open(study *star, const noise_fit_problem *problem, const double *set,
                             noise_fit *fit)
{
    const study_shape *shape = problem->shape;
    parameter_layout layout = study_layout(star, shape->n_planets, shape->trend_order);
    size_t n_mean = parameter_layout_first_noise(&layout), n_obs = star->n_obs;
    memset(fit, 0, sizeof *fit);
    fit->star = star;
    fit->problem = problem;
    fit->n_columns = layout.n_parameters;
    fit->first_jitter = n_mean;
    fit->n_rows = noise_menu_n_rows(&star->menu, n_obs);
    fit->width = 1 + (star->menu.series ? star->menu.series->found.n_series : 0);
    for (size_t j = 0; j < n_mean; j++)
        fit->width += problem->is_free[j];
    list_jitters(fit);
    list_terms(fit);
    list_series(fit);
    double *all = malloc((n_mean + 1) * n_obs * sizeof *all);
    fit->columns = malloc(fit->width * fit->n_rows * sizeof *fit->columns);
    fit->whitened = malloc(fit->width * fit->n_rows * sizeof *fit->whitened);
    fit->state = malloc((NOISE_PROCESS_MOST_STATES + 1) * fit->width * sizeof *fit->state);
    fit->matrix = malloc(fit->width * (fit->width + 1) * sizeof *fit->matrix);
    fit->left = malloc(fit->n_rows * sizeof *fit->left);
    fit->variances = malloc(fit->n_rows * sizeof *fit->variances);
    fit->set = malloc(layout.n_parameters * sizeof *fit->set);
    fit->alpha = malloc(fit->n_rows * sizeof *fit->alpha);
    fit->beta = malloc(fit->n_rows * sizeof *fit->beta);
    equant_status status = noise_menu_factor(&star->menu, fit->n_rows, &fit->factor);
    if (!fit->alpha || !fit->beta || !all || !fit->columns || !fit->whitened || !fit->state ||
        !fit->matrix || !fit->left || !fit->variances || !fit->set)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = set_likelihood_columns(star, shape, EQUANT_BASIS_LINEAR, set, all);
    if (status == EQUANT_SUCCESS) {
        spread(fit, keep_free(fit, n_mean, all), all);
        memcpy(fit->set, set, layout.n_parameters * sizeof *fit->set);
    } else {
        noise_fit_close(fit);
    }
    free(all);
    return status;
}

/* ---- the search --------------------------------------------------------------------------------
 */

/* Gradient by differences inside the range, and the diagonal of the curvature where that is wanted,
 * at the coordinates of the last objective. The curvature needs a mean that follows; for the
 * gradient alone it may stay, since where it is at its best, moving it changes nothing to first
 * order. */
static void differentiate(noise_fit *fit, const double *x, double here, double *gradient,
                          double *curvature)
{
    double moved[MOST_COORDINATES];
    double (*value)(noise_fit *, const double *) =
        curvature ? noise_fit_objective : objective_at_mean;
    if (!curvature)
        leave_residual(fit);
    memcpy(moved, x, fit->n * sizeof *moved);
    for (size_t i = 0; i < fit->n; i++) {
        const coordinate *c = &fit->coordinates[i];
        double up = noise_fit_clamp(c, x[i] + NOISE_FIT_DIFFERENCE),
               down = noise_fit_clamp(c, x[i] - NOISE_FIT_DIFFERENCE);
        moved[i] = up;
        double above = up > x[i] ? value(fit, moved) : here;
        moved[i] = down;
        double below = down < x[i] ? value(fit, moved) : here;
        moved[i] = x[i];
        gradient[i] = (above - below) / (up - down);
        if (curvature)
            curvature[i] =
                up > x[i] && down < x[i]
                    ? (above + below - 2.0 * here) / (NOISE_FIT_DIFFERENCE * NOISE_FIT_DIFFERENCE)
                    : 0.0;
        if (!isfinite(gradient[i]))
            gradient[i] = 0.0;
    }
}

/* At an end of its range, and drawn beyond it. */
static bool is_held(const coordinate *c, double x, double gradient)
{
    return (x <= c->lowest && gradient > 0.0) || (x >= c->highest && gradient < 0.0);
}

static void memory_begin(noise_fit_memory *known, size_t n, const double *curvature)
{
    known->n = n;
    memset(known->inverse, 0, n * n * sizeof *known->inverse);
    for (size_t i = 0; i < n; i++)
        known->inverse[i * n + i] = 1.0 / fmax(0.3, fabs(curvature[i]));
}

/* Broyden, Fletcher, Goldfarb, Shanno. */
static void memory_learn(noise_fit_memory *known, const double *step, const double *change)
{
    size_t n = known->n;
    double along = 0.0, turned[MOST_COORDINATES], square = 0.0;
    for (size_t i = 0; i < n; i++)
        along += step[i] * change[i];
    if (!(along > 1e-12))
        return;
    for (size_t i = 0; i < n; i++) {
        turned[i] = 0.0;
        for (size_t j = 0; j < n; j++)
            turned[i] += known->inverse[i * n + j] * change[j];
    }
    for (size_t i = 0; i < n; i++)
        square += change[i] * turned[i];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            known->inverse[i * n + j] += (1.0 + square / along) * step[i] * step[j] / along -
                                         (turned[i] * step[j] + step[i] * turned[j]) / along;
}

static void choose_direction(const noise_fit *fit, const noise_fit_memory *known, const double *x,
                             const double *gradient, double *direction)
{
    size_t n = fit->n;
    double largest = 0.0, downhill = 0.0;
    for (size_t i = 0; i < n; i++) {
        direction[i] = 0.0;
        if (is_held(&fit->coordinates[i], x[i], gradient[i]))
            continue;
        for (size_t j = 0; j < n; j++)
            if (!is_held(&fit->coordinates[j], x[j], gradient[j]))
                direction[i] -= known->inverse[i * n + j] * gradient[j];
        downhill += direction[i] * gradient[i];
    }
    for (size_t i = 0; i < n; i++) {
        if (!(downhill < 0.0)) /* the memory misleads: straight down */
            direction[i] = is_held(&fit->coordinates[i], x[i], gradient[i]) ? 0.0 : -gradient[i];
        largest = fmax(largest, fabs(direction[i]));
    }
    for (size_t i = 0; i < n && largest > LARGEST_STEP; i++)
        direction[i] *= LARGEST_STEP / largest;
}

/* The first point along a direction, ever nearer, that is better. */
static double search_line(noise_fit *fit, const double *x, double here, const double *direction,
                          double *found)
{
    double length = 1.0;
    for (int halving = 0; halving < 12; halving++, length *= 0.4) {
        for (size_t i = 0; i < fit->n; i++)
            found[i] = noise_fit_clamp(&fit->coordinates[i], x[i] + length * direction[i]);
        double there = noise_fit_objective(fit, found);
        if (there < here)
            return there;
    }
    return here;
}

double noise_fit_descend(noise_fit *fit, double *x, int max_iterations, double tolerance,
                         noise_fit_memory *known)
{
    double gradient[MOST_COORDINATES], next_gradient[MOST_COORDINATES], curvature[MOST_COORDINATES],
        direction[MOST_COORDINATES], next[MOST_COORDINATES];
    double here = noise_fit_objective(fit, x);
    if (fit->n == 0 || !isfinite(here))
        return here;
    bool is_known = known->n == fit->n;
    differentiate(fit, x, here, gradient, is_known ? NULL : curvature);
    if (!is_known)
        memory_begin(known, fit->n, curvature);
    for (int iteration = 0; iteration < max_iterations; iteration++) {
        choose_direction(fit, known, x, gradient, direction);
        double there = search_line(fit, x, here, direction, next);
        double gain = here - there;
        if (!(gain > 0.0))
            break;
        for (size_t i = 0; i < fit->n; i++)
            direction[i] = next[i] - x[i];
        memcpy(x, next, fit->n * sizeof *x);
        here = there;
        if (gain < tolerance || iteration + 1 == max_iterations)
            break;
        differentiate(fit, x, here, next_gradient, NULL);
        for (size_t i = 0; i < fit->n; i++) {
            double change = next_gradient[i] - gradient[i];
            gradient[i] = next_gradient[i];
            next_gradient[i] = change;
        }
        memory_learn(known, direction, next_gradient);
    }
    return here;
}

noise_fit_memory *noise_fit_memory_create(void)
{
    return calloc(1, sizeof(noise_fit_memory));
}

equant_status noise_fit_set(study *star, const noise_fit_problem *problem, noise_fit_memory *known,
                            double *set)
{
    double x[MOST_COORDINATES];
    noise_fit *fit = malloc(sizeof *fit);
    equant_status status = fit ? noise_fit_open(star, problem, set, fit) : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        noise_fit_read(fit, set, x);
        if (isfinite(noise_fit_descend(fit, x, problem->max_iterations, problem->tolerance, known)))
            noise_fit_write(fit, x, set);
        status = fit->wanted;
        noise_fit_close(fit);
    }
    free(fit);
    return status;
}
