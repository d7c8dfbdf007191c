/* Speed and error of lists of evaluators: many stars of 100 velocities, some parameter sets of each
 * in one call; and the same by an evaluator for each star, one call after the other.
 *
 *   cc -O2 -I include benchmarks/archive/list_speed.c build/libequant.so -lm -o list_speed
 *   list_speed BACKEND double|mixed N_STARS SETS_OF_EACH */
#include <math.h>
#include <string.h>

#include "../trial_run.h"

enum { N_OBS = 100, N_COLUMNS = EQUANT_N_ELEMENTS, N_ALONE = 2000 };

static equant_dataset *make_star(size_t number)
{
    double u[3 * N_OBS], time[N_OBS], velocity[N_OBS], error[N_OBS];
    int instrument[N_OBS] = {0};
    equant_dataset *made = NULL;
    must(equant_random_uniform(number + 1, 41, 0, 3 * N_OBS, u));
    for (size_t k = 0; k < N_OBS; k++) {
        time[k] = 2459000.0 + 15.0 * (double)k + 10.0 * u[3 * k];
        velocity[k] = 20.0 * (u[3 * k + 1] - 0.5);
        error[k] = 1.0 + 2.0 * u[3 * k + 2];
    }
    must(
        equant_dataset_from_arrays(N_OBS, time, velocity, error, instrument, 1, NULL, NULL, &made));
    return made;
}

static void draw_sets(size_t n, double *sets)
{
    const double low[N_COLUMNS] = {2.0, 1.0, 0.0, 0.0, 0.0},
                 high[N_COLUMNS] = {800.0, 30.0, 0.9, 6.28, 6.28};
    must(equant_random_uniform(7, 42, 0, n * N_COLUMNS, sets));
    for (size_t i = 0; i < n * N_COLUMNS; i++)
        sets[i] = low[i % N_COLUMNS] + (high[i % N_COLUMNS] - low[i % N_COLUMNS]) * sets[i];
}

/* Stars one after the other, each with an evaluator that is there already; the largest difference
 * of chi-square beside those of the list goes to *worst. */
static double run_alone(const equant_engine_options *engine, const equant_model *model, size_t n,
                        equant_dataset *const *stars, size_t n_each, const double *sets,
                        const double *listed, double *worst)
{
    double *chi_square = allocate(n_each, sizeof *chi_square), taken = 0.0;
    const equant_results results = {.struct_size = sizeof results, .chi_square = chi_square};
    *worst = 0.0;
    for (size_t i = 0; i < n; i++) {
        equant_evaluator *evaluator = NULL;
        must(equant_evaluator_create(stars[i], model, engine, &evaluator));
        double began = seconds();
        must(equant_evaluator_evaluate(evaluator, n_each, sets + i * n_each * N_COLUMNS, &results));
        taken += seconds() - began;
        equant_evaluator_free(evaluator);
        for (size_t k = 0; k < n_each; k++)
            *worst = fmax(*worst, fabs(chi_square[k] / listed[i * n_each + k] - 1.0));
    }
    free(chi_square);
    return taken;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: list_speed BACKEND double|mixed N_STARS SETS_OF_EACH\n");
        return 2;
    }
    const equant_engine_options engine = {.struct_size = sizeof engine,
                                          .backend = argv[1],
                                          .precision = strcmp(argv[2], "mixed") == 0
                                                           ? EQUANT_PRECISION_MIXED
                                                           : EQUANT_PRECISION_DOUBLE},
                                exact = {.struct_size = sizeof exact, .backend = "cpu"};
    size_t n = strtoul(argv[3], NULL, 10), n_each = strtoul(argv[4], NULL, 10), n_sets = n * n_each;
    size_t n_alone = n < N_ALONE ? n : N_ALONE, *whose = allocate(n_sets, sizeof *whose);
    double *sets = allocate(n_sets * N_COLUMNS, sizeof *sets), worst, error;
    double *chi_square = allocate(n_sets, sizeof *chi_square);
    equant_dataset **stars = allocate(n, sizeof(equant_dataset *));
    equant_model *model = NULL;
    const equant_model_options options = {
        .struct_size = sizeof options, .n_planets = 1, .n_instruments = 1};
    must(equant_model_create(&options, &model));
    for (size_t i = 0; i < n; i++)
        stars[i] = make_star(i);
    for (size_t s = 0; s < n_sets; s++)
        whose[s] = s / n_each;
    draw_sets(n_sets, sets);
    equant_evaluator_list *list = NULL;
    double began = seconds();
    must(equant_evaluator_list_create(n, (const equant_dataset *const *)stars, model, &engine,
                                      &list));
    printf("%s %s: %zu stars of %d velocities, %zu sets of each; made in %.3f s\n", argv[1],
           argv[2], n, N_OBS, n_each, seconds() - began);
    const equant_results results = {.struct_size = sizeof results, .chi_square = chi_square};
    double best = INFINITY;
    for (int round = 0; round < 3; round++) {
        began = seconds();
        must(equant_evaluator_list_evaluate(list, n_sets, whose, sets, &results));
        best = fmin(best, seconds() - began);
    }
    double alone = run_alone(&engine, model, n_alone, stars, n_each, sets, chi_square, &worst);
    run_alone(&exact, model, n_alone, stars, n_each, sets, chi_square, &error);
    printf("in one call %.4g s, %.4g sets/s; a call for each star %.4g sets/s: %.3g times\n", best,
           (double)n_sets / best, (double)(n_alone * n_each) / alone,
           (double)n_sets / best * alone / (double)(n_alone * n_each));
    printf("chi-square apart by %.2g from these, by %.2g from processors in double\n", worst,
           error);
    equant_evaluator_list_free(list);
    for (size_t i = 0; i < n; i++)
        equant_dataset_free(stars[i]);
    equant_model_free(model);
    free(stars);
    free(whose);
    free(sets);
    free(chi_square);
    return 0;
}
