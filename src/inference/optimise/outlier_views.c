/* What the rest of the data says of each observation and night. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/optimise/least_squares.h"
#include "inference/likelihood/set_likelihood.h"
#include "inference/likelihood/set_noise.h"
#include "inference/optimise/outliers.h"
#include "inference/likelihood/small_matrix.h"
#include "inference/likelihood/study_crew.h"

/* Rows of a night that are whitened together; longer nights are no units. */
enum { MOST_TOGETHER = 256 };
/* A column of which less than this share is new beside the others explains nothing; a row of which
 * no more is left is predicted by nothing. */
#define NEGLIGIBLE_SHARE 1e-8

typedef struct looker {
    study *star;
    const solution *model;
    size_t n_obs, n_base;
    double *variances;
    noise_factor factor;
    double *base;     /* [n_base][n_obs]: free columns of the mean, whitened, orthonormal */
    double *residual; /* [n_obs], whitened, orthogonal to these */
    double *widened;  /* [n_obs]: what outliers add to variances */
} looker;

/* What one thread works with: of m rows. */
typedef struct bench {
    double *columns; /* [n_obs][m] */
    double *state, *inside, *pull, *product, *covariance, *wide, *deviation, *vector;
} bench;

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* ---- the model, whitened -----------------------------------------------------------------------
 */

static void looker_free(looker *from)
{
    noise_factor_free(&from->factor);
    free(from->variances);
    free(from->base);
    free(from->residual);
    free(from->widened);
    memset(from, 0, sizeof *from);
}

/* Takes from a vector what the base explains; two passes lose nothing to rounding. */
static void project(const looker *from, double *vector)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t j = 0; j < from->n_base; j++) {
            const double *q = from->base + j * from->n_obs;
            double share = dot(from->n_obs, q, vector);
            for (size_t k = 0; k < from->n_obs; k++)
                vector[k] -= share * q[k];
        }
}

/* Columns [n_obs][width], whitened, the residual last. */
static void make_base(looker *from, size_t width, const bool *is_free, const double *columns)
{
    size_t n = from->n_obs;
    for (size_t j = 0; j + 1 < width; j++) {
        double *q = from->base + from->n_base * n;
        if (!is_free[j])
            continue;
        for (size_t k = 0; k < n; k++)
            q[k] = columns[k * width + j];
        double before = sqrt(dot(n, q, q));
        project(from, q);
        double after = sqrt(dot(n, q, q));
        if (!(after > NEGLIGIBLE_SHARE * before))
            continue;
        for (size_t k = 0; k < n; k++)
            q[k] /= after;
        from->n_base++;
    }
    for (size_t k = 0; k < n; k++)
        from->residual[k] = columns[k * width + width - 1];
    project(from, from->residual);
}

static void list_widened(looker *from)
{
    const double *narrow = equant_dataset_uncertainties_m_s(from->star->dataset),
                 *wide = study_uncertainties(from->star, from->model->noise);
    for (size_t k = 0; k < from->n_obs; k++)
        from->widened[k] = wide[k] * wide[k] - narrow[k] * narrow[k];
}

static equant_status looker_create(study *star, size_t n_fixed, const solution *model, looker *made)
{
    const study_shape shape = solution_shape(model);
    const least_squares_problem problem = {.n_planets = model->n_planets,
                                           .trend_order = model->trend_order,
                                           .noise = model->noise,
                                           .n_fixed = n_fixed};
    parameter_layout layout = study_layout(star, model->n_planets, model->trend_order);
    size_t n = star->n_obs, width = parameter_layout_first_noise(&layout) + 1;
    *made = (looker){.star = star, .model = model, .n_obs = n};
    bool *is_free = malloc(width * sizeof *is_free);
    double *columns = malloc(width * n * sizeof *columns),
           *state = malloc((NOISE_PROCESS_MOST_STATES + 1) * width * sizeof *state);
    made->variances = malloc(n * sizeof *made->variances);
    made->base = malloc(width * n * sizeof *made->base);
    made->residual = malloc(n * sizeof *made->residual);
    made->widened = malloc(n * sizeof *made->widened);
    equant_status status = noise_menu_factor(&star->menu, n, &made->factor);
    if (!is_free || !columns || !state || !made->variances || !made->base || !made->residual ||
        !made->widened)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = set_likelihood_columns(star, &shape, EQUANT_BASIS_LINEAR, model->set, columns);
    if (status == EQUANT_SUCCESS &&
        !set_noise_factor(star, &shape, model->set, made->variances, &made->factor))
        status = status_fail(EQUANT_ERROR_INTERNAL, "the noise of a solution is no covariance");
    if (status == EQUANT_SUCCESS) {
        least_squares_free_columns(star, &problem, is_free);
        noise_factor_whiten(&made->factor, width, columns, state);
        make_base(made, width, is_free, columns);
        list_widened(made);
    } else {
        looker_free(made);
    }
    free(is_free);
    free(columns);
    free(state);
    return status;
}

/* ---- units -------------------------------------------------------------------------------------
 */

/* The factor of the rows from one on: columns that are zero before it need no others. */
static noise_factor factor_from(const looker *from, size_t row, size_t n_rows)
{
    noise_factor later = from->factor;
    later.n_rows = n_rows;
    later.u += row * later.n_states;
    later.w += row * later.n_states;
    later.propagators += row * later.propagator_size;
    later.root_weight += row;
    return later;
}

/* Q_uu and (Q r)_u of m rows of a night, in their order. */
static void pull_rows(const looker *from, size_t m, const size_t *rows, bench *at)
{
    bool is_whole = from->factor.is_whole;
    size_t first = is_whole ? 0 : rows[0], n_rows = from->n_obs - first;
    if (from->factor.n_states == 0 && !is_whole)
        n_rows = rows[m - 1] - first + 1;
    noise_factor later = factor_from(from, first, n_rows);
    memset(at->columns, 0, n_rows * m * sizeof *at->columns);
    for (size_t i = 0; i < m; i++)
        at->columns[(rows[i] - first) * m + i] = 1.0;
    noise_factor_whiten(&later, m, at->columns, at->state);
    memset(at->pull, 0, m * sizeof *at->pull);
    memset(at->inside, 0, m * m * sizeof *at->inside);
    memset(at->product, 0, (m * from->n_base + 1) * sizeof *at->product);
    for (size_t k = 0; k < n_rows; k++) {
        const double *w = at->columns + k * m;
        for (size_t i = 0; i < m; i++) {
            at->pull[i] += w[i] * from->residual[first + k];
            for (size_t j = 0; j <= i; j++)
                at->inside[i * m + j] += w[i] * w[j];
        }
    }
    for (size_t b = 0; b < from->n_base; b++) {
        const double *q = from->base + b * from->n_obs + first;
        double *sum = at->product + b * m;
        for (size_t k = 0; k < n_rows; k++)
            for (size_t i = 0; i < m; i++)
                sum[i] += q[k] * at->columns[k * m + i];
    }
}

/* Takes from Q_uu what the columns of the mean explain. False where nothing is left of a row. */
static bool leave_base(const looker *from, size_t m, bench *at)
{
    bool is_left = true;
    for (size_t i = 0; i < m; i++) {
        double before = at->inside[i * m + i];
        for (size_t j = 0; j <= i; j++) {
            for (size_t b = 0; b < from->n_base; b++)
                at->inside[i * m + j] -= at->product[b * m + i] * at->product[b * m + j];
            at->inside[j * m + i] = at->inside[i * m + j];
        }
        is_left = is_left && at->inside[i * m + i] > NEGLIGIBLE_SHARE * before;
    }
    return is_left;
}

/* A deviation d of variance v, with the error widened by d. */
static outlier_view view_single(double pull, double inside, double widened)
{
    double d = pull / inside, v = 1.0 / inside - widened, square = d * d / v;
    if (!(v > 0.0))
        return (outlier_view){.gain = NAN};
    return (outlier_view){.deviation_m_s = d,
                          .sigma_m_s = sqrt(v),
                          .gain = 0.5 * (square * square / (1.0 + square) - log1p(square))};
}

/* ln of a normal density, up to a constant; the covariance is replaced by its factor. */
static double log_density(size_t m, double *covariance, const double *deviation, double *vector)
{
    double sum = 0.0;
    if (small_matrix_factor(m, covariance) < m)
        return NAN;
    memcpy(vector, deviation, m * sizeof *vector);
    small_matrix_solve(m, covariance, vector);
    for (size_t i = 0; i < m; i++)
        sum += deviation[i] * vector[i] + 2.0 * log(covariance[i * m + i]);
    return -0.5 * sum;
}

/* All rows of a night together. */
static outlier_view view_night(const looker *from, size_t m, const size_t *rows, bench *at)
{
    outlier_view seen = {.gain = NAN};
    memcpy(at->wide, at->inside, m * m * sizeof *at->wide);
    if (small_matrix_factor(m, at->wide) < m)
        return seen;
    small_matrix_invert(m, at->wide, at->covariance);
    memcpy(at->deviation, at->pull, m * sizeof *at->deviation);
    small_matrix_solve(m, at->wide, at->deviation);
    for (size_t i = 0; i < m; i++)
        at->covariance[i * m + i] -= from->widened[rows[i]];
    memcpy(at->wide, at->covariance, m * m * sizeof *at->wide);
    double believed = log_density(m, at->covariance, at->deviation, at->vector);
    double weight = 0.0, mean = 0.0; /* of the mean of the rows, by their covariance */
    if (isnan(believed))
        return seen;
    for (size_t i = 0; i < m; i++)
        at->vector[i] = 1.0;
    small_matrix_solve(m, at->covariance, at->vector);
    for (size_t i = 0; i < m; i++) {
        weight += at->vector[i];
        mean += at->vector[i] * at->deviation[i];
    }
    seen.deviation_m_s = mean / weight;
    seen.sigma_m_s = 1.0 / sqrt(weight);
    for (size_t i = 0; i < m; i++)
        at->wide[i * m + i] += seen.deviation_m_s * seen.deviation_m_s;
    seen.gain = log_density(m, at->wide, at->deviation, at->vector) - believed;
    return seen;
}

/* One night and its observations. */
static void look_at_night(const looker *from, size_t night, bench *at, outlier_view *views)
{
    const outlier_book *book = &from->star->book;
    const size_t *rows;
    size_t n_rows = outlier_book_rows(book, night, &rows);
    for (size_t done = 0; done < n_rows; done += MOST_TOGETHER) {
        size_t m = n_rows - done < MOST_TOGETHER ? n_rows - done : MOST_TOGETHER;
        pull_rows(from, m, rows + done, at);
        if (!leave_base(from, m, at))
            continue;
        for (size_t i = 0; i < m; i++) {
            size_t unit = n_rows == 1 ? night : book->n_nights + book->first_row[night] + done + i;
            views[unit] =
                view_single(at->pull[i], at->inside[i * m + i], from->widened[rows[done + i]]);
        }
        if (n_rows > 1 && m == n_rows)
            views[night] = view_night(from, m, rows, at);
    }
}

static size_t longest_night(const outlier_book *book)
{
    size_t most = 1;
    for (size_t i = 0; i < book->n_nights; i++) {
        size_t n_rows = book->first_row[i + 1] - book->first_row[i];
        most = n_rows > most ? n_rows : most;
    }
    return most < MOST_TOGETHER ? most : MOST_TOGETHER;
}

static void bench_free(bench *at)
{
    free(at->columns);
    free(at->state);
}

static bool bench_create(const looker *from, size_t m, bench *at)
{
    at->columns = malloc((from->n_obs * m + 1) * sizeof *at->columns);
    at->state =
        malloc(((from->factor.n_states + 1) * m + 3 * m * m + 3 * m + m * from->n_base + 1) *
               sizeof *at->state);
    if (!at->columns || !at->state)
        return false;
    at->inside = at->state + (from->factor.n_states + 1) * m;
    at->covariance = at->inside + m * m;
    at->wide = at->covariance + m * m;
    at->pull = at->wide + m * m;
    at->deviation = at->pull + m;
    at->vector = at->deviation + m;
    at->product = at->vector + m;
    return true;
}

size_t outliers_n_views(const study *star)
{
    return star->book.n_nights + star->n_obs;
}

/* Nights are looked at in so many pieces. */
enum { N_PIECES = 16 };

typedef struct whole_look {
    const looker *from;
    outlier_view *views;
} whole_look;

static equant_status look_at_piece(study *star, void *context, size_t piece)
{
    const whole_look *whole = context;
    size_t n = star->book.n_nights, last = n * (piece + 1) / N_PIECES;
    bench at = {.columns = NULL};
    bool has_room = bench_create(whole->from, longest_night(&star->book), &at);
    for (size_t i = n * piece / N_PIECES; i < last && has_room; i++)
        look_at_night(whole->from, i, &at, whole->views);
    bench_free(&at);
    return has_room ? EQUANT_SUCCESS : status_out_of_memory();
}

equant_status outliers_look(study *star, size_t n_fixed, const solution *model, outlier_view *views,
                            double *chi_square)
{
    looker from;
    equant_status status = looker_create(star, n_fixed, model, &from);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t i = 0; i < outliers_n_views(star); i++)
        views[i] = (outlier_view){.gain = NAN};
    whole_look whole = {&from, views};
    status = study_crew_share(star, N_PIECES, look_at_piece, &whole);
    *chi_square = dot(star->n_obs, from.residual, from.residual);
    looker_free(&from);
    return status;
}
