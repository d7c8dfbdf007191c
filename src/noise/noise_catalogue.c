#include "noise/noise_catalogue.h"

#include <string.h>

#define TWO_PI 6.283185307179586476925286766559

static void add_block(noise_process *made, noise_block block)
{
    made->block[made->n_blocks++] = block;
    made->n_states += noise_block_states(block.kind);
}

static void add_damped(noise_process *made, double a, double b, double c, double q)
{
    noise_block_kind kind = b == 0.0 && q == 0.0 ? NOISE_BLOCK_EXPONENTIAL : NOISE_BLOCK_DAMPED;
    add_block(made, (noise_block){.kind = kind, .a = a, .b = b, .c = c, .q = q});
}

/* A covariance with a derivative: b = a c makes its slope zero at zero. */
static void add_smooth(noise_process *made, double variance, double c, double q)
{
    add_damped(made, variance, variance * c, c, q);
}

/* A stochastically driven oscillator of frequency w0 and quality Q. */
static void add_oscillator(noise_process *made, double variance, double w0, double quality)
{
    double c = 0.5 * w0 / quality;
    add_smooth(made, variance, c, c * c * (4.0 * quality * quality - 1.0));
}

/* ---- terms ------------------------------------------------------------------------------------
 */

enum { AMPLITUDE = 0 };

static void expand_exponential(const double *values, noise_process *made)
{
    add_damped(made, values[AMPLITUDE] * values[AMPLITUDE], 0.0, 1.0 / values[1], 0.0);
}

static void expand_matern32(const double *values, noise_process *made)
{
    add_smooth(made, values[AMPLITUDE] * values[AMPLITUDE], sqrt(3.0) / values[1], 0.0);
}

static void expand_matern52(const double *values, noise_process *made)
{
    add_block(made, (noise_block){.kind = NOISE_BLOCK_MATERN52,
                                  .a = values[AMPLITUDE] * values[AMPLITUDE],
                                  .c = sqrt(5.0) / values[1]});
}

static void expand_sho(const double *values, noise_process *made)
{
    add_oscillator(made, values[AMPLITUDE] * values[AMPLITUDE], TWO_PI / values[1], values[2]);
}

static void expand_granulation(const double *values, noise_process *made)
{
    add_oscillator(made, values[AMPLITUDE] * values[AMPLITUDE], TWO_PI / values[1], sqrt(0.5));
}

/* The frequency at which an oscillator of some quality swings with a period. */
static double driven_frequency(double period, double quality)
{
    return 2.0 * TWO_PI * quality / (period * sqrt(4.0 * quality * quality - 1.0));
}

static void expand_rotation(const double *values, noise_process *made)
{
    double variance = values[AMPLITUDE] * values[AMPLITUDE], period = values[1], mix = values[4];
    double second = 0.5 + values[2], first = second + values[3];
    add_oscillator(made, variance / (1.0 + mix), driven_frequency(period, first), first);
    add_oscillator(made, mix * variance / (1.0 + mix), driven_frequency(0.5 * period, second),
                   second);
}

/* Matern 3/2 times the first harmonics of a periodic term (Delisle et al. 2022). */
static void expand_mep(const double *values, noise_process *made)
{
    double variance = values[AMPLITUDE] * values[AMPLITUDE], rotation = TWO_PI / values[1],
           decay = values[2], f = 0.25 / (values[3] * values[3]);
    double whole = 1.0 + f + 0.25 * f * f;
    add_smooth(made, variance / whole, sqrt(3.0) / decay, 0.0);
    add_smooth(made, variance * f / whole, 1.0 / decay, rotation * rotation);
    add_smooth(made, variance * 0.25 * f * f / whole, 1.0 / decay, 4.0 * rotation * rotation);
}

/* A squared exponential by three states, within 0.9 % (Delisle et al. 2022):
 * e^(-x) ((1 - g) + g cos(mu x) + sin(mu x) / mu), x = lambda tau, g = (1 - 2 / mu^2) / 3. */
#define SQUARED_LAMBDA 1.0907260149419182
#define SQUARED_MU 1.326644517327145

/* That times cos(w tau): products of sines and cosines are sums of them. */
static void add_squared(noise_process *made, double variance, double decay, double w)
{
    double lambda = SQUARED_LAMBDA / decay, swing = SQUARED_MU * lambda;
    double g = (1.0 - 2.0 / (SQUARED_MU * SQUARED_MU)) / 3.0, sine = 1.0 / SQUARED_MU;
    add_damped(made, variance * (1.0 - g), 0.0, lambda, w * w);
    if (w == 0.0) {
        add_damped(made, variance * g, variance * sine * swing, lambda, swing * swing);
        return;
    }
    for (int side = -1; side <= 1; side += 2) {
        double beat = swing + side * w;
        add_damped(made, 0.5 * variance * g, 0.5 * variance * sine * beat, lambda, beat * beat);
    }
}

static void expand_es(const double *values, noise_process *made)
{
    add_squared(made, values[AMPLITUDE] * values[AMPLITUDE], values[1], 0.0);
}

/* I_h(x) / I_0(x) for h = 1 to n, by the recurrence downwards, which forgets how it began. */
static void bessel_ratios(double x, int n, double *ratios)
{
    double above = 0.0, here = 1e-300;
    for (int h = n + 40 + (int)(1.5 * x); h > 0; h--) {
        double below = above + 2.0 * h / x * here;
        above = here;
        here = below;
        if (here > 1e250) { /* only ratios count */
            for (int i = 0; i < n; i++)
                ratios[i] *= 1e-250;
            above *= 1e-250;
            here *= 1e-250;
        }
        if (h <= n)
            ratios[h - 1] = above;
    }
    for (int i = 0; i < n; i++)
        ratios[i] /= here;
}

enum { MOST_HARMONICS = 3 };

static void expand_squared_periodic(const double *values, int n_harmonics, noise_process *made)
{
    double variance = values[AMPLITUDE] * values[AMPLITUDE], rotation = TWO_PI / values[1];
    double ratios[MOST_HARMONICS] = {0.0}, whole = 1.0;
    bessel_ratios(0.25 / (values[3] * values[3]), n_harmonics, ratios);
    for (int h = 0; h < n_harmonics; h++)
        whole += 2.0 * ratios[h];
    add_squared(made, variance / whole, values[2], 0.0);
    for (int h = 0; h < n_harmonics; h++)
        add_squared(made, 2.0 * variance * ratios[h] / whole, values[2], (h + 1) * rotation);
}

static void expand_esp2(const double *values, noise_process *made)
{
    expand_squared_periodic(values, 2, made);
}

static void expand_esp3(const double *values, noise_process *made)
{
    expand_squared_periodic(values, 3, made);
}

/* ---- the table --------------------------------------------------------------------------------
 */

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

static const noise_term_kind kinds[] = {
    {"night", "an offset for each night of each instrument", 1, {AMPLITUDE_ROW}, NULL, 1, false},
    {"exponential",
     "forgets at a constant rate; rough",
     2,
     {AMPLITUDE_ROW, DECAY_ROW("after which 1/e is left")},
     expand_exponential,
     1,
     false},
    {"matern32",
     "Matern 3/2: smoother",
     2,
     {AMPLITUDE_ROW, DECAY_ROW("scale rho")},
     expand_matern32,
     1,
     true},
    {"matern52",
     "Matern 5/2: smooth",
     2,
     {AMPLITUDE_ROW, DECAY_ROW("scale rho")},
     expand_matern52,
     1,
     true},
    {"sho",
     "a driven oscillator",
     3,
     {AMPLITUDE_ROW, {"period", "d", "undamped", 0.0}, {"quality", "", "Q", 0.0}},
     expand_sho,
     1,
     true},
    {"granulation",
     "an oscillator of quality 1/sqrt 2",
     2,
     {AMPLITUDE_ROW, {"period", "d", "undamped", 0.0}},
     expand_granulation,
     1,
     true},
    {"rotation",
     "two oscillators, at the period of rotation and its half",
     5,
     {AMPLITUDE_ROW,
      {"period", "d", "in which the star turns", 0.0},
      {"quality", "", "of the second oscillator, above 1/2", 0.0},
      {"extra_quality", "", "by which the first exceeds it", 0.0},
      {"mix", "", "variance of the second over that of the first", 0.0}},
     expand_rotation,
     2,
     true},
    {"mep", "Matern 3/2 times a periodic term", 4, {ROTATING_ROWS}, expand_mep, 3, true},
    {"es",
     "nearly a squared exponential",
     2,
     {AMPLITUDE_ROW, DECAY_ROW("scale rho")},
     expand_es,
     2,
     true},
    {"esp2", "nearly quasi-periodic, with two harmonics", 4, {ROTATING_ROWS}, expand_esp2, 8, true},
    {"esp3",
     "nearly quasi-periodic, with three harmonics",
     4,
     {ROTATING_ROWS},
     expand_esp3,
     11,
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
    for (size_t i = 0; i < noise_catalogue_n(); i++)
        if (strlen(kinds[i].name) == n && memcmp(kinds[i].name, name, n) == 0)
            return &kinds[i];
    return NULL;
}

void noise_catalogue_expand(const noise_term_kind *kind, const double *values, int n_instruments,
                            noise_process *made)
{
    if (kind->expand) {
        kind->expand(values, made);
        return;
    }
    for (int i = 0; i < n_instruments; i++)
        add_block(made, (noise_block){.kind = NOISE_BLOCK_NIGHT,
                                      .instrument = i,
                                      .a = values[AMPLITUDE] * values[AMPLITUDE]});
}
