#include "inference/sample/target/priors_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/priors/yaml_reader.h"
#include "model/quantity_catalogue.h"

/* ---- what the file holds --------------------------------------------------------------------- */

/* In the order in which they are applied: single planets and instruments win over all of them. */
typedef enum section {
    SET,
    EVERY_PLANET,
    PLANETS,
    EVERY_INSTRUMENT,
    INSTRUMENTS,
    TREND_LINEAR,
    TREND_QUADRATIC,
    NOISE,
    N_SECTIONS
} section;

static const struct {
    const char *name;
    const char *keys; /* NULL: the section is one value */
    bool is_list;
    const char *needed[2]; /* keys that each item of the list has */
} sections[N_SECTIONS] = {
    [SET] = {.name = "set"},
    [EVERY_PLANET] = {"every_planet",
                      "period_days k_m_s eccentricity omega_rad m0_rad",
                      false,
                      {0}},
    [PLANETS] = {"planets", "period_days k_m_s eccentricity omega_rad m0_rad", true, {0}},
    [EVERY_INSTRUMENT] = {"every_instrument", "offset_m_s jitter_m_s", false, {0}},
    [INSTRUMENTS] = {"instruments", "name offset_m_s jitter_m_s", true, {"name"}},
    [TREND_LINEAR] = {.name = "trend_m_s_day"},
    [TREND_QUADRATIC] = {.name = "trend_m_s_day2"},
    [NOISE] = {"noise", "parameter prior", true, {"parameter", "prior"}},
};

/* One value of the file. */
typedef struct entry {
    section section;
    size_t item; /* of a list, from 0 on */
    long line;
    char key[YAML_KEY_SIZE];
    char *text;
} entry;

typedef struct priors_text {
    size_t n;
    entry *entries;
} priors_text;

static void priors_text_free(priors_text *text)
{
    for (size_t i = 0; i < text->n; i++)
        free(text->entries[i].text);
    free(text->entries);
}

/* The value of a key of an item; NULL where the file has none. */
static const entry *find(const priors_text *text, section s, size_t item, const char *key)
{
    for (size_t i = 0; i < text->n; i++) {
        const entry *own = &text->entries[i];
        if (own->section == s && own->item == item && strcmp(own->key, key) == 0)
            return own;
    }
    return NULL;
}

/* ---- reading it ------------------------------------------------------------------------------ */

static equant_status fail_here(const yaml_reader *yaml, const char *name, const char *wanted)
{
    return yaml_reader_fail(yaml, yaml_reader_line(yaml), "%s should be %s", name, wanted);
}

static equant_status add(const yaml_reader *yaml, section s, size_t item, const char *key,
                         priors_text *text)
{
    if (yaml_reader_kind(yaml) != YAML_READER_VALUE)
        return fail_here(yaml, key, "one value");
    entry *longer = realloc(text->entries, (text->n + 1) * sizeof *longer);
    char *copy = strdup(yaml_reader_text(yaml));
    if (longer)
        text->entries = longer;
    if (!longer || !copy) {
        free(copy);
        return status_out_of_memory();
    }
    entry *made = &text->entries[text->n++];
    *made = (entry){.section = s, .item = item, .line = yaml_reader_line(yaml), .text = copy};
    snprintf(made->key, sizeof made->key, "%s", key);
    return EQUANT_SUCCESS;
}

/* The keys of one item, whose mapping has begun. */
static equant_status read_item(yaml_reader *yaml, section s, size_t item, priors_text *text)
{
    yaml_keys seen = {.n = 0};
    char key[YAML_KEY_SIZE], what[96];
    bool has_key;
    long line = yaml_reader_line(yaml);
    if (yaml_reader_kind(yaml) != YAML_READER_MAPPING)
        return fail_here(yaml, sections[s].name, "keys with values");
    snprintf(what, sizeof what, "%s has no", sections[s].name);
    equant_status status = yaml_reader_next_key(yaml, &seen, key, &has_key);
    while (status == EQUANT_SUCCESS && has_key) {
        if (!yaml_reader_has_word(key, sections[s].keys))
            return yaml_reader_refuse(yaml, what, key, sections[s].keys);
        status = yaml_reader_next(yaml);
        if (status == EQUANT_SUCCESS)
            status = add(yaml, s, item, key, text);
        if (status == EQUANT_SUCCESS)
            status = yaml_reader_next_key(yaml, &seen, key, &has_key);
    }
    for (size_t i = 0; i < 2 && status == EQUANT_SUCCESS; i++)
        if (sections[s].needed[i] && !find(text, s, item, sections[s].needed[i]))
            return yaml_reader_fail(yaml, line, "an entry of %s has no '%s'", sections[s].name,
                                    sections[s].needed[i]);
    return status;
}

static equant_status read_section(yaml_reader *yaml, section s, priors_text *text)
{
    if (!sections[s].keys)
        return add(yaml, s, 0, sections[s].name, text);
    if (!sections[s].is_list)
        return read_item(yaml, s, 0, text);
    if (yaml_reader_kind(yaml) != YAML_READER_LIST)
        return fail_here(yaml, sections[s].name, "a list, each entry behind '- '");
    equant_status status = yaml_reader_next(yaml);
    for (size_t i = 0; status == EQUANT_SUCCESS && yaml_reader_kind(yaml) != YAML_READER_LIST_END;
         i++) {
        status = read_item(yaml, s, i, text);
        if (status == EQUANT_SUCCESS)
            status = yaml_reader_next(yaml);
    }
    return status;
}

static equant_status read_sections(yaml_reader *yaml, priors_text *text)
{
    yaml_keys seen = {.n = 0};
    char name[YAML_KEY_SIZE];
    bool has_section;
    if (yaml_reader_kind(yaml) != YAML_READER_MAPPING)
        return fail_here(yaml, "a file of priors", "keys with values, such as planets:");
    equant_status status = yaml_reader_next_key(yaml, &seen, name, &has_section);
    while (status == EQUANT_SUCCESS && has_section) {
        section s = SET;
        while (s < N_SECTIONS && strcmp(sections[s].name, name) != 0)
            s++;
        if (s == N_SECTIONS)
            return yaml_reader_refuse(yaml, "a file of priors has no", name,
                                      "set every_planet planets every_instrument instruments "
                                      "trend_m_s_day trend_m_s_day2 noise");
        status = yaml_reader_next(yaml);
        if (status == EQUANT_SUCCESS)
            status = read_section(yaml, s, text);
        if (status == EQUANT_SUCCESS)
            status = yaml_reader_next_key(yaml, &seen, name, &has_section);
    }
    return status == EQUANT_SUCCESS ? yaml_reader_end(yaml) : status;
}

/* ---- applying it ----------------------------------------------------------------------------- */

/* One prior, of all parameters with a stem or, where number > 0, of the one with that number. */
static equant_status change(priors *set, size_t number, const entry *own)
{
    char name[96];
    if (number == 0)
        return priors_change(set, own->key, own->text);
    snprintf(name, sizeof name, "%s_%zu", own->key, number);
    return priors_change(set, name, own->text);
}

static equant_status change_instrument(priors *set, const priors_text *text, const entry *own,
                                       const equant_dataset *dataset)
{
    const char *name = find(text, INSTRUMENTS, own->item, "name")->text;
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++)
        if (strcmp(name, equant_dataset_instrument_name(dataset, i)) == 0)
            return strcmp(own->key, "name") == 0 ? EQUANT_SUCCESS : change(set, i + 1, own);
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "the data have no instrument \"%.100s\"",
                       name);
}

/* Noise that the model lacks is left alone; what is no parameter of any noise is a mistake. */
static equant_status change_noise(priors *set, const priors_text *text, const entry *own)
{
    const char *parameter = find(text, NOISE, own->item, "parameter")->text;
    const quantity_kind *kind = quantity_catalogue_find(parameter);
    if (strcmp(own->key, "prior") != 0)
        return EQUANT_SUCCESS;
    if (!kind || kind->term != TERM_NOISE)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "no noise has a parameter \"%.100s\"",
                           parameter);
    return priors_has(set, parameter) ? priors_change(set, parameter, own->text) : EQUANT_SUCCESS;
}

/* Planets and terms of a trend that the model lacks are left alone. */
static equant_status apply_entry(priors *set, const priors_text *text, const entry *own,
                                 const equant_dataset *dataset)
{
    const parameter_layout *layout = priors_layout(set);
    switch (own->section) {
    case EVERY_PLANET:
        return layout->n_planets > 0 ? change(set, 0, own) : EQUANT_SUCCESS;
    case PLANETS:
        return own->item < layout->n_planets ? change(set, own->item + 1, own) : EQUANT_SUCCESS;
    case EVERY_INSTRUMENT:
        return change(set, 0, own);
    case INSTRUMENTS:
        return change_instrument(set, text, own, dataset);
    case TREND_LINEAR:
        return layout->trend_order >= 1 ? change(set, 0, own) : EQUANT_SUCCESS;
    case TREND_QUADRATIC:
        return layout->trend_order >= 2 ? change(set, 0, own) : EQUANT_SUCCESS;
    case NOISE:
        return change_noise(set, text, own);
    case SET:
    case N_SECTIONS:
        break;
    }
    return EQUANT_SUCCESS;
}

/* Puts file and line in front of the sentence of a failure. */
static equant_status name_place(const char *path, long line, equant_status status)
{
    char sentence[1024];
    if (status == EQUANT_SUCCESS || status == EQUANT_ERROR_OUT_OF_MEMORY)
        return status;
    snprintf(sentence, sizeof sentence, "%s", equant_last_error());
    return status_fail(status, "%s:%ld: %s", path, line, sentence);
}

static equant_status create_from_text(const char *path, const priors_text *text,
                                      const priors_options *options, priors **made)
{
    priors_options named = *options;
    const entry *set_name = find(text, SET, 0, sections[SET].name);
    priors *set = NULL;
    if (set_name)
        named.set_name = set_name->text;
    equant_status status = priors_create(&named, &set);
    if (status != EQUANT_SUCCESS)
        return name_place(path, set_name ? set_name->line : 1, status);
    for (section s = SET; s < N_SECTIONS; s++)
        for (size_t i = 0; i < text->n && status == EQUANT_SUCCESS; i++) {
            const entry *own = &text->entries[i];
            if (own->section == s)
                status = name_place(path, own->line, apply_entry(set, text, own, options->dataset));
        }
    if (status == EQUANT_SUCCESS)
        *made = set;
    else
        priors_free(set);
    return status;
}

equant_status priors_file_read(const char *path, const priors_options *options, priors **made)
{
    yaml_reader *yaml = NULL;
    priors_text text = {.n = 0};
    equant_status status = yaml_reader_open(path, "file of priors", &yaml);
    if (status == EQUANT_SUCCESS)
        status = read_sections(yaml, &text);
    yaml_reader_close(yaml);
    if (status == EQUANT_SUCCESS)
        status = create_from_text(path, &text, options, made);
    priors_text_free(&text);
    return status;
}
