/* Energy and angular momentum of planets that attract each other, over thousands of orbits. They
 * are computed here from inertial coordinates. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/nbody/nbody_run.h"
#include "dynamics/nbody_elements.h"
#include "equant.h"

enum { N = 2, N_TIMES = 40 };

typedef struct invariants {
    double energy, momentum[3];
} invariants;

/* Of a star, Jacobi states and masses. */
static invariants invariants_of(double star_mass, const double *masses, const double *states)
{
    double place[N + 1][6] = {{0.0}}, centre[6] = {0.0}, mass[N + 1], total = star_mass;
    invariants out = {0.0, {0.0}};
    mass[0] = star_mass;
    for (int i = 1; i <= N; i++) {
        mass[i] = masses[i - 1];
        for (int k = 0; k < 6; k++) {
            place[i][k] = centre[k] + states[6 * (i - 1) + k];
            centre[k] = (total * centre[k] + mass[i] * place[i][k]) / (total + mass[i]);
        }
        total += mass[i];
    }
    for (int i = 0; i <= N; i++) {
        double r[3], v[3];
        for (int k = 0; k < 3; k++) {
            r[k] = place[i][k] - centre[k];
            v[k] = place[i][3 + k] - centre[3 + k];
        }
        out.energy += 0.5 * mass[i] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int k = 0; k < 3; k++)
            out.momentum[k] +=
                mass[i] * (r[(k + 1) % 3] * v[(k + 2) % 3] - r[(k + 2) % 3] * v[(k + 1) % 3]);
        for (int j = 0; j < i; j++) {
            double d[3] = {place[i][0] - place[j][0], place[i][1] - place[j][1],
                           place[i][2] - place[j][2]};
            out.energy -=
                NBODY_GRAVITY * mass[i] * mass[j] / sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        }
    }
    return out;
}

static void test_energy_and_momentum_stay(void **state)
{
    (void)state;
    const double star_mass = 0.33, span_days = 20000 * 30.1;
    const double elements[N][NBODY_N_ELEMENTS] = {{7e-4, 30.1, 0.2, 0.1, 0.4, 1.1, 0.05},
                                                  {2.2e-3, 61.1, -0.02, 0.03, 2.9, 1.0, 0.0}};
    const double masses[N] = {elements[0][0], elements[1][0]};
    double times[N_TIMES], system[1 + N * NBODY_STATE], states[N_TIMES * N * 6];
    int end;
    for (int k = 0; k < N_TIMES; k++)
        times[k] = span_days * k / (N_TIMES - 1);
    assert_true(nbody_elements_to_system(star_mass, N, elements[0], system));
    const backend_nbody_plan plan = {.n_planets = N,
                                     .step_days = nbody_elements_step(N, elements[0]),
                                     .n_times = N_TIMES,
                                     .time_days = times};
    assert_int_equal(nbody_run(NULL, &plan, 1, system, NULL, states, &end), EQUANT_SUCCESS);
    assert_int_equal(end, BACKEND_NBODY_FINE);
    const invariants first = invariants_of(star_mass, masses, states);
    double energy[2] = {0.0}, momentum = 0.0; /* of the first and the second half */
    double size =
        sqrt(first.momentum[0] * first.momentum[0] + first.momentum[1] * first.momentum[1] +
             first.momentum[2] * first.momentum[2]);
    for (int k = 1; k < N_TIMES; k++) {
        invariants now = invariants_of(star_mass, masses, states + k * N * 6);
        double *half = &energy[k >= N_TIMES / 2];
        *half = fmax(*half, fabs(now.energy / first.energy - 1.0));
        for (int a = 0; a < 3; a++)
            momentum = fmax(momentum, fabs(now.momentum[a] - first.momentum[a]) / size);
    }
    printf("20000 orbits: energy within %.1e and %.1e, angular momentum within %.1e\n", energy[0],
           energy[1], momentum);
    assert_true(energy[0] < 2e-8);
    assert_true(energy[1] < 1.5 * energy[0]); /* bounded */
    assert_true(momentum < 2e-11);
}

/* The largest system that is taken: derivatives with the elements of its last planet agree with
 * differences of velocities. */
static void test_derivatives_of_ten_planets(void **state)
{
    (void)state;
    enum {
        MANY = EQUANT_NBODY_MAX_PLANETS,
        N_ROWS = EQUANT_N_NBODY_ELEMENTS * MANY,
        LAST = MANY - 1
    };
    const equant_nbody_options options = {.struct_size = sizeof options};
    const double times[] = {3.0, 250.0}, h = 1e-6;
    double elements[3][MANY][EQUANT_N_NBODY_ELEMENTS], velocities[3][2], jacobian[3][N_ROWS][2];
    for (int s = 0; s < 3; s++)
        for (int p = 0; p < MANY; p++) {
            const double own[] = {1e-5, 5.0 * pow(1.8, p), 0.01, 0.02, 0.7 * p, 1.2, 0.1};
            memcpy(elements[s][p], own, sizeof own);
        }
    elements[1][LAST][NBODY_LONGITUDE] += h; /* the mean longitude */
    elements[2][LAST][NBODY_LONGITUDE] -= h;
    assert_int_equal(equant_nbody_velocities(MANY, 3, elements[0][0], 2, times, &options,
                                             velocities[0], jacobian[0][0], NULL),
                     EQUANT_SUCCESS);
    for (int t = 0; t < 2; t++) {
        double by_difference = (velocities[1][t] - velocities[2][t]) / (2.0 * h);
        double slope = jacobian[0][EQUANT_N_NBODY_ELEMENTS * LAST + NBODY_LONGITUDE][t];
        assert_true(fabs(slope - by_difference) < 1e-6 * fabs(by_difference) + 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_energy_and_momentum_stay),
                                       cmocka_unit_test(test_derivatives_of_ten_planets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
