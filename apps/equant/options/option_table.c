#include "options/option_table.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/input_file.h"
#include "terminal/messages.h"
#include "terminal/terminal.h"
#include "terminal/wrapped_text.h"

const struct option_row option_table_help_rows[] = {OPTION_HELP_ROW, {0}};

/* ---- help ---------------------------------------------------------------------------------- */

enum { HELP_COLUMN = 22 };

/* Whether the lines of a text, `indent` columns from the left, are too long for the terminal. */
static bool is_too_wide(const char *text, int indent)
{
    size_t widest = 0;
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t n = strcspn(line, "\n");
        widest = n > widest ? n : widest;
    }
    return terminal_is(stdout) && indent + (int)widest > terminal_columns(stdout);
}

/* Lines of text, each `indent` columns from the left; the first begins at `column`. Sentences are
 * broken elsewhere where they are too long for the terminal. */
static void print_lines(const char *text, int column, int indent)
{
    char *joined = is_too_wide(text, indent) ? strdup(text) : NULL;
    for (char *end = joined; end != NULL && (end = strchr(end, '\n')) != NULL;)
        *end = ' ';
    for (const char *line = joined != NULL ? joined : text; *line != '\0';) {
        size_t n = strcspn(line, "\n");
        printf("%*s", indent - column, "");
        if (joined != NULL)
            wrapped_text_write(stdout, line, indent);
        else
            fwrite(line, 1, n, stdout);
        putchar('\n');
        line += n + (line[n] == '\n');
        column = 0;
    }
    free(joined);
}

static void print_row(const struct option_row *row)
{
    if (row->help == NULL)
        return;
    int column = printf("  --%s", row->name);
    if (row->argument != NULL)
        column += printf(" %s", row->argument);
    if (column > HELP_COLUMN - 2) {
        putchar('\n');
        column = 0;
    }
    print_lines(row->help, column, HELP_COLUMN);
}

static void print_section(const struct option_section *section)
{
    if (section->title != NULL)
        putchar('\n');
    if (section->title != NULL && section->title[0] != '\0')
        printf("%s:\n", section->title);
    for (const struct option_row *row = section->rows; row->name != NULL; row++)
        print_row(row);
}

static void print_help(const struct option_table *table, const char *command)
{
    for (int i = 0; table->usage[i] != NULL; i++)
        wrapped_text_print("%s equant %s %s\n", i == 0 ? "Usage:" : "      ", command,
                           table->usage[i]);
    putchar('\n');
    print_lines(table->about, 0, 0);
    for (const struct option_section *section = table->sections; section->rows != NULL; section++)
        print_section(section);
    printf("\nExample:\n");
    for (const char *line = table->example; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        wrapped_text_print("  %.*s\n", (int)strcspn(line, "\n"), line);
    }
}

static option_table_shower *shower = print_help;

void option_table_show_by(option_table_shower *show)
{
    shower = show != NULL ? show : print_help;
}

bool option_table_helps(const struct option_table *table, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            shower(table, argv[0]);
            return true;
        }
    }
    return false;
}

/* ---- the command line ------------------------------------------------------------------------ */

/* What getopt_long returns for the first row: above any character. */
enum { FIRST_ROW = 256 };

/* The n-th row of a table and its section; NULL when there are fewer. */
static const struct option_row *find_row(const struct option_table *table, int n,
                                         const struct option_section **section)
{
    for (*section = table->sections; (*section)->rows != NULL; ++*section)
        for (const struct option_row *row = (*section)->rows; row->name != NULL; row++)
            if (n-- == 0)
                return row;
    return NULL;
}

/* The table as getopt_long wants it; NULL when there is no memory. The caller frees it. */
static struct option *long_options(const struct option_table *table)
{
    const struct option_section *section;
    const struct option_row *row;
    int n = 0;
    while (find_row(table, n, &section) != NULL)
        n++;
    struct option *options = calloc((size_t)n + 1, sizeof *options), *next = options;
    for (int i = 0; options != NULL && (row = find_row(table, i, &section)) != NULL; i++)
        if (row->target.kind != OPTION_KIND_HELP)
            *next++ =
                (struct option){row->name, row->argument != NULL ? required_argument : no_argument,
                                NULL, FIRST_ROW + i};
    return options;
}

static int take_count(const char *command, const struct option_row *row, const char *argument,
                      void *place)
{
    uint64_t count = 0;
    int code = command_line_count(command, row->name, argument, row->target.least, row->target.most,
                                  &count);
    if (code == EXIT_CODE_OK && row->target.size == sizeof(int))
        *(int *)place = (int)count;
    else if (code == EXIT_CODE_OK)
        memcpy(place, &count, sizeof count);
    return code;
}

static int take_list(const char *argument, struct text_list *list)
{
    text_list_add(list, "%s", argument);
    return list->out_of_memory ? messages_out_of_memory() : EXIT_CODE_OK;
}

static int take(const char *command, const struct option_row *row, char *argument, char *described)
{
    const struct option_target *target = &row->target;
    void *place = described + target->offset;
    switch (target->kind) {
    case OPTION_KIND_HELP:
        return EXIT_CODE_OK;
    case OPTION_KIND_FLAG:
        *(bool *)place = true;
        return EXIT_CODE_OK;
    case OPTION_KIND_VALUE:
        *(int *)place = target->value;
        return EXIT_CODE_OK;
    case OPTION_KIND_TEXT:
        *(const char **)place = argument;
        return EXIT_CODE_OK;
    case OPTION_KIND_FILE:
        *(const char **)place = argument;
        input_file_note(argument);
        return EXIT_CODE_OK;
    case OPTION_KIND_LIST:
        return take_list(argument, place);
    case OPTION_KIND_NUMBER:
        return command_line_number(command, row->name, argument, place);
    case OPTION_KIND_POSITIVE:
        return command_line_positive(command, row->name, argument, place);
    case OPTION_KIND_COUNT:
        return take_count(command, row, argument, place);
    case OPTION_KIND_CHOICE:
        return command_line_choice(command, row->name, argument, target->choices, place);
    case OPTION_KIND_CALL:
        return target->call(command, argument, described);
    }
    return EXIT_CODE_OK;
}

/* What getopt_long could not accept: it answered '?' or ':'. */
static int reject(const char *command, char **argv, int answer)
{
    const char *typed = argv[optind - 1];
    if (answer == ':')
        return messages_usage(command, "option %s wants a value", typed);
    if (strncmp(typed, "--", 2) == 0 && optopt != 0)
        return messages_usage(command, "option %.*s takes no value", (int)strcspn(typed, "="),
                              typed);
    if (optopt != 0)
        return messages_usage(command, "there is no option -%c", optopt);
    return messages_usage(command, "there is no option %s", typed);
}

int option_table_parse(const struct option_table *table, int argc, char **argv, void *request,
                       struct file_list *files)
{
    struct option *options = long_options(table);
    int answer, code = options == NULL ? messages_out_of_memory() : EXIT_CODE_OK;
    opterr = 0;
    optind = 0; /* a command may have several lists of options: a star file's, and its own */
    while (code == EXIT_CODE_OK && (answer = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        const struct option_section *section;
        if (answer < FIRST_ROW) {
            code = reject(argv[0], argv, answer);
            continue;
        }
        const struct option_row *row = find_row(table, answer - FIRST_ROW, &section);
        if (table->notice != NULL)
            table->notice(row->name, request);
        code = take(argv[0], row, optarg, (char *)request + section->offset);
    }
    free(options);
    *files = (struct file_list){argc - optind, (const char *const *)argv + optind};
    for (int i = 0; i < files->n; i++)
        input_file_note(files->paths[i]);
    return code;
}

int option_table_list(const struct option_table *table, int argc, char **argv,
                      struct text_list *list)
{
    struct option *options = long_options(table);
    const struct option_section *section;
    int answer;
    if (options == NULL)
        return messages_out_of_memory();
    opterr = 0;
    optind = 0;
    while ((answer = getopt_long(argc, argv, ":", options, NULL)) != -1)
        if (answer >= FIRST_ROW)
            text_list_add(list, "%s=%s", find_row(table, answer - FIRST_ROW, &section)->name,
                          optarg != NULL ? optarg : "");
    free(options);
    return EXIT_CODE_OK;
}

const struct option_row *option_table_row(const struct option_table *table, const char *name)
{
    const struct option_section *section;
    const struct option_row *row;
    for (int i = 0; (row = find_row(table, i, &section)) != NULL; i++)
        if (strcmp(row->name, name) == 0)
            return row;
    return NULL;
}
