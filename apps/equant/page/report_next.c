/* What comes next: conjunctions, and times at which an observation would teach most. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files/html.h"
#include "page/report_sections.h"
#include "planning/time_picture.h"
#include "drawing/ticks.h"
#include "terminal/spoken_number.h"
#include "stars/planet_name.h"

/* Two months, by a quarter of a day. */
enum { N_TIMES = 240, N_CHOSEN = 3, MOST_DRAWS = 400, MOST_CONJUNCTIONS = 12 };
#define STEP_DAYS 0.25

/* NULL where the noise of the run can be planned with by nobody. */
static equant_plan *make_plan(const equant_posterior *posterior, double start_days)
{
    double times[N_TIMES];
    equant_plan *plan = NULL;
    for (int i = 0; i < N_TIMES; i++)
        times[i] = start_days + STEP_DAYS * (i + 1);
    const equant_candidates candidates = {
        .struct_size = sizeof candidates, .n = N_TIMES, .time_days = times};
    const equant_plan_options options = {.struct_size = sizeof options,
                                         .n_observations = N_CHOSEN,
                                         .min_gap_days = 1.0,
                                         .max_draws = MOST_DRAWS};
    return equant_plan_create(1, &posterior, &candidates, &options, &plan) == EQUANT_SUCCESS ? plan
                                                                                             : NULL;
}

/* "2026-11-18", of Julian dates; "" of other times. */
struct calendar_date {
    char text[EQUANT_UTC_TEXT_BYTES];
};

static struct calendar_date date_of(double time_days)
{
    struct calendar_date made = {""};
    if (ticks_calendar_of(time_days) != TICKS_JULIAN_DATE ||
        equant_utc_text(time_days, made.text, sizeof made.text) != EQUANT_SUCCESS)
        made.text[0] = '\0';
    made.text[strcspn(made.text, "T ")] = '\0';
    return made;
}

static void write_time(FILE *page, double time_days, int decimals)
{
    struct calendar_date date = date_of(time_days);
    fprintf(page, "<tr><th scope=\"row\">%.*f</th>", decimals, time_days);
    if (date.text[0] != '\0')
        fprintf(page, "<td>%s</td>", date.text);
}

static const char *date_heading(double time_days)
{
    return date_of(time_days).text[0] != '\0' ? "<th scope=\"col\">UTC</th>" : "";
}

static void write_plan(FILE *page, const equant_plan *plan, double start_days)
{
    fprintf(page,
            "<div class=\"scroll\"><table class=\"overview\">\n<thead><tr><th>observe at</th>%s",
            date_heading(start_days));
    fputs("<th scope=\"col\">gain (nats)</th><th scope=\"col\">expected (m/s)</th>"
          "<th scope=\"col\">why</th></tr></thead>\n<tbody>\n",
          page);
    for (size_t i = 0; i < equant_plan_n_chosen(plan); i++) {
        equant_planned own = {.struct_size = sizeof own};
        equant_plan_chosen(plan, i, &own); /* the index is in range */
        write_time(page, own.time_days, 2);
        fprintf(page, "<td>%.3f</td><td>", own.gain);
        html_measured(page, measured_value_of(own.mean_m_s, own.sd_m_s));
        fputs("</td><td class=\"text\">", page);
        html_text(page, own.reason);
        fputs("</td></tr>\n", page);
    }
    fputs("</tbody></table></div>\n", page);
}

static void write_conjunctions(FILE *page, const struct planet_letters *letters, size_t n,
                               const equant_conjunction *found, double start_days)
{
    fprintf(page,
            "<div class=\"scroll\"><table class=\"overview\">\n<thead><tr><th>conjunction</th>%s",
            date_heading(start_days));
    fputs("<th scope=\"col\">of</th><th scope=\"col\">error (days)</th></tr></thead>\n"
          "<tbody>\n",
          page);
    for (size_t i = 0; i < n; i++) {
        write_time(page, found[i].median_days, 3);
        fprintf(page, "<td>%s</td><td>%.2g</td></tr>\n",
                planet_name_of(letters, found[i].planet - 1).text,
                0.5 * (found[i].high_days - found[i].low_days));
    }
    fputs("</tbody></table></div>\n", page);
}

/* "from 2026-11-18 on (2461362.00), 18.1 years after the last observation". */
static void write_start(FILE *page, const equant_posterior *posterior, double start_days)
{
    const double days_per_year = 365.25, few_days = 700.0;
    const equant_dataset *dataset = equant_posterior_dataset(posterior);
    double last = equant_dataset_times_days(dataset)[equant_dataset_n_obs(dataset) - 1],
           since = start_days - last;
    struct calendar_date date = date_of(start_days);
    if (since == 0.0) {
        fputs("after the last observation", page);
        return;
    }
    fprintf(page, "from %s%s%.2f%s on, ", date.text, date.text[0] != '\0' ? " (" : "", start_days,
            date.text[0] != '\0' ? ")" : "");
    if (fabs(since) < few_days)
        fprintf(page, "%s days", spoken_number_digits(fabs(since), 3).text);
    else
        fprintf(page, "%s years", spoken_number_digits(fabs(since) / days_per_year, 3).text);
    fprintf(page, " %s the last observation", since > 0.0 ? "after" : "before");
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
    double start = report->next_start_days, end = start + STEP_DAYS * N_TIMES;
    if (equant_predict_conjunctions(posterior, start, end, MOST_CONJUNCTIONS, found, &n) !=
        EQUANT_SUCCESS)
        n = 0;
    const struct planet_letters letters = planet_letters_of_run(posterior);
    equant_plan *plan = make_plan(posterior, start);
    fputs("<section id=\"next\"><h2>What comes next</h2>\n"
          "<p>The two months ",
          page);
    write_start(page, posterior, start);
    fputs(", by the draws of the run.</p>\n", page);
    if (plan != NULL) {
        fputs("<figure id=\"figure-next\">\n", page);
        time_picture_gain_on_page(page, posterior, plan);
        fputs("<figcaption>What an observation at each time of the coming two months is expected "
              "to tell, in nats. Numbers: those of the table, in their order.</figcaption>\n"
              "</figure>\n",
              page);
        write_plan(page, plan, start);
    }
    if (n > 0)
        write_conjunctions(page, &letters, n < MOST_CONJUNCTIONS ? n : MOST_CONJUNCTIONS, found,
                           start);
    if (plan == NULL && n == 0)
        fputs("<p>Nothing is predicted for this run.</p>\n", page);
    fputs("<p class=\"note\">The gain is the information about all parameters that an observation "
          "is expected to bring, each after those before it: <code>equant plan</code> and "
          "<code>equant predict</code> have more.</p>\n</section>\n",
          page);
    equant_plan_free(plan);
}
