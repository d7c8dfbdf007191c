#include "planning/run_source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files/number_text.h"
#include "files/output_folder.h"
#include "results/sample_folder.h"
#include "stars/posterior_result.h"
#include "terminal/messages.h"

int run_source_open(const char *path, equant_posterior **posterior)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        return messages_status(equant_posterior_open(path, posterior));
    char *file = output_folder_join(path, SAMPLE_FOLDER_RUN);
    if (file == NULL)
        return EXIT_CODE_FAILED;
    int code = stat(file, &about) != 0
                   ? messages_failure("%s: here is no " SAMPLE_FOLDER_RUN
                                      "; make one with --out of `equant sample`",
                                      path)
                   : messages_status(equant_posterior_open(file, posterior));
    free(file);
    return code;
}

int run_source_instrument(const char *command, const equant_posterior *posterior, const char *text,
                          size_t *number)
{
    const equant_dataset *dataset = equant_posterior_dataset(posterior);
    size_t n = equant_dataset_n_instruments(dataset);
    double value;
    *number = 0;
    if (text == NULL)
        return EXIT_CODE_OK;
    for (size_t i = 0; i < n; i++)
        if (strcmp(text, equant_dataset_instrument_name(dataset, i)) == 0)
            *number = i + 1;
    if (*number == 0 && number_text_parse(text, &value) && value >= 1.0 && value <= (double)n)
        *number = (size_t)value;
    if (*number == 0)
        return messages_usage(command, "the run has no instrument '%s'; its first is '%s', of %zu",
                              text, equant_dataset_instrument_name(dataset, 0), n);
    return EXIT_CODE_OK;
}

const char *run_source_star(const equant_posterior *posterior)
{
    const char *name = posterior_result_provenance(posterior, "star_name");
    return name != NULL ? name : "";
}

const char *run_source_instrument_name(const equant_posterior *posterior, size_t number)
{
    const char *name =
        equant_dataset_instrument_name(equant_posterior_dataset(posterior), number - 1);
    return name != NULL ? name : "";
}

double run_source_end_days(const equant_posterior *posterior)
{
    const equant_dataset *dataset = equant_posterior_dataset(posterior);
    return equant_dataset_times_days(dataset)[equant_dataset_n_obs(dataset) - 1];
}
