/* equant merge: the records that batches left in folders, as one table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/batch_list.h"
#include "archive/record_table.h"
#include "commands/commands.h"
#include "files/output_check.h"
#include "files/output_folder.h"
#include "options/option_table.h"
#include "terminal/messages.h"
#include "terminal/plain_text.h"

struct merge_command {
    const char *out, *list;
};

#define OPTIONS_OF struct merge_command
static const struct option_row rows[] = {
    {"out", "FILE", OPTION_TEXT(out),
     "output file; default, for one folder: DIR/" RECORD_TABLE_FILE},
    {"batch", "LIST", OPTION_FILE(list), "the list of the batch: names stars that are missing"},
    {0}};

static const struct option_table command_options = {
    .usage = {"DIR [--batch LIST]", "DIR... --out FILE [--batch LIST]"},
    .about =
        "Joins the results of `equant fit --batch` in the folders of the stars into one table\n"
        "with a row for each star, after shards on several machines or at any time in\n"
        "between. It changes nothing else.",
    .sections = {{"The table", rows, 0}, {"", option_table_help_rows, 0}},
    .example = "equant fit --batch list --out stars --shard 1/2 & # and 2/2 elsewhere\n"
               "equant merge stars --batch list",
};

static int collect(const struct file_list *folders, struct record_table *table)
{
    int code = EXIT_CODE_OK;
    for (int i = 0; i < folders->n && code == EXIT_CODE_OK; i++)
        code = record_table_collect(table, folders->paths[i]);
    if (code == EXIT_CODE_OK && table->n == 0)
        code =
            messages_failure("%s: no star of `equant fit --batch` is in there", folders->paths[0]);
    record_table_sort(table);
    return code;
}

/* How many stars of the list have no fit, the first few by name. */
static int count_missing(const char *path, const struct record_table *table, size_t *n_missing)
{
    enum { MOST_NAMED = 10 };
    struct batch_list list;
    int code = batch_list_read(&list, path);
    for (size_t i = 0; i < list.n && code == EXIT_CODE_OK; i++) {
        const struct record_row *row = record_table_find(table, list.stars[i].name);
        if (row != NULL && row->status == STAR_OK)
            continue;
        if (++*n_missing <= MOST_NAMED)
            messages_note("%s: %s has no fit%s", path, list.stars[i].name,
                          row != NULL ? "; its row says why" : " yet");
    }
    batch_list_free(&list);
    return code;
}

/* Records begin as tables of them do: those that were not read are known by their name. */
static int check_target(const char *target)
{
    const char *slash = strrchr(target, '/');
    if (strcmp(slash == NULL ? target : slash + 1, STAR_RECORD_FILE) == 0)
        return messages_usage(
            "merge", "%s is the name of a star's own record; give the table another", target);
    return output_check_file("merge", target, &record_table_kind);
}

static int write_table(const struct merge_command *merge, const struct record_table *table,
                       const char *folder)
{
    char *path = merge->out == NULL ? output_folder_join(folder, RECORD_TABLE_FILE) : NULL;
    const char *target = merge->out != NULL ? merge->out : path;
    size_t n_ok = 0, n_missing = 0;
    int code = target == NULL ? EXIT_CODE_FAILED : check_target(target);
    if (code == EXIT_CODE_OK)
        code = record_table_write(table, target);
    if (code == EXIT_CODE_OK && merge->list != NULL)
        code = count_missing(merge->list, table, &n_missing);
    for (size_t i = 0; i < table->n; i++)
        n_ok += table->rows[i].status == STAR_OK;
    if (code == EXIT_CODE_OK) {
        printf("%zu star%s: %zu fitted, %zu not", table->n, table->n == 1 ? "" : "s", n_ok,
               table->n - n_ok);
        if (merge->list != NULL)
            printf("; %zu of the list missing", n_missing);
        fputs("; ", stdout);
        plain_text_write(stdout, target);
        puts(" tells all");
    }
    free(path);
    return code == EXIT_CODE_OK && n_missing > 0 ? EXIT_CODE_FAILED : code;
}

int command_merge(int argc, char **argv)
{
    struct merge_command merge = {0};
    struct record_table table = {0};
    struct file_list folders;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = option_table_parse(&command_options, argc, argv, &merge, &folders);
    if (code == EXIT_CODE_OK && folders.n == 0)
        code = messages_usage(argv[0], "which folder? that of --out of `equant fit --batch`");
    if (code == EXIT_CODE_OK && folders.n > 1 && merge.out == NULL)
        code = messages_usage(argv[0], "several folders want a table of their own; name it with "
                                       "--out");
    if (code == EXIT_CODE_OK)
        code = collect(&folders, &table);
    if (code == EXIT_CODE_OK)
        code = write_table(&merge, &table, folders.paths[0]);
    record_table_free(&table);
    return code;
}
