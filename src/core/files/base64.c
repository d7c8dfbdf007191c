#include "core/files/base64.h"

static int value_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Two letters before the equals signs make one byte, three make two. */
static void end(base64 *state, unsigned char *bytes, size_t *n_bytes)
{
    if (state->n_letters == 2)
        bytes[(*n_bytes)++] = (unsigned char)(state->bits >> 4);
    if (state->n_letters == 3) {
        bytes[(*n_bytes)++] = (unsigned char)(state->bits >> 10);
        bytes[(*n_bytes)++] = (unsigned char)(state->bits >> 2);
    }
    *state = (base64){.is_at_end = true};
}

bool base64_decode(base64 *state, const char *text, size_t n, unsigned char *bytes, size_t *n_bytes)
{
    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
            continue;
        if (c == '=') {
            if (!state->is_at_end)
                end(state, bytes, n_bytes);
            continue;
        }
        int value = value_of(c);
        if (value < 0 || state->is_at_end)
            return false;
        state->bits = state->bits << 6 | (uint32_t)value;
        if (++state->n_letters < 4)
            continue;
        bytes[(*n_bytes)++] = (unsigned char)(state->bits >> 16);
        bytes[(*n_bytes)++] = (unsigned char)(state->bits >> 8);
        bytes[(*n_bytes)++] = (unsigned char)state->bits;
        state->bits = 0;
        state->n_letters = 0;
    }
    return true;
}
