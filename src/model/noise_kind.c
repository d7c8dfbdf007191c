#include "model/noise_kind.h"

#include <stdio.h>
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
    [NOISE_MEP4] = "mep4",
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

static bool comes_before(const noise_kinds *kinds, int one, int other)
{
    return kinds->kind[one] != kinds->kind[other] ? kinds->kind[one] < kinds->kind[other]
                                                  : kinds->owner[one] < kinds->owner[other];
}

void noise_kinds_sort(noise_kinds *kinds)
{
    for (int i = 1; i < kinds->n; i++)
        for (int j = i; j > 0 && comes_before(kinds, j, j - 1); j--) {
            noise_kind kind = kinds->kind[j];
            int owner = kinds->owner[j];
            kinds->kind[j] = kinds->kind[j - 1];
            kinds->owner[j] = kinds->owner[j - 1];
            kinds->kind[j - 1] = kind;
            kinds->owner[j - 1] = owner;
        }
}

void noise_kinds_write_sorted(const noise_kinds *kinds, char text[NOISE_KINDS_TEXT_SIZE])
{
    noise_kinds sorted = *kinds;
    noise_kinds_sort(&sorted);
    text[0] = '\0';
    for (int i = 0; i < sorted.n; i++) {
        size_t n = strlen(text);
        n += (size_t)snprintf(text + n, NOISE_KINDS_TEXT_SIZE - n, "%s%s", i > 0 ? "," : "",
                              noise_kind_name(sorted.kind[i]));
        if (sorted.owner[i] > 0)
            snprintf(text + n, NOISE_KINDS_TEXT_SIZE - n, "@%d", sorted.owner[i] - 1);
    }
}
