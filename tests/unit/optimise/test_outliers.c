/* What the rest of the data says of an observation, and of a night, is what dense matrices say; bad
 * ones are named, clean data have none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "inference/optimise/least_squares.h"
#include "inference/likelihood/set_likelihood.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/optimise/noise_choice.h"
#include "inference/optimise/outliers.h"
#include "unit/simulated_star.h"

enum { N_NIGHTS = 24, MOST = 3 * N_NIGHTS };

/* ---- a star of nights with one to three observations -------------------------------------------
 */

typedef struct sky {
    size_t n;
    double time[MOST], velocity[MOST], sigma[MOST];
    int instrument[MOST], night[MOST];
    equant_dataset *dataset;
} sky;

static double normal(uint64_t seed, uint64_t k)
{
    double drawn;
    equant_random_normal(seed, 0, k, 1, &drawn);
    return drawn;
}

static void observe(sky *made, uint64_t seed, size_t per_night)
{
    made->n = 0;
    for (size_t night = 0; night < N_NIGHTS; night++)
        for (size_t i = 0; i < 1 + night % per_night; i++) {
            size_t k = made->n++;
            made->time[k] = 2455000.1 + 7.0 * (double)night + 0.05 * (double)i;
            made->sigma[k] = 1.0 + 0.2 * (double)(k % 3);
            made->velocity[k] = made->sigma[k] * normal(seed, k);
            made->instrument[k] = night >= N_NIGHTS / 2;
            made->night[k] = (int)night;
        }
}

static void keep(sky *made)
{
    static const char *const names[] = {"one", "two"};
    assert_int_equal(equant_dataset_from_arrays(made->n, made->time, made->velocity, made->sigma,
                                                made->instrument, 2, names, NULL, &made->dataset),
                     EQUANT_SUCCESS);
}

static void study_sky(study *star, const sky *of, const char *noise)
{
    const study_options options = {.engine = &on_one_thread, .noise = noise, .outliers = "auto"};
    assert_int_equal(study_create(star, of->dataset, &options), EQUANT_SUCCESS);
    assert_true(star->book.is_open);
}

/* ---- dense matrices ----------------------------------------------------------------------------
 */

/* Replaces a by its inverse, [n][n]. */
static void invert(size_t n, double *a)
{
    for (size_t p = 0; p < n; p++) {
        double pivot = a[p * n + p];
        assert_true(fabs(pivot) > 0.0);
        a[p * n + p] = 1.0;
        for (size_t j = 0; j < n; j++)
            a[p * n + j] /= pivot;
        for (size_t i = 0; i < n; i++) {
            double share = a[i * n + p];
            if (i == p)
                continue;
            a[i * n + p] = 0.0;
            for (size_t j = 0; j < n; j++)
                a[i * n + j] -= share * a[p * n + j];
        }
    }
}

static double log_determinant(size_t n, const double *given)
{
    double a[MOST * MOST], sum = 0.0;
    memcpy(a, given, n * n * sizeof *a);
    for (size_t p = 0; p < n; p++) {
        sum += log(a[p * n + p]);
        for (size_t i = p + 1; i < n; i++) {
            double share = a[i * n + p] / a[p * n + p];
            for (size_t j = p; j < n; j++)
                a[i * n + j] -= share * a[p * n + j];
        }
    }
    return sum;
}

/* C^-1 with the offsets of both instruments projected out. */
static void project(const sky *of, const double *covariance, double *q)
{
    size_t n = of->n;
    double small[4] = {0.0}, columns[2][MOST] = {{0.0}};
    memcpy(q, covariance, n * n * sizeof *q);
    invert(n, q);
    for (size_t c = 0; c < 2; c++)
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n; k++)
                columns[c][i] += of->instrument[k] == (int)c ? q[i * n + k] : 0.0;
    for (size_t c = 0; c < 2; c++)
        for (size_t k = 0; k < n; k++)
            for (size_t d = 0; d < 2; d++)
                small[c * 2 + d] += of->instrument[k] == (int)c ? columns[d][k] : 0.0;
    invert(2, small);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t c = 0; c < 2; c++)
                for (size_t d = 0; d < 2; d++)
                    q[i * n + j] -= columns[c][i] * small[c * 2 + d] * columns[d][j];
}

static double density(size_t m, const double *covariance, const double *deviation)
{
    double inverse[9], sum = log_determinant(m, covariance);
    memcpy(inverse, covariance, m * m * sizeof *inverse);
    invert(m, inverse);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            sum += deviation[i] * inverse[i * m + j] * deviation[j];
    return -0.5 * sum;
}

/* What Q and residuals r say of some rows. */
static outlier_view expect(const sky *of, const double *q, const double *r, size_t m,
                           const size_t *rows)
{
    double inside[9], wide[9], d[3] = {0.0}, weight = 0.0, mean = 0.0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            inside[i * m + j] = q[rows[i] * of->n + rows[j]];
    double kept[9];
    memcpy(kept, inside, sizeof kept);
    invert(m, inside);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            for (size_t k = 0; k < of->n; k++)
                d[i] += inside[i * m + j] * q[rows[j] * of->n + k] * r[k];
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            weight += kept[i * m + j];
            mean += kept[i * m + j] * d[j];
        }
    mean /= weight;
    memcpy(wide, inside, sizeof wide);
    for (size_t i = 0; i < m; i++)
        wide[i * m + i] += mean * mean;
    return (outlier_view){.deviation_m_s = mean,
                          .sigma_m_s = 1.0 / sqrt(weight),
                          .gain = density(m, wide, d) - density(m, inside, d)};
}

static void assert_view(const outlier_view *seen, const outlier_view *wanted)
{
    assert_true(fabs(seen->deviation_m_s - wanted->deviation_m_s) < 1e-8);
    assert_true(fabs(seen->sigma_m_s / wanted->sigma_m_s - 1.0) < 1e-9);
    assert_true(fabs(seen->gain - wanted->gain) < 1e-8);
}

/* ---- tests -------------------------------------------------------------------------------------
 */

/* With noise that nights and days share, as with white noise. */
static void looks_as_dense_matrices_do(void **state)
{
    (void)state;
    for (int correlated = 0; correlated < 2; correlated++) {
        sky of;
        study star;
        solution model;
        observe(&of, 3, 3);
        keep(&of);
        study_sky(&star, &of,
                  correlated ? "night(amplitude=1.3),exponential(amplitude=2,decay=9)" : "white");
        assert_int_equal(solution_create(&star, &model), EQUANT_SUCCESS);
        assert_int_equal(noise_choice_begin(&star, &model), EQUANT_SUCCESS);
        solution_values(&star, &model, TERM_JITTERS)[0] = 0.7;
        solution_values(&star, &model, TERM_JITTERS)[1] = 0.4;
        double covariance[MOST * MOST] = {0.0}, q[MOST * MOST], chi_square;
        for (size_t i = 0; i < of.n; i++)
            for (size_t j = 0; j < of.n && correlated; j++)
                covariance[i * of.n + j] = 4.0 * exp(-fabs(of.time[i] - of.time[j]) / 9.0) +
                                           (of.night[i] == of.night[j] ? 1.3 * 1.3 : 0.0);
        for (size_t i = 0; i < of.n; i++)
            covariance[i * of.n + i] +=
                of.sigma[i] * of.sigma[i] + (of.instrument[i] == 0 ? 0.7 * 0.7 : 0.4 * 0.4);
        project(&of, covariance, q);
        outlier_view views[2 * MOST];
        assert_int_equal(outliers_look(&star, 0, &model, views, &chi_square), EQUANT_SUCCESS);
        for (size_t unit = 0; unit < star.book.n_nights + of.n; unit++) {
            const size_t *rows;
            size_t m = outlier_book_rows(&star.book, unit, &rows);
            if (isnan(views[unit].gain)) { /* a night of one observation, which is a unit once */
                assert_true(unit >= star.book.n_nights);
                continue;
            }
            outlier_view wanted = expect(&of, q, of.velocity, m, rows);
            assert_view(&views[unit], &wanted);
        }
        solution_free(&model);
        study_free(&star);
        equant_dataset_free(of.dataset);
    }
}

/* Fits a star without planets, and gives its outliers. */
static size_t choose(const sky *of, const char *noise, study *star, solution *model)
{
    study_sky(star, of, noise);
    assert_int_equal(solution_create(star, model), EQUANT_SUCCESS);
    assert_int_equal(noise_choice_begin(star, model), EQUANT_SUCCESS);
    assert_int_equal(maximum_likelihood_solution(star, 0, POLISH_TO_RANK, model), EQUANT_SUCCESS);
    assert_int_equal(outliers_choose(star, 0, model), EQUANT_SUCCESS);
    return model->noise.outliers ? model->noise.outliers->n : 0;
}

static void let_go(sky *of, study *star, solution *model)
{
    solution_free(model);
    study_free(star);
    equant_dataset_free(of->dataset);
}

static void clean_data_have_none(void **state)
{
    (void)state;
    size_t n_stars = 300, n_bad = 0;
    for (uint64_t seed = 0; seed < n_stars; seed++) {
        sky of;
        study star;
        solution model;
        observe(&of, 1000 + seed, 3);
        keep(&of);
        n_bad += choose(&of, "white", &star, &model) > 0;
        let_go(&of, &star, &model);
    }
    assert_true(n_bad <= n_stars / 25);
}

static void bad_observation_is_named(void **state)
{
    (void)state;
    sky of;
    study star;
    solution model;
    const size_t *rows;
    observe(&of, 5, 3);
    of.velocity[17] += 12.0;
    keep(&of);
    assert_int_equal(choose(&of, "white", &star, &model), 1);
    const outlier *found = &model.noise.outliers->outliers[0];
    assert_int_equal(outlier_book_rows(&star.book, found->unit, &rows), 1);
    assert_int_equal(rows[0], 17);
    assert_true(fabs(found->widening_m_s - 12.0) < 4.0);
    assert_true(model.noise.outliers->dataset.uncertainty_m_s[17] > 8.0);
    assert_true(model.noise.outliers->dataset.uncertainty_m_s[16] == of.sigma[16]);
    let_go(&of, &star, &model);
}

static void bad_night_is_named(void **state)
{
    (void)state;
    sky of;
    study star;
    solution model;
    const size_t *rows;
    observe(&of, 6, 3);
    for (size_t k = 0; k < of.n; k++)
        of.velocity[k] -= of.night[k] == 8 ? 9.0 : 0.0; /* of three observations */
    keep(&of);
    assert_int_equal(choose(&of, "white", &star, &model), 1);
    const outlier *found = &model.noise.outliers->outliers[0];
    assert_int_equal(found->unit, 8);
    assert_true(outlier_book_is_night(&star.book, found->unit));
    assert_int_equal(outlier_book_rows(&star.book, found->unit, &rows), 3);
    assert_true(fabs(found->widening_m_s - 9.0) < 3.0);
    let_go(&of, &star, &model);
}

/* An outlier that the model explains after all is believed again. */
static void outliers_are_believed_again(void **state)
{
    (void)state;
    sky of;
    study star;
    solution model;
    observe(&of, 7, 1);
    keep(&of);
    assert_int_equal(choose(&of, "white", &star, &model), 0);
    const outlier wrong = {.unit = 3, .widening_m_s = 20.0};
    assert_int_equal(outlier_book_set(&star.book, star.dataset, 1, &wrong, &model.noise.outliers),
                     EQUANT_SUCCESS);
    assert_int_equal(maximum_likelihood_solution(&star, 0, POLISH_TO_RANK, &model), EQUANT_SUCCESS);
    assert_int_equal(outliers_choose(&star, 0, &model), EQUANT_SUCCESS);
    assert_null(model.noise.outliers);
    let_go(&of, &star, &model);
}

/* Wider errors are those of data that came with them. */
static void widened_errors_are_errors(void **state)
{
    (void)state;
    sky of;
    study star, other;
    solution model, same;
    observe(&of, 8, 2);
    of.velocity[4] += 30.0;
    keep(&of);
    assert_int_equal(choose(&of, "white", &star, &model), 1);
    of.sigma[4] = model.noise.outliers->dataset.uncertainty_m_s[4];
    sky wide = of;
    keep(&wide);
    study_sky(&other, &wide, "white");
    assert_int_equal(solution_create(&other, &same), EQUANT_SUCCESS);
    assert_int_equal(maximum_likelihood_solution(&other, 0, POLISH_TO_PUBLISH, &same),
                     EQUANT_SUCCESS);
    assert_int_equal(maximum_likelihood_solution(&star, 0, POLISH_TO_PUBLISH, &model),
                     EQUANT_SUCCESS);
    assert_true(fabs(same.log_likelihood - model.log_likelihood) < 1e-7);
    assert_true(fabs(solution_evidence(&star, &model) -
                     (model.log_likelihood - outlier_book_price(&star.book, 1))) < 1e-12);
    let_go(&wide, &other, &same);
    let_go(&of, &star, &model);
}

/* ln of the probability of a sequence of n units of which the first k are wrong, each drawn after
 * those before it (Polya's urn): 0.45 wrong ones and 29.55 others are in the urn at first. */
static double log_of_urn(int n, int k)
{
    double wrong = 0.45, right = 29.55, sum = 0.0;
    for (int i = 0; i < n; i++) {
        double *drawn = i < k ? &wrong : &right;
        sum += log(*drawn / (wrong + right));
        *drawn += 1.0;
    }
    return sum;
}

static void prices_are_of_shares(void **state)
{
    (void)state;
    sky of;
    study star;
    observe(&of, 9, 1);
    keep(&of);
    study_sky(&star, &of, "white");
    for (int k = 1; k <= 4; k++)
        assert_true(fabs(outlier_book_price(&star.book, (size_t)k) -
                         (log_of_urn(24, 0) - log_of_urn(24, k)) - 0.5 * k) < 1e-9);
    study_free(&star);
    bool is_open;
    double share;
    assert_int_equal(outlier_book_read("0.05", &is_open, &share), EQUANT_SUCCESS);
    assert_true(is_open && share == 0.05);
    assert_int_equal(outlier_book_read("none", &is_open, &share), EQUANT_SUCCESS);
    assert_false(is_open);
    static const char *const wrong[] = {"", "some", "0", "-0.1", "0.5", "1", "nan", "0.05x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(outlier_book_read(wrong[i], &is_open, &share),
                         EQUANT_ERROR_INVALID_ARGUMENT);
    equant_dataset_free(of.dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_as_dense_matrices_do),  cmocka_unit_test(clean_data_have_none),
        cmocka_unit_test(bad_observation_is_named),    cmocka_unit_test(bad_night_is_named),
        cmocka_unit_test(outliers_are_believed_again), cmocka_unit_test(widened_errors_are_errors),
        cmocka_unit_test(prices_are_of_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
