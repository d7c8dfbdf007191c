/* Equations in the shape of an arrow, against the same ones solved as a full matrix. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "inference/optimise/arrow_matrix.h"
#include "inference/likelihood/small_matrix.h"

enum { N = 14, FIRST = 5, N_APART = 7, TOGETHER = N - N_APART, ROWS = 60 };

static double from_sequence(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)*state / 4294967296.0 - 0.5;
}

/* A design in which every row has one of the columns apart. */
static void normal_equations(unsigned seed, double full[N][N], double right[N])
{
    double row[N];
    for (size_t i = 0; i < N; i++) {
        right[i] = 0.0;
        for (size_t j = 0; j < N; j++)
            full[i][j] = 0.0;
    }
    for (size_t k = 0; k < ROWS; k++) {
        double value = from_sequence(&seed);
        for (size_t i = 0; i < N; i++) {
            bool apart = i >= FIRST && i < FIRST + N_APART;
            row[i] = !apart ? from_sequence(&seed) : i - FIRST == k % N_APART ? 1.0 : 0.0;
        }
        for (size_t i = 0; i < N; i++) {
            right[i] += row[i] * value;
            for (size_t j = 0; j < N; j++)
                full[i][j] += row[i] * row[j];
        }
    }
}

static void assert_same_as_full(const bool *is_wanted, const bool *is_damped, double damping)
{
    double full[N][N], right[N], direct[N], solution[N], work[TOGETHER * (TOGETHER + 2)];
    double storage[TOGETHER * N + N_APART];
    normal_equations(7, full, right);
    assert_int_equal(arrow_matrix_size(N, N_APART), TOGETHER * N + N_APART);
    arrow_matrix arrow = arrow_matrix_in(storage, N, FIRST, N_APART);
    arrow_matrix_load(&arrow, &full[0][0], N);
    arrow_matrix_solve(&arrow, is_wanted, is_damped, damping, right, solution, work);
    for (size_t i = 0; i < N; i++) {
        direct[i] = is_wanted[i] ? right[i] : 0.0;
        for (size_t j = 0; j < N; j++)
            full[i][j] = is_wanted[i] && is_wanted[j] ? full[i][j] : 0.0;
        if (is_damped[i])
            full[i][i] *= 1.0 + damping;
    }
    small_matrix_factor(N, &full[0][0]);
    small_matrix_solve(N, &full[0][0], direct);
    for (size_t i = 0; i < N; i++)
        assert_true(fabs(solution[i] - direct[i]) < 1e-13);
}

static void all_unknowns(void **state)
{
    (void)state;
    bool wanted[N], damped[N] = {false};
    for (size_t i = 0; i < N; i++)
        wanted[i] = true;
    assert_same_as_full(wanted, damped, 0.0);
}

static void some_unknowns_and_damping(void **state)
{
    (void)state;
    bool wanted[N], damped[N] = {false};
    for (size_t i = 0; i < N; i++)
        wanted[i] = i != 2 && i != N - 1;
    damped[0] = damped[1] = damped[N - 2] = true;
    assert_same_as_full(wanted, damped, 0.7);
}

/* A column that the columns apart make up between them is dropped, not divided by rounding. */
static void what_the_others_determine_is_dropped(void **state)
{
    (void)state;
    double full[3][3] = {{4.0, 2.0, 2.0}, {2.0, 2.0, 0.0}, {2.0, 0.0, 2.0}};
    double right[3] = {3.0, 1.0, 2.0}, solution[3], storage[5], work[3];
    const bool wanted[3] = {true, true, true}, damped[3] = {false, false, false};
    arrow_matrix arrow = arrow_matrix_in(storage, 3, 1, 2);
    arrow_matrix_load(&arrow, &full[0][0], 3);
    arrow_matrix_solve(&arrow, wanted, damped, 0.0, right, solution, work);
    assert_true(solution[0] == 0.0 && solution[1] == 0.5 && solution[2] == 1.0);
}

/* Turned, with some unknowns known, and as a square: each as the full matrix has it. */
static void turns_and_products_are_those_of_the_full_matrix(void **state)
{
    (void)state;
    const double cosine = 0.6, sine = 0.8;
    double full[N][N], right[N], known[N] = {0.0}, x[N], storage[TOGETHER * N + N_APART];
    unsigned seed = 3;
    for (size_t first = 1; first < N; first += FIRST + N_APART) { /* before those apart, behind */
        normal_equations(5, full, right);
        arrow_matrix arrow = arrow_matrix_in(storage, N, FIRST, N_APART);
        arrow_matrix_load(&arrow, &full[0][0], N);
        double square = 0.0, turned = 0.0;
        for (size_t i = 0; i < N; i++)
            x[i] = from_sequence(&seed);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++)
                square += x[i] * full[i][j] * x[j];
        assert_true(fabs(arrow_matrix_square(&arrow, x) / square - 1.0) < 1e-12);
        size_t i = first < N - 1 ? first : N - 2;
        arrow_matrix_turn(&arrow, i, cosine, sine);
        double along = cosine * x[i] + sine * x[i + 1], across = cosine * x[i + 1] - sine * x[i];
        x[i] = along;
        x[i + 1] = across;
        turned = arrow_matrix_square(&arrow, x);
        assert_true(fabs(turned / square - 1.0) < 1e-12);
    }
    normal_equations(5, full, right);
    arrow_matrix arrow = arrow_matrix_in(storage, N, FIRST, N_APART);
    arrow_matrix_load(&arrow, &full[0][0], N);
    known[0] = 0.7;
    known[N - 1] = -0.3;
    double left[N];
    for (size_t i = 0; i < N; i++)
        left[i] = right[i] - full[i][0] * known[0] - full[i][N - 1] * known[N - 1];
    arrow_matrix_take_off(&arrow, known, right);
    for (size_t i = 0; i < N; i++)
        assert_true(fabs(right[i] - left[i]) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_unknowns),
        cmocka_unit_test(some_unknowns_and_damping),
        cmocka_unit_test(what_the_others_determine_is_dropped),
        cmocka_unit_test(turns_and_products_are_those_of_the_full_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
