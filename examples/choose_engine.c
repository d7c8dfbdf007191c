/* Lists what this machine can compute with, then evaluates the same random
 * orbits in double and in mixed precision and says how far they differ. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <equant.h>

enum { N_ORBITS = 1000, N_PLANETS = 2 };

static void check(equant_status status)
{
    if (status != EQUANT_SUCCESS) {
        fprintf(stderr, "choose_engine: %s\n", equant_last_error());
        exit(1);
    }
}

static void list_backends(void)
{
    for (size_t i = 0; i < equant_n_backends(); i++) {
        equant_backend_info info = {.struct_size = sizeof info};
        check(equant_backend_at(i, &info));
        printf("%-12s %s%s%s\n", info.name, info.description,
               info.available ? "" : " (not on this machine)", info.is_default ? " (default)" : "");
    }
}

/* chi-square of every orbit, computed in the given precision */
static void evaluate(const equant_dataset *dataset, const equant_model *model,
                     equant_precision precision, const double *orbits, double *chi_square)
{
    equant_engine_options engine = {.struct_size = sizeof engine, .precision = precision};
    equant_evaluator *evaluator;
    check(equant_evaluator_create(dataset, model, &engine, &evaluator));
    equant_results results = {.struct_size = sizeof results, .chi_square = chi_square};
    check(equant_evaluator_evaluate(evaluator, N_ORBITS, orbits, &results));
    printf("%d orbits evaluated on %s\n", N_ORBITS, equant_evaluator_backend(evaluator));
    equant_evaluator_free(evaluator);
}

int main(void)
{
    list_backends();

    equant_dataset *dataset;
    check(equant_dataset_demonstration(&dataset));
    equant_model_options model_options = {
        .struct_size = sizeof model_options,
        .n_planets = N_PLANETS,
        .n_instruments = equant_dataset_n_instruments(dataset),
    };
    equant_model *model;
    check(equant_model_create(&model_options, &model));

    static double orbits[N_ORBITS * N_PLANETS * 5];
    static double in_double[N_ORBITS], in_mixed[N_ORBITS];
    check(equant_orbits_draw(NULL, /*seed*/ 1, /*first*/ 0, N_ORBITS, N_PLANETS, orbits));
    evaluate(dataset, model, EQUANT_PRECISION_DOUBLE, orbits, in_double);
    evaluate(dataset, model, EQUANT_PRECISION_MIXED, orbits, in_mixed);

    double worst = 0;
    for (int i = 0; i < N_ORBITS; i++)
        worst = fmax(worst, fabs(in_mixed[i] / in_double[i] - 1));
    printf("largest fractional difference of chi-square: %.1e\n", worst);

    equant_model_free(model);
    equant_dataset_free(dataset);
    return worst < 1e-2 ? 0 : 1;
}
