/* Priors for callers of the library: the public face of priors.h and priors_file.h. */
#include "inference/sample/target/star_priors.h"

#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "core/trend_order.h"
#include "inference/sample/target/noise_priors.h"
#include "inference/sample/target/priors_file.h"

#define OPTION(member) OPTION_OR_ZERO(options, equant_priors_options, member)

enum { MOST_PLANETS = 100000 };

size_t equant_n_prior_sets(void)
{
    size_t n = 0;
    while (priors_set_name(n))
        n++;
    return n;
}

const char *equant_prior_set_name(size_t index)
{
    return priors_set_name(index);
}

const char *equant_prior_set_description(size_t index)
{
    return priors_set_description(index);
}

static void write_texts(equant_priors *made)
{
    for (size_t i = 0; i < priors_n_columns(made->set); i++)
        prior_text_write(priors_of_column(made->set, i), made->texts[i]);
}

static equant_status check(const equant_dataset *dataset, const equant_priors_options *options)
{
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    if (!dataset)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "priors need a data set");
    if (OPTION(n_planets) > MOST_PLANETS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "priors are for 0 to %d planets",
                           MOST_PLANETS);
    return trend_order_check(OPTION(trend));
}

/* From the file where there is a path. */
static equant_status create(const char *path, const equant_dataset *dataset,
                            const equant_priors_options *options, equant_priors **out)
{
    equant_status status = check(dataset, options);
    if (status != EQUANT_SUCCESS)
        return status;
    priors_options wanted = {.dataset = dataset,
                             .n_planets = OPTION(n_planets),
                             .trend_order = trend_order_of(OPTION(trend)),
                             .set_name = OPTION(prior_set),
                             .noise = OPTION(noise)};
    equant_priors *made = calloc(1, sizeof *made);
    if (!made)
        return status_out_of_memory();
    status =
        path ? priors_file_read(path, &wanted, &made->set) : priors_create(&wanted, &made->set);
    if (status == EQUANT_SUCCESS) {
        made->texts = calloc(priors_n_columns(made->set), sizeof *made->texts);
        status = made->texts ? EQUANT_SUCCESS : status_out_of_memory();
    }
    if (status != EQUANT_SUCCESS) {
        equant_priors_free(made);
        return status;
    }
    write_texts(made);
    *out = made;
    return EQUANT_SUCCESS;
}

equant_status equant_priors_create(const equant_dataset *dataset,
                                   const equant_priors_options *options, equant_priors **made)
{
    return create(NULL, dataset, options, made);
}

equant_status equant_priors_from_file(const char *path, const equant_dataset *dataset,
                                      const equant_priors_options *options, equant_priors **made)
{
    if (!path)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a file of priors needs a path");
    return create(path, dataset, options, made);
}

void equant_priors_free(equant_priors *held)
{
    if (!held)
        return;
    priors_free(held->set);
    free(held->texts);
    free(held);
}

equant_status equant_priors_change(equant_priors *held, const char *parameter, const char *text)
{
    if (!held)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no priors");
    equant_status status = priors_change(held->set, parameter, text);
    write_texts(held);
    return status;
}

size_t equant_priors_n(const equant_priors *held)
{
    return held ? priors_n_columns(held->set) : 0;
}

const char *equant_priors_name(const equant_priors *held, size_t column)
{
    return held ? priors_column_name(held->set, column) : NULL;
}

const char *equant_priors_text(const equant_priors *held, size_t column)
{
    if (!held)
        return NULL;
    return column < priors_n_columns(held->set) ? held->texts[column] : NULL;
}

equant_status star_priors_check_noise(const equant_priors *held, const equant_dataset *dataset,
                                      const char *noise)
{
    noise_priors wanted;
    char own[NOISE_KINDS_TEXT_SIZE];
    equant_status status = noise_priors_read(noise, dataset, &wanted);
    noise_kinds_write_sorted(&priors_layout(held->set)->noise, own);
    if (status == EQUANT_SUCCESS && noise && strcmp(wanted.names, own) != 0)
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "the priors are those of the noise '%s', not of '%s'",
                             own[0] ? own : "white", wanted.names[0] ? wanted.names : "white");
    return status;
}
