#include "results/fit_basis.h"

#include <stdio.h>

#include "terminal/measured_value.h"
#include "terminal/messages.h"
#include "terminal/table.h"

enum { N = EQUANT_N_ELEMENTS };

static equant_status add_planet(const struct star_result *star, size_t planet, const char *basis,
                                struct table *table)
{
    const equant_model *model = equant_fit_model(star->fit);
    size_t n = equant_model_n_parameters(model), first = N * planet;
    const double *set = equant_fit_parameters(star->fit), *all = equant_fit_covariance(star->fit);
    double own[N * N], values[N], errors[N];
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            own[i * N + j] = all[(first + i) * n + first + j];
    equant_status status = equant_orbit_coordinates(basis, star->summary.reference_time_days,
                                                    set + first, own, values, errors);
    table_add(table, "%c", equant_fit_letter(star->fit, planet));
    for (size_t i = 0; i < N && status == EQUANT_SUCCESS; i++) {
        if (errors[i] > 0.0)
            table_add(table, "%s", measured_value_of(values[i], errors[i]).text);
        else
            table_add(table, "%.8g fixed", values[i]);
    }
    return status;
}

int fit_basis_print(const struct star_result *star, const char *basis)
{
    struct table table = table_start("llllll");
    equant_status status = EQUANT_SUCCESS;
    table_add(&table, "planet");
    for (size_t i = 0; i < N; i++)
        table_add(&table, "%s", equant_basis_word(basis, i));
    for (size_t p = 0; p < star->n_planets && status == EQUANT_SUCCESS; p++)
        status = add_planet(star, p, basis, &table);
    int code = messages_status(status);
    if (code == EXIT_CODE_OK && star->n_planets > 0) {
        putchar('\n');
        code = table_print(&table, stdout, 2);
    }
    table_free(&table);
    return code;
}
