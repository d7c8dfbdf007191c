#include "terminal/wrapped_text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/plain_text.h"
#include "terminal/terminal.h"
#include "text/utf8.h"

/* Of lines that are read; of terminals, below which nothing is gained; and of headings with a text
 * beside them. */
enum { SENTENCE_WIDTH = 80, LEAST_WIDTH = 20, HEADING_WIDTH = 30 };

/* Characters of the first n bytes. */
static int count_characters(const char *text, size_t n)
{
    int count = 0;
    for (size_t i = 0; i < n; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

/* Where the lines after the first begin: below the text beside a heading, else below the first
 * word. */
static int find_indent(const char *line, size_t n, int column)
{
    size_t first = strspn(line, " ");
    for (size_t i = first + 1; i + 1 < n && i < HEADING_WIDTH; i++)
        if (line[i - 1] == ' ' && line[i] == ' ') {
            i += strspn(line + i, " ");
            return column + count_characters(line, i < n ? i : first);
        }
    return column + (int)first;
}

/* One line of n bytes. */
static void write_line(FILE *stream, const char *line, size_t n, int column, int width)
{
    const char *end = line + n;
    int indent = find_indent(line, n, column);
    indent = indent < width / 2 ? indent : 2;
    while (line < end) {
        size_t blanks = strspn(line, " "), length = strcspn(line + blanks, " \n");
        int n_shown = (int)blanks + count_characters(line + blanks, length);
        if (column > indent && column + n_shown > width) {
            /* A long word begins further to the left. */
            int room = width - (n_shown - (int)blanks), start = indent < room ? indent : room;
            column = start > 0 ? start : 0;
            fprintf(stream, "\n%*s", column, "");
            n_shown -= (int)blanks;
            line += blanks;
            blanks = 0;
        }
        fprintf(stream, "%.*s", (int)(blanks + length), line);
        column += n_shown;
        line += blanks + length;
    }
}

static void write_lines(FILE *stream, const char *text, int column, int width)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        char *line = strndup(text, n), *plain = line != NULL ? plain_text_copy(line) : NULL;
        if (plain != NULL)
            write_line(stream, plain, strlen(plain), column, width);
        free(plain);
        free(line);
        text += n;
        column = 0;
        if (*text != '\0')
            putc(*text++, stream);
    }
}

static int width_of(FILE *stream)
{
    int columns = terminal_is(stream) ? terminal_columns(stream) : INT_MAX;
    return columns > LEAST_WIDTH ? columns : LEAST_WIDTH;
}

void wrapped_text_write(FILE *stream, const char *text, int column)
{
    write_lines(stream, text, column, width_of(stream));
}

void wrapped_text_print(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int n = vsnprintf(NULL, 0, format, arguments);
    char *text = n < 0 ? NULL : malloc((size_t)n + 1);
    if (text != NULL) {
        vsnprintf(text, (size_t)n + 1, format, again);
        wrapped_text_write(stdout, text, 0);
    }
    free(text);
    va_end(again);
    va_end(arguments);
}

void wrapped_text_say(const char *sentence)
{
    int width = width_of(stdout);
    fputs("  ", stdout);
    write_lines(stdout, sentence, 2, width < SENTENCE_WIDTH ? width : SENTENCE_WIDTH);
    putchar('\n');
}

int wrapped_text_cut(FILE *stream, const char *text, int columns)
{
    char *plain = plain_text_copy(text);
    int n = plain != NULL ? count_characters(plain, strlen(plain)) : 0;
    const char *end = plain;
    for (int i = 0; n > columns && i < columns - 1; i++)
        end += utf8_length(end);
    if (n > columns && columns > 0)
        fprintf(stream, "%.*s…", (int)(end - plain), plain);
    else if (n <= columns && n > 0)
        fputs(plain, stream);
    free(plain);
    return n > columns ? (columns > 0 ? columns : 0) : n;
}
