#include "files/line_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "files/input_file.h"
#include "platform/system_file.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"

/* The longest line there can be. A text file has none this long, so a file that
 * is not text is refused before it fills the memory. */
enum { BUFFER_BYTES = 1 << 20, STANDARD_INPUT = 0 };

static const char blanks[] = " \t\f\v";

int line_reader_open(struct line_reader *reader, const char *path)
{
    bool is_standard_input = strcmp(path, "-") == 0;
    if (is_standard_input)
        input_file_note(path);
    *reader = (struct line_reader){.name = is_standard_input ? "stdin" : path};
    reader->descriptor = is_standard_input ? STANDARD_INPUT : input_file_descriptor(path);
    if (reader->descriptor < 0)
        return messages_file("open", path);
    system_file_facts facts;
    if (system_file_find_open(reader->descriptor, &facts) && facts.is_regular)
        reader->size = facts.n_bytes;
    reader->buffer = malloc(BUFFER_BYTES);
    if (reader->buffer == NULL) {
        line_reader_close(reader);
        return messages_out_of_memory();
    }
    return EXIT_CODE_OK;
}

void line_reader_close(struct line_reader *reader)
{
    if (reader->descriptor > STANDARD_INPUT)
        system_file_close(reader->descriptor);
    free(reader->buffer);
    *reader = (struct line_reader){.descriptor = -1};
}

/* Reads more behind what is there; the buffer has room. */
static enum line_result read_more(struct line_reader *reader)
{
    if (reader->begin > 0) {
        memmove(reader->buffer, reader->buffer + reader->begin, reader->end - reader->begin);
        reader->end -= reader->begin;
        reader->begin = 0;
    }
    if (reader->end + 1 >= BUFFER_BYTES) {
        messages_failure("%s:%zu: this line has no end; is this a text file?", reader->name,
                         reader->number + 1);
        return LINE_FAILED;
    }
    ptrdiff_t n;
    do {
        if (interrupt_requested())
            return LINE_INTERRUPTED;
        /* One byte stays free for the zero after a last line without its end. */
        n = system_file_read(reader->descriptor, reader->buffer + reader->end,
                             BUFFER_BYTES - 1 - reader->end);
    } while (n < 0 && errno == EINTR);
    if (n < 0) {
        messages_file("read", reader->name);
        return LINE_FAILED;
    }
    reader->end += (size_t)n;
    reader->at_end = n == 0;
    return LINE_READ;
}

/* Gives out the n bytes at the front of the buffer, of which the last
 * n_ending (0 or 1) are the line's end. */
static enum line_result give_out(struct line_reader *reader, size_t n, size_t n_ending, char **line)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    char *start = reader->buffer + reader->begin;
    size_t length = n - n_ending;
    reader->begin += n;
    reader->n_bytes += n;
    reader->number++;
    if (memchr(start, '\0', length) != NULL) {
        messages_failure("%s:%zu: this line holds a zero byte; is this a text file?", reader->name,
                         reader->number);
        return LINE_FAILED;
    }
    if (length > 0 && start[length - 1] == '\r')
        length--;
    start[length] = '\0';
    if (reader->number == 1 && strncmp(start, byte_order_mark, 3) == 0)
        start += 3;
    *line = start;
    return LINE_READ;
}

enum line_result line_reader_next(struct line_reader *reader, char **line)
{
    size_t searched = 0;
    for (;;) {
        size_t n_held = reader->end - reader->begin;
        char *start = reader->buffer + reader->begin;
        char *ending = memchr(start + searched, '\n', n_held - searched);
        if (ending != NULL)
            return give_out(reader, (size_t)(ending - start) + 1, 1, line);
        if (reader->at_end)
            return n_held == 0 ? LINE_END : give_out(reader, n_held, 0, line);
        searched = n_held;
        enum line_result result = read_more(reader);
        if (result != LINE_READ)
            return result;
    }
}

bool line_reader_has_content(char **line)
{
    *line += strspn(*line, blanks);
    return **line != '\0' && **line != '#';
}

enum line_result line_reader_next_content(struct line_reader *reader, char **line)
{
    enum line_result result;
    do {
        result = line_reader_next(reader, line);
    } while (result == LINE_READ && !line_reader_has_content(line));
    return result;
}

bool line_reader_is_ready(const struct line_reader *reader)
{
    size_t n_held = reader->end - reader->begin;
    return reader->at_end || memchr(reader->buffer + reader->begin, '\n', n_held) != NULL;
}

double line_reader_fraction(const struct line_reader *reader)
{
    return reader->size > 0 ? (double)reader->n_bytes / (double)reader->size : -1.0;
}
