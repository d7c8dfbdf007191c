/* equant view: the page for browsers with a star in it. */
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "files/input_file.h"
#include "files/output_check.h"
#include "files/output_file.h"
#include "files/output_folder.h"
#include "options/option_table.h"
#include "page/view_page.h"
#include "platform/system_file.h"
#include "terminal/messages.h"
#include "terminal/plain_text.h"

struct view_request {
    const char *out, *page;
    char *fit[2]; /* of a folder: the record and the table of residuals */
    char *target;
    size_t n_files;
    const char *const *paths;
};

#define OPTIONS_OF struct view_request
static const struct option_row option_rows[] = {
    {"out", "FILE", OPTION_TEXT(out), "output file; default: DIR/view.html or view.html"},
    {"page", "FILE", OPTION_FILE(page),
     "the page that `make web` makes; default: the one that is\n"
     "installed with equant"},
    OPTION_HELP_ROW,
    {0}};

static const struct option_table command_options = {
    .usage = {"DIR [OPTIONS]", "FILE... [OPTIONS]"},
    .about =
        "Writes a page with a star in it, one HTML file that a browser opens: velocities,\n"
        "periodogram, planets that are moved by hand, and fits, which the browser computes. It\n"
        "needs no network and sends nothing. DIR is the --out folder of `equant fit`, whose\n"
        "planets the page then shows; FILES are radial velocities.",
    .sections = {{"Options", option_rows, 0}},
    .example = "equant fit --demo --noise night --out hd164922\n"
               "equant view hd164922",
};

static const struct output_kind page_kind = OUTPUT_KIND(
    "a page of `equant view`", "<!doctypehtml><htmllang=\"en\"><head><metacharset=\"utf-8\">"
                               "<metaname=\"application-name\"content=\"equant\">");

/* A folder stands for the two files in it that a fit is opened from. */
static int open_folder(const char *folder, struct view_request *request)
{
    static const char *const names[] = {"fit.json", "residuals.ecsv"};
    for (size_t i = 0; i < 2; i++) {
        request->fit[i] = output_folder_join(folder, names[i]);
        if (request->fit[i] == NULL)
            return EXIT_CODE_FAILED;
        if (!system_file_exists(request->fit[i]))
            return messages_failure("%s: here is no %s; make it with --out of `equant fit`", folder,
                                    names[i]);
        input_file_note(request->fit[i]);
    }
    request->n_files = 2;
    request->paths = (const char *const *)request->fit;
    request->target =
        request->out != NULL ? strdup(request->out) : output_folder_join(folder, "view.html");
    return request->target != NULL ? EXIT_CODE_OK : EXIT_CODE_FAILED;
}

/* Files that cannot be read are better told here than by the page. */
static int open_files(const struct file_list *files, struct view_request *request)
{
    equant_dataset *dataset = NULL;
    int code =
        messages_status(equant_dataset_from_files((size_t)files->n, files->paths, NULL, &dataset));
    equant_dataset_free(dataset);
    request->n_files = (size_t)files->n;
    request->paths = files->paths;
    request->target = strdup(request->out != NULL ? request->out : "view.html");
    return request->target != NULL ? code : messages_out_of_memory();
}

static int parse(int argc, char **argv, struct view_request *request)
{
    struct file_list files;
    system_file_facts facts;
    int code = option_table_parse(&command_options, argc, argv, request, &files);
    if (code != EXIT_CODE_OK)
        return code;
    if (files.n == 0)
        return messages_usage(argv[0],
                              "no input: name the folder of a fit, or files of velocities");
    bool is_folder = files.n == 1 && system_file_find(files.paths[0], &facts) && facts.is_folder;
    return is_folder ? open_folder(files.paths[0], request) : open_files(&files, request);
}

static int find_page(struct view_request *request)
{
    if (request->page == NULL)
        request->page = EQUANT_PAGE;
    if (system_file_exists(request->page))
        return EXIT_CODE_OK;
    messages_failure("%s: there is no page here; `make web` makes it (docs/web.md), and --page "
                     "names it",
                     request->page);
    return EXIT_CODE_UNAVAILABLE;
}

static int write_page(const struct view_request *request)
{
    struct output_file file;
    int code = output_file_open_path(&file, request->target, &page_kind);
    if (code == EXIT_CODE_OK)
        code = output_file_close(
            &file, view_page_write(file.stream, request->page, request->n_files, request->paths));
    if (code == EXIT_CODE_OK) {
        plain_text_write(stdout, request->target);
        putchar('\n');
    }
    return code;
}

int command_view(int argc, char **argv)
{
    struct view_request request = {0};
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = parse(argc, argv, &request);
    if (code == EXIT_CODE_OK)
        code = find_page(&request);
    if (code == EXIT_CODE_OK)
        code = output_check_file(argv[0], request.target, &page_kind);
    if (code == EXIT_CODE_OK)
        code = write_page(&request);
    free(request.fit[0]);
    free(request.fit[1]);
    free(request.target);
    return code;
}
