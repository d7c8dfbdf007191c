/* equant table: tables for a paper, from what fit and sample left in a folder. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "files/output_check.h"
#include "files/output_file.h"
#include "options/option_table.h"
#include "platform/system_stream.h"
#include "tables/bibliography.h"
#include "tables/grid_writer.h"
#include "tables/paper_contents.h"
#include "tables/paper_priors.h"
#include "terminal/messages.h"
#include "terminal/plain_text.h"

enum paper_what { PARAMETERS, DERIVED, PRIORS, VELOCITIES, MODELS, BIBTEX };

struct table_request {
    const char *source, *out, *star, *label;
    enum paper_what what;
    enum paper_style style;
    enum paper_origin origin;
    enum paper_mass_unit mass_unit;
    bool is_document;
};

static const struct option_choice whats[] = {{"parameters", PARAMETERS},
                                             {"derived", DERIVED},
                                             {"priors", PRIORS},
                                             {"velocities", VELOCITIES},
                                             {"models", MODELS},
                                             {"bibtex", BIBTEX},
                                             {0}};
static const struct option_choice styles[] = {{"plain", PAPER_PLAIN},
                                              {"aastex", PAPER_AASTEX},
                                              {"aa", PAPER_AA},
                                              {"mrt", PAPER_MRT},
                                              {"ecsv", PAPER_ECSV},
                                              {"votable", PAPER_VOTABLE},
                                              {0}};
static const struct option_choice origins[] = {
    {"best", PAPER_ORIGIN_BEST}, {"fit", PAPER_ORIGIN_FIT}, {"run", PAPER_ORIGIN_RUN}, {0}};
static const struct option_choice mass_units[] = {
    {"auto", PAPER_MASS_AUTO}, {"jupiter", PAPER_MASS_JUPITER}, {"earth", PAPER_MASS_EARTH}, {0}};

#define OPTIONS_OF struct table_request
static const struct option_row option_rows[] = {
    {"what", "WORD", OPTION_CHOICE(what, whats),
     "content: parameters (default): of the model; derived:\n"
     "quantities derived from them and from the star; priors: of a\n"
     "run; velocities: corrected for the offsets of their\n"
     "instruments; models: compared by a fit; bibtex: references"},
    {"style", "WORD", OPTION_CHOICE(style, styles),
     "plain (default); aastex and aa: LaTeX; mrt: machine-readable\n"
     "table of the AAS journals; ecsv; votable"},
    {"from", "WORD", OPTION_CHOICE(origin, origins),
     "source of the values, fit or run, for a folder with both;\n"
     "default: run"},
    {"mass-unit", "WORD", OPTION_CHOICE(mass_unit, mass_units),
     "jupiter, earth or auto (default): Earth masses if all\n"
     "planets have less than 0.3 Jupiter masses"},
    {"star", "NAME", OPTION_TEXT(star), "name of the star; default: from the names of its files"},
    {"label", "NAME", OPTION_TEXT(label), "label of the LaTeX table; default: tab:WHAT"},
    {"document", NULL, OPTION_FLAG(is_document), "writes a complete LaTeX document"},
    {"out", "FILE", OPTION_TEXT(out), "output file; default: standard output"},
    OPTION_HELP_ROW,
    {0}};

static const struct option_table command_options = {
    .usage = {"DIR [OPTIONS]", "RUN.nc [OPTIONS]"},
    .about =
        "Makes a table for a paper: parameters with errors to two digits, or limits where the\n"
        "posterior reaches its bound; derived quantities, priors, velocities, models, and\n"
        "references. DIR is the --out folder of `equant fit`, of `equant sample` or of both.",
    .sections = {{"Options", option_rows, 0}},
    .example = "equant table hd164922 --style aastex\n"
               "equant table hd164922 --what velocities --style mrt --out velocities.txt",
};

/* What \label and \ref take as it is. */
static const char label_characters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789:.-+/_";

static int parse(int argc, char **argv, struct table_request *request)
{
    struct file_list files;
    int code = option_table_parse(&command_options, argc, argv, request, &files);
    if (code != EXIT_CODE_OK)
        return code;
    if (files.n != 1)
        return messages_usage(argv[0], files.n == 0 ? "a table of what? Name the folder of a fit "
                                                      "or a run, or the file of a run"
                                                    : "a table is of one folder or one file");
    request->source = files.paths[0];
    if (request->is_document && request->style != PAPER_AASTEX && request->style != PAPER_AA)
        return messages_usage(argv[0], "--document is of LaTeX: add --style aastex or aa");
    if (request->label != NULL && request->label[strspn(request->label, label_characters)] != '\0')
        return messages_usage(argv[0],
                              "--label: '%s' is no label of LaTeX, which has letters, "
                              "digits and : . - + / _ alone",
                              request->label);
    /* Models are compared by fits. */
    if (request->what == MODELS && request->origin == PAPER_ORIGIN_BEST)
        request->origin = PAPER_ORIGIN_FIT;
    return EXIT_CODE_OK;
}

static int fill(const struct table_request *request, const struct paper_source *source,
                struct paper_grid *grid)
{
    switch (request->what) {
    case PRIORS:
        return paper_priors_fill(source, grid);
    case VELOCITIES:
        return paper_contents_velocities(source, grid);
    case MODELS:
        return paper_contents_models(source, grid);
    default:
        return paper_contents_parameters(source, request->mass_unit, request->what == DERIVED,
                                         grid);
    }
}

static int write(FILE *stream, const struct table_request *request,
                 const struct paper_source *source)
{
    struct paper_grid grid = {.style = request->style};
    if (request->what == BIBTEX) {
        bibliography_write(stream, source);
        return EXIT_CODE_OK;
    }
    if (request->label != NULL)
        snprintf(grid.label, sizeof grid.label, "%s", request->label);
    else
        snprintf(grid.label, sizeof grid.label, "tab:%s",
                 command_line_choice_name(whats, (int)request->what));
    int code = fill(request, source, &grid);
    if (code == EXIT_CODE_OK)
        code = grid_writer_write(stream, &grid, request->is_document);
    paper_grid_free(&grid);
    return code;
}

/* How much of a table says which kind it is: its title, the beginning of a LaTeX table, behind that
 * of a document, which a paper does not have there, or the first column. */
static const char *const last_of_beginning[] = {
    [PAPER_PLAIN] = "\n",           [PAPER_AASTEX] = "\\begin{deluxetable*}{",
    [PAPER_AA] = "\\begin{table*}", [PAPER_MRT] = "Table:",
    [PAPER_ECSV] = "{name:",        [PAPER_VOTABLE] = "<DESCRIPTION>"};

/* The beginning of this table without blanks, as of a kind; it stays in place of the text. */
static void keep_beginning(const struct table_request *request, char *text)
{
    const char *last = request->what == BIBTEX ? "\n" : last_of_beginning[request->style];
    const char *found = strstr(text, last);
    const char *end = found != NULL ? found + strlen(last) : text + strlen(text);
    if (request->what != BIBTEX && request->style == PAPER_ECSV)
        end += strcspn(end, "}") + 1;
    char *to = text;
    for (const char *from = text; from < end; from++)
        if (!isspace((unsigned char)*from))
            *to++ = *from;
    *to = '\0';
}

/* The table as a text, for the caller to free: nothing is opened for one that cannot be made. */
static int make_text(const struct table_request *request, const struct paper_source *source,
                     char **text)
{
    size_t n = 0;
    FILE *memory = system_stream_to_text(text, &n);
    int code = memory == NULL ? messages_out_of_memory() : write(memory, request, source);
    if (memory != NULL && !system_stream_close_text(memory) && code == EXIT_CODE_OK)
        code = messages_out_of_memory();
    return code;
}

static int write_file(const struct table_request *request, char *text)
{
    struct output_file file;
    char *beginning = strdup(text);
    int code = beginning == NULL ? messages_out_of_memory() : EXIT_CODE_OK;
    if (code == EXIT_CODE_OK) {
        keep_beginning(request, beginning);
        const struct output_kind kind = OUTPUT_KIND("such a table of `equant table`", beginning);
        code = output_check_file("table", request->out, &kind);
        if (code == EXIT_CODE_OK)
            code = output_file_open_path(&file, request->out, &kind);
        if (code == EXIT_CODE_OK) {
            fputs(text, file.stream);
            code = output_file_close(&file, EXIT_CODE_OK);
        }
    }
    free(beginning);
    return code;
}

static int run(const struct table_request *request)
{
    struct paper_source source;
    int code = paper_source_load(request->source, request->origin, &source);
    if (code == EXIT_CODE_OK && request->star != NULL)
        snprintf(source.star_name, sizeof source.star_name, "%s", request->star);
    char *text = NULL;
    if (code == EXIT_CODE_OK)
        code = make_text(request, &source, &text);
    if (code == EXIT_CODE_OK && request->out != NULL)
        code = write_file(request, text);
    else if (code == EXIT_CODE_OK)
        plain_text_write_lines(stdout, text);
    free(text);
    paper_source_free(&source);
    return code;
}

int command_table(int argc, char **argv)
{
    struct table_request request = {.style = PAPER_PLAIN};
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = parse(argc, argv, &request);
    return code == EXIT_CODE_OK ? run(&request) : code;
}
