#include "options/instrument_filter.h"

#include <stdlib.h>
#include <string.h>

#include "inputs/indicator_rows.h"
#include "terminal/messages.h"
#include "terminal/text_line.h"

/* What is left, in arrays for a new data set. */
struct remainder {
    size_t n_obs, n_instruments;
    double *time_days, *velocity_m_s, *uncertainty_m_s;
    int *instrument;
    size_t *row; /* in the whole */
    const char **names;
    int *new_index; /* of each old instrument; -1: left out */
};

static bool allocate(struct remainder *rest, size_t n_obs, size_t n_instruments)
{
    rest->time_days = calloc(n_obs, sizeof *rest->time_days);
    rest->velocity_m_s = calloc(n_obs, sizeof *rest->velocity_m_s);
    rest->uncertainty_m_s = calloc(n_obs, sizeof *rest->uncertainty_m_s);
    rest->instrument = calloc(n_obs, sizeof *rest->instrument);
    rest->row = calloc(n_obs, sizeof *rest->row);
    rest->names = calloc(n_instruments, sizeof *rest->names);
    rest->new_index = calloc(n_instruments, sizeof *rest->new_index);
    return rest->time_days != NULL && rest->velocity_m_s != NULL && rest->uncertainty_m_s != NULL &&
           rest->instrument != NULL && rest->row != NULL && rest->names != NULL &&
           rest->new_index != NULL;
}

static void release(struct remainder *rest)
{
    free(rest->time_days);
    free(rest->velocity_m_s);
    free(rest->uncertainty_m_s);
    free(rest->instrument);
    free(rest->row);
    free(rest->names);
    free(rest->new_index);
}

static int reject_stranger(const equant_dataset *dataset, const char *name)
{
    char list[512] = "";
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++)
        text_line_append(list, sizeof list, "%s%s", i == 0 ? "" : ", ",
                         equant_dataset_instrument_name(dataset, i));
    return messages_failure("there is no instrument '%s' to leave out; the data have %s", name,
                            list);
}

static bool has_instrument(const equant_dataset *dataset, const char *name)
{
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++)
        if (strcmp(name, equant_dataset_instrument_name(dataset, i)) == 0)
            return true;
    return false;
}

static bool leaves_out(const struct instrument_filter *filter, const char *name)
{
    for (size_t i = 0; i < filter->names.n; i++)
        if (strcmp(name, filter->names.texts[i]) == 0)
            return true;
    return false;
}

static void collect(const struct instrument_filter *filter, const equant_dataset *dataset,
                    struct remainder *rest)
{
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++) {
        const char *name = equant_dataset_instrument_name(dataset, i);
        bool is_kept = !leaves_out(filter, name);
        rest->new_index[i] = is_kept ? (int)rest->n_instruments : -1;
        if (is_kept)
            rest->names[rest->n_instruments++] = name;
    }
    for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++) {
        int instrument = rest->new_index[equant_dataset_instruments(dataset)[k]];
        if (instrument < 0)
            continue;
        rest->time_days[rest->n_obs] = equant_dataset_times_days(dataset)[k];
        rest->velocity_m_s[rest->n_obs] = equant_dataset_velocities_m_s(dataset)[k];
        rest->uncertainty_m_s[rest->n_obs] = equant_dataset_uncertainties_m_s(dataset)[k];
        rest->row[rest->n_obs] = k;
        rest->instrument[rest->n_obs++] = instrument;
    }
}

static int replace(const struct remainder *rest, equant_dataset **dataset)
{
    equant_dataset *reduced;
    equant_dataset_options options = {
        .struct_size = sizeof options,
        .has_reference_time = 1,
        .reference_time_days = equant_dataset_reference_time_days(*dataset),
        .time_name = equant_dataset_time_name(*dataset),
    };
    if (rest->n_obs == 0)
        return messages_failure("no observations are left when these instruments are left out");
    struct indicator_rows indicators;
    equant_status status = EQUANT_ERROR_OUT_OF_MEMORY;
    if (indicator_rows_take(*dataset, rest->n_obs, rest->row, &indicators)) {
        options.n_indicators = indicators.n;
        options.indicators = indicators.indicators;
        status = equant_dataset_from_arrays(rest->n_obs, rest->time_days, rest->velocity_m_s,
                                            rest->uncertainty_m_s, rest->instrument,
                                            rest->n_instruments, rest->names, &options, &reduced);
    }
    indicator_rows_free(&indicators);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    equant_dataset_free(*dataset);
    *dataset = reduced;
    return EXIT_CODE_OK;
}

int instrument_filter_apply(const struct instrument_filter *filter, equant_dataset **dataset)
{
    struct remainder rest = {0};
    if (filter->names.n == 0)
        return EXIT_CODE_OK;
    for (size_t i = 0; i < filter->names.n && !filter->ignores_strangers; i++)
        if (!has_instrument(*dataset, filter->names.texts[i]))
            return reject_stranger(*dataset, filter->names.texts[i]);
    bool has_memory =
        allocate(&rest, equant_dataset_n_obs(*dataset), equant_dataset_n_instruments(*dataset));
    int code = has_memory ? EXIT_CODE_OK : messages_out_of_memory();
    if (has_memory) {
        collect(filter, *dataset, &rest);
        code = replace(&rest, dataset);
    }
    release(&rest);
    return code;
}
