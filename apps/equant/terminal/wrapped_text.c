#include "terminal/wrapped_text.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "terminal/plain_text.h"
#include "terminal/terminal.h"
#include "text/utf8.h"

/* Of lines that are read; of terminals, below which nothing is gained; and of headings with a text
 * beside them. */
enum { SENTENCE_WIDTH = 80, LEAST_WIDTH = 20, HEADING_WIDTH = 30 };

/* No text that is printed at once is longer. */
enum { TEXT_LENGTH = 16384 };

/* Where the lines after the first begin: below the text beside a heading, else below the first
 * word. */
static int find_indent(const char *line, size_t n, int column)
{
    size_t first = strspn(line, " ");
    for (size_t i = first + 1; i + 1 < n && i < HEADING_WIDTH; i++)
        if (line[i - 1] == ' ' && line[i] == ' ') {
            i += strspn(line + i, " ");
            return column + plain_text_width_n(line, i < n ? i : first);
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
        int n_shown = plain_text_width_n(line + blanks, length);
        if (column > indent && column + (int)blanks + n_shown > width) {
            /* A long word begins further to the left. */
            int start = indent < width - n_shown ? indent : width - n_shown;
            column = start > 0 ? start : 0;
            fprintf(stream, "\n%*s", column, "");
        } else {
            fprintf(stream, "%*s", (int)blanks, "");
            column += (int)blanks;
        }
        plain_text_write_n(stream, line + blanks, length);
        column += n_shown;
        line += blanks + length;
    }
}

static void write_lines(FILE *stream, const char *text, int column, int width)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        write_line(stream, text, n, column, width);
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

/* Nothing that is printed depends on memory that may be lacking. */
void wrapped_text_print(const char *format, ...)
{
    char text[TEXT_LENGTH];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    wrapped_text_write(stdout, text, 0);
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
    int n = plain_text_width_n(text, strlen(text)), shown = 0;
    if (n <= columns)
        return plain_text_write(stream, text);
    if (columns <= 0)
        return 0;
    for (const char *end = text; *end != '\0';) {
        size_t length = utf8_length(end);
        length = length > 0 ? length : 1;
        int width = plain_text_width_n(end, length);
        if (shown + width > columns - 1)
            break;
        shown += plain_text_write_n(stream, end, length);
        end += length;
    }
    fputs("…", stream);
    return shown + 1;
}
