#include "archive/batch_list.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/line_reader.h"
#include "platform/system_stream.h"
#include "terminal/messages.h"

enum { LONGEST_NAME = 200 };

/* The next field of a line, which is cut up; NULL at its end. */
static char *next_field(char **cursor, const char *separators)
{
    char *field = *cursor + strspn(*cursor, separators);
    if (*field == '\0')
        return NULL;
    char *end = field + strcspn(field, separators);
    *cursor = *end == '\0' ? end : end + 1;
    *end = '\0';
    return field;
}

/* A name in quotes stands as it is between them, blanks and '#' too; NULL where no blank follows.
 */
static char *next_name(char **cursor, const char *separators)
{
    char *end = **cursor == '"' ? strchr(*cursor + 1, '"') : NULL;
    if (end == NULL || (end[1] != '\0' && strchr(" \t\f\v", end[1]) == NULL))
        return next_field(cursor, separators);
    char *name = *cursor + 1;
    *cursor = end[1] == '\0' ? end + 1 : end + 2;
    *end = '\0';
    return name;
}

/* "folder/14Her.sys" is "14Her". */
static char *name_of_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash == NULL ? path : slash + 1;
    const char *dot = strrchr(base, '.');
    return strndup(base, dot == NULL || dot == base ? strlen(base) : (size_t)(dot - base));
}

static int add_path(struct batch_star *star, const char *path)
{
    char **longer = realloc(star->paths, ((size_t)star->n_paths + 1) * sizeof *star->paths);
    if (longer != NULL)
        star->paths = longer;
    char *copy = longer == NULL ? NULL : strdup(path);
    if (copy == NULL)
        return messages_out_of_memory();
    star->paths[star->n_paths++] = copy;
    return EXIT_CODE_OK;
}

int batch_star_read(char *line, struct batch_star *star)
{
    *star = (struct batch_star){0};
    const char *separators = strchr(line, '\t') != NULL ? "\t" : " \f\v";
    char *first = next_name(&line, separators), *field;
    int code = EXIT_CODE_OK;
    while (code == EXIT_CODE_OK && (field = next_field(&line, separators)) != NULL)
        code = add_path(star, field);
    bool is_file_alone = star->n_paths == 0;
    if (code == EXIT_CODE_OK && is_file_alone)
        code = add_path(star, first);
    if (code != EXIT_CODE_OK)
        return code;
    star->name = is_file_alone ? name_of_file(first) : strdup(first);
    return star->name == NULL ? messages_out_of_memory() : EXIT_CODE_OK;
}

/* The name becomes that of a folder, and a cell of a table. */
static int check_name(const char *name, const struct line_reader *reader)
{
    bool is_special = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
    if (is_special || name[0] == '\0' || strchr(name, '/') != NULL || strlen(name) > LONGEST_NAME)
        return messages_failure("%s:%zu: '%.80s' cannot be the name of a star's folder",
                                reader->name, reader->number, name);
    for (const char *at = name; *at != '\0'; at++)
        if ((unsigned char)*at < 0x20 || *at == '"')
            return messages_failure("%s:%zu: a star's name holds a quote or a control character",
                                    reader->name, reader->number);
    return EXIT_CODE_OK;
}

static int add_star(struct batch_list *list, char *line, const struct line_reader *reader)
{
    bool is_full = (list->n & (list->n - 1)) == 0; /* room doubles */
    struct batch_star *longer =
        is_full ? realloc(list->stars, (list->n > 0 ? 2 * list->n : 1) * sizeof *list->stars)
                : list->stars;
    if (longer == NULL)
        return messages_out_of_memory();
    list->stars = longer;
    struct batch_star *star = &list->stars[list->n++];
    int code = batch_star_read(line, star);
    star->line = reader->number;
    return code == EXIT_CODE_OK ? check_name(star->name, reader) : code;
}

static int by_name(const void *left, const void *right)
{
    const struct batch_star *a = *(const struct batch_star *const *)left;
    const struct batch_star *b = *(const struct batch_star *const *)right;
    int order = strcmp(a->name, b->name);
    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

/* The first line whose name an earlier one has. */
static int check_unique(const struct batch_list *list, const char *name)
{
    const struct batch_star **sorted = malloc(list->n * sizeof *sorted), *twice = NULL;
    if (sorted == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < list->n; i++)
        sorted[i] = &list->stars[i];
    qsort(sorted, list->n, sizeof *sorted, by_name);
    for (size_t i = 1; i < list->n; i++)
        if (strcmp(sorted[i]->name, sorted[i - 1]->name) == 0 &&
            (twice == NULL || sorted[i]->line < twice->line))
            twice = sorted[i];
    free(sorted);
    if (twice != NULL)
        return messages_failure("%s:%zu: the star %s is there twice", name, twice->line,
                                twice->name);
    return EXIT_CODE_OK;
}

int batch_list_read(struct batch_list *list, const char *path)
{
    struct line_reader reader;
    char *line;
    enum line_result result = LINE_END;
    *list = (struct batch_list){0};
    int code = line_reader_open(&reader, path);
    if (code != EXIT_CODE_OK)
        return code;
    while (code == EXIT_CODE_OK && (result = line_reader_next_content(&reader, &line)) == LINE_READ)
        code = add_star(list, line, &reader);
    if (code == EXIT_CODE_OK && result != LINE_END)
        code = result == LINE_INTERRUPTED ? EXIT_CODE_INTERRUPTED : EXIT_CODE_FAILED;
    if (code == EXIT_CODE_OK && list->n == 0)
        code = messages_failure("%s: the list names no stars", reader.name);
    if (code == EXIT_CODE_OK)
        code = check_unique(list, reader.name);
    line_reader_close(&reader);
    return code;
}

void batch_star_free(struct batch_star *star)
{
    for (int i = 0; i < star->n_paths; i++)
        free(star->paths[i]);
    free(star->paths);
    free(star->name);
}

void batch_list_free(struct batch_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        batch_star_free(&list->stars[i]);
    free(list->stars);
    *list = (struct batch_list){0};
}

void batch_list_take_shard(struct batch_list *list, const struct shard *shard)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < list->n; i++)
        if (shard_has(shard, i))
            list->stars[n_kept++] = list->stars[i];
        else
            batch_star_free(&list->stars[i]);
    list->n = n_kept;
}

char *batch_star_line(const struct batch_star *star)
{
    char *line = NULL;
    size_t n_line;
    FILE *memory = system_stream_to_text(&line, &n_line);
    if (memory != NULL) {
        fprintf(memory, "\"%s\"", star->name);
        for (int i = 0; i < star->n_paths; i++)
            fprintf(memory, "\t%s", star->paths[i]);
        fputc('\n', memory);
    }
    if (memory == NULL || !system_stream_close_text(memory)) {
        free(line);
        messages_out_of_memory();
        return NULL;
    }
    return line;
}
