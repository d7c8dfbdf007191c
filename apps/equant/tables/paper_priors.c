#include "tables/paper_priors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/quantity_kind.h"
#include "tables/paper_entries.h"
#include "terminal/messages.h"

/* How a kind of prior is written in LaTeX, and what it is, for people and in LaTeX. */
static const struct prior_form {
    const char *name, *latex, *plain_note, *latex_note;
    bool has_shape;  /* its first two numbers are of no unit     */
    bool is_decimal; /* its numbers are kept with all their digits */
} forms[] = {
    {.name = "uniform",
     .latex = "\\mathcal{U}",
     .plain_note = "uniform(a, b): constant density between a and b.",
     .latex_note = "$\\mathcal{U}(a, b)$: constant density between $a$ and $b$."},
    {.name = "log-uniform",
     .latex = "\\ln\\mathcal{U}",
     .plain_note = "log-uniform(a, b): constant density in ln x between a and b.",
     .latex_note = "$\\ln\\mathcal{U}(a, b)$: constant density in $\\ln x$ between $a$ and $b$."},
    {.name = "modified-log-uniform",
     .latex = "\\mathcal{J}",
     .plain_note = "modified-log-uniform(k, b): proportional to 1/(x + k) from 0 to b.",
     .latex_note = "$\\mathcal{J}(k, b)$: modified Jeffreys prior, density proportional to "
                   "$1/(x + k)$ between $0$ and $b$."},
    {.name = "ford-gregory",
     .latex = "\\mathcal{F}",
     .plain_note = "ford-gregory(k, b, p): proportional to 1/(K + k) from 0 to "
                   "b (p/P)^(1/3) / sqrt(1 - e^2).",
     .latex_note = "$\\mathcal{F}(k, b, p)$: density proportional to $1/(K + k)$ between $0$ and "
                   "$b\\,(p/P)^{1/3}/\\sqrt{1 - e^2}$ (Ford \\& Gregory 2007)."},
    {.name = "normal",
     .latex = "\\mathcal{N}",
     .plain_note = "normal(m, s): mean m and standard deviation s; with a, b behind them truncated "
                   "to the range from a to b.",
     .latex_note = "$\\mathcal{N}(m, s)$: normal, with mean $m$ and standard deviation $s$; with "
                   "$a, b$ behind them truncated to the range from $a$ to $b$.",
     .is_decimal = true},
    {.name = "log-normal",
     .latex = "\\ln\\mathcal{N}",
     .plain_note = "log-normal(m, s): ln x is normal, with mean m and standard deviation s.",
     .latex_note = "$\\ln\\mathcal{N}(m, s)$: $\\ln x$ is normal, with mean $m$ and standard "
                   "deviation $s$.",
     .has_shape = true},
    {.name = "beta",
     .latex = "\\mathrm{Beta}",
     .plain_note = "beta(a, b): proportional to x^(a - 1) (1 - x)^(b - 1).",
     .latex_note = "$\\mathrm{Beta}(a, b)$: density proportional to $x^{a-1}(1 - x)^{b-1}$.",
     .has_shape = true},
    {.name = "rayleigh",
     .latex = "\\mathrm{Rayleigh}",
     .plain_note = "rayleigh(s): proportional to x exp(-x^2 / (2 s^2)).",
     .latex_note = "$\\mathrm{Rayleigh}(s)$: density proportional to $x \\exp(-x^2/2 s^2)$."},
    {.name = "turns",
     .latex = "\\mathcal{T}",
     .plain_note = "turns(a, b): constant density in ln x between a and b times the period of the "
                   "noise.",
     .latex_note = "$\\mathcal{T}(a, b)$: constant density in $\\ln x$ between $a$ and $b$ times "
                   "the period of the noise.",
     .has_shape = true},
    {.name = "fixed",
     .latex = "\\mathrm{fixed}",
     .plain_note = "fixed(x): the value is not free.",
     .latex_note = "$\\mathrm{fixed}(x)$: the value is not free.",
     .is_decimal = true},
};

enum { N_FORMS = sizeof forms / sizeof forms[0], MOST_NUMBERS = 8 };

/* "log-uniform(1, 365250)", taken apart. */
struct prior {
    char name[64];
    size_t n;
    double numbers[MOST_NUMBERS];
    const struct prior_form *form; /* NULL: of no kind that is known here */
};

static struct prior read_prior(const char *text)
{
    struct prior made = {.n = 0};
    size_t n_name = strcspn(text, "(");
    snprintf(made.name, sizeof made.name, "%.*s", (int)n_name, text);
    for (size_t i = 0; i < N_FORMS; i++)
        if (strcmp(forms[i].name, made.name) == 0)
            made.form = &forms[i];
    for (const char *at = text + n_name; *at != '\0' && made.n < MOST_NUMBERS;) {
        char *end;
        at += strspn(at, "(, )");
        made.numbers[made.n] = strtod(at, &end);
        if (end == at)
            break;
        made.n++;
        at = end;
    }
    return made;
}

/* Numbers to six digits, in the unit of the parameter; what was measured elsewhere has all of its
 * digits. */
static void add_prior(struct paper_grid *grid, const struct prior *prior, double factor)
{
    char numbers[256] = "";
    size_t n = 0;
    const struct prior_form *form = prior->form;
    bool is_latex = paper_grid_is_latex(grid), is_person = paper_grid_is_for_people(grid);
    for (size_t i = 0; i < prior->n && n + 40 < sizeof numbers; i++) {
        bool has_unit = form != NULL && !(form->has_shape && i < 2);
        bool is_long = !is_person || (form != NULL && form->is_decimal);
        n += (size_t)snprintf(numbers + n, sizeof numbers - n, is_long ? "%s%.12g" : "%s%.6g",
                              i > 0 ? ", " : "", prior->numbers[i] * (has_unit ? factor : 1.0));
    }
    if (is_latex && form != NULL)
        paper_grid_add_text(grid, "$%s(%s)$", form->latex, numbers);
    else if (is_latex)
        paper_grid_add_text(grid, "%s$(%s)$", paper_grid_escape(prior->name).text, numbers);
    else
        paper_grid_add_text(grid, "%s(%s)", prior->name, numbers);
}

/* The planet or instrument that a parameter is of: 0 and "" where it is of the star. */
struct owner {
    size_t planet;
    const char *instrument;
    double factor; /* from the unit of the run to the one that is shown */
};

static struct owner owner_of(const char *name, const equant_dataset *dataset)
{
    struct owner made = {0, "", 1.0};
    const char *last = strrchr(name, '_');
    size_t index, number = last != NULL ? (size_t)strtoul(last + 1, NULL, 10) : 0;
    if (equant_quantity_find(name, &index) != EQUANT_SUCCESS)
        return made;
    equant_quantity_info kind = quantity_kind_at(index);
    made.factor = kind.shown_factor;
    if (kind.axis == EQUANT_QUANTITY_PER_PLANET)
        made.planet = number;
    else if (number > 0 && number <= equant_dataset_n_instruments(dataset))
        made.instrument = equant_dataset_instrument_name(dataset, number - 1);
    return made;
}

static void add_owner(struct paper_grid *grid, const struct owner *owner,
                      const struct planet_letters *letters)
{
    if (owner->planet > 0)
        paper_grid_add_text(grid, "planet %c", planet_name_letter(letters, owner->planet - 1));
    else
        paper_grid_add_text(grid, "%s",
                            paper_grid_is_latex(grid) ? paper_grid_escape(owner->instrument).text
                                                      : owner->instrument);
}

static void add_row(struct paper_grid *grid, const struct paper_source *source, const char *name,
                    const struct prior *prior)
{
    const struct planet_letters letters = paper_source_letters(source);
    struct owner owner = owner_of(name, equant_posterior_dataset(source->posterior));
    struct paper_entry entry = paper_entries_named(name, owner.planet, "");
    if (paper_grid_is_for_people(grid)) {
        paper_entry_add_symbol(grid, &entry);
        paper_entry_add_unit(grid, &entry);
    } else {
        paper_grid_add_text(grid, "%s", entry.name);
        paper_grid_add_text(grid, "%s", entry.unit.table);
    }
    add_owner(grid, &owner, &letters);
    add_prior(grid, prior, owner.factor);
}

int paper_priors_fill(const struct paper_source *source, struct paper_grid *grid)
{
    static const char prefix[] = "prior_";
    const equant_posterior *posterior = source->posterior;
    bool is_used[N_FORMS] = {false};
    if (posterior == NULL)
        return messages_failure("a fit has no priors; `equant sample` has them");
    paper_grid_set_title(grid, source->star_name, "Priors");
    paper_grid_add_text_column(grid, "parameter", "Parameter", "name of the parameter");
    paper_grid_add_text_column(grid, "unit", "Unit", "unit of the parameter and of its prior");
    paper_grid_add_text_column(grid, "owner", "Of", "planet or instrument");
    paper_grid_add_text_column(grid, "prior", "Prior", "density before the data");
    for (size_t i = 0; i < equant_posterior_n_provenance(posterior); i++) {
        const char *name = equant_posterior_provenance_name(posterior, i);
        const char *text = equant_posterior_provenance_text(posterior, i);
        if (strncmp(name, prefix, strlen(prefix)) != 0 || strchr(text, '(') == NULL)
            continue;
        struct prior prior = read_prior(text);
        if (prior.form != NULL)
            is_used[prior.form - forms] = true;
        add_row(grid, source, name + strlen(prefix), &prior);
    }
    if (grid->n_cells == 0)
        return messages_failure("this run does not say what its priors were");
    for (size_t i = 0; i < N_FORMS; i++)
        if (is_used[i] && paper_grid_is_latex(grid))
            text_list_add(&grid->notes, "%s", forms[i].latex_note);
        else if (is_used[i])
            text_list_add(&grid->notes, "%s", forms[i].plain_note);
    return EXIT_CODE_OK;
}
