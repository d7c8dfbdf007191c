/* Files of runs: written, read back to the bit, and refused when they are damaged, cut short or
 * somebody else's. With a path as its argument the program only writes a file there, for other
 * programs to open (tests/checks/test_arviz.sh). */
#define _GNU_SOURCE /* memmem */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "output/run_file.h"

enum { N_POPULATIONS = 3, N_STEPS = 8, N_WALKERS = 4, N_OBS = 5, N_MOST_PARAMETERS = 20 };

static char folder[] = "/tmp/equant-run-file-XXXXXX";
static char path[64];
static bool is_built_in = true;

static equant_dataset *made_dataset(double first_velocity)
{
    const double time[N_OBS] = {2450000.25, 2450010.5, 2450100.0, 2450200.0, 2450300.125};
    const double velocity[N_OBS] = {first_velocity, -3.25, 0.1, 7.7, 2.0};
    const double uncertainty[N_OBS] = {1.0, 1.5, 0.3, 0.7, 2.0};
    const int instrument[N_OBS] = {0, 1, 1, 0, 1};
    const char *const names[2] = {"HIRES", "APF \xC3\xA9"};
    const double s_index[N_OBS] = {0.17, NAN, 0.18, 0.19, NAN}, flux[N_OBS] = {1, 2, 3, 4, 5};
    const equant_indicator indicators[] = {{.struct_size = sizeof(equant_indicator),
                                            .name = "s_index",
                                            .values = s_index,
                                            .uncertainties = uncertainty},
                                           {.struct_size = sizeof(equant_indicator),
                                            .name = "flux",
                                            .label = "brightness",
                                            .unit = "mmag",
                                            .values = flux}};
    const equant_dataset_options options = {.struct_size = sizeof options,
                                            .n_indicators = 2,
                                            .indicators = indicators,
                                            .time_name = "BJD"};
    equant_dataset *dataset;
    assert_int_equal(equant_dataset_from_arrays(N_OBS, time, velocity, uncertainty, instrument, 2,
                                                names, &options, &dataset),
                     EQUANT_SUCCESS);
    return dataset;
}

static quantities_shape shape_of(parameter_shape columns, double star_mass)
{
    return (quantities_shape){parameter_layout_of(columns), {.value = {star_mass}}, false};
}

static quantities_shape two_planets(int trend_order)
{
    return (quantities_shape){
        parameter_layout_all_given(2, 2, trend_order, 2), {.value = {0.9}}, false};
}

/* Uniform numbers, made into elements where they are elements. */
static draws *made_draws(quantities_shape shape, size_t n_steps)
{
    size_t n_parameters = shape.layout.n_parameters;
    const draws_shape kept_shape = {N_POPULATIONS, N_WALKERS, n_parameters, shape.layout.n_planets};
    draws *kept;
    assert_int_equal(draws_create(&kept_shape, &kept), EQUANT_SUCCESS);
    for (size_t s = 0; s < n_steps; s++) {
        double parameters[N_POPULATIONS * N_WALKERS * N_MOST_PARAMETERS];
        double density[2][N_POPULATIONS * N_WALKERS];
        equant_random_uniform(1, 1, s * 1000, N_POPULATIONS * N_WALKERS * n_parameters, parameters);
        equant_random_normal(1, 2, s * 1000, N_POPULATIONS * N_WALKERS, density[0]);
        equant_random_normal(1, 3, s * 1000, N_POPULATIONS * N_WALKERS, density[1]);
        for (size_t i = 0; i < N_POPULATIONS * N_WALKERS * n_parameters; i++) {
            const double scale[5] = {100.0, 10.0, 0.9, 6.28, 6.28};
            size_t column = i % n_parameters;
            if (column < 5 * shape.layout.n_planets)
                parameters[i] *= scale[column % 5];
        }
        assert_int_equal(draws_append(kept, 10 * s + 7, parameters, density[0], density[1]),
                         EQUANT_SUCCESS);
    }
    return kept;
}

static equant_status write_run(const char *to, const equant_dataset *dataset,
                               quantities_shape shape, const draws *kept)
{
    static const double per_run[3] = {-100.5, -100.25, -100.75}, betas[4] = {1.0, 0.5, 0.1, 0.0};
    static const unsigned char state[7] = {0, 255, 3, 0, 17, 128, 1};
    const run_file_evidence evidence = {-100.5, 0.144, 3, per_run, "bridge sampling", 0.25};
    const run_file_figure figures[] = {{"beta", 4, betas}, {"nothing", 0, NULL}};
    const run_file_text provenance[] = {
        {"seed", "42"}, {"options", "--planets 2\n--seed 42"}, {"empty", ""}};
    const run_file_contents contents = {.dataset = dataset,
                                        .shape = shape,
                                        .draws = kept,
                                        .evidence = &evidence,
                                        .n_figures = 2,
                                        .figures = figures,
                                        .n_provenance = 3,
                                        .provenance = provenance,
                                        .n_state_bytes = sizeof state,
                                        .state = state};
    return run_file_write(to, &contents);
}

static void assert_same_draws(const draws *one, const draws *two)
{
    assert_memory_equal(&one->shape, &two->shape, sizeof one->shape);
    assert_int_equal(one->n_steps, two->n_steps);
    size_t n = one->n_steps * one->shape.n_walkers;
    for (size_t s = 0; s < one->n_steps; s++)
        assert_true(one->step[s] == two->step[s]);
    for (size_t p = 0; n > 0 && p < one->shape.n_populations; p++) {
        const draws_population *a = &one->population[p], *b = &two->population[p];
        assert_memory_equal(a->parameters, b->parameters,
                            n * one->shape.n_parameters * sizeof(double));
        assert_memory_equal(a->log_likelihood, b->log_likelihood, n * sizeof(double));
        assert_memory_equal(a->log_prior, b->log_prior, n * sizeof(double));
    }
}

static void skip_without_netcdf(void)
{
    if (!is_built_in)
        skip();
}

static void what_is_written_comes_back(void **state)
{
    (void)state;
    skip_without_netcdf();
    const quantities_shape shapes[] = {
        two_planets(1),
        shape_of((parameter_shape){.n_planets = 1, .n_instruments = 2}, 0.0),
        shape_of((parameter_shape){.n_planets = 0, .n_instruments = 2, .n_jitters = 1}, 0.0),
        shape_of((parameter_shape){.n_planets = 3,
                                   .n_instruments = 2,
                                   .trend_order = 2,
                                   .trend_given = true,
                                   .n_jitters = 2},
                 0.0),
        {parameter_layout_all_given(2, 2, 1, 2),
         {.value = {0.9, 0.8, 0.0, 5400.0}, .error = {0.02, 0.0, 0.0, 90.0}},
         false},
    };
    equant_dataset *dataset = made_dataset(1.0 / 3.0);
    for (size_t i = 0; i < 2 * sizeof shapes / sizeof shapes[0]; i++) {
        quantities_shape shape = shapes[i / 2];
        draws *kept = made_draws(shape, i % 2 == 0 ? N_STEPS : 0);
        run_file *run = NULL;
        assert_int_equal(write_run(path, dataset, shape, kept), EQUANT_SUCCESS);
        assert_int_equal(run_file_read(path, dataset, &run), EQUANT_SUCCESS);
        assert_same_draws(run->draws, kept);
        const parameter_layout *read = &run->shape.layout;
        assert_int_equal(read->n_planets, shape.layout.n_planets);
        assert_int_equal(read->trend_order, shape.layout.trend_order);
        assert_memory_equal(read->columns, shape.layout.columns, sizeof read->columns);
        assert_memory_equal(&run->shape.star, &shape.star, sizeof shape.star);
        assert_true(run->reference_time_days == equant_dataset_reference_time_days(dataset));
        assert_int_equal(run->n_state_bytes, 7);
        assert_memory_equal(run->state, "\x00\xFF\x03\x00\x11\x80\x01", 7);
        assert_string_equal(run_file_provenance(run, "options"), "--planets 2\n--seed 42");
        assert_string_equal(run_file_provenance(run, "empty"), "");
        assert_null(run_file_provenance(run, "colour"));
        run_file_free(run);
        draws_free(kept);
    }
    equant_dataset_free(dataset);
    run_file_free(NULL);
}

static void other_observations_are_refused(void **state)
{
    (void)state;
    skip_without_netcdf();
    equant_dataset *dataset = made_dataset(1.0 / 3.0), *other = made_dataset(0.25);
    draws *kept = made_draws(two_planets(1), N_STEPS);
    run_file *run = NULL;
    assert_int_equal(write_run(path, dataset, two_planets(1), kept), EQUANT_SUCCESS);
    assert_int_equal(run_file_read(path, other, &run), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "other observations"));
    assert_int_equal(run_file_read(path, NULL, &run), EQUANT_SUCCESS);
    run_file_free(run);
    draws_free(kept);
    equant_dataset_free(dataset);
    equant_dataset_free(other);
}

/* --- Damage -------------------------------------------------------------------------- */

static char *file_bytes(size_t *n)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    fseek(stream, 0, SEEK_END);
    *n = (size_t)ftell(stream);
    rewind(stream);
    char *bytes = malloc(*n);
    assert_int_equal(fread(bytes, 1, *n, stream), *n);
    fclose(stream);
    return bytes;
}

/* Every quantity of the model is a variable of its own, which says what it is. */
static void files_have_every_quantity(void **state)
{
    (void)state;
    skip_without_netcdf();
    equant_dataset *dataset = made_dataset(1.0 / 3.0);
    const quantities_shape shape = two_planets(1);
    draws *kept = made_draws(shape, N_STEPS);
    assert_int_equal(write_run(path, dataset, shape, kept), EQUANT_SUCCESS);
    size_t n;
    char *bytes = file_bytes(&n);
    for (size_t r = 0; r < quantities_n_rows(&shape); r++) {
        const char *meaning = quantities_row(&shape, r).entry.kind->info.meaning;
        assert_non_null(memmem(bytes, n, meaning, strlen(meaning)));
    }
    assert_null(memmem(bytes, n, "quadratic trend", strlen("quadratic trend")));
    free(bytes);
    draws_free(kept);
    equant_dataset_free(dataset);
}

static void put_bytes(const char *bytes, size_t n)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, n, stream), n);
    fclose(stream);
}

static void cut_files_are_refused(void **state)
{
    (void)state;
    skip_without_netcdf();
    equant_dataset *dataset = made_dataset(1.0);
    draws *kept = made_draws(two_planets(1), N_STEPS);
    assert_int_equal(write_run(path, dataset, two_planets(1), kept), EQUANT_SUCCESS);
    size_t n;
    char *bytes = file_bytes(&n);
    for (size_t left = 0; left < n; left += left < 16 ? 1 : n / 40) {
        run_file *run = NULL;
        put_bytes(bytes, left);
        assert_int_equal(run_file_read(path, dataset, &run), EQUANT_ERROR_FORMAT);
        assert_non_null(strstr(equant_last_error(), "cut short or changed"));
        assert_null(run);
    }
    free(bytes);
    draws_free(kept);
    equant_dataset_free(dataset);
}

static void indicators_and_the_name_of_times_come_back(void **state)
{
    (void)state;
    skip_without_netcdf();
    equant_dataset *dataset = made_dataset(1.0);
    draws *kept = made_draws(two_planets(1), N_STEPS);
    run_file *run = NULL;
    unlink(path); /* what was cut is not replaced */
    assert_int_equal(write_run(path, dataset, two_planets(1), kept), EQUANT_SUCCESS);
    assert_int_equal(run_file_read(path, NULL, &run), EQUANT_SUCCESS);
    assert_string_equal(equant_dataset_time_name(run->dataset), "BJD");
    assert_int_equal(equant_dataset_n_indicators(run->dataset), 2);
    for (size_t i = 0; i < 2; i++) {
        const equant_indicator *written = equant_dataset_indicator(dataset, i);
        const equant_indicator *read = equant_dataset_indicator(run->dataset, i);
        assert_string_equal(read->name, written->name);
        assert_string_equal(read->label, written->label);
        assert_string_equal(read->unit, written->unit);
        assert_memory_equal(read->values, written->values, N_OBS * sizeof(double));
        assert_memory_equal(read->uncertainties, written->uncertainties, N_OBS * sizeof(double));
    }
    run_file_free(run);
    draws_free(kept);
    equant_dataset_free(dataset);
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    skip_without_netcdf();
    equant_dataset *dataset = made_dataset(1.0);
    draws *kept = made_draws(two_planets(1), N_STEPS);
    assert_int_equal(write_run(path, dataset, two_planets(1), kept), EQUANT_SUCCESS);
    size_t n;
    char *bytes = file_bytes(&n);
    for (size_t at = 0; at < n; at += at < n - 300 ? n / 200 : 1) {
        run_file *run = NULL;
        bytes[at] ^= 0x40;
        put_bytes(bytes, n);
        bytes[at] ^= 0x40;
        assert_int_equal(run_file_read(path, dataset, &run), EQUANT_ERROR_FORMAT);
        assert_null(run);
    }
    free(bytes);
    draws_free(kept);
    equant_dataset_free(dataset);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    skip_without_netcdf();
    run_file *run = NULL;
    put_bytes("time,mnvel,errvel\n1,2,3\n", 24);
    assert_int_equal(run_file_read(path, NULL, &run), EQUANT_ERROR_FORMAT);
    assert_non_null(strstr(equant_last_error(), "not the file of a run"));
    assert_int_equal(run_file_read(folder, NULL, &run), EQUANT_ERROR_IO);
    assert_non_null(strstr(equant_last_error(), "folder"));
    unlink(path);
    assert_int_equal(run_file_read(path, NULL, &run), EQUANT_ERROR_IO);
    assert_int_equal(run_file_read("", NULL, &run), EQUANT_ERROR_IO);
    assert_null(run);
}

/* --- Replacement --------------------------------------------------------------------- */

static size_t n_files(void)
{
    size_t n = 0;
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(listing);
    return n;
}

static void write_words(const char *to)
{
    FILE *file = fopen(to, "w");
    assert_non_null(file);
    fputs("the velocities of ten years\n", file);
    fclose(file);
}

static void assert_words(const char *in)
{
    char found[64] = "";
    FILE *file = fopen(in, "r");
    assert_non_null(file);
    assert_non_null(fgets(found, sizeof found, file));
    fclose(file);
    assert_string_equal(found, "the velocities of ten years\n");
}

/* By its own name and by a link; one that is empty has nothing to lose. */
static void files_of_others_are_not_replaced(void **state)
{
    (void)state;
    skip_without_netcdf();
    char other[80], link[80];
    equant_dataset *dataset = made_dataset(1.0);
    draws *kept = made_draws(two_planets(1), N_STEPS);
    snprintf(other, sizeof other, "%s.txt", path);
    snprintf(link, sizeof link, "%s.link", path);
    write_words(other);
    assert_int_equal(symlink(other, link), 0);
    const char *const places[] = {other, link};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(run_file_is_possible(places[i]), EQUANT_ERROR_INVALID_ARGUMENT);
        assert_int_equal(write_run(places[i], dataset, two_planets(1), kept),
                         EQUANT_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(equant_last_error(), places[i]));
        assert_words(other);
    }
    unlink(link);
    assert_int_equal(truncate(other, 0), 0);
    assert_int_equal(write_run(other, dataset, two_planets(1), kept), EQUANT_SUCCESS);
    unlink(other);
    draws_free(kept);
    equant_dataset_free(dataset);
}

static void a_failure_leaves_the_old_file(void **state)
{
    (void)state;
    skip_without_netcdf();
    equant_dataset *dataset = made_dataset(1.0);
    draws *kept = made_draws(two_planets(1), N_STEPS),
          *more = made_draws(two_planets(1), N_STEPS + 4);
    assert_int_equal(write_run(path, dataset, two_planets(1), kept), EQUANT_SUCCESS);
    assert_int_equal(n_files(), 1);

    /* A folder with something in it stands where the new file should go. */
    char taken[80], inside[96];
    snprintf(taken, sizeof taken, "%s.taken", path);
    snprintf(inside, sizeof inside, "%s/x", taken);
    assert_int_equal(mkdir(taken, 0700), 0);
    assert_int_equal(mkdir(inside, 0700), 0);
    assert_int_equal(write_run(taken, dataset, two_planets(1), more), EQUANT_ERROR_IO);
    assert_non_null(strstr(equant_last_error(), taken));
    rmdir(inside);
    rmdir(taken);
    assert_int_equal(n_files(), 1);
    run_file *run = NULL;
    assert_int_equal(run_file_read(path, dataset, &run), EQUANT_SUCCESS);
    assert_same_draws(run->draws, kept);
    run_file_free(run);

    /* The new file takes the old one's place. */
    assert_int_equal(write_run(path, dataset, two_planets(1), more), EQUANT_SUCCESS);
    assert_int_equal(n_files(), 1);
    assert_int_equal(run_file_read(path, dataset, &run), EQUANT_SUCCESS);
    assert_same_draws(run->draws, more);
    run_file_free(run);

    assert_int_equal(write_run("/nowhere/at/all.nc", dataset, two_planets(1), kept),
                     EQUANT_ERROR_IO);
    assert_int_equal(write_run("", dataset, two_planets(1), kept), EQUANT_ERROR_IO);
    draws_free(kept);
    draws_free(more);
    equant_dataset_free(dataset);
}

/* Beside the file stands another that has its name with something behind, a link, or nothing that
 * fits behind the name at all: what is not ours stays as it is. */
static void names_of_any_length_and_neighbours_left_alone(void **state)
{
    (void)state;
    skip_without_netcdf();
    enum { LONGEST = 255 };
    equant_dataset *dataset = made_dataset(1.0);
    draws *kept = made_draws(two_planets(1), N_STEPS);
    char neighbour[96], victim[96], longest[400];
    snprintf(neighbour, sizeof neighbour, "%s.partial", path);
    snprintf(victim, sizeof victim, "%s.victim", path);
    FILE *stream = fopen(victim, "w");
    assert_non_null(stream);
    fputs("precious", stream);
    fclose(stream);
    assert_int_equal(symlink(victim, neighbour), 0);
    assert_int_equal(write_run(path, dataset, two_planets(1), kept), EQUANT_SUCCESS);
    struct stat facts;
    assert_int_equal(lstat(neighbour, &facts), 0);
    assert_true(S_ISLNK(facts.st_mode));
    assert_int_equal(stat(victim, &facts), 0);
    assert_int_equal(facts.st_size, strlen("precious"));
    unlink(neighbour);
    unlink(victim);

    int n_folder = (int)(strrchr(path, '/') - path) + 1;
    snprintf(longest, sizeof longest, "%.*s%0*d", n_folder, path, LONGEST, 1);
    assert_int_equal(write_run(longest, dataset, two_planets(1), kept), EQUANT_SUCCESS);
    assert_int_equal(n_files(), 2);
    unlink(longest);
    draws_free(kept);
    equant_dataset_free(dataset);
}

static void contents_must_fit_together(void **state)
{
    (void)state;
    equant_dataset *dataset = made_dataset(1.0);
    draws *kept = made_draws(two_planets(1), N_STEPS);
    assert_int_equal(write_run(path, dataset, two_planets(2), kept), EQUANT_ERROR_INVALID_ARGUMENT);
    /* As many columns, of other instruments. */
    const quantities_shape wrong = shape_of((parameter_shape){.n_planets = 2,
                                                              .n_instruments = 1,
                                                              .trend_order = 2,
                                                              .trend_given = true,
                                                              .n_jitters = 1},
                                            0.9);
    assert_int_equal(write_run(path, dataset, wrong, kept), EQUANT_ERROR_INVALID_ARGUMENT);
    draws_free(kept);
    equant_dataset_free(dataset);
}

static int begin(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/run.nc", folder);
    run_file *run = NULL;
    is_built_in = run_file_read(path, NULL, &run) != EQUANT_ERROR_UNAVAILABLE;
    return 0;
}

static int end(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

/* Exit status 77 where there is nothing to write with. */
static int write_example(const char *to)
{
    equant_dataset *dataset = made_dataset(1.0);
    draws *kept = made_draws(two_planets(1), N_STEPS);
    equant_status status = write_run(to, dataset, two_planets(1), kept);
    if (status != EQUANT_SUCCESS)
        fprintf(stderr, "%s\n", equant_last_error());
    draws_free(kept);
    equant_dataset_free(dataset);
    return status == EQUANT_SUCCESS ? 0 : status == EQUANT_ERROR_UNAVAILABLE ? 77 : 1;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_comes_back),
        cmocka_unit_test(files_have_every_quantity),
        cmocka_unit_test(other_observations_are_refused),
        cmocka_unit_test(cut_files_are_refused),
        cmocka_unit_test(indicators_and_the_name_of_times_come_back),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(files_of_others_are_not_replaced),
        cmocka_unit_test(a_failure_leaves_the_old_file),
        cmocka_unit_test(names_of_any_length_and_neighbours_left_alone),
        cmocka_unit_test(contents_must_fit_together),
    };
    return argc > 1 ? write_example(argv[1]) : cmocka_run_group_tests(tests, begin, end);
}
