/* Fits in folders and as text. */
#include <stdio.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "inference/record/record_files.h"
#include "inference/record/record_tables.h"
#include "inference/record/record_writer.h"

static bool write_fit_json(FILE *stream, const void *context)
{
    record_writer_write(stream, &fit_fields, ((const record_tables_source *)context)->document);
    return true;
}

static bool write_origin_json(FILE *stream, const void *context)
{
    record_writer_write(stream, &fit_fields_origin, context);
    return true;
}

/* Does something with all that is known of a fit. */
typedef equant_status record_use(const record_tables_source *source, void *context);

static equant_status with_document(const equant_fit *fit, const equant_dataset *dataset,
                                   const equant_record_options *options, record_use *use,
                                   void *context)
{
    document_texts texts = {.is_out_of_memory = false};
    fit_document document;
    if (!fit || !dataset)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a record needs a fit and its data");
    if (equant_dataset_n_obs(dataset) != fit->summary.n_obs)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the fit has %zu observations, and the data set %zu: it is not that of "
                           "the fit",
                           fit->summary.n_obs, equant_dataset_n_obs(dataset));
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    status = fit_document_create(fit, dataset, options, &texts, &document);
    const record_tables_source source = {fit, dataset, &document};
    if (status == EQUANT_SUCCESS)
        status = use(&source, context);
    record_row_free(&fit_fields, &document);
    document_texts_free(&texts);
    return status;
}

/* ---- as text --------------------------------------------------------------------------------- */

typedef struct text_place {
    char *text;
    size_t n;
} text_place;

static equant_status put_text(const record_tables_source *source, void *context)
{
    text_place *place = context;
    return record_files_text(write_fit_json, source, &place->text, &place->n);
}

equant_status equant_fit_text(const equant_fit *fit, const equant_dataset *dataset,
                              const equant_record_options *options, char **text, size_t *n_bytes)
{
    text_place place;
    if (!text || !n_bytes)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a text needs a place to put it");
    equant_status status = with_document(fit, dataset, options, put_text, &place);
    if (status != EQUANT_SUCCESS)
        return status;
    *text = place.text;
    *n_bytes = place.n;
    return EQUANT_SUCCESS;
}

void equant_fit_text_free(char *text)
{
    free(text);
}

/* ---- in a folder ----------------------------------------------------------------------------- */

typedef struct folder_place {
    const char *folder;
    const equant_record_options *options;
} folder_place;

static equant_status put_files(const record_tables_source *source, void *context)
{
    static record_file_contents *const tables[] = {
        [RECORD_FILE_PLANETS] = record_tables_planets,
        [RECORD_FILE_PARAMETERS] = record_tables_parameters,
        [RECORD_FILE_COVARIANCE] = record_tables_covariance,
        [RECORD_FILE_RESIDUALS] = record_tables_residuals,
    };
    const folder_place *place = context;
    equant_status status = record_files_make_folder(place->folder);
    if (status == EQUANT_SUCCESS)
        status = record_files_check(place->folder);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && status == EQUANT_SUCCESS; i++)
        status = record_files_write(place->folder, (record_file)i, tables[i], source);
    if (status == EQUANT_SUCCESS)
        status = equant_origin_write(place->options, place->folder);
    if (status == EQUANT_SUCCESS)
        status = record_files_write(place->folder, RECORD_FILE_FIT, write_fit_json, source);
    return status;
}

equant_status equant_fit_write(const equant_fit *fit, const equant_dataset *dataset,
                               const equant_record_options *options, const char *folder)
{
    folder_place place = {folder, options};
    if (!folder)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a record needs a folder");
    return with_document(fit, dataset, options, put_files, &place);
}

equant_status equant_origin_write(const equant_record_options *options, const char *folder)
{
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    if (!folder)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "an origin needs a folder");
    origin_document origin = fit_document_origin(options);
    return record_files_write(folder, RECORD_FILE_ORIGIN, write_origin_json, &origin);
}
