/* A run that is only looked at: its file is enough, whatever made it. Files are changed so that
 * nothing in them could be evaluated or sampled any more, and tell the same. */
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

#include "output/run_file.h"
#include "quick.h"
#include "unit/simulated_star.h"

static const double planet[5] = {13.7, 20.0, 0.3, 2.1, 0.8};
static const simulated_star star = {.seed = 3,
                                    .n_obs = 20,
                                    .first_day = 2460000.0,
                                    .span_days = 300.0,
                                    .n_planets = 1,
                                    .elements = planet,
                                    .noise_m_s = 2.0,
                                    .uncertainty_m_s = 2.0};

static char folder[] = "/tmp/equant-finished-XXXXXX";
static char path[64], changed_path[64];

/* The walkers of a run are many, and its steps few. */
static equant_posterior *sample(size_t n_walkers, size_t n_temperatures)
{
    equant_sample_options options = {.struct_size = sizeof options,
                                     .engine = &on_one_thread,
                                     .n_planets = 1,
                                     .start = EQUANT_START_PRIOR,
                                     .n_walkers = n_walkers,
                                     .n_temperatures = n_temperatures,
                                     .n_burn_in = 2,
                                     .thinning = 1,
                                     .max_draws = 1,
                                     .min_ess = 1e9,
                                     .max_steps = 6,
                                     .path = path};
    equant_dataset *dataset = simulated_star_observe(&star);
    equant_posterior *made = NULL;
    assert_int_equal(equant_sample(dataset, &options, &made), EQUANT_SUCCESS);
    equant_dataset_free(dataset);
    return made;
}

static int begin(void **state)
{
    *state = NULL;
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/run.nc", folder);
    snprintf(changed_path, sizeof changed_path, "%s/changed.nc", folder);
    return 0;
}

static int end(void **state)
{
    (void)state;
    unlink(path);
    unlink(changed_path);
    return rmdir(folder);
}

static bool has_files(void)
{
    return run_file_is_possible(path) == EQUANT_SUCCESS;
}

/* ---- files that nothing can be made of ------------------------------------------------------ */

/* The same times, with uncertainties that no evaluator takes. */
static equant_dataset *make_useless(const equant_dataset *from)
{
    size_t n = equant_dataset_n_obs(from);
    double *uncertainty = malloc(n * sizeof *uncertainty);
    equant_dataset_options options = {.struct_size = sizeof options,
                                      .velocity_unit = EQUANT_UNIT_M_S,
                                      .has_reference_time = 1,
                                      .reference_time_days =
                                          equant_dataset_reference_time_days(from)};
    equant_dataset *made = NULL;
    assert_non_null(uncertainty);
    for (size_t k = 0; k < n; k++)
        uncertainty[k] = 1e-20;
    assert_int_equal(equant_dataset_from_arrays(
                         n, equant_dataset_times_days(from), equant_dataset_velocities_m_s(from),
                         uncertainty, equant_dataset_instruments(from),
                         equant_dataset_n_instruments(from), NULL, &options, &made),
                     EQUANT_SUCCESS);
    free(uncertainty);
    return made;
}

/* How the run was made, without its priors and with a backend that there is nowhere. */
static size_t change_texts(const run_file *from, run_file_text *texts)
{
    size_t n = 0;
    for (size_t i = 0; i < from->n_provenance; i++) {
        run_file_text text = from->provenance[i];
        if (strncmp(text.name, "prior_", strlen("prior_")) == 0)
            continue;
        if (strcmp(text.name, "backend") == 0)
            text.value = "abacus:7";
        texts[n++] = text;
    }
    return n;
}

/* Writes what a file holds to another path, with as many bytes less of its state. */
static void write_changed(size_t n_bytes_less)
{
    run_file *from = NULL;
    assert_int_equal(run_file_read(path, NULL, &from), EQUANT_SUCCESS);
    equant_dataset *useless = make_useless(from->dataset);
    run_file_text *texts = malloc(from->n_provenance * sizeof *texts);
    assert_non_null(texts);
    run_file_contents contents = {.dataset = useless,
                                  .shape = from->shape,
                                  .draws = from->draws,
                                  .evidence = from->evidence.method ? &from->evidence : NULL,
                                  .n_provenance = change_texts(from, texts),
                                  .provenance = texts,
                                  .n_state_bytes = from->n_state_bytes - n_bytes_less,
                                  .state = from->state};
    assert_true(contents.n_provenance < from->n_provenance);
    assert_int_equal(run_file_write(changed_path, &contents), EQUANT_SUCCESS);
    free(texts);
    equant_dataset_free(useless);
    run_file_free(from);
}

static equant_posterior_summary summary_of(const equant_posterior *posterior)
{
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    assert_int_equal(equant_posterior_summarize(posterior, &facts), EQUANT_SUCCESS);
    return facts;
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void assert_same_facts(const equant_posterior *run, const equant_posterior *opened)
{
    equant_posterior_summary a = summary_of(run), b = summary_of(opened);
    assert_int_equal(b.end, a.end);
    assert_int_equal(b.n_steps, a.n_steps);
    assert_int_equal(b.n_burn_in, a.n_burn_in);
    assert_int_equal(b.n_kept, a.n_kept);
    assert_int_equal(b.n_walkers, a.n_walkers);
    assert_int_equal(b.n_populations, a.n_populations);
    assert_int_equal(b.n_temperatures, a.n_temperatures);
    assert_true(is_same(b.rhat, a.rhat) && is_same(b.ess_bulk, a.ess_bulk));
    assert_true(is_same(b.ess_tail, a.ess_tail) && is_same(b.turnover, a.turnover));
    assert_true(is_same(b.acceptance, a.acceptance) && is_same(b.round_trips, a.round_trips));
    assert_true(is_same(b.log_evidence, a.log_evidence));
    assert_true(is_same(b.log_evidence_err, a.log_evidence_err));
    assert_true(is_same(b.evidence_k_hat, a.evidence_k_hat));
    assert_true(is_same(b.evidence_spread, a.evidence_spread));
    assert_int_equal(b.evidence_is_sound, a.evidence_is_sound);
    assert_true(isnan(b.seconds) && !isnan(a.seconds));
}

/* No evaluator can be made of these data, no density without priors, no sampler without a
 * density: whatever opens the file has made none of them. */
static void check_file(size_t n_walkers, size_t n_temperatures)
{
    equant_posterior *run = sample(n_walkers, n_temperatures), *opened = NULL, *resumed = NULL;
    write_changed(0);
    assert_int_equal(equant_posterior_open(changed_path, &opened), EQUANT_SUCCESS);
    assert_same_facts(run, opened);
    assert_string_equal(summary_of(opened).backend, "abacus:7");
    assert_int_equal(equant_posterior_n_modes(opened), equant_posterior_n_modes(run));
    assert_int_not_equal(equant_sample_resume(changed_path, NULL, &resumed), EQUANT_SUCCESS);
    assert_null(resumed);
    equant_posterior_free(run);
    equant_posterior_free(opened);
}

static void a_file_is_enough(void **state)
{
    (void)state;
    if (!has_files())
        skip();
    check_file(20, 1);
    check_file(20, 3);
}

static void ten_thousand_walkers_stay_in_their_file(void **state)
{
    (void)state;
    if (!has_files())
        skip();
    check_file(quick_run() ? 1000 : 10000, 1);
}

/* ---- states that are none ---------------------------------------------------------------------
 */

static void a_state_cut_short_is_refused(void **state)
{
    (void)state;
    if (!has_files())
        skip();
    equant_posterior *opened = NULL;
    run_file *from = NULL;
    equant_posterior_free(sample(20, 2));
    assert_int_equal(run_file_read(path, NULL, &from), EQUANT_SUCCESS);
    size_t n_bytes = from->n_state_bytes;
    run_file_free(from);
    const size_t less[] = {1, 8, n_bytes / 2, n_bytes - 100, n_bytes - 8, n_bytes};
    for (size_t i = 0; i < sizeof less / sizeof *less; i++) {
        write_changed(less[i]);
        assert_int_equal(equant_posterior_open(changed_path, &opened), EQUANT_ERROR_FORMAT);
        assert_null(opened);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_enough),
        cmocka_unit_test(ten_thousand_walkers_stay_in_their_file),
        cmocka_unit_test(a_state_cut_short_is_refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
