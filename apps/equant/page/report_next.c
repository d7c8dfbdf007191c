/* What comes next: conjunctions, and times at which an observation would teach most. */
#include <stdlib.h>

#include "files/html.h"
#include "page/report_sections.h"
#include "planning/time_picture.h"
#include "stars/planet_name.h"

/* Nights of two months after the data, by a quarter of a day. */
enum { N_TIMES = 240, N_CHOSEN = 3, MOST_DRAWS = 400, MOST_CONJUNCTIONS = 12 };
#define STEP_DAYS 0.25

static double last_time(const equant_posterior *posterior)
{
    const equant_dataset *dataset = equant_posterior_dataset(posterior);
    return equant_dataset_times_days(dataset)[equant_dataset_n_obs(dataset) - 1];
}

/* NULL where the noise of the run can be planned with by nobody. */
static equant_plan *make_plan(const equant_posterior *posterior)
{
    double times[N_TIMES];
    equant_plan *plan = NULL;
    for (int i = 0; i < N_TIMES; i++)
        times[i] = last_time(posterior) + STEP_DAYS * (i + 1);
    const equant_candidates candidates = {
        .struct_size = sizeof candidates, .n = N_TIMES, .time_days = times};
    const equant_plan_options options = {.struct_size = sizeof options,
                                         .n_observations = N_CHOSEN,
                                         .min_gap_days = 1.0,
                                         .max_draws = MOST_DRAWS};
    return equant_plan_create(1, &posterior, &candidates, &options, &plan) == EQUANT_SUCCESS ? plan
                                                                                             : NULL;
}

static void write_plan(FILE *page, const equant_plan *plan)
{
    fputs("<div class=\"scroll\"><table class=\"overview\">\n<thead><tr><th>observe at</th>"
          "<th scope=\"col\">gain (nats)</th><th scope=\"col\">expected (m/s)</th>"
          "<th scope=\"col\">why</th></tr></thead>\n<tbody>\n",
          page);
    for (size_t i = 0; i < equant_plan_n_chosen(plan); i++) {
        equant_planned own = {.struct_size = sizeof own};
        equant_plan_chosen(plan, i, &own); /* the index is in range */
        fprintf(page, "<tr><th scope=\"row\">%.2f</th><td>%.3f</td><td>%.1f ± %.1f</td><td>",
                own.time_days, own.gain, own.mean_m_s, own.sd_m_s);
        html_text(page, own.reason);
        fputs("</td></tr>\n", page);
    }
    fputs("</tbody></table></div>\n", page);
}

static void write_conjunctions(FILE *page, const struct planet_letters *letters, size_t n,
                               const equant_conjunction *found)
{
    fputs("<div class=\"scroll\"><table class=\"overview\">\n<thead><tr><th>conjunction</th>"
          "<th scope=\"col\">of</th><th scope=\"col\">error (days)</th></tr></thead>\n"
          "<tbody>\n",
          page);
    for (size_t i = 0; i < n; i++)
        fprintf(page, "<tr><th scope=\"row\">%.3f</th><td>%s</td><td>%.2g</td></tr>\n",
                found[i].median_days, planet_name_of(letters, found[i].planet - 1).text,
                0.5 * (found[i].high_days - found[i].low_days));
    fputs("</tbody></table></div>\n", page);
}

void report_next_write(FILE *page, const struct report_contents *report)
{
    const equant_posterior *posterior = report->posterior;
    equant_conjunction found[MOST_CONJUNCTIONS] = {{0}};
    size_t n = 0;
    if (posterior == NULL)
        return;
    for (size_t i = 0; i < MOST_CONJUNCTIONS; i++)
        found[i].struct_size = sizeof found[i];
    double start = last_time(posterior), end = start + STEP_DAYS * N_TIMES;
    if (equant_predict_conjunctions(posterior, start, end, MOST_CONJUNCTIONS, found, &n) !=
        EQUANT_SUCCESS)
        n = 0;
    const struct planet_letters letters = planet_letters_of_run(posterior);
    equant_plan *plan = make_plan(posterior);
    fputs("<section id=\"next\"><h2>What comes next</h2>\n"
          "<p>The two months after the last observation, by the draws of the run.</p>\n",
          page);
    if (plan != NULL) {
        fputs("<figure id=\"figure-next\">\n", page);
        time_picture_gain_on_page(page, posterior, plan);
        fputs("<figcaption>What an observation at each time of the coming two months is expected "
              "to tell, in nats. Numbers: those of the table, in their order.</figcaption>\n"
              "</figure>\n",
              page);
        write_plan(page, plan);
    }
    if (n > 0)
        write_conjunctions(page, &letters, n < MOST_CONJUNCTIONS ? n : MOST_CONJUNCTIONS, found);
    if (plan == NULL && n == 0)
        fputs("<p>Nothing is foretold for this run.</p>\n", page);
    fputs("<p class=\"note\">The gain is the information about all parameters that an observation "
          "is expected to bring, each after those before it: <code>equant plan</code> and "
          "<code>equant predict</code> have more.</p>\n</section>\n",
          page);
    equant_plan_free(plan);
}
