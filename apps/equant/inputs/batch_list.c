#include "inputs/batch_list.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "files/line_reader.h"
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

static int read_star(char *line, struct batch_star *star)
{
    const char *separators = strchr(line, '\t') != NULL ? "\t" : " \f\v";
    char *first = next_field(&line, separators), *field;
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

static int check_star(const struct batch_list *list, const struct line_reader *reader)
{
    const char *name = list->stars[list->n - 1].name;
    for (size_t i = 0; i + 1 < list->n; i++)
        if (strcmp(name, list->stars[i].name) == 0)
            return messages_failure("%s:%zu: the star %s is there twice", reader->name,
                                    reader->number, name);
    return check_name(name, reader);
}

static int add_star(struct batch_list *list, char *line, const struct line_reader *reader)
{
    struct batch_star *longer = realloc(list->stars, (list->n + 1) * sizeof *list->stars);
    if (longer == NULL)
        return messages_out_of_memory();
    list->stars = longer;
    list->stars[list->n] = (struct batch_star){0};
    int code = read_star(line, &list->stars[list->n++]);
    return code == EXIT_CODE_OK ? check_star(list, reader) : code;
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
    line_reader_close(&reader);
    return code;
}

static void free_star(struct batch_star *star)
{
    for (int i = 0; i < star->n_paths; i++)
        free(star->paths[i]);
    free(star->paths);
    free(star->name);
}

void batch_list_free(struct batch_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free_star(&list->stars[i]);
    free(list->stars);
    *list = (struct batch_list){0};
}
