#include "inference/density/priors_file.h"

#include "core/status.h"

#ifndef EQUANT_HAVE_YAML

equant_status priors_file_read(const char *path, const priors_options *options, priors **made)
{
    (void)options;
    (void)made;
    return status_fail(EQUANT_ERROR_UNAVAILABLE,
                       "%s: this library was built without libcyaml and reads no files of priors",
                       path);
}

#else

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cyaml/cyaml.h>

#include "model/quantity_catalogue.h"

/* ---- what the file holds --------------------------------------------------- */

typedef struct planet_texts {
    char *period_days, *k_m_s, *eccentricity, *omega_rad, *m0_rad;
} planet_texts;

typedef struct instrument_texts {
    char *name, *offset_m_s, *jitter_m_s;
} instrument_texts;

typedef struct noise_texts {
    char *parameter, *prior;
} noise_texts;

typedef struct file_texts {
    char *set;
    planet_texts *every_planet, *planets;
    unsigned planets_count;
    instrument_texts *every_instrument, *instruments;
    unsigned instruments_count;
    char *trend_m_s_day, *trend_m_s_day2;
    noise_texts *noise;
    unsigned noise_count;
} file_texts;

#define TEXT_FIELD(type, member, flags)                                                            \
    CYAML_FIELD_STRING_PTR(#member, CYAML_FLAG_POINTER | (flags), type, member, 0, CYAML_UNLIMITED)

static const cyaml_schema_field_t planet_fields[] = {
    TEXT_FIELD(planet_texts, period_days, CYAML_FLAG_OPTIONAL),
    TEXT_FIELD(planet_texts, k_m_s, CYAML_FLAG_OPTIONAL),
    TEXT_FIELD(planet_texts, eccentricity, CYAML_FLAG_OPTIONAL),
    TEXT_FIELD(planet_texts, omega_rad, CYAML_FLAG_OPTIONAL),
    TEXT_FIELD(planet_texts, m0_rad, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t every_instrument_fields[] = {
    TEXT_FIELD(instrument_texts, offset_m_s, CYAML_FLAG_OPTIONAL),
    TEXT_FIELD(instrument_texts, jitter_m_s, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t instrument_fields[] = {
    TEXT_FIELD(instrument_texts, name, CYAML_FLAG_DEFAULT),
    TEXT_FIELD(instrument_texts, offset_m_s, CYAML_FLAG_OPTIONAL),
    TEXT_FIELD(instrument_texts, jitter_m_s, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t noise_fields[] = {
    TEXT_FIELD(noise_texts, parameter, CYAML_FLAG_DEFAULT),
    TEXT_FIELD(noise_texts, prior, CYAML_FLAG_DEFAULT),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t planet_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, planet_texts, planet_fields)};

static const cyaml_schema_value_t instrument_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, instrument_texts, instrument_fields)};

static const cyaml_schema_value_t noise_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, noise_texts, noise_fields)};

static const cyaml_schema_field_t file_fields[] = {
    TEXT_FIELD(file_texts, set, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_MAPPING_PTR("every_planet", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, file_texts,
                            every_planet, planet_fields),
    CYAML_FIELD_SEQUENCE("planets", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, file_texts, planets,
                         &planet_entry, 0, CYAML_UNLIMITED),
    CYAML_FIELD_MAPPING_PTR("every_instrument", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                            file_texts, every_instrument, every_instrument_fields),
    CYAML_FIELD_SEQUENCE("instruments", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, file_texts,
                         instruments, &instrument_entry, 0, CYAML_UNLIMITED),
    TEXT_FIELD(file_texts, trend_m_s_day, CYAML_FLAG_OPTIONAL),
    TEXT_FIELD(file_texts, trend_m_s_day2, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_SEQUENCE("noise", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, file_texts, noise,
                         &noise_entry, 0, CYAML_UNLIMITED),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t file_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, file_texts, file_fields)};

/* ---- reading it ------------------------------------------------------------ */

/* What libcyaml had to say: its first complaint, and the line where it first names one. */
typedef struct yaml_complaint {
    char text[300];
    long line;
} yaml_complaint;

static void hear_complaint(cyaml_log_t level, void *context, const char *format, va_list arguments)
{
    yaml_complaint *complaint = context;
    char text[300];
    (void)level;
    vsnprintf(text, sizeof text, format, arguments);
    text[strcspn(text, "\n")] = '\0';
    const char *line = strstr(text, "line: ");
    if (line && complaint->line == 0)
        complaint->line = strtol(line + strlen("line: "), NULL, 10);
    if (complaint->text[0] != '\0')
        return;
    /* Its complaints begin with the name of the part of libcyaml that has them. */
    const char *start = strncmp(text, "Load: ", 6) == 0 ? text + 6 : text;
    memcpy(complaint->text, start, strlen(start) + 1);
}

static equant_status report(const char *path, cyaml_err_t error, const yaml_complaint *complaint)
{
    if (error == CYAML_ERR_OOM)
        return status_out_of_memory();
    if (error == CYAML_ERR_FILE_OPEN)
        return status_fail(EQUANT_ERROR_IO, "%s: this file of priors cannot be opened", path);
    const char *text = complaint->text[0] != '\0' ? complaint->text : cyaml_strerror(error);
    /* For a key that it does not know it names the line of what came before. */
    if (complaint->line > 0 && error != CYAML_ERR_INVALID_KEY)
        return status_fail(EQUANT_ERROR_FORMAT, "%s:%ld: %s", path, complaint->line, text);
    return status_fail(EQUANT_ERROR_FORMAT, "%s: %s", path, text);
}

/* ---- applying it ----------------------------------------------------------- */

/* One change, of a parameter's stem or, where number > 0, of the one with that number. */
static equant_status change(priors *set, const char *stem, size_t number, const char *text)
{
    char name[64];
    if (!text)
        return EQUANT_SUCCESS;
    if (number == 0)
        return priors_change(set, stem, text);
    snprintf(name, sizeof name, "%s_%zu", stem, number);
    return priors_change(set, name, text);
}

static equant_status change_planet(priors *set, const planet_texts *texts, size_t number)
{
    const struct {
        const char *stem, *text;
    } elements[] = {{"period_days", texts->period_days},
                    {"k_m_s", texts->k_m_s},
                    {"eccentricity", texts->eccentricity},
                    {"omega_rad", texts->omega_rad},
                    {"m0_rad", texts->m0_rad}};
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; status == EQUANT_SUCCESS && i < sizeof elements / sizeof *elements; i++)
        status = change(set, elements[i].stem, number, elements[i].text);
    return status;
}

static equant_status change_instrument(priors *set, const instrument_texts *texts, size_t number)
{
    equant_status status = change(set, "offset_m_s", number, texts->offset_m_s);
    if (status == EQUANT_SUCCESS)
        status = change(set, "jitter_m_s", number, texts->jitter_m_s);
    return status;
}

static equant_status change_named_instrument(priors *set, const instrument_texts *texts,
                                             const equant_dataset *dataset)
{
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++)
        if (strcmp(texts->name, equant_dataset_instrument_name(dataset, i)) == 0)
            return change_instrument(set, texts, i + 1);
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "the data have no instrument \"%.100s\"",
                       texts->name);
}

/* Noise that the model lacks is left alone; what is no parameter of any noise is a mistake. */
static equant_status change_noise(priors *set, const noise_texts *texts)
{
    const quantity_kind *kind = quantity_catalogue_find(texts->parameter);
    if (!kind || kind->term != TERM_NOISE)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "no noise has a parameter \"%.100s\"",
                           texts->parameter);
    return priors_has(set, texts->parameter) ? priors_change(set, texts->parameter, texts->prior)
                                             : EQUANT_SUCCESS;
}

static equant_status apply(const file_texts *texts, const equant_dataset *dataset, priors *set)
{
    equant_status status = EQUANT_SUCCESS;
    size_t n_planets = priors_layout(set)->n_planets;
    if (texts->every_planet && n_planets > 0)
        status = change_planet(set, texts->every_planet, 0);
    for (size_t i = 0; status == EQUANT_SUCCESS && i < texts->planets_count && i < n_planets; i++)
        status = change_planet(set, &texts->planets[i], i + 1);
    if (status == EQUANT_SUCCESS && texts->every_instrument)
        status = change_instrument(set, texts->every_instrument, 0);
    for (size_t i = 0; status == EQUANT_SUCCESS && i < texts->instruments_count; i++)
        status = change_named_instrument(set, &texts->instruments[i], dataset);
    if (status == EQUANT_SUCCESS && priors_layout(set)->trend_order >= 1)
        status = change(set, "trend_m_s_day", 0, texts->trend_m_s_day);
    if (status == EQUANT_SUCCESS && priors_layout(set)->trend_order >= 2)
        status = change(set, "trend_m_s_day2", 0, texts->trend_m_s_day2);
    for (size_t i = 0; status == EQUANT_SUCCESS && i < texts->noise_count; i++)
        status = change_noise(set, &texts->noise[i]);
    return status;
}

/* Puts the name of the file in front of the sentence of a failure. */
static equant_status name_file(const char *path, equant_status status)
{
    char sentence[1024];
    if (status == EQUANT_SUCCESS || status == EQUANT_ERROR_OUT_OF_MEMORY)
        return status;
    snprintf(sentence, sizeof sentence, "%s", equant_last_error());
    return status_fail(status, "%s: %s", path, sentence);
}

static equant_status create_from_texts(const file_texts *texts, const priors_options *options,
                                       priors **made)
{
    priors_options named = *options;
    if (texts->set)
        named.set_name = texts->set;
    priors *set = NULL;
    equant_status status = priors_create(&named, &set);
    if (status == EQUANT_SUCCESS)
        status = apply(texts, options->dataset, set);
    if (status == EQUANT_SUCCESS)
        *made = set;
    else
        priors_free(set);
    return status;
}

equant_status priors_file_read(const char *path, const priors_options *options, priors **made)
{
    yaml_complaint complaint = {.line = 0};
    const cyaml_config_t config = {.log_fn = hear_complaint,
                                   .log_ctx = &complaint,
                                   .log_level = CYAML_LOG_ERROR,
                                   .mem_fn = cyaml_mem,
                                   .flags = CYAML_CFG_NO_ALIAS};
    file_texts *texts = NULL;
    cyaml_err_t error = cyaml_load_file(path, &config, &file_schema, (cyaml_data_t **)&texts, NULL);
    if (error != CYAML_OK)
        return report(path, error, &complaint);
    if (!texts)
        return status_fail(EQUANT_ERROR_FORMAT, "%s: the file is empty", path);
    equant_status status = create_from_texts(texts, options, made);
    cyaml_free(&config, &file_schema, texts, 0);
    return name_file(path, status);
}

#endif
