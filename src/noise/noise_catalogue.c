#include "noise/noise_catalogue.h"

#define AMPLITUDE_ROW                                                                              \
    {                                                                                              \
        "amplitude", "m/s", "standard deviation", 0.0                                              \
    }
#define DECAY_ROW(about)                                                                           \
    {                                                                                              \
        "decay", "d", about, 0.0                                                                   \
    }
#define ROTATING_ROWS                                                                              \
    AMPLITUDE_ROW, {"period", "d", "in which the star turns", 0.0}, DECAY_ROW("life of spots"),    \
    {                                                                                              \
        "width", "", "of what a spot does, in turns times pi; small is spiky", 0.0                 \
    }

static const noise_term_kind kinds[N_NOISE_KINDS] = {
    [NOISE_NIGHT] =
        {"night", "an offset for each night of each instrument", 1, {AMPLITUDE_ROW}, false},
    [NOISE_EXPONENTIAL] = {"exponential",
                           "forgets at a constant rate; rough",
                           2,
                           {AMPLITUDE_ROW, DECAY_ROW("after which 1/e is left")},
                           false},
    [NOISE_MATERN32] =
        {"matern32", "Matern 3/2: smoother", 2, {AMPLITUDE_ROW, DECAY_ROW("scale rho")}, true},
    [NOISE_MATERN52] =
        {"matern52", "Matern 5/2: smooth", 2, {AMPLITUDE_ROW, DECAY_ROW("scale rho")}, true},
    [NOISE_SLOW] = {"slow",
                    "a smooth drift over more than 200 days, as of a magnetic cycle (Matern 5/2)",
                    2,
                    {AMPLITUDE_ROW, {"decay", "d", "scale rho", 200.0}},
                    true},
    [NOISE_SHO] = {"sho",
                   "a driven oscillator",
                   3,
                   {AMPLITUDE_ROW, {"period", "d", "undamped", 0.0}, {"quality", "", "Q", 0.0}},
                   true},
    [NOISE_GRANULATION] = {"granulation",
                           "an oscillator of quality 1/sqrt 2",
                           2,
                           {AMPLITUDE_ROW, {"period", "d", "undamped", 0.0}},
                           true},
    [NOISE_ROTATION] = {"rotation",
                        "two oscillators, at the period of rotation and its half",
                        5,
                        {AMPLITUDE_ROW,
                         {"period", "d", "in which the star turns", 0.0},
                         {"quality", "", "of the second oscillator, above 1/2", 0.0},
                         {"extra_quality", "", "by which the first exceeds it", 0.0},
                         {"mix", "", "variance of the second over that of the first", 0.0}},
                        true,
                        true},
    [NOISE_MEP] = {"mep", "Matern 3/2 times a periodic term", 4, {ROTATING_ROWS}, true, true},
    [NOISE_MEP4] = {"mep4", "the same with four harmonics", 4, {ROTATING_ROWS}, true, true},
    [NOISE_ES] =
        {"es", "nearly a squared exponential", 2, {AMPLITUDE_ROW, DECAY_ROW("scale rho")}, true},
    [NOISE_ESP2] =
        {"esp2", "nearly quasi-periodic, with two harmonics", 4, {ROTATING_ROWS}, true, true},
    [NOISE_ESP3] =
        {"esp3", "nearly quasi-periodic, with three harmonics", 4, {ROTATING_ROWS}, true, true},
    [NOISE_QP] = {"qp",
                  "quasi-periodic, by whole matrices: for comparison, and for few data",
                  4,
                  {ROTATING_ROWS},
                  true,
                  true},
};

size_t noise_catalogue_n(void)
{
    return sizeof kinds / sizeof *kinds;
}

const noise_term_kind *noise_catalogue_at(size_t index)
{
    return index < noise_catalogue_n() ? &kinds[index] : NULL;
}

const noise_term_kind *noise_catalogue_find(const char *name, size_t n)
{
    return noise_catalogue_at((size_t)noise_kind_find(name, n));
}

int noise_catalogue_blocks(const noise_term_kind *kind, int n_instruments)
{
    return noise_terms_blocks((noise_kind)(kind - kinds), n_instruments);
}

noise_kind noise_catalogue_number(const noise_term_kind *kind)
{
    return (noise_kind)(kind - kinds);
}

bool noise_catalogue_is_whole(const noise_term_kind *kind)
{
    return noise_kind_is_whole(noise_catalogue_number(kind));
}

void noise_catalogue_expand(const noise_term_kind *kind, const double *values, int n_instruments,
                            noise_process *made)
{
    noise_terms_add(made, (noise_kind)(kind - kinds), values, n_instruments);
}
