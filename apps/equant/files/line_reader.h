/* Lines of a file, a pipe or standard input, one at a time and in bounded
 * memory, with their numbers for messages. */
#ifndef EQUANT_APP_FILES_LINE_READER_H
#define EQUANT_APP_FILES_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum line_result {
    LINE_READ,
    LINE_END,         /* of the input                                         */
    LINE_INTERRUPTED, /* Ctrl-C while waiting for input (interrupt.h)         */
    LINE_FAILED       /* a sentence has been printed                          */
};

struct line_reader {
    const char *name; /* for messages: the path, or "stdin"                   */
    int descriptor;
    char *buffer;
    size_t begin, end; /* what has been read and not yet been given out       */
    size_t number;     /* of the line given out last; the first is 1          */
    uint64_t n_bytes;  /* given out so far                                    */
    uint64_t size;     /* of the file; 0 when it is none                      */
    bool at_end;
};

/* Opens a file; "-" is standard input. `path` must outlive the reader. Returns
 * EXIT_CODE_OK, or EXIT_CODE_FAILED with a sentence. */
int line_reader_open(struct line_reader *reader, const char *path);
void line_reader_close(struct line_reader *reader);

/* The next line, without its end (LF or CR LF), as a string that the caller may
 * change and that is valid until the next call. */
enum line_result line_reader_next(struct line_reader *reader, char **line);

/* False when a line is blank or begins with #; moves *line over leading blanks. */
bool line_reader_has_content(char **line);

/* The next line that has content. */
enum line_result line_reader_next_content(struct line_reader *reader, char **line);

/* True when the next line is already here, so that asking for it does not wait. */
bool line_reader_is_ready(const struct line_reader *reader);

/* Share of the file given out so far, 0 to 1; -1 when its size is unknown. */
double line_reader_fraction(const struct line_reader *reader);

#endif
