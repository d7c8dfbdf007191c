/* Finds the planets of a star: its periodogram first, then a fit, then the derivatives of the
 * likelihood there. With files as arguments it takes those; without, the embedded demonstration,
 * narrowly, to be quick. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <equant.h>

/* Ends the program with the library's sentence when a call has failed. */
static void check(equant_status status)
{
    if (status != EQUANT_SUCCESS) {
        fprintf(stderr, "fit_star: %s\n", equant_last_error());
        exit(1);
    }
}

/* What to look for. Zeros are defaults: half a day to twice the span, eccentricities to 0.9, as
 * many planets as the data ask for. */
typedef struct wanted {
    double period_min_days, period_max_days, eccentricity_max;
    int max_planets;
} wanted;

static void show_peaks(const equant_dataset *dataset, wanted look_for)
{
    equant_search_options options = {.struct_size = sizeof options,
                                     .period_min_days = look_for.period_min_days,
                                     .period_max_days = look_for.period_max_days,
                                     .eccentricity_max = look_for.eccentricity_max,
                                     .n_peaks = 3};
    equant_periodogram *periodogram;
    check(equant_search(dataset, &options, &periodogram));
    for (size_t i = 0; i < equant_periodogram_n_peaks(periodogram); i++) {
        equant_peak peak = {.struct_size = sizeof peak};
        check(equant_periodogram_peak(periodogram, i, &peak));
        printf("peak at %.2f days: power %.3f, false-alarm probability %.1g %s\n", peak.period_days,
               peak.power, peak.false_alarm, peak.remark);
    }
    equant_periodogram_free(periodogram);
}

/* Called now and then by the fit; a return other than 0 would cancel it. */
static int show_progress(const equant_progress_report *report, void *context)
{
    (void)context;
    fprintf(stderr, "\r%-30s %3.0f %%", report->stage, 100.0 * report->done);
    return 0;
}

static equant_fit *fit_planets(const equant_dataset *dataset, wanted look_for)
{
    equant_fit_options options = {.struct_size = sizeof options,
                                  .period_min_days = look_for.period_min_days,
                                  .period_max_days = look_for.period_max_days,
                                  .eccentricity_max = look_for.eccentricity_max,
                                  .max_planets = look_for.max_planets,
                                  .progress = show_progress};
    equant_fit *fit;
    check(equant_fit_star(dataset, &options, &fit));
    fputc('\n', stderr);
    for (size_t i = 0; i < equant_fit_n_planets(fit); i++) {
        equant_planet planet = {.struct_size = sizeof planet};
        check(equant_fit_planet(fit, i, &planet));
        printf("planet: %.3f +- %.3f days, K %.2f +- %.2f m/s, e %.2f +- %.2f, "
               "transit, if any, at %.1f +- %.1f\n",
               planet.period_days, planet.period_days_err, planet.k_m_s, planet.k_m_s_err,
               planet.eccentricity, planet.eccentricity_err, planet.t_conj, planet.t_conj_err);
    }
    return fit;
}

/* How steep the log-likelihood still is at the fit, in units of standard errors: the largest of
 * its derivatives, each times the error of its parameter. */
static double steepness(const equant_dataset *dataset, const equant_fit *fit)
{
    const equant_model *model = equant_fit_model(fit);
    size_t n = equant_model_n_parameters(model);
    equant_evaluator *evaluator;
    equant_dataset *believed; /* with the errors that the fit gives outliers */
    check(equant_dataset_with_uncertainties(dataset, equant_fit_uncertainties_m_s(fit), &believed));
    check(equant_evaluator_create(believed, model, NULL, &evaluator));
    double *gradient = malloc(n * sizeof *gradient), largest = 0.0;
    equant_derivatives derivatives = {.struct_size = sizeof derivatives,
                                      .log_likelihood_gradient = gradient};
    check(equant_evaluator_differentiate(evaluator, EQUANT_BASIS_ELEMENTS, 1,
                                         equant_fit_parameters(fit), &derivatives));
    const double *covariance = equant_fit_covariance(fit);
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(gradient[i]) * sqrt(covariance[i * n + i]));
    free(gradient);
    equant_evaluator_free(evaluator);
    equant_dataset_free(believed);
    return largest;
}

int main(int argc, char **argv)
{
    equant_dataset *dataset;
    wanted look_for = {0};
    if (argc > 1) {
        check(equant_dataset_from_files((size_t)argc - 1, (const char *const *)argv + 1, NULL,
                                        &dataset));
    } else {
        check(equant_dataset_demonstration(&dataset));
        look_for = (wanted){.period_min_days = 50.0,
                            .period_max_days = 3000.0,
                            .eccentricity_max = 0.5,
                            .max_planets = 2};
    }
    show_peaks(dataset, look_for);
    equant_fit *fit = fit_planets(dataset, look_for);
    double slope = steepness(dataset, fit);
    printf("at the maximum, ln L changes by %.0e over a standard error\n", slope);
    size_t n_planets = equant_fit_n_planets(fit);
    equant_fit_free(fit);
    equant_dataset_free(dataset);
    return n_planets > 0 && slope < 5e-2 ? 0 : 1;
}
