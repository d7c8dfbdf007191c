#include "model/noise_kind.h"

#include <string.h>

static const char *const names[N_NOISE_KINDS] = {
    [NOISE_NIGHT] = "night",
    [NOISE_EXPONENTIAL] = "exponential",
    [NOISE_MATERN32] = "matern32",
    [NOISE_MATERN52] = "matern52",
    [NOISE_SLOW] = "slow",
    [NOISE_SHO] = "sho",
    [NOISE_GRANULATION] = "granulation",
    [NOISE_ROTATION] = "rotation",
    [NOISE_MEP] = "mep",
    [NOISE_ES] = "es",
    [NOISE_ESP2] = "esp2",
    [NOISE_ESP3] = "esp3",
    [NOISE_QP] = "qp",
};

const char *noise_kind_name(noise_kind kind)
{
    return names[kind];
}

noise_kind noise_kind_find(const char *name, size_t n)
{
    int kind = 0;
    while (kind < N_NOISE_KINDS && !(strlen(names[kind]) == n && memcmp(names[kind], name, n) == 0))
        kind++;
    return (noise_kind)kind;
}

void noise_kinds_write_sorted(const noise_kinds *kinds, char text[NOISE_KINDS_TEXT_SIZE])
{
    text[0] = '\0';
    for (int kind = 0; kind < N_NOISE_KINDS; kind++) {
        if (!noise_kinds_have(kinds, (noise_kind)kind))
            continue;
        if (text[0] != '\0')
            strncat(text, ",", NOISE_KINDS_TEXT_SIZE - strlen(text) - 1);
        strncat(text, noise_kind_name((noise_kind)kind), NOISE_KINDS_TEXT_SIZE - strlen(text) - 1);
    }
}
