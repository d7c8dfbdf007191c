/* Folders of results, read: the public equant_fit_read and equant_origin_read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/record/record_files.h"
#include "inference/record/record_reader.h"
#include "inference/record/stored_fit.h"
#include "inference/record/stored_tables.h"
#include "platform/system_file.h"

struct equant_origin {
    document_texts texts;
    const char *version;
    const char **hints; /* [options.n_hints] */
    equant_star star;
    equant_record_options options;
};

/* ---- the origin ------------------------------------------------------------------------------ */

void equant_origin_free(equant_origin *origin)
{
    if (!origin)
        return;
    document_texts_free(&origin->texts);
    free(origin->hints);
    free(origin);
}

const equant_record_options *equant_origin_options(const equant_origin *origin)
{
    return origin ? &origin->options : NULL;
}

const char *equant_origin_version(const equant_origin *origin)
{
    return origin && origin->version ? origin->version : "";
}

static void take_star(const origin_document *document, equant_star *star)
{
    double *const members[N_STAR_PROPERTIES][2] = {
        [STAR_MASS] = {&star->mass, &star->mass_err},
        [STAR_RADIUS] = {&star->radius, &star->radius_err},
        [STAR_LUMINOSITY] = {&star->luminosity, &star->luminosity_err},
        [STAR_TEMPERATURE] = {&star->temperature_k, &star->temperature_err_k},
    };
    *star = (equant_star){.struct_size = sizeof *star};
    for (size_t i = 0; i < N_STAR_PROPERTIES; i++)
        for (size_t j = 0; j < 2; j++) {
            double value = document->star[i][j];
            *members[i][j] = isfinite(value) && value > 0.0 ? value : 0.0;
        }
}

static equant_status read_origin(const char *path, equant_origin *origin)
{
    origin_document document;
    record_row_clear(&fit_fields_origin, &document);
    equant_status status = EQUANT_SUCCESS;
    if (system_file_exists(path))
        status = record_reader_read(path, &fit_fields_origin, &document, &origin->texts);
    origin->version = document.version;
    origin->options = (equant_record_options){.struct_size = sizeof origin->options,
                                              .star_name = document.star_name,
                                              .made_by = document.command,
                                              .star = &origin->star};
    take_star(&document, &origin->star);
    return status;
}

equant_status equant_origin_read(const char *folder, equant_origin **out)
{
    if (!folder || !out)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "an origin needs a folder and a place to put it");
    char *path = record_files_path(folder, RECORD_FILE_ORIGIN);
    equant_origin *origin = calloc(1, sizeof *origin);
    equant_status status = path && origin ? read_origin(path, origin) : status_out_of_memory();
    free(path);
    if (status != EQUANT_SUCCESS) {
        equant_origin_free(origin);
        return status;
    }
    *out = origin;
    return EQUANT_SUCCESS;
}

/* What fit.json says that neither fit nor data keep. */
static equant_status add_hints(const fit_document *document, equant_origin *origin)
{
    const char *const *hints = document->hints.rows;
    origin->hints = calloc(document->hints.n + 1, sizeof *origin->hints);
    if (!origin->hints)
        return status_out_of_memory();
    for (size_t i = 0; i < document->hints.n; i++)
        origin->hints[i] = document_texts_keep(&origin->texts, hints[i], strlen(hints[i]));
    origin->options.n_hints = document->hints.n;
    origin->options.hints = origin->hints;
    origin->options.threshold = isnan(document->threshold) ? 0.0 : document->threshold;
    return origin->texts.is_out_of_memory ? status_out_of_memory() : EQUANT_SUCCESS;
}

/* ---- the fit --------------------------------------------------------------------------------- */

/* What is being read. */
typedef struct reading {
    const char *folder, *path; /* of fit.json */
    fit_document document;
    equant_fit *fit;
    equant_dataset *dataset;
    equant_origin *origin;
} reading;

static equant_status assemble(reading *own)
{
    equant_status status = stored_fit_begin(own->path, &own->document, own->fit);
    if (status == EQUANT_SUCCESS)
        status = stored_tables_parameters(own->folder, own->fit);
    if (status == EQUANT_SUCCESS)
        status = stored_tables_residuals(own->folder, &own->document, own->fit, &own->dataset);
    if (status == EQUANT_SUCCESS)
        status = stored_fit_finish(own->path, &own->document, own->dataset, own->fit);
    if (status == EQUANT_SUCCESS)
        status = stored_fit_check(own->folder, own->dataset, own->fit);
    if (status == EQUANT_SUCCESS)
        status = equant_origin_read(own->folder, &own->origin);
    return status == EQUANT_SUCCESS ? add_hints(&own->document, own->origin) : status;
}

static equant_status read_fit(reading *own)
{
    document_texts texts = {.is_out_of_memory = false};
    record_row_clear(&fit_fields, &own->document);
    equant_status status = record_reader_read(own->path, &fit_fields, &own->document, &texts);
    if (status == EQUANT_SUCCESS)
        status = assemble(own);
    record_row_free(&fit_fields, &own->document);
    document_texts_free(&texts);
    return status;
}

equant_status equant_fit_read(const char *folder, equant_fit **fit, equant_dataset **dataset,
                              equant_origin **origin)
{
    if (!folder || !fit || !dataset)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "to read a fit needs a folder and places for the fit and its data");
    char *path = record_files_path(folder, RECORD_FILE_FIT);
    reading own = {.folder = folder, .path = path, .fit = calloc(1, sizeof *own.fit)};
    equant_status status = path && own.fit ? read_fit(&own) : status_out_of_memory();
    free(path);
    if (status == EQUANT_SUCCESS) {
        *fit = own.fit;
        *dataset = own.dataset;
    } else {
        equant_fit_free(own.fit);
        equant_dataset_free(own.dataset);
    }
    if (status == EQUANT_SUCCESS && origin)
        *origin = own.origin;
    else
        equant_origin_free(own.origin);
    return status;
}
