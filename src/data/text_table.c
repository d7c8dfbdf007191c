/* Lines and cells as slices of a text; a cell is never copied. */
#include "data/text_table.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

/* Independent of the caller's locale, unlike tolower. */
static char small_letter(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

text_lines text_lines_begin(const char *text, size_t n_bytes)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    text_lines lines = {text, text + n_bytes, 0};
    if (n_bytes >= 3 && memcmp(text, byte_order_mark, 3) == 0)
        lines.next += 3;
    return lines;
}

bool text_lines_next(text_lines *lines, text_slice *line)
{
    if (lines->next == lines->end)
        return false;
    const char *start = lines->next, *stop = start;
    while (stop < lines->end && *stop != '\n' && *stop != '\r')
        stop++;
    *line = (text_slice){start, (size_t)(stop - start)};
    if (stop < lines->end && *stop == '\r' && stop + 1 < lines->end && stop[1] == '\n')
        stop++;
    lines->next = stop < lines->end ? stop + 1 : stop;
    lines->number++;
    return true;
}

bool text_lines_head(text_lines *lines, text_slice *first, text_slice *comment, text_lines *before)
{
    text_slice line;
    *comment = (text_slice){NULL, 0};
    *before = *lines;
    while (text_lines_next(lines, &line)) {
        *first = text_trim(line);
        if (first->n > 0 && first->start[0] != '#')
            return true;
        if (first->n > 1)
            *comment = text_trim((text_slice){first->start + 1, first->n - 1});
        *before = *lines;
    }
    return false;
}

text_slice text_trim(text_slice slice)
{
    while (slice.n > 0 && is_blank(slice.start[0])) {
        slice.start++;
        slice.n--;
    }
    while (slice.n > 0 && is_blank(slice.start[slice.n - 1]))
        slice.n--;
    return slice;
}

bool text_begins_with(text_slice slice, const char *word)
{
    size_t n = strlen(word);
    if (slice.n < n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (small_letter(slice.start[i]) != word[i])
            return false;
    return true;
}

bool text_is_word(text_slice slice, const char *word)
{
    return slice.n == strlen(word) && text_begins_with(slice, word);
}

size_t text_count(text_slice slice, char character)
{
    size_t count = 0;
    for (size_t i = 0; i < slice.n; i++)
        count += slice.start[i] == character;
    return count;
}

/* ---- cells ------------------------------------------------------------- */

static bool is_delimiter(char c, text_delimiter delimiter)
{
    switch (delimiter) {
    case TEXT_TAB:
        return c == '\t';
    case TEXT_COMMA:
        return c == ',';
    case TEXT_SEMICOLON:
        return c == ';';
    case TEXT_WHITESPACE:
        break;
    }
    return is_blank(c);
}

static char closing_of(char c)
{
    switch (c) {
    case '(':
        return ')';
    case '[':
        return ']';
    default:
        return '\0';
    }
}

/* Where the quoted text that begins at `c` ends: behind its closing quote, or
 * at the end of the line. Doubled quotes stand for one and do not close. */
static const char *skip_quoted(const char *c, const char *end)
{
    char quote = *c++;
    while (c < end) {
        if (*c++ != quote)
            continue;
        if (c == end || *c != quote)
            return c;
        c++;
    }
    return end;
}

/* Where the bracket that opens at `c` is closed; `c` itself where it is not. */
static const char *skip_bracket(const char *c, const char *end)
{
    const char *close = memchr(c, closing_of(*c), (size_t)(end - c));
    return close != NULL ? close : c;
}

static const char *end_of_cell(const char *c, const char *end, text_delimiter delimiter,
                               bool brackets_protect)
{
    if (c < end && (*c == '"' || *c == '\''))
        c = skip_quoted(c, end);
    while (c < end && !is_delimiter(*c, delimiter)) {
        if (brackets_protect && closing_of(*c) != '\0')
            c = skip_bracket(c, end);
        c++;
    }
    return c;
}

static text_slice unquote(text_slice cell)
{
    if (cell.n >= 2 && (cell.start[0] == '"' || cell.start[0] == '\'') &&
        cell.start[cell.n - 1] == cell.start[0])
        return text_trim((text_slice){cell.start + 1, cell.n - 2});
    return cell;
}

static size_t split(text_slice line, text_delimiter delimiter, bool brackets_protect,
                    text_slice *cells, size_t capacity)
{
    const char *c = line.start, *end = line.start + line.n;
    size_t count = 0;
    for (;;) {
        while (c < end && is_blank(*c) && !(delimiter == TEXT_TAB && *c == '\t'))
            c++;
        if (c == end && (delimiter == TEXT_WHITESPACE || count == 0))
            return count;
        const char *stop = end_of_cell(c, end, delimiter, brackets_protect);
        if (count < capacity)
            cells[count] = unquote(text_trim((text_slice){c, (size_t)(stop - c)}));
        count++;
        if (stop == end)
            return count;
        c = stop + 1;
    }
}

size_t text_cells(text_slice line, text_delimiter delimiter, text_slice *cells, size_t capacity)
{
    return split(line, delimiter, false, cells, capacity);
}

size_t text_names(text_slice line, text_delimiter delimiter, text_slice *names, size_t capacity)
{
    size_t n = split(line, delimiter, true, names, capacity);
    if (delimiter != TEXT_WHITESPACE || n > capacity)
        return n;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_bracket = names[i].n > 0 && closing_of(names[i].start[0]) != '\0';
        if (is_bracket && kept > 0)
            names[kept - 1].n = (size_t)(names[i].start + names[i].n - names[kept - 1].start);
        else
            names[kept++] = names[i];
    }
    return kept;
}

/* ---- showing ----------------------------------------------------------- */

/* Bytes of the UTF-8 character at the front of a slice; 0 for what is none.
 * Overlong forms and surrogates are not told apart: this is for display. */
static size_t utf8_length(text_slice slice)
{
    unsigned char lead = (unsigned char)slice.start[0];
    size_t n = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (lead > 0xF4 || n > slice.n)
        return 0;
    for (size_t i = 1; i < n; i++)
        if (((unsigned char)slice.start[i] & 0xC0) != 0x80)
            return 0;
    return n;
}

const char *text_show(text_slice slice, char *buffer, size_t n_buffer)
{
    size_t used = 0;
    while (slice.n > 0) {
        size_t n = utf8_length(slice);
        bool is_control =
            n == 1 && ((unsigned char)slice.start[0] < 0x20 || slice.start[0] == 0x7F);
        bool is_printable = n > 0 && !is_control;
        size_t step = n > 0 ? n : 1, written = is_printable ? n : 1;
        if (used + written >= n_buffer)
            break;
        if (is_printable)
            memcpy(buffer + used, slice.start, n);
        else
            buffer[used] = '?';
        used += written;
        slice.start += step;
        slice.n -= step;
    }
    buffer[used] = '\0';
    return buffer;
}
