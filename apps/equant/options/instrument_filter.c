#include "options/instrument_filter.h"

#include <stdlib.h>
#include <string.h>

#include "terminal/messages.h"
#include "terminal/text_line.h"

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

int instrument_filter_apply(const struct instrument_filter *filter, equant_dataset **dataset)
{
    if (filter->names.n == 0)
        return EXIT_CODE_OK;
    for (size_t i = 0; i < filter->names.n && !filter->ignores_strangers; i++)
        if (!has_instrument(*dataset, filter->names.texts[i]))
            return reject_stranger(*dataset, filter->names.texts[i]);
    size_t n_obs = equant_dataset_n_obs(*dataset), n_rows = 0;
    const int *instruments = equant_dataset_instruments(*dataset);
    size_t *rows = malloc((n_obs + 1) * sizeof *rows);
    if (rows == NULL)
        return messages_out_of_memory();
    for (size_t k = 0; k < n_obs; k++)
        if (!leaves_out(filter, equant_dataset_instrument_name(*dataset, (size_t)instruments[k])))
            rows[n_rows++] = k;
    equant_dataset *rest = NULL;
    int code = n_rows > 0
                   ? messages_status(equant_dataset_select(*dataset, n_rows, rows, &rest))
                   : messages_failure("no observations are left when these instruments are left "
                                      "out");
    free(rows);
    if (code == EXIT_CODE_OK) {
        equant_dataset_free(*dataset);
        *dataset = rest;
    }
    return code;
}
