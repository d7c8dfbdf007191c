#include "text/utf8.h"

#include <stdbool.h>

size_t utf8_length(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    if (at[0] < 0x80)
        return 1;
    size_t n = at[0] >= 0xF0 ? 4 : at[0] >= 0xE0 ? 3 : 2;
    if (at[0] < 0xC2 || at[0] > 0xF4)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xF0 && at[1] < 0x90);
    bool surrogate = at[0] == 0xED && at[1] >= 0xA0;
    bool too_large = at[0] == 0xF4 && at[1] >= 0x90;
    return overlong || surrogate || too_large ? 0 : n;
}

void utf8_write_quoted(FILE *stream, const char *text, char quote)
{
    fputc(quote, stream);
    while (*text != '\0') {
        size_t n = utf8_length(text);
        bool is_control = n == 1 && ((unsigned char)*text < 0x20 || *text == 0x7F);
        if (*text == quote)
            fputc(quote, stream);
        if (n == 0 || is_control)
            fputc(n == 0 ? '?' : ' ', stream);
        else
            fwrite(text, 1, n, stream);
        text += n > 0 ? n : 1;
    }
    fputc(quote, stream);
}
