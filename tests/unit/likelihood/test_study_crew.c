/* Pieces of a study's work on several threads: what they find, which failure comes back, and how
 * soon a caller who has had enough is heard. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "core/status_fail.h"
#include "inference/likelihood/study_crew.h"
#include "unit/studied_star.h"

enum { N = 40, PIECES = 23 };

static equant_dataset *make_star(void)
{
    double time[N], velocity[N], sigma[N];
    equant_dataset *dataset = NULL;
    for (int k = 0; k < N; k++) {
        time[k] = 3.1 * k;
        velocity[k] = k % 7;
        sigma[k] = 1.0;
    }
    assert_int_equal(
        equant_dataset_from_arrays(N, time, velocity, sigma, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    return dataset;
}

static void study_on(study *star, const equant_dataset *dataset, int n_threads,
                     equant_progress progress)
{
    const equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = n_threads};
    const study_options options = {.engine = &engine, .progress = progress};
    assert_int_equal(study_create(star, dataset, &options), EQUANT_SUCCESS);
}

/* A chi-square by an evaluator that no other piece uses, and pieces within. */
typedef struct sums {
    double chi_square[PIECES][PIECES];
    size_t outer;
} sums;

static equant_status evaluate_piece(study *star, void *context, size_t i)
{
    sums *found = context;
    double *set = calloc(study_layout(star, 0, 0).n_parameters, sizeof *set);
    equant_evaluator *evaluator;
    equant_results results = {.struct_size = sizeof results,
                              .chi_square = &found->chi_square[found->outer][i]};
    equant_status status = study_evaluator(star, 0, 0, &evaluator);
    set[0] = (double)(i + 3 * found->outer);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_evaluate(evaluator, 1, set, &results);
    free(set);
    return status;
}

static equant_status evaluate_pieces(study *star, void *context, size_t i)
{
    sums *all = context, own = {.outer = i};
    equant_status status = study_crew_share(star, PIECES, evaluate_piece, &own);
    memcpy(all->chi_square[i], own.chi_square[i], sizeof own.chi_square[i]);
    return status;
}

static void same_on_any_number_of_threads(void **state)
{
    (void)state;
    static sums found[4];
    equant_dataset *dataset = make_star();
    for (int n_threads = 1; n_threads <= 4; n_threads++) {
        study star;
        study_on(&star, dataset, n_threads, NULL);
        assert_int_equal(study_crew_share(&star, PIECES, evaluate_pieces, &found[n_threads - 1]),
                         EQUANT_SUCCESS);
        study_free(&star);
    }
    assert_true(found[0].chi_square[2][5] > 0.0);
    for (int i = 1; i < 4; i++)
        assert_memory_equal(found[i].chi_square, found[0].chi_square, sizeof found[0].chi_square);
    equant_dataset_free(dataset);
}

static equant_status fail_piece(study *star, void *context, size_t i)
{
    const size_t *first = context;
    (void)star;
    return i >= *first ? status_fail(EQUANT_ERROR_FORMAT, "piece %zu is bad", i) : EQUANT_SUCCESS;
}

static void failures_come_back(void **state)
{
    (void)state;
    equant_dataset *dataset = make_star();
    for (int n_threads = 1; n_threads <= 3; n_threads++) {
        study star;
        size_t first = PIECES - 1;
        study_on(&star, dataset, n_threads, NULL);
        assert_int_equal(study_crew_share(&star, PIECES, fail_piece, &first), EQUANT_ERROR_FORMAT);
        assert_string_equal(equant_last_error(), "piece 22 is bad");
        first = 0;
        assert_int_equal(study_crew_share(&star, PIECES, fail_piece, &first), EQUANT_ERROR_FORMAT);
        study_free(&star);
    }
    equant_dataset_free(dataset);
}

static int refuse(const equant_progress_report *report, void *context)
{
    (void)report;
    (void)context;
    return 1;
}

static int accept_once(const equant_progress_report *report, void *context)
{
    static int n_told;
    (void)report;
    (void)context;
    return n_told++ > 0;
}

/* For ever, but for a caller who has had enough. */
static equant_status never_end(study *star, void *context, size_t i)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    equant_status status = EQUANT_SUCCESS;
    (void)context;
    (void)i;
    while (status == EQUANT_SUCCESS) {
        nanosleep(&pause, NULL);
        status = study_still_wanted(star);
    }
    return status;
}

static void callers_are_heard(void **state)
{
    (void)state;
    equant_dataset *dataset = make_star();
    study star;
    study_on(&star, dataset, 3, accept_once);
    assert_int_equal(study_report(&star, "waiting", 0.0), EQUANT_SUCCESS);
    assert_int_equal(study_crew_share(&star, PIECES, never_end, NULL), EQUANT_ERROR_CANCELLED);
    assert_string_equal(equant_last_error(), "cancelled while waiting");
    study_free(&star);
    study_on(&star, dataset, 3, refuse);
    assert_int_equal(study_report(&star, "waiting", 0.0), EQUANT_ERROR_CANCELLED);
    study_free(&star);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_on_any_number_of_threads),
                                       cmocka_unit_test(failures_come_back),
                                       cmocka_unit_test(callers_are_heard)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
