#include "terminal/plain_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"

/* Of a byte: "\x1b". */
enum { ESCAPE_LENGTH = 4 };

/* Marks that make text after them run from right to left, or that isolate it: with them a name
 * can look like another one. U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069. */
static bool turns_direction(const unsigned char *at, size_t n)
{
    if (n == 2)
        return at[0] == 0xD8 && at[1] == 0x9C;
    if (n != 3 || at[0] != 0xE2)
        return false;
    return (at[1] == 0x80 &&
            (at[2] == 0x8E || at[2] == 0x8F || (at[2] >= 0xA8 && at[2] <= 0xAE))) ||
           (at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9);
}

/* Bytes of the character that starts here and can be shown as it is; 0 when none does. */
static size_t shown_length(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t n = utf8_length(text);
    bool is_control =
        (n == 1 && (at[0] < 0x20 || at[0] == 0x7F)) || (n == 2 && at[0] == 0xC2 && at[1] < 0xA0);
    return is_control || turns_direction(at, n) ? 0 : n;
}

/* One character, or one byte escaped, into `piece`. Returns how many bytes of the text that were.
 */
static size_t take_piece(const char *text, char piece[ESCAPE_LENGTH + 1])
{
    size_t n = shown_length(text);
    if (n == 0) {
        snprintf(piece, ESCAPE_LENGTH + 1, "\\x%02x", (unsigned)(unsigned char)*text);
        return 1;
    }
    memcpy(piece, text, n);
    piece[n] = '\0';
    return n;
}

int plain_text_write_n(FILE *stream, const char *text, size_t n)
{
    int width = 0;
    for (const char *end = text + n; text < end && *text != '\0';) {
        char piece[ESCAPE_LENGTH + 1];
        bool is_shown = shown_length(text) > 0;
        text += take_piece(text, piece);
        fputs(piece, stream);
        width += is_shown ? 1 : ESCAPE_LENGTH;
    }
    return width;
}

int plain_text_width_n(const char *text, size_t n)
{
    int width = 0;
    for (const char *end = text + n; text < end && *text != '\0';) {
        size_t length = shown_length(text);
        width += length > 0 ? 1 : ESCAPE_LENGTH;
        text += length > 0 ? length : 1;
    }
    return width;
}

int plain_text_write(FILE *stream, const char *text)
{
    return plain_text_write_n(stream, text, strlen(text));
}

void plain_text_write_lines(FILE *stream, const char *text)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n\t");
        plain_text_write_n(stream, text, n);
        text += n;
        if (*text != '\0')
            fputc(*text++, stream);
    }
}

char *plain_text_copy(const char *text)
{
    char *copy = malloc(ESCAPE_LENGTH * strlen(text) + 1), *end = copy;
    if (copy == NULL)
        return NULL;
    *end = '\0';
    while (*text != '\0') {
        char piece[ESCAPE_LENGTH + 1];
        text += take_piece(text, piece);
        strcpy(end, piece);
        end += strlen(piece);
    }
    return copy;
}
