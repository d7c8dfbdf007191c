#include "inference/priors/state_list.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/input_stream.h"
#include "core/status_fail.h"
#include "noise/noise_catalogue.h"

equant_status equant_states_create(equant_states **states)
{
    if (!states)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "states need a place to put them");
    equant_states *made = calloc(1, sizeof *made);
    if (!made)
        return status_out_of_memory();
    *states = made;
    return EQUANT_SUCCESS;
}

void equant_states_free(equant_states *states)
{
    if (!states)
        return;
    free(states->list);
    free(states);
}

equant_status state_list_copy(const equant_states *from, char without, equant_states **made)
{
    equant_status status = equant_states_create(made);
    if (status != EQUANT_SUCCESS)
        return status;
    (*made)->list = malloc((equant_states_n(from) + 1) * sizeof *(*made)->list);
    if (!(*made)->list)
        return status_out_of_memory();
    for (size_t i = 0; i < equant_states_n(from); i++)
        if (!without || from->list[i].letter != without)
            (*made)->list[(*made)->n++] = from->list[i];
    for (size_t i = 0; i < equant_states_n_planets(from); i++)
        if (equant_states_letter(from, i) != without)
            (*made)->letters[(*made)->n_letters++] = equant_states_letter(from, i);
    return EQUANT_SUCCESS;
}

/* ---- adding ------------------------------------------------------------------------------- */

static bool is_same(const parameter_state *one, const parameter_state *other)
{
    bool is_whole = one->kind == NULL && other->kind == NULL && one->form != other->form;
    return one->kind == other->kind && one->letter == other->letter && !is_whole &&
           strcmp(one->instrument, other->instrument) == 0 && !one->is_transit &&
           !other->is_transit;
}

static bool has_letter(const equant_states *states, char letter)
{
    for (size_t i = 0; i < states->n_letters; i++)
        if (states->letters[i] == letter)
            return true;
    return states->n_letters == 0;
}

static equant_status refuse_second(const parameter_state *first, const parameter_state *second)
{
    return parameter_state_fail(second, "%s was already said to be %s%s%s%s", second->name,
                                first->text, first->where[0] ? " (" : "", first->where,
                                first->where[0] ? ")" : "");
}

equant_status equant_states_set(equant_states *states, const char *state, const char *where)
{
    parameter_state read;
    if (!states || !state)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a state needs a list and a sentence");
    equant_status status = parameter_state_read(state, where, &read);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t i = 0; i < states->n; i++)
        if (is_same(&states->list[i], &read))
            return refuse_second(&states->list[i], &read);
    if (read.letter && !has_letter(states, read.letter))
        return parameter_state_fail(&read, "'%s' is of a planet %c that the letters do not name",
                                    read.name, read.letter);
    parameter_state *longer = realloc(states->list, (states->n + 1) * sizeof *longer);
    if (!longer)
        return status_out_of_memory();
    states->list = longer;
    states->list[states->n++] = read;
    return EQUANT_SUCCESS;
}

static bool is_among(char letter, size_t n, const char *letters)
{
    return n > 0 && memchr(letters, letter, n) != NULL;
}

/* The letters of a text, each once. */
static equant_status read_letters(const char *text, const parameter_state *place, char *letters,
                                  size_t *n)
{
    for (const char *c = text; *c != '\0';) {
        if (*c < STATE_FIRST_LETTER || *c > STATE_LAST_LETTER || (c[1] != ',' && c[1] != '\0') ||
            (c[1] == ',' && c[2] == '\0'))
            return parameter_state_fail(place,
                                        "letters of planets are b to z with commas between "
                                        "them, as in b,c,d, not '%.60s'",
                                        text);
        if (is_among(*c, *n, letters))
            return parameter_state_fail(place, "two planets have the letter %c", *c);
        if (*n == STATE_LIST_MOST_PLANETS)
            return parameter_state_fail(place, "a star has up to %d planets",
                                        STATE_LIST_MOST_PLANETS);
        letters[(*n)++] = *c;
        c += c[1] == ',' ? 2 : 1;
    }
    return EQUANT_SUCCESS;
}

/* The list changes only where all letters are good. */
equant_status equant_states_name_planets(equant_states *states, const char *letters,
                                         const char *where)
{
    parameter_state place = {.form = STATE_FREE};
    char read[STATE_LIST_MOST_PLANETS];
    size_t n = 0;
    if (!states || !letters)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "letters need a list of states");
    snprintf(place.where, sizeof place.where, "%s", where ? where : "");
    equant_status status = read_letters(letters, &place, read, &n);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t i = 0; i < states->n; i++)
        if (n > 0 && states->list[i].letter && !is_among(states->list[i].letter, n, read))
            return parameter_state_fail(&states->list[i],
                                        "'%s' is of a planet %c that the letters do not name",
                                        states->list[i].name, states->list[i].letter);
    memcpy(states->letters, read, n);
    states->n_letters = n;
    return EQUANT_SUCCESS;
}

/* ---- transits from a file ------------------------------------------------------------------- */

enum { LINE_SIZE = 256 };

static equant_status add_transit(equant_states *states, const char *path, long number, char *line)
{
    char where[STATE_WHERE_SIZE], sentence[LINE_SIZE];
    char *words[4], *rest = NULL;
    size_t n = 0;
    line[strcspn(line, "#\r\n")] = '\0';
    for (char *word = strtok_r(line, " \t,", &rest); word && n < 4;
         word = strtok_r(NULL, " \t,", &rest))
        words[n++] = word;
    if (n == 0)
        return EQUANT_SUCCESS;
    snprintf(where, sizeof where, "%.200s:%ld", path, number);
    bool has_own_letter = n == 3 && words[0][1] == '\0';
    if (n != 2 && !has_own_letter)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: a transit is a line of a letter, a time and its error, as in "
                           "b 2456907.9628 0.0012",
                           where);
    snprintf(sentence, sizeof sentence, "%c.transit=normal(%.100s, %.100s)",
             has_own_letter ? words[0][0] : STATE_FIRST_LETTER, words[n - 2], words[n - 1]);
    if (!has_own_letter && equant_states_n_planets(states) > 1)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: there are %zu planets: a transit begins with the letter of one",
                           where, equant_states_n_planets(states));
    return equant_states_set(states, sentence, where);
}

equant_status equant_states_read_transits(equant_states *states, const char *path)
{
    char line[LINE_SIZE];
    if (!states || !path)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "transits need a list and a file");
    FILE *file = NULL;
    equant_status status = input_stream_open(path, &file);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t n_before = states->n;
    for (long number = 1; status == EQUANT_SUCCESS && fgets(line, sizeof line, file); number++)
        status = add_transit(states, path, number, line);
    if (status == EQUANT_SUCCESS && ferror(file))
        status = input_stream_fail(path, errno);
    fclose(file);
    if (status == EQUANT_SUCCESS && states->n == n_before)
        status = status_fail(EQUANT_ERROR_FORMAT, "%s: the file has no transits", path);
    return status;
}

/* ---- asking -----------------------------------------------------------------------------------
 */

size_t equant_states_n(const equant_states *states)
{
    return states ? states->n : 0;
}

const char *equant_states_name(const equant_states *states, size_t index)
{
    return states && index < states->n ? states->list[index].name : NULL;
}

const char *equant_states_text(const equant_states *states, size_t index)
{
    return states && index < states->n ? states->list[index].text : NULL;
}

const char *equant_states_where(const equant_states *states, size_t index)
{
    return states && index < states->n ? states->list[index].where : NULL;
}

size_t equant_states_n_planets(const equant_states *states)
{
    size_t n = 0;
    if (!states || states->n_letters > 0)
        return states ? states->n_letters : 0;
    for (size_t i = 0; i < states->n; i++)
        if (states->list[i].letter) {
            size_t own = (size_t)(states->list[i].letter - STATE_FIRST_LETTER) + 1;
            n = own > n ? own : n;
        }
    return n;
}

char equant_states_letter(const equant_states *states, size_t index)
{
    if (index >= equant_states_n_planets(states))
        return '\0';
    return states->n_letters > 0 ? states->letters[index] : (char)(STATE_FIRST_LETTER + (int)index);
}

const parameter_state *state_list_of_planet(const equant_states *states, char letter,
                                            const char *name)
{
    for (size_t i = 0; i < equant_states_n(states); i++) {
        const parameter_state *own = &states->list[i];
        if (own->letter == letter && own->kind && strcmp(own->kind->info.name, name) == 0 &&
            !own->is_transit && own->form != STATE_FREE)
            return own;
    }
    return NULL;
}

const parameter_state *state_list_of_column(const equant_states *states, const quantity_kind *kind,
                                            const char *instrument)
{
    const parameter_state *found = NULL;
    for (size_t i = 0; i < equant_states_n(states); i++) {
        const parameter_state *own = &states->list[i];
        bool is_of_this = instrument && strcmp(own->instrument, instrument) == 0;
        if (own->kind != kind || own->letter)
            continue;
        if (is_of_this)
            return own->form == STATE_FREE ? NULL : own;
        if (!own->instrument[0] && own->form != STATE_FREE)
            found = own;
    }
    return found;
}

/* Shapes in which stars turn have amplitude and period in common. */
static bool is_of_rotation(noise_kind noise, int place)
{
    return noise_catalogue_at((size_t)noise)->is_rotation && place < 2;
}

const parameter_state *state_list_of_noise(const equant_states *states, noise_kind noise, int place,
                                           const char *instrument)
{
    const parameter_state *found = NULL;
    int most = -1;
    for (size_t i = 0; i < equant_states_n(states); i++) {
        const parameter_state *own = &states->list[i];
        bool is_noise = own->kind && own->kind->term == TERM_NOISE && own->kind->place == place;
        bool is_term = is_noise && own->kind->noise == noise;
        bool is_any =
            is_noise && own->kind->noise == NOISE_ROTATION && is_of_rotation(noise, place);
        bool is_here = !own->instrument[0] || (instrument && !strcmp(own->instrument, instrument));
        int weight = 2 * (own->instrument[0] != '\0') + is_term;
        if ((is_term || is_any) && is_here && weight > most) {
            found = own;
            most = weight;
        }
    }
    return found && found->form != STATE_FREE ? found : NULL;
}

equant_status state_list_refuse_noise(const parameter_state *said)
{
    return parameter_state_fail(said,
                                "%s is of a noise that the model does not have: --noise names it, "
                                "as in --noise %s%s%s",
                                said->name, noise_kind_name(said->kind->noise),
                                said->instrument[0] ? "@" : "", said->instrument);
}

bool state_list_keeps_apart(const equant_states *states)
{
    for (size_t i = 0; i < equant_states_n(states); i++)
        if (states->list[i].form == STATE_APART)
            return true;
    return false;
}

int state_list_trend(const equant_states *states)
{
    int order = -1;
    for (size_t i = 0; i < equant_states_n(states); i++) {
        const parameter_state *own = &states->list[i];
        if (own->form == STATE_TREND)
            return own->trend_order;
        if (own->kind && own->kind->term == TERM_TREND && own->kind->place + 1 > order)
            order = own->kind->place + 1;
    }
    return order;
}

/* ---- checking ---------------------------------------------------------------------------------
 */

static bool is_phase(const parameter_state *state)
{
    const quantity_kind *kind = state->kind;
    return kind && state->letter &&
           (kind->is_event || strcmp(kind->info.name, "m0_rad") == 0 ||
            strcmp(kind->info.name, "lambda_rad") == 0);
}

/* What cannot be true beside another state of the same planet. */
static equant_status check_pair(const parameter_state *own, const parameter_state *other)
{
    if (own->letter != other->letter || own->form == STATE_FREE || other->form == STATE_FREE)
        return EQUANT_SUCCESS;
    bool is_circle = other->form == STATE_FIXED && other->kind->term == TERM_ORBITS &&
                     other->kind->place == ELEMENT_ECCENTRICITY && other->density.first == 0.0;
    if (is_circle && own->kind->is_lost_on_circle)
        return parameter_state_fail(own, "%s=%s contradicts %s=0: a circle has no pericentre",
                                    own->name, own->text, other->name);
    if (is_phase(own) && is_phase(other) && own != other && own->form == STATE_FIXED &&
        (other->form == STATE_FIXED || other->is_transit))
        return parameter_state_fail(own,
                                    "%s=%s and %s=%s both say where the planet is: one of them "
                                    "is enough",
                                    own->name, own->text, other->name, other->text);
    return EQUANT_SUCCESS;
}

bool state_list_needs_reference_time(const equant_states *states)
{
    for (size_t i = 0; i < equant_states_n(states); i++) {
        const quantity_kind *kind = states->list[i].kind;
        if (!kind || states->list[i].form == STATE_FREE)
            continue;
        bool is_phase = kind->term == TERM_ORBITS && kind->place == ELEMENT_M0;
        if (is_phase || kind->term == TERM_OFFSETS || kind->term == TERM_TREND ||
            strcmp(kind->info.name, "lambda_rad") == 0)
            return true;
    }
    return false;
}

static equant_status check_trend(const equant_states *states, const parameter_state *own)
{
    int order = state_list_trend(states);
    if (own->kind && own->kind->term == TERM_TREND && own->kind->place >= order)
        return parameter_state_fail(own, "%s=%s contradicts trend=%s, which has no such term",
                                    own->name, own->text, order == 0 ? "none" : "linear");
    return EQUANT_SUCCESS;
}

equant_status equant_states_check(const equant_states *states)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < equant_states_n(states) && status == EQUANT_SUCCESS; i++) {
        const parameter_state *own = &states->list[i];
        status = check_trend(states, own);
        for (size_t j = 0; j < states->n && status == EQUANT_SUCCESS; j++)
            if (own->letter && states->list[j].letter)
                status = check_pair(own, &states->list[j]);
    }
    return status;
}

static equant_status check_instrument(const parameter_state *own, const equant_dataset *dataset)
{
    const char *nearest = NULL;
    size_t least = strlen(own->instrument) / 2 + 2;
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++) {
        const char *name = equant_dataset_instrument_name(dataset, i);
        size_t distance = parameter_state_distance(own->instrument, name);
        if (distance == 0)
            return EQUANT_SUCCESS;
        if (distance < least) {
            least = distance;
            nearest = name;
        }
    }
    return nearest ? parameter_state_fail(own,
                                          "the data have no instrument '%s': did you mean "
                                          "'%.60s'?",
                                          own->instrument, nearest)
                   : parameter_state_fail(own, "the data have no instrument '%s'", own->instrument);
}

static double middle_of(const prior_density *density)
{
    return density->kind == PRIOR_FIXED ? density->first : prior_density_quantile(density, 0.5);
}

/* How far an event that something is said of lies before the observations, negative, or behind
 * them; 0 within them and of anything else. */
static double days_outside(const parameter_state *own, const equant_dataset *dataset)
{
    const double *times = equant_dataset_times_days(dataset);
    double first = times[0], last = times[equant_dataset_n_obs(dataset) - 1];
    if (!own->kind || !own->kind->is_event || own->form == STATE_FREE)
        return 0.0;
    double days = middle_of(&own->density);
    return days < first ? days - first : days > last ? days - last : 0.0;
}

/* Radial velocities have been taken for some 45 years: an event that lies further from the data,
 * and further than two turns of its planet, is counted from another day than they are. */
static equant_status check_clock(const equant_states *states, const parameter_state *own,
                                 const equant_dataset *dataset)
{
    const double year = 365.25, most_years = 45.0, n_turns = 2.0;
    const double *times = equant_dataset_times_days(dataset);
    double years = days_outside(own, dataset) / year;
    const parameter_state *period = state_list_of_planet(states, own->letter, "period_days");
    double turns = period ? n_turns * middle_of(&period->density) / year : 0.0;
    if (fabs(years) <= fmax(most_years, turns))
        return EQUANT_SUCCESS;
    return parameter_state_fail(own,
                                "%s=%s lies %.0f years %s the observations, of days %.10g to "
                                "%.10g: count it from the same day as the data (JD, MJD = JD - "
                                "2400000.5, JD - 2450000, ...)",
                                own->name, own->text, fabs(years), years < 0.0 ? "before" : "after",
                                times[0], times[equant_dataset_n_obs(dataset) - 1]);
}

void state_list_remark_clock(const equant_states *states, const equant_dataset *dataset,
                             remarks *made)
{
    const double far_days = 1000.0;
    for (size_t i = 0; i < equant_states_n(states); i++) {
        const parameter_state *own = &states->list[i];
        double days = days_outside(own, dataset);
        if (fabs(days) > far_days)
            remarks_add(made,
                        "%s=%s lies %.0f days %s the observations: make sure that both are counted "
                        "from the same day.",
                        own->name, own->text, fabs(days), days < 0.0 ? "before" : "after");
    }
}

equant_status state_list_check_star(const equant_states *states, const equant_dataset *dataset,
                                    bool has_star_mass)
{
    equant_status status = equant_states_check(states);
    for (size_t i = 0; i < equant_states_n(states) && status == EQUANT_SUCCESS; i++) {
        const parameter_state *own = &states->list[i];
        if (own->instrument[0])
            status = check_instrument(own, dataset);
        if (status == EQUANT_SUCCESS)
            status = check_clock(states, own, dataset);
        if (status == EQUANT_SUCCESS && own->kind && own->kind->info.needs_star_luminosity)
            status = parameter_state_fail(own,
                                          "%s follows from the star as much as from the orbit: "
                                          "it has no state",
                                          own->name);
        if (status == EQUANT_SUCCESS && own->kind && own->kind->info.needs_star_mass &&
            !has_star_mass)
            status = parameter_state_fail(own, "%s needs the mass of the star", own->name);
    }
    return status;
}
