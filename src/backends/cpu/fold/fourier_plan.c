#include "backends/cpu/fold/fourier_plan.h"

#include <math.h>
#include <stdlib.h>

#include "backends/cpu/problem.h"
#include "model/circle.h"

/* Four at once costs less than twice two. */
static const size_t radices[] = {4, 2, 3, 5};

static size_t next_radix(size_t length)
{
    for (size_t i = 0; i < sizeof radices / sizeof *radices; i++)
        if (length % radices[i] == 0)
            return radices[i];
    return 0;
}

bool fourier_plan_can(size_t length)
{
    while (length > 1 && next_radix(length) > 0)
        length /= next_radix(length);
    return length == 1;
}

static size_t plan_passes(fourier_plan *plan)
{
    size_t n_factors = 0, n_blocks = 1;
    for (size_t left = plan->length; left > 1; n_blocks = plan->length / left) {
        size_t radix = next_radix(left);
        left /= radix;
        plan->passes[plan->n_passes++] = (fourier_pass){
            .radix = radix, .n_inner = left, .n_blocks = n_blocks, .factors = n_factors};
        n_factors += 2 * (radix - 1) * (left - 1);
    }
    return n_factors;
}

static void fill_factors(const fourier_pass *pass, float *factors)
{
    for (size_t k = 1; k < pass->n_inner; k++)
        for (size_t q = 1; q < pass->radix; q++) {
            double angle = -2.0 * PI * (double)(q * k) / (double)(pass->radix * pass->n_inner);
            *factors++ = (float)cos(angle);
            *factors++ = (float)sin(angle);
        }
}

/* The remainder by the first radix names the part of the first pass, and so on. */
static uint32_t place_of(const fourier_plan *plan, size_t result)
{
    size_t place = 0;
    for (size_t i = 0; i < plan->n_passes; i++) {
        place += result % plan->passes[i].radix * plan->passes[i].n_inner;
        result /= plan->passes[i].radix;
    }
    return (uint32_t)place;
}

bool fourier_plan_create(fourier_plan *plan, size_t length)
{
    plan->length = length;
    plan->factors = problem_allocate(plan_passes(plan) + 1, sizeof(float));
    plan->places = problem_allocate(length, sizeof *plan->places);
    if (!plan->factors || !plan->places)
        return false;
    for (size_t i = 0; i < plan->n_passes; i++)
        fill_factors(&plan->passes[i], plan->factors + plan->passes[i].factors);
    for (size_t i = 0; i < length; i++)
        plan->places[i] = place_of(plan, i);
    return true;
}

void fourier_plan_free(fourier_plan *plan)
{
    free(plan->factors);
    free(plan->places);
}
