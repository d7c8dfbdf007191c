/* equant_target, the posterior as a function: its prior is normalised in both spaces and the one
 * that the unit cube leads to, its likelihood that of the evaluator. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "unit/distribution_checks.h"
#include "unit/small_star.h"

static const double two_pi = 6.28318530717958647693;

enum { MAX_COLUMNS = 24, N_DRAWS = 2000 };

/* What a test asks for, and what it gets. */
typedef struct study {
    size_t n_instruments, n_planets;
    int trend_order, marginalise, n_threads;
    equant_space space;
    const char *set;
    const char *changes[3][2]; /* parameter, prior */
    equant_dataset *dataset;
    equant_priors *priors;
    equant_target *target;
} study;

static study open_study(study s)
{
    s.dataset = small_star(s.n_instruments);
    equant_priors_options wanted = {.struct_size = sizeof wanted,
                                    .n_planets = s.n_planets,
                                    .trend = (equant_trend)(EQUANT_TREND_NONE + s.trend_order),
                                    .prior_set = s.set};
    assert_int_equal(equant_priors_create(s.dataset, &wanted, &s.priors), EQUANT_SUCCESS);
    for (size_t i = 0; i < 3 && s.changes[i][0]; i++)
        assert_int_equal(equant_priors_change(s.priors, s.changes[i][0], s.changes[i][1]),
                         EQUANT_SUCCESS);
    equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = s.n_threads};
    equant_target_options options = {.struct_size = sizeof options,
                                     .engine = &engine,
                                     .n_planets = s.n_planets,
                                     .trend = (equant_trend)(EQUANT_TREND_NONE + s.trend_order),
                                     .priors = s.priors,
                                     .marginalise_offsets = s.marginalise,
                                     .space = s.space};
    assert_int_equal(equant_target_create(s.dataset, &options, &s.target), EQUANT_SUCCESS);
    return s;
}

static void close_study(study *s)
{
    equant_target_free(s->target);
    equant_priors_free(s->priors);
    equant_dataset_free(s->dataset);
}

static double log_prior(const study *s, const double *point)
{
    double value;
    assert_int_equal(equant_target_log_prior(s->target, 1, point, &value), EQUANT_SUCCESS);
    return value;
}

static void draw(const study *s, uint64_t first, size_t n, double *points)
{
    assert_int_equal(equant_target_draw(s->target, 11, first, n, points), EQUANT_SUCCESS);
}

static void to_parameters(const study *s, const double *point, double *parameters)
{
    assert_int_equal(equant_target_to_parameters(s->target, 1, point, parameters), EQUANT_SUCCESS);
}

/* ---- what it consists of ------------------------------------------------------------- */

static void assert_names(study shape, size_t n, const char *const *names)
{
    study s = open_study(shape);
    assert_int_equal(equant_target_n_dimensions(s.target), n);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(equant_target_dimension_name(s.target, i), names[i]);
    assert_null(equant_target_dimension_name(s.target, n));
    assert_null(equant_target_parameter_name(s.target, equant_target_n_parameters(s.target)));
    close_study(&s);
}

static void dimensions_have_names(void **state)
{
    (void)state;
    const char *const smooth[] = {"ln_period_1",        "ln_k_cos_lambda_1", "sqrt_e_cos_omega_1",
                                  "sqrt_e_sin_omega_1", "ln_k_sin_lambda_1", "offset_m_s_1",
                                  "offset_m_s_2",       "trend_m_s_day",     "ln_jitter_1",
                                  "ln_jitter_2"};
    assert_names((study){.n_instruments = 2, .n_planets = 1, .trend_order = 1}, 10, smooth);
    const char *const plain[] = {"period_days_1", "k_m_s_1",      "eccentricity_1", "omega_rad_1",
                                 "m0_rad_1",      "offset_m_s_1", "jitter_m_s_1"};
    assert_names((study){.n_instruments = 1, .n_planets = 1, .space = EQUANT_SPACE_PARAMETERS}, 7,
                 plain);
    const char *const circular[] = {"ln_period_1", "ln_k_cos_lambda_1", "ln_k_sin_lambda_1",
                                    "ln_jitter_1"};
    assert_names((study){.n_instruments = 1, .n_planets = 1, .marginalise = 1, .set = "circular"},
                 4, circular);
    const char *const alone[] = {"ln_period_1", "omega_rad_1", "lambda_1", "offset_m_s_1",
                                 "ln_jitter_1"};
    assert_names((study){.n_instruments = 1,
                         .n_planets = 1,
                         .changes = {{"k_m_s_1", "12"}, {"eccentricity_1", "0.2"}}},
                 5, alone);
}

/* ---- the prior ------------------------------------------------------------------------ */

static double largest_k(double period, double e)
{
    return 2129 / cbrt(period) / sqrt((1 - e) * (1 + e));
}

/* Ford & Gregory (2006), Table 1, of one planet and one instrument, written out. */
static double reference_log_prior(const double *parameters)
{
    double period = parameters[0], k = parameters[1], e = parameters[2], jitter = parameters[6];
    return -log(period * log(365250)) - log((1 + k) * log1p(largest_k(period, e))) -
           2 * log(two_pi) - log(2 * 2129) - log((1 + jitter) * log(2130));
}

static void priors_of_parameters_are_those_of_the_table(void **state)
{
    (void)state;
    study s =
        open_study((study){.n_instruments = 1, .n_planets = 1, .space = EQUANT_SPACE_PARAMETERS});
    for (uint64_t i = 0; i < 50; i++) {
        double point[MAX_COLUMNS], parameters[MAX_COLUMNS];
        draw(&s, i, 1, point);
        to_parameters(&s, point, parameters);
        assert_memory_equal(point, parameters, 7 * sizeof *point);
        assert_true(fabs(log_prior(&s, point) - reference_log_prior(point)) < 1e-12);
    }
    close_study(&s);
}

/* ln of the absolute value of a determinant, by elimination. */
static double log_determinant(size_t n, double matrix[MAX_COLUMNS][MAX_COLUMNS])
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k; i < n; i++)
            if (fabs(matrix[i][k]) > fabs(matrix[best][k]))
                best = i;
        for (size_t j = 0; j < n; j++) {
            double swapped = matrix[k][j];
            matrix[k][j] = matrix[best][j];
            matrix[best][j] = swapped;
        }
        sum += log(fabs(matrix[k][k]));
        for (size_t i = k + 1; i < n; i++)
            for (size_t j = n; j-- > k;)
                matrix[i][j] -= matrix[i][k] / matrix[k][k] * matrix[k][j];
    }
    return sum;
}

/* ln of the volume of parameters over that of points, by differences. Angles may come back a turn
 * away. */
static double log_volume(const study *s, const double *point)
{
    double matrix[MAX_COLUMNS][MAX_COLUMNS];
    size_t n = equant_target_n_dimensions(s->target);
    for (size_t i = 0; i < n; i++) {
        double moved[MAX_COLUMNS], up[MAX_COLUMNS], down[MAX_COLUMNS];
        double step = 1e-5 * fmax(fabs(point[i]), 1e-2);
        memcpy(moved, point, n * sizeof *moved);
        moved[i] = point[i] + step;
        to_parameters(s, moved, up);
        moved[i] = point[i] - step;
        to_parameters(s, moved, down);
        for (size_t j = 0; j < n; j++) {
            double change = up[j] - down[j];
            if (j < 5 * s->n_planets && j % 5 >= 3)
                change = remainder(change, two_pi);
            matrix[j][i] = change / (2 * step);
        }
    }
    return log_determinant(n, matrix);
}

static void smooth_densities_carry_the_jacobian(void **state)
{
    (void)state;
    study smooth = {.n_instruments = 2, .n_planets = 2, .trend_order = 1};
    study plain = smooth;
    plain.space = EQUANT_SPACE_PARAMETERS;
    smooth = open_study(smooth);
    plain = open_study(plain);
    for (uint64_t i = 0; i < 20; i++) {
        double point[MAX_COLUMNS], parameters[MAX_COLUMNS];
        draw(&smooth, i, 1, point);
        to_parameters(&smooth, point, parameters);
        double expected = log_prior(&plain, parameters) + log_volume(&smooth, point);
        assert_true(fabs(log_prior(&smooth, point) - expected) < 1e-4);
    }
    close_study(&smooth);
    close_study(&plain);
}

/* ---- the unit cube -------------------------------------------------------------------- */

/* The probabilities of one planet, one offset and one jitter, by the table of the reference. */
static void reference_probabilities(const study *s, const double *p, double *probability)
{
    char *end; /* of the lower bound in "uniform(-2129.1, 2128.9)", which the data decide */
    double low = strtod(equant_priors_text(s->priors, 5) + strlen("uniform("), &end);
    double high = strtod(end + 1, NULL);
    probability[0] = log(p[0]) / log(365250);
    probability[1] = log1p(p[1]) / log1p(largest_k(p[0], p[2]));
    probability[2] = p[2];
    probability[3] = p[3] / two_pi;
    probability[4] = p[4] / two_pi;
    probability[5] = (p[5] - low) / (high - low);
    probability[6] = log1p(p[6]) / log(2130);
}

static void draws_are_those_of_the_prior(void **state)
{
    (void)state;
    static double probability[7][N_DRAWS], points[N_DRAWS][7];
    for (int space = 0; space < 2; space++) {
        study s =
            open_study((study){.n_instruments = 1, .n_planets = 1, .space = (equant_space)space});
        draw(&s, 0, N_DRAWS, points[0]);
        for (size_t i = 0; i < N_DRAWS; i++) {
            double parameters[7], of_draw[7];
            to_parameters(&s, points[i], parameters);
            reference_probabilities(&s, parameters, of_draw);
            for (size_t k = 0; k < 7; k++)
                probability[k][i] = of_draw[k];
        }
        for (size_t k = 0; k < 7; k++)
            assert_true(kolmogorov_distance(N_DRAWS, probability[k]) < KOLMOGOROV_LIMIT);
        close_study(&s);
    }
}

static void a_point_of_the_cube_has_its_probabilities(void **state)
{
    (void)state;
    study s =
        open_study((study){.n_instruments = 1, .n_planets = 1, .space = EQUANT_SPACE_PARAMETERS});
    const double cube[7] = {0.3, 0.6, 0.45, 0.8, 0.1, 0.5, 0.25};
    double point[7], probability[7];
    assert_int_equal(equant_target_from_unit_cube(s.target, 1, cube, point), EQUANT_SUCCESS);
    reference_probabilities(&s, point, probability);
    for (size_t i = 0; i < 7; i++) {
        double expected = i == 4 ? 0.1 - 0.8 + 1.0 : cube[i]; /* M0 is lambda - omega */
        assert_true(fabs(probability[i] - expected) < 1e-13);
        assert_int_equal(equant_target_cube_wraps(s.target, i), i == 3 || i == 4);
    }
    assert_int_equal(equant_target_cube_wraps(s.target, 7), 0);
    close_study(&s);
}

/* An angle with a narrow prior is its own probability, and the ends of the cube do not meet. */
static void narrow_angles_stay_within_their_priors(void **state)
{
    (void)state;
    study s = open_study((study){.n_instruments = 1,
                                 .n_planets = 1,
                                 .space = EQUANT_SPACE_PARAMETERS,
                                 .changes = {{"m0_rad_1", "uniform(1, 2)"}}});
    const double cube[7] = {0.3, 0.6, 0.45, 0.8, 0.25, 0.5, 0.25};
    double point[7];
    assert_int_equal(equant_target_from_unit_cube(s.target, 1, cube, point), EQUANT_SUCCESS);
    assert_true(fabs(point[4] - 1.25) < 1e-14);
    assert_int_equal(equant_target_cube_wraps(s.target, 4), 0);
    close_study(&s);
}

/* Corners too, but for those of smooth points, where e = 1 to rounding and K is at the limit that
 * depends on it. */
static void all_of_the_cube_is_inside_the_prior(void **state)
{
    (void)state;
    const char *const sets[] = {"ford-gregory", "kipping", "circular", "eprv3"};
    for (int i = 0; i < 8; i++) {
        study s = open_study((study){.n_instruments = 2,
                                     .n_planets = 2,
                                     .trend_order = 2,
                                     .space = (equant_space)(i % 2),
                                     .set = sets[i / 2]});
        size_t n = equant_target_n_dimensions(s.target);
        for (uint64_t corner = 0; corner < 300; corner++) {
            double cube[MAX_COLUMNS], point[MAX_COLUMNS];
            assert_int_equal(equant_random_uniform(5, 0, corner * n, n, cube), EQUANT_SUCCESS);
            for (size_t k = 0; k < n; k++)
                cube[k] = i % 2 == 0 || corner % 2 ? cube[k] : round(cube[k]);
            assert_int_equal(equant_target_from_unit_cube(s.target, 1, cube, point),
                             EQUANT_SUCCESS);
            assert_true(isfinite(log_prior(&s, point)));
        }
        double outside[MAX_COLUMNS] = {0.5, 0.5, 1.0 + 1e-15}, point[MAX_COLUMNS];
        assert_int_equal(equant_target_from_unit_cube(s.target, 1, outside, point), EQUANT_SUCCESS);
        assert_true(isnan(point[0]) && isnan(point[n - 1]) && log_prior(&s, point) == -INFINITY);
        close_study(&s);
    }
}

/* ---- there and back --------------------------------------------------------------------- */

static void points_and_parameters_are_the_same_place(void **state)
{
    (void)state;
    study smooth = open_study((study){.n_instruments = 2, .n_planets = 2});
    study plain =
        open_study((study){.n_instruments = 2, .n_planets = 2, .space = EQUANT_SPACE_PARAMETERS});
    size_t n = equant_target_n_parameters(plain.target);
    for (uint64_t i = 0; i < 100; i++) {
        double drawn[MAX_COLUMNS], point[MAX_COLUMNS], parameters[MAX_COLUMNS];
        draw(&plain, i, 1, drawn);
        assert_int_equal(equant_target_from_parameters(smooth.target, 1, drawn, point),
                         EQUANT_SUCCESS);
        to_parameters(&smooth, point, parameters);
        for (size_t k = 0; k < n; k++)
            assert_true(fabs(parameters[k] - drawn[k]) < 1e-9 * fmax(fabs(drawn[k]), 1));
    }
    close_study(&smooth);
    close_study(&plain);
}

/* ---- the likelihood ----------------------------------------------------------------------- */

static void likelihoods_are_those_of_the_evaluator(void **state)
{
    (void)state;
    for (int space = 0; space < 2; space++) {
        study s = open_study((study){
            .n_instruments = 2, .n_planets = 1, .trend_order = 1, .space = (equant_space)space});
        equant_model_options shape = {.struct_size = sizeof shape,
                                      .n_planets = 1,
                                      .n_instruments = 2,
                                      .trend = EQUANT_TREND_LINEAR,
                                      .offset_columns = EQUANT_NUISANCE_GIVEN,
                                      .trend_columns = EQUANT_NUISANCE_GIVEN,
                                      .with_jitter = 1};
        equant_model *model;
        equant_evaluator *evaluator;
        double points[20 * 10], parameters[20 * 10], prior[20], likelihood[20], sum[20], own[20];
        equant_results results = {.struct_size = sizeof results, .log_likelihood = own};
        assert_int_equal(equant_model_create(&shape, &model), EQUANT_SUCCESS);
        assert_int_equal(equant_evaluator_create(s.dataset, model, NULL, &evaluator),
                         EQUANT_SUCCESS);
        draw(&s, 0, 20, points);
        equant_target_to_parameters(s.target, 20, points, parameters);
        equant_evaluator_evaluate(evaluator, 20, parameters, &results);
        equant_target_log_prior(s.target, 20, points, prior);
        equant_target_log_likelihood(s.target, 20, points, likelihood);
        equant_target_log_probability(s.target, 20, points, sum);
        for (size_t i = 0; i < 20; i++)
            assert_true(likelihood[i] == own[i] && sum[i] == likelihood[i] + prior[i]);
        equant_evaluator_free(evaluator);
        equant_model_free(model);
        close_study(&s);
    }
}

/* More points than there are rows of working memory. */
static void neither_batches_nor_threads_change_a_bit(void **state)
{
    (void)state;
    enum { N = 70000, WIDTH = 7 };
    double *points = malloc(N * WIDTH * sizeof *points), *reference = malloc(N * sizeof *reference);
    double *value = malloc(N * sizeof *value);
    study one = open_study((study){.n_instruments = 1, .n_planets = 1, .n_threads = 1});
    study three = open_study((study){.n_instruments = 1, .n_planets = 1, .n_threads = 3});
    draw(&one, 0, N, points);
    draw(&three, N - 5, 5, value);
    assert_memory_equal(value, points + (N - 5) * WIDTH, 5 * WIDTH * sizeof *value);
    equant_target_log_probability(one.target, N, points, reference);
    equant_target_log_probability(three.target, N, points, value);
    assert_memory_equal(value, reference, N * sizeof *value);
    for (size_t i = 0; i < N; i += 997) {
        equant_target_log_probability(one.target, 1, points + i * WIDTH, value);
        assert_true(value[0] == reference[i] && isfinite(value[0]));
    }
    close_study(&one);
    close_study(&three);
    free(points);
    free(reference);
    free(value);
}

/* ---- outside ------------------------------------------------------------------------------ */

static void assert_outside(const study *s, const double *point)
{
    double value[3], parameters[MAX_COLUMNS];
    equant_target_log_prior(s->target, 1, point, &value[0]);
    equant_target_log_likelihood(s->target, 1, point, &value[1]);
    equant_target_log_probability(s->target, 1, point, &value[2]);
    for (int i = 0; i < 3; i++)
        assert_true(value[i] == -INFINITY);
    to_parameters(s, point, parameters);
    assert_true(isnan(parameters[0]));
}

static void points_outside_the_prior_have_no_density(void **state)
{
    (void)state;
    const double places[][2] = {{0, 0.5}, {0, 4e5},  {1, -1},  {1, 1e4}, {2, 1},   {2, -0.1},
                                {3, 7},   {4, -0.1}, {5, 1e5}, {6, -1},  {6, NAN}, {0, INFINITY}};
    study s =
        open_study((study){.n_instruments = 1, .n_planets = 1, .space = EQUANT_SPACE_PARAMETERS});
    double point[7];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        draw(&s, 0, 1, point);
        point[(size_t)places[i][0]] = places[i][1];
        assert_outside(&s, point);
    }
    close_study(&s);

    s = open_study((study){.n_instruments = 1, .n_planets = 1});
    const double smooth[][2] = {{0, -1}, {1, 20}, {2, 1.1}, {4, NAN}, {6, -0.1}};
    for (size_t i = 0; i < sizeof smooth / sizeof *smooth; i++) {
        draw(&s, 0, 1, point);
        point[(size_t)smooth[i][0]] = smooth[i][1];
        assert_outside(&s, point);
    }
    close_study(&s);
}

/* Without a wall the same orbit would be there again at every turn, and the density could not be
 * normalised. */
static void angles_alone_have_one_turn(void **state)
{
    (void)state;
    study s =
        open_study((study){.n_instruments = 1, .n_planets = 1, .changes = {{"k_m_s_1", "12"}}});
    double point[6];
    draw(&s, 0, 1, point);
    assert_string_equal(equant_target_dimension_name(s.target, 3), "lambda_1");
    assert_true(isfinite(log_prior(&s, point)) && fabs(point[3]) <= 0.5 * two_pi);
    point[3] += two_pi;
    assert_outside(&s, point);
    close_study(&s);
}

/* A circle at rest is a place like others: neither e = 0 nor K = 0 is an edge. */
static void the_centre_is_inside(void **state)
{
    (void)state;
    study s = open_study((study){.n_instruments = 1, .n_planets = 1, .set = "kipping"});
    double point[7];
    draw(&s, 0, 1, point);
    point[1] = point[2] = point[3] = point[4] = 0.0;
    assert_true(isfinite(log_prior(&s, point)));
    close_study(&s);
}

/* ---- requests that cannot be met ------------------------------------------------------------ */

static void wrong_requests_are_refused(void **state)
{
    (void)state;
    study s = open_study((study){.n_instruments = 1, .n_planets = 1});
    const equant_status invalid = EQUANT_ERROR_INVALID_ARGUMENT;
    equant_target *none = NULL;
    equant_target_options options = {.struct_size = sizeof options, .n_planets = 2};
    assert_int_equal(equant_target_create(NULL, &options, &none), invalid);
    options.priors = s.priors;
    assert_int_equal(equant_target_create(s.dataset, &options, &none), invalid);
    assert_non_null(strstr(equant_last_error(), "another model"));
    options.n_planets = 1;
    options.space = (equant_space)7;
    assert_int_equal(equant_target_create(s.dataset, &options, &none), invalid);
    equant_target_options forgotten = {.n_planets = 1};
    assert_int_equal(equant_target_create(s.dataset, &forgotten, &none), invalid);
    assert_null(none);
    double point[7], value;
    assert_int_equal(equant_target_log_prior(s.target, 1, NULL, &value), invalid);
    assert_int_equal(equant_target_log_probability(s.target, 1, point, NULL), invalid);
    assert_int_equal(equant_target_log_probability(s.target, 0, NULL, NULL), EQUANT_SUCCESS);
    equant_target_free(NULL);
    close_study(&s);
}

/* Zeros are the defaults: no planet, reference priors. */
static void options_may_be_left_out(void **state)
{
    (void)state;
    equant_dataset *dataset = small_star(2);
    equant_target *target;
    assert_int_equal(equant_target_create(dataset, NULL, &target), EQUANT_SUCCESS);
    assert_int_equal(equant_target_n_dimensions(target), 4);
    equant_target_free(target);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dimensions_have_names),
        cmocka_unit_test(priors_of_parameters_are_those_of_the_table),
        cmocka_unit_test(smooth_densities_carry_the_jacobian),
        cmocka_unit_test(draws_are_those_of_the_prior),
        cmocka_unit_test(a_point_of_the_cube_has_its_probabilities),
        cmocka_unit_test(narrow_angles_stay_within_their_priors),
        cmocka_unit_test(all_of_the_cube_is_inside_the_prior),
        cmocka_unit_test(points_and_parameters_are_the_same_place),
        cmocka_unit_test(likelihoods_are_those_of_the_evaluator),
        cmocka_unit_test(neither_batches_nor_threads_change_a_bit),
        cmocka_unit_test(points_outside_the_prior_have_no_density),
        cmocka_unit_test(angles_alone_have_one_turn),
        cmocka_unit_test(the_centre_is_inside),
        cmocka_unit_test(wrong_requests_are_refused),
        cmocka_unit_test(options_may_be_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
