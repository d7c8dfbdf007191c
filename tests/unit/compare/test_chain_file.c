/* Chains that are kept in a file go on from it to the same numbers; files of another run and
 * damaged ones are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "equant.h"
#include "inference/compare/chain_file.h"

enum { N_OBS = 30, N_CHAINS = 2, N_SLOTS = 3 };

typedef struct star {
    equant_dataset *dataset;
    equant_fit *fit;
    comparison_start start;
} star;

static void star_create(star *made)
{
    double times[N_OBS], velocities[N_OBS], sigmas[N_OBS], noise[N_OBS];
    assert_int_equal(equant_random_normal(3, 900, 0, N_OBS, noise), EQUANT_SUCCESS);
    for (int i = 0; i < N_OBS; i++) {
        times[i] = 2455000.0 + 1.9 * i + 0.3 * sin(7.0 * i);
        sigmas[i] = 1.0;
        velocities[i] = 1.2 * cos(6.283185307179586 * times[i] / 7.3) + noise[i];
    }
    assert_int_equal(equant_dataset_from_arrays(N_OBS, times, velocities, sigmas, NULL, 1, NULL,
                                                NULL, &made->dataset),
                     EQUANT_SUCCESS);
    equant_fit_options options = {.struct_size = sizeof options,
                                  .noise = "white",
                                  .max_planets = 1,
                                  .period_min_days = 3.0,
                                  .period_max_days = 50.0};
    assert_int_equal(equant_fit_star(made->dataset, &options, &made->fit), EQUANT_SUCCESS);
    equant_compare_options wanted = {.struct_size = sizeof wanted, .max_planets = 2};
    assert_int_equal(comparison_start_create(made->dataset, made->fit, &wanted, &made->start),
                     EQUANT_SUCCESS);
}

static void star_free(star *gone)
{
    comparison_start_free(&gone->start);
    equant_fit_free(gone->fit);
    equant_dataset_free(gone->dataset);
}

static void chains_create(const star *of, population *chains)
{
    for (size_t i = 0; i < N_CHAINS; i++) {
        assert_int_equal(population_create(&of->start.space, 5, i, &chains[i]), EQUANT_SUCCESS);
        assert_int_equal(comparison_start_population(&of->start, i, &chains[i]), EQUANT_SUCCESS);
    }
}

static void chains_sweep(population *chains, int n)
{
    for (int sweep = 0; sweep < n; sweep++)
        for (size_t i = 0; i < N_CHAINS; i++)
            assert_int_equal(population_sweep(&chains[i], N_SLOTS, true), EQUANT_SUCCESS);
}

static void chains_free(population *chains)
{
    for (size_t i = 0; i < N_CHAINS; i++)
        population_free(&chains[i]);
}

static char *new_path(void)
{
    static char path[] = "/tmp/equant-chains-XXXXXX";
    memcpy(path + sizeof path - 7, "XXXXXX", 6);
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    remove(path);
    return path;
}

static void chains_go_on_to_the_same_numbers(void **state)
{
    (void)state;
    star of;
    population whole[N_CHAINS], again[N_CHAINS];
    char *path = new_path();
    size_t sweep = 0;
    star_create(&of);
    uint64_t mark = chain_file_mark(&of.start, 5, N_CHAINS, 8, N_SLOTS);
    chains_create(&of, whole);
    chains_create(&of, again);
    assert_int_equal(chain_file_read(path, mark, N_CHAINS, again, &sweep), EQUANT_SUCCESS);
    assert_int_equal(sweep, 0); /* there is none yet */
    chains_sweep(whole, 4);
    assert_int_equal(chain_file_write(path, mark, 4, N_CHAINS, whole), EQUANT_SUCCESS);
    chains_sweep(whole, 4);
    assert_int_equal(chain_file_read(path, mark, N_CHAINS, again, &sweep), EQUANT_SUCCESS);
    assert_int_equal(sweep, 4);
    chains_sweep(again, 4);
    for (size_t i = 0; i < N_CHAINS; i++) {
        const tally *one = &whole[i].tally, *other = &again[i].tally;
        assert_int_equal(one->n_moves, other->n_moves);
        assert_memory_equal(one->of_n, other->of_n, sizeof one->of_n);
        assert_memory_equal(one->absent, other->absent, one->n_bins * sizeof *one->absent);
        assert_int_equal(one->n_places, other->n_places);
        for (size_t j = 0; j < one->n_places; j++)
            assert_true(one->places[j].frequency == other->places[j].frequency &&
                        one->places[j].weight == other->places[j].weight);
    }
    remove(path);
    chains_free(whole);
    chains_free(again);
    star_free(&of);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    star of;
    population chains[N_CHAINS];
    char *path = new_path();
    size_t sweep = 0;
    star_create(&of);
    uint64_t mark = chain_file_mark(&of.start, 5, N_CHAINS, 8, N_SLOTS);
    assert_true(mark != chain_file_mark(&of.start, 6, N_CHAINS, 8, N_SLOTS));
    assert_true(mark != chain_file_mark(&of.start, 5, N_CHAINS, 9, N_SLOTS));
    chains_create(&of, chains);
    assert_int_equal(chain_file_write(path, mark, 1, N_CHAINS, chains), EQUANT_SUCCESS);
    assert_int_equal(chain_file_read(path, mark + 1, N_CHAINS, chains, &sweep),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "another comparison"));
    assert_int_equal(truncate(path, 200), 0);
    assert_int_equal(chain_file_read(path, mark, N_CHAINS, chains, &sweep),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "damaged"));
    assert_int_equal(chain_file_write("/nowhere/chains", mark, 1, N_CHAINS, chains),
                     EQUANT_ERROR_IO);
    FILE *file = fopen(path, "w"); /* of a person, in the place of the chains */
    assert_non_null(file);
    fputs("precious", file);
    fclose(file);
    assert_int_equal(chain_file_write(path, mark, 1, N_CHAINS, chains),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(chain_file_remove(path), EQUANT_ERROR_INVALID_ARGUMENT);
    file = fopen(path, "r");
    assert_non_null(file);
    char found[16] = "";
    assert_int_equal(fread(found, 1, sizeof found, file), strlen("precious"));
    fclose(file);
    assert_string_equal(found, "precious");
    remove(path);
    chains_free(chains);
    star_free(&of);
}

/* Writes eight bytes into a file. */
static void change(const char *path, size_t place, uint64_t value)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)place, SEEK_SET), 0);
    assert_int_equal(fwrite(&value, sizeof value, 1, file), 1);
    assert_int_equal(fclose(file), 0);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Counts and indices of a file are what its author pleases: none is multiplied, allocated or
 * followed before it is known to fit. */
static void numbers_that_do_not_fit_are_damage(void **state)
{
    (void)state;
    star of;
    population chains[N_CHAINS];
    char *path = new_path();
    size_t sweep = 0;
    star_create(&of);
    uint64_t mark = chain_file_mark(&of.start, 5, N_CHAINS, 8, N_SLOTS);
    chains_create(&of, chains);
    chains_sweep(chains, 2);
    const size_t n_max = chains[0].space->priors->n_max, n_noise = of.start.star.n_noise;
    const size_t slots = 16 + 8 + 8 + 8;
    const size_t counts =
        slots + n_max * sizeof(population_planet) + (2 * n_max * N_OBS + n_noise) * sizeof(double);
    const size_t moves = counts + 3 * 8;
    const size_t places = moves + chains[0].tally.n_moves * sizeof(tally_move);
    const struct {
        size_t place;
        uint64_t value;
    } changes[] = {
        {slots + offsetof(population_planet, is_there), 2},
        {slots + offsetof(population_planet, scale), 1u << 30},
        {slots + offsetof(population_planet, orbit.frequency), bits_of(NAN)},
        {counts, UINT64_MAX / sizeof(tally_move) + 1}, /* so that all of them have few bytes */
        {counts, UINT64_MAX},
        {counts + 8, UINT64_MAX / sizeof(tally_place) + 1},
        {counts + 16, (UINT64_C(1) << 61) + 1},
        {counts + 16, UINT64_C(1) << 40},
        {moves + offsetof(tally_move, first_place), UINT64_C(1) << 40},
        {moves + offsetof(tally_move, n_others), UINT64_MAX},
        {places + offsetof(tally_place, frequency), bits_of(INFINITY)},
    };
    chains[0].slots[0].is_there = true;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        population again[N_CHAINS];
        chains_create(&of, again);
        assert_int_equal(chain_file_write(path, mark, 2, N_CHAINS, chains), EQUANT_SUCCESS);
        change(path, changes[i].place, changes[i].value);
        assert_int_equal(chain_file_read(path, mark, N_CHAINS, again, &sweep),
                         EQUANT_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(equant_last_error(), "damaged"));
        assert_int_equal(sweep, 0);
        chains_free(again);
    }
    remove(path);
    chains_free(chains);
    star_free(&of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_go_on_to_the_same_numbers),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(numbers_that_do_not_fit_are_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
