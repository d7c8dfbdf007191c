#include "tables/paper_source.h"

#include <stdio.h>
#include <stdlib.h>

#include "files/input_file.h"
#include "files/output_folder.h"
#include "options/star_request.h"
#include "platform/system_file.h"
#include "results/fit_folder.h"
#include "results/sample_folder.h"
#include "stars/posterior_result.h"
#include "terminal/messages.h"

static int open_run(const char *path, struct paper_source *source)
{
    input_file_note(path);
    return messages_status(equant_posterior_open(path, &source->posterior));
}

static int open_folder(const char *folder, enum paper_origin wanted, struct paper_source *source)
{
    char *path = output_folder_join(folder, SAMPLE_FOLDER_RUN);
    if (path == NULL)
        return EXIT_CODE_FAILED;
    bool has_run = system_file_exists(path) && wanted != PAPER_ORIGIN_FIT;
    source->has_fit = fit_archive_is_there(folder) && wanted != PAPER_ORIGIN_RUN;
    int code = EXIT_CODE_OK;
    if (!source->has_fit && !has_run)
        code = messages_failure("%s: here is no %s; make one with --out of %s", folder,
                                wanted == PAPER_ORIGIN_FIT   ? FIT_FOLDER_MARK
                                : wanted == PAPER_ORIGIN_RUN ? SAMPLE_FOLDER_RUN
                                                             : FIT_FOLDER_MARK
                                    " and no " SAMPLE_FOLDER_RUN,
                                wanted == PAPER_ORIGIN_FIT   ? "`equant fit`"
                                : wanted == PAPER_ORIGIN_RUN ? "`equant sample`"
                                                             : "`equant fit` or `equant sample`");
    if (source->has_fit)
        code = fit_archive_read(folder, &source->fit);
    if (code == EXIT_CODE_OK && has_run)
        code = open_run(path, source);
    free(path);
    return code;
}

/* Name and star, of the run where it has them, else of the fit. */
static void take_words(struct paper_source *source)
{
    const char *name = source->has_fit ? source->fit.star_name : NULL;
    source->host = source->fit.host;
    source->host.struct_size = sizeof source->host;
    for (size_t i = 0; source->posterior != NULL && star_request_name(i) != NULL; i++) {
        const char *text = posterior_result_provenance(source->posterior, star_request_name(i));
        *star_request_number(&source->host, i) = text != NULL ? strtod(text, NULL) : 0.0;
    }
    if (name == NULL && source->posterior != NULL)
        name = posterior_result_provenance(source->posterior, "star_name");
    snprintf(source->star_name, sizeof source->star_name, "%s", name != NULL ? name : "");
}

int paper_source_load(const char *path, enum paper_origin wanted, struct paper_source *source)
{
    system_file_facts facts;
    *source = (struct paper_source){.has_fit = false};
    if (!system_file_find(path, &facts))
        return messages_file("open", path);
    int code = EXIT_CODE_OK;
    if (facts.is_folder)
        code = open_folder(path, wanted, source);
    else if (wanted == PAPER_ORIGIN_FIT)
        code = messages_failure("%s: the file of a run has no fit; name the folder of one", path);
    else
        code = open_run(path, source);
    if (code == EXIT_CODE_OK && !source->has_fit)
        code = posterior_result_create(source->posterior, &source->sampled);
    if (code == EXIT_CODE_OK)
        take_words(source);
    return code;
}

void paper_source_free(struct paper_source *source)
{
    fit_archive_free(&source->fit);
    star_result_free(&source->sampled);
    equant_posterior_free(source->posterior);
}

const struct star_result *paper_source_star(const struct paper_source *source)
{
    return source->has_fit ? &source->fit.star : &source->sampled;
}

struct planet_letters paper_source_letters(const struct paper_source *source)
{
    return source->posterior != NULL ? planet_letters_of_run(source->posterior)
                                     : paper_source_star(source)->letters;
}
