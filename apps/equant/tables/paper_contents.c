#include "tables/paper_contents.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stars/posterior_result.h"
#include "stars/star_models.h"
#include "terminal/messages.h"

/* What a column of numbers is called, for people, for machines and in LaTeX. */
struct heading {
    const char *name, *plain, *latex;
};

static void add_number_column(struct paper_grid *grid, struct heading heading, const char *unit,
                              int decimals, const char *meaning)
{
    struct paper_column column = {.unit = unit, .meaning = meaning, .decimals = decimals};
    snprintf(column.name, sizeof column.name, "%s", heading.name);
    snprintf(column.heading, sizeof column.heading, "%s",
             paper_grid_is_latex(grid) ? heading.latex : heading.plain);
    paper_grid_add_column(grid, column);
}

/* ---- parameters and what follows from them ------------------------------------------------------
 */

static void add_value(struct paper_grid *grid, struct paper_value value)
{
    paper_grid_add_text(grid, "%s", paper_value_text(value, paper_grid_is_latex(grid)).text);
}

/* A kind of quantity in one row, planets side by side. */
static void add_planets(struct paper_grid *grid, const struct paper_entries *entries, size_t first)
{
    const struct paper_entry *own = &entries->list[first];
    paper_entry_add_symbol(grid, own);
    paper_entry_add_unit(grid, own);
    for (size_t p = 1; p <= entries->n_planets; p++) {
        struct paper_value found = {.limit = PAPER_UNKNOWN};
        for (size_t i = 0; i < entries->n; i++)
            if (entries->list[i].planet == p && strcmp(entries->list[i].name, own->name) == 0)
                found = entries->list[i].value;
        add_value(grid, found);
    }
}

/* Whether no planet before has the quantity. */
static bool is_first_of_planets(const struct paper_entries *entries, size_t index)
{
    const struct paper_entry *own = &entries->list[index];
    for (size_t i = 0; i < index; i++)
        if (entries->list[i].planet > 0 && strcmp(entries->list[i].name, own->name) == 0)
            return false;
    return own->planet > 0;
}

static void add_alone(struct paper_grid *grid, const struct paper_entries *entries, size_t index)
{
    paper_entry_add_symbol(grid, &entries->list[index]);
    paper_entry_add_unit(grid, &entries->list[index]);
    add_value(grid, entries->list[index].value);
    for (size_t p = 2; p <= entries->n_planets; p++)
        paper_grid_add_text(grid, "%s", "");
}

static void show_parameters(const struct paper_entries *entries, bool are_derived,
                            struct paper_grid *grid)
{
    paper_grid_add_text_column(grid, "parameter", "Parameter", "");
    paper_grid_add_text_column(grid, "unit", "Unit", "");
    for (size_t p = 1; p <= entries->n_planets; p++) {
        char heading[16];
        snprintf(heading, sizeof heading, "Planet %c",
                 planet_name_letter(&entries->letters, p - 1));
        paper_grid_add_text_column(grid, "planet", heading, "");
    }
    if (entries->n_planets == 0)
        paper_grid_add_text_column(grid, "value", "Value", "");
    for (size_t i = 0; i < entries->n; i++)
        if (is_first_of_planets(entries, i) && entries->list[i].is_derived == are_derived)
            add_planets(grid, entries, i);
    bool is_first = true;
    for (size_t i = 0; i < entries->n; i++) {
        if (entries->list[i].planet > 0 || entries->list[i].is_derived != are_derived)
            continue;
        if (is_first && entries->n_planets > 0)
            paper_grid_add_section(grid, are_derived ? "Star" : "Instruments, trend and noise");
        is_first = false;
        add_alone(grid, entries, i);
    }
}

static void tabulate_parameters(const struct paper_entries *entries, bool are_derived,
                                struct paper_grid *grid)
{
    paper_grid_add_text_column(grid, "name", "Name", "name of the quantity");
    paper_grid_add_text_column(grid, "planet", "Planet", "letter of the planet");
    paper_grid_add_text_column(grid, "instrument", "Inst", "instrument");
    paper_grid_add_text_column(grid, "limit", "l_Value", "limit: < or >; fixed; at limit");
    add_number_column(grid, (struct heading){"value", "Value", "Value"}, "", -1, "value, or limit");
    add_number_column(grid, (struct heading){"err_plus", "E_Value", "E_Value"}, "", -1,
                      "upper error");
    add_number_column(grid, (struct heading){"err_minus", "e_Value", "e_Value"}, "", -1,
                      "lower error");
    paper_grid_add_text_column(grid, "unit", "Unit", "unit of value and errors");
    paper_grid_add_text_column(grid, "meaning", "Meaning", "what it is");
    for (size_t i = 0; i < entries->n; i++) {
        const struct paper_entry *own = &entries->list[i];
        bool is_measured = own->value.limit == PAPER_MEASURED;
        char letter[2] = {
            own->planet > 0 ? planet_name_letter(&entries->letters, own->planet - 1) : '\0', '\0'};
        if (own->is_derived != are_derived || own->value.limit == PAPER_UNKNOWN)
            continue;
        paper_grid_add_text(grid, "%s", own->name);
        paper_grid_add_text(grid, "%s", letter);
        paper_grid_add_text(grid, "%s", own->instrument);
        paper_grid_add_text(grid, "%s", paper_value_limit_word(own->value.limit));
        if (grid->style == PAPER_MRT) { /* which journals print */
            struct paper_digits digits = paper_value_digits(own->value);
            paper_grid_add_text(grid, "%s", digits.value);
            paper_grid_add_text(grid, "%s", digits.plus);
            paper_grid_add_text(grid, "%s", digits.minus);
        } else {
            paper_grid_add_number(grid, own->value.value);
            paper_grid_add_number(grid, is_measured ? own->value.plus : NAN);
            paper_grid_add_number(grid, is_measured ? own->value.minus : NAN);
        }
        paper_grid_add_text(grid, "%s", own->unit.table);
        paper_grid_add_text(grid, "%s", own->meaning);
    }
}

int paper_contents_parameters(const struct paper_source *source, enum paper_mass_unit unit,
                              bool are_derived, struct paper_grid *grid)
{
    struct paper_entries entries;
    const struct star_result *star = paper_source_star(source);
    paper_grid_set_title(grid, source->star_name,
                         are_derived ? "Derived quantities" : "Parameters");
    int code = paper_entries_collect(source, unit, &entries);
    if (code == EXIT_CODE_OK) {
        if (paper_grid_is_for_people(grid))
            show_parameters(&entries, are_derived, grid);
        else
            tabulate_parameters(&entries, are_derived, grid);
        paper_grid_add_note(grid, "%s",
                            source->posterior != NULL
                                ? "Medians of the posterior, with intervals that hold 68.3 % of it."
                                : "Maximum likelihood, with standard errors.");
        if (paper_entries_have_limits(&entries, are_derived))
            paper_grid_add_note(grid, "%s",
                                source->posterior != NULL
                                    ? "Limits hold 95 % of the posterior."
                                    : "Limits are ends of the range of periods.");
        if (!are_derived && paper_entries_have_ends(&entries))
            paper_grid_add_note(
                grid, "%s",
                "At limit: at an end of the range that is allowed, so that there is "
                "no error.");
        paper_grid_add_note(grid, "The reference time is %.9g.", star->summary.reference_time_days);
    }
    paper_entries_free(&entries);
    return code;
}

/* ---- velocities --------------------------------------------------------------------------------
 */

int paper_contents_velocities(const struct paper_source *source, struct paper_grid *grid)
{
    const struct star_result *star = paper_source_star(source);
    const equant_dataset *dataset = star->dataset;
    const char *time_name = equant_dataset_time_name(dataset);
    paper_grid_set_title(grid, source->star_name, "Radial velocities");
    char time[64];
    snprintf(time, sizeof time, "%.60s",
             time_name != NULL && time_name[0] != '\0' ? paper_grid_escape(time_name).text
                                                       : "Time");
    add_number_column(grid, (struct heading){"time", time, time}, "d", 6,
                      "time of observation, as the data have it");
    add_number_column(grid, (struct heading){"rv", "RV", "RV"}, "m / s", 2,
                      "velocity less the offset of its instrument");
    add_number_column(grid, (struct heading){"rv_err", "error", "$\\sigma$"}, "m / s", 2,
                      "standard error as measured");
    add_number_column(grid, (struct heading){"rv_err_total", "total", "$\\sigma_\\mathrm{tot}$"},
                      "m / s", 2, "standard error with jitter");
    paper_grid_add_text_column(grid, "instrument", "Instrument", "instrument");
    for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++) {
        size_t instrument = (size_t)equant_dataset_instruments(dataset)[k];
        double offset = star_result_offset(star, instrument).value;
        const char *name = equant_dataset_instrument_name(dataset, instrument);
        paper_grid_add_number(grid, equant_dataset_times_days(dataset)[k]);
        paper_grid_add_number(grid, equant_dataset_velocities_m_s(dataset)[k] - offset);
        paper_grid_add_number(grid, equant_dataset_uncertainties_m_s(dataset)[k]);
        paper_grid_add_number(grid, star_result_uncertainty(star, k));
        paper_grid_add_text(grid, "%s",
                            paper_grid_is_latex(grid) ? paper_grid_escape(name).text : name);
    }
    paper_grid_add_note(grid, "The offsets of the instruments are subtracted; planets and trend "
                              "are not.");
    return EXIT_CODE_OK;
}

/* ---- models ------------------------------------------------------------------------------------
 */

/* How the BIC of a model compares with the best one, in the words of Kass & Raftery (1995). */
static const char *in_words(double delta_bic)
{
    return delta_bic == 0.0   ? "best"
           : delta_bic < 2.0  ? "no worse"
           : delta_bic < 6.0  ? "worse"
           : delta_bic < 10.0 ? "much worse"
                              : "ruled out";
}

static void add_model(struct paper_grid *grid, const struct star_result *star,
                      const struct star_model *model, double best_bic)
{
    char text[STAR_MODEL_TEXT_SIZE];
    double n = (double)star->summary.n_obs;
    /* The number of parameters is in the BIC. */
    double k = round((model->bic + 2.0 * model->log_likelihood) / log(n));
    double aicc =
        2.0 * k - 2.0 * model->log_likelihood + 2.0 * k * (k + 1.0) / fmax(n - k - 1.0, 1e-9);
    star_models_describe(star, model, text);
    if (model->without > 0) /* papers have letters */
        snprintf(text, sizeof text, "without planet %c",
                 planet_name_letter(&star->letters, model->without - 1));
    paper_grid_add_text(grid, "%s", model->is_fit ? "adopted" : text);
    paper_grid_add_number(grid, (double)model->n_planets);
    paper_grid_add_number(grid, k);
    paper_grid_add_number(grid, model->log_likelihood);
    paper_grid_add_number(grid, model->bic);
    paper_grid_add_number(grid, aicc);
    paper_grid_add_number(grid, model->is_fit ? 0.0 : model->delta_log_evidence);
    paper_grid_add_text(grid, "%s", in_words(model->bic - best_bic));
}

int paper_contents_models(const struct paper_source *source, struct paper_grid *grid)
{
    const struct star_result *star = paper_source_star(source);
    size_t n = source->has_fit ? star_models_n(star) : 0;
    double best = INFINITY;
    if (n == 0)
        return messages_failure(source->has_fit ? "this fit compared no models"
                                                : "a run is of one model; a fit compares several");
    paper_grid_set_title(grid, source->star_name, "Models");
    paper_grid_add_text_column(grid, "model", "Model", "model");
    add_number_column(grid, (struct heading){"n_planets", "planets", "$N_\\mathrm{pl}$"}, "", 0,
                      "planets");
    add_number_column(grid, (struct heading){"n_fitted", "k", "$k$"}, "", 0, "free parameters");
    add_number_column(grid, (struct heading){"lnl", "ln L", "$\\ln L$"}, "", 2,
                      "log-likelihood at its maximum");
    add_number_column(grid, (struct heading){"bic", "BIC", "BIC"}, "", 2,
                      "Bayesian information criterion");
    add_number_column(grid, (struct heading){"aicc", "AICc", "AICc"}, "", 2,
                      "Akaike information criterion, for few observations");
    add_number_column(grid, (struct heading){"delta_lnz", "d ln Z", "$\\Delta\\ln Z$"}, "", 1,
                      "ln of the evidence less that of the adopted model");
    paper_grid_add_text_column(grid, "verdict", "By BIC", "difference of the BIC in words");
    for (size_t i = 0; i < n; i++)
        best = fmin(best, star_models_at(star, i).bic);
    for (size_t i = 0; i < n; i++) {
        struct star_model model = star_models_at(star, i);
        add_model(grid, star, &model, best);
    }
    paper_grid_add_note(grid, "Differences of the BIC to the lowest: below 2 no worse, below 6 "
                              "worse, below 10 much worse, else ruled out.");
    return EXIT_CODE_OK;
}
