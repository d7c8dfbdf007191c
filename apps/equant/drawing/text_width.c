#include "drawing/text_width.h"

#include <stdio.h>
#include <string.h>

#include "text/utf8.h"

/* Hundredths of the size, from the blank to the tilde. */
static const unsigned char widths[] = {
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};

/* Of a character of that many bytes: Latin and Greek take at most 0.85, what has three bytes or
 * four may be as wide as it is high, but for the thin blank and the raised and lowered digits. */
static double width_of(const char *at, size_t n_bytes)
{
    const double two_bytes = 0.85, full = 1.0, small = 0.55;
    const unsigned char *byte = (const unsigned char *)at;
    if (n_bytes == 1)
        return byte[0] >= 32 && byte[0] < 127 ? 0.01 * widths[byte[0] - 32] : 0.01 * widths[0];
    if (n_bytes == 2)
        return two_bytes;
    if (n_bytes == 3 && byte[0] == 0xEE && byte[1] == 0x80 && byte[2] == 0x80)
        return 0.0; /* SVG_SUBSCRIPT */
    return n_bytes == 3 && byte[0] == 0xE2 && (byte[1] <= 0x82) ? small : full;
}

static size_t step(const char *at)
{
    size_t n = utf8_length(at);
    return n > 0 ? n : 1;
}

double text_width_of(const char *text, double size)
{
    double sum = 0.0;
    for (; *text != '\0'; text += step(text))
        sum += width_of(text, step(text));
    return sum * size;
}

void text_width_cut(const char *text, double size, double width, char *cut, size_t n)
{
    static const char dots[] = "…";
    const double room = width - size;
    size_t length = 0;
    if (text_width_of(text, size) <= width && strlen(text) < n) {
        memcpy(cut, text, strlen(text) + 1);
        return;
    }
    double sum = 0.0;
    while (text[length] != '\0' && length + step(text + length) + sizeof dots <= n) {
        sum += width_of(text + length, step(text + length)) * size;
        if (sum > room)
            break;
        length += step(text + length);
    }
    snprintf(cut, n, "%.*s%s", (int)length, text, dots);
}

size_t text_width_line(const char *text, double size, double width)
{
    size_t length = 0, best = 0;
    double sum = 0.0;
    for (; text[length] != '\0'; length += step(text + length)) {
        if (text[length] == ' ')
            best = length;
        sum += width_of(text + length, step(text + length)) * size;
        if (sum > width && best > 0)
            return best;
    }
    return length;
}
