#include "planning/run_source.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "files/input_file.h"
#include "files/number_text.h"
#include "files/output_folder.h"
#include "platform/system_file.h"
#include "results/sample_folder.h"
#include "stars/posterior_result.h"
#include "terminal/messages.h"

/* The file of a run, new memory; NULL after a sentence. */
static char *find_file(const char *path)
{
    system_file_facts about;
    bool is_folder = system_file_find(path, &about) && about.is_folder;
    char *file = is_folder ? output_folder_join(path, SAMPLE_FOLDER_RUN) : strdup(path);
    if (file == NULL)
        messages_out_of_memory();
    input_file_note(file);
    if (file == NULL || !is_folder || system_file_find(file, &about))
        return file;
    messages_failure("%s: here is no " SAMPLE_FOLDER_RUN "; make one with --out of `equant sample`",
                     path);
    free(file);
    return NULL;
}

int run_source_open_any(const char *path, equant_posterior **posterior, equant_sky_posterior **sky)
{
    char *file = find_file(path);
    if (file == NULL)
        return EXIT_CODE_FAILED;
    equant_status status = sky != NULL && equant_sky_posterior_recognises(file)
                               ? equant_sky_posterior_open(file, sky)
                               : equant_posterior_open(file, posterior);
    free(file);
    return messages_status(status);
}

int run_source_open(const char *path, equant_posterior **posterior)
{
    return run_source_open_any(path, posterior, NULL);
}

int run_source_dataset(const char *path, equant_dataset **velocities)
{
    char *file = find_file(path);
    *velocities = NULL;
    if (file == NULL)
        return EXIT_CODE_FAILED;
    equant_status status = equant_sky_posterior_recognises(file)
                               ? EQUANT_SUCCESS
                               : equant_posterior_read_dataset(file, velocities);
    free(file);
    return messages_status(status);
}

int run_source_instrument(const char *command, const equant_dataset *dataset, const char *text,
                          size_t *number)
{
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
