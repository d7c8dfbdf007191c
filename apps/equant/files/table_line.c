#include "files/table_line.h"

#include <stdbool.h>
#include <string.h>

static const char blanks[] = " \t\f\v";

static bool is_blank(char c)
{
    return c != '\0' && strchr(blanks, c) != NULL;
}

static bool is_delimiter(char c, char delimiter)
{
    return delimiter == ' ' ? is_blank(c) : c == delimiter;
}

/* Behind the blanks at `at`, which separate no cells. */
static const char *skip_blanks(const char *at, char delimiter)
{
    while (is_blank(*at) && (delimiter == ' ' || *at != delimiter))
        at++;
    return at;
}

/* Behind the closing quote of the text that is quoted at `at`; the end of the line without one. */
static const char *skip_quoted(const char *at)
{
    char quote = *at++;
    for (; *at != '\0'; at++) {
        if (*at != quote)
            continue;
        if (at[1] != quote)
            return at + 1;
        at++;
    }
    return at;
}

static const char *end_of_cell(const char *at, char delimiter)
{
    if (*at == '"' || *at == '\'')
        at = skip_quoted(at);
    while (*at != '\0' && !is_delimiter(*at, delimiter))
        at++;
    return at;
}

char table_line_delimiter(const char *line)
{
    static const char candidates[] = ",;\t";
    size_t count[3] = {0};
    bool begins = true;
    for (const char *at = line; *at != '\0';) {
        const char *candidate = strchr(candidates, *at);
        if (begins && (*at == '"' || *at == '\'')) {
            at = skip_quoted(at);
            begins = false;
            continue;
        }
        if (candidate != NULL)
            count[candidate - candidates]++;
        begins = candidate != NULL || is_blank(*at);
        at++;
    }
    for (int i = 0; i < 3; i++)
        if (count[i] > 0)
            return candidates[i];
    return ' ';
}

/* Takes the quotes off the text between two places, in place; returns its end. */
static char *unquote(char *cell, char *end)
{
    char quote = cell[0], *to = cell;
    for (char *from = cell + 1; from < end; from++) {
        if (*from == quote && from[1] == quote && from + 1 < end)
            from++;
        else if (*from == quote) {
            memmove(to, from + 1, (size_t)(end - from - 1));
            return to + (end - from - 1);
        }
        *to++ = *from;
    }
    return to;
}

char *table_line_cell(char **cursor, char delimiter)
{
    if (*cursor == NULL)
        return NULL;
    char *cell = *cursor + (skip_blanks(*cursor, delimiter) - *cursor);
    if (delimiter == ' ' && *cell == '\0')
        return *cursor = NULL;
    char *end = cell + (end_of_cell(cell, delimiter) - cell);
    *cursor = *end != '\0' ? end + 1 : NULL;
    while (end > cell && is_blank(end[-1]))
        end--;
    if (end > cell && (*cell == '"' || *cell == '\''))
        end = unquote(cell, end);
    while (end > cell && is_blank(end[-1]))
        end--;
    *end = '\0';
    return cell + strspn(cell, blanks);
}

size_t table_line_count(const char *line, char delimiter)
{
    size_t n = 0;
    for (const char *at = skip_blanks(line, delimiter);; n++) {
        if (*at == '\0' && (n == 0 || delimiter == ' '))
            return n;
        at = end_of_cell(at, delimiter);
        if (*at == '\0')
            return n + 1;
        at = skip_blanks(at + 1, delimiter);
    }
}
