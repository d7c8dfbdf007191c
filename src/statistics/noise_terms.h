/* Terms of correlated noise as sums of the blocks of noise_process.h: what each kind is made of. */
#ifndef EQUANT_STATISTICS_NOISE_TERMS_H
#define EQUANT_STATISTICS_NOISE_TERMS_H

#include "model/noise_kind.h"
#include "statistics/noise_process.h"

#define NOISE_TERMS_TWO_PI 6.283185307179586476925286766559

SHARED_FUNCTION void noise_terms_block(noise_process *made, noise_block_kind kind, double a,
                                       double b, double c, double q)
{
    noise_block *block = &made->block[made->n_blocks++];
    block->kind = kind;
    block->instrument = 0;
    block->owner = NOISE_OWNER_ALL;
    block->a = a;
    block->b = b;
    block->c = c;
    block->q = q;
    made->n_states += noise_block_states(kind);
}

/* A covariance with a derivative: b = a c makes its slope zero at zero. */
SHARED_FUNCTION void noise_terms_smooth(noise_process *made, double variance, double c, double q)
{
    noise_terms_block(made, NOISE_BLOCK_DAMPED, variance, variance * c, c, q);
}

/* A stochastically driven oscillator of frequency w0 and quality Q. */
SHARED_FUNCTION void noise_terms_oscillator(noise_process *made, double variance, double w0,
                                            double quality)
{
    double c = 0.5 * w0 / quality;
    noise_terms_smooth(made, variance, c, c * c * (4.0 * quality * quality - 1.0));
}

/* The frequency at which an oscillator of some quality swings with a period. */
SHARED_FUNCTION double noise_terms_driven(double period, double quality)
{
    return 2.0 * NOISE_TERMS_TWO_PI * quality / (period * sqrt(4.0 * quality * quality - 1.0));
}

SHARED_FUNCTION void noise_terms_rotation(noise_process *made, const double *values)
{
    double variance = values[0] * values[0], period = values[1], mix = values[4];
    double second = 0.5 + values[2], first = second + values[3];
    noise_terms_oscillator(made, variance / (1.0 + mix), noise_terms_driven(period, first), first);
    noise_terms_oscillator(made, mix * variance / (1.0 + mix),
                           noise_terms_driven(0.5 * period, second), second);
}

enum { NOISE_TERMS_MOST_HARMONICS = 4 };

/* I_h(x) / I_0(x) for h = 1 to n, by the recurrence downwards, which forgets how it began. Where x
 * is so large that it would take long, nobody can tell the ratios from one another: they are those
 * of a smaller x. */
SHARED_FUNCTION void noise_terms_bessel(double x, int n, double *ratios)
{
    double above = 0.0, here = 1e-300;
    x = x > 1e4 ? 1e4 : x;
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

/* Shares of the variance of exp(-sin^2(pi tau / period) / (2 width^2)) that its mean and its first
 * n harmonics have, less what further ones would have. */
SHARED_FUNCTION void noise_terms_shares(double width, int n, double *shares)
{
    double ratios[NOISE_TERMS_MOST_HARMONICS], whole = 1.0;
    for (int h = 0; h < n; h++)
        ratios[h] = 0.0;
    noise_terms_bessel(0.25 / (width * width), n, ratios);
    for (int h = 0; h < n; h++)
        whole += 2.0 * ratios[h];
    shares[0] = 1.0 / whole;
    for (int h = 0; h < n; h++)
        shares[h + 1] = 2.0 * ratios[h] / whole;
}

/* Matern 3/2 times the first harmonics of a periodic term (Delisle et al. 2022). */
SHARED_FUNCTION void noise_terms_mep(noise_process *made, const double *values)
{
    double variance = values[0] * values[0], rotation = NOISE_TERMS_TWO_PI / values[1],
           decay = values[2], f = 0.25 / (values[3] * values[3]);
    double whole = 1.0 + f + 0.25 * f * f;
    noise_terms_smooth(made, variance / whole, sqrt(3.0) / decay, 0.0);
    noise_terms_smooth(made, variance * f / whole, 1.0 / decay, rotation * rotation);
    noise_terms_smooth(made, variance * 0.25 * f * f / whole, 1.0 / decay,
                       4.0 * rotation * rotation);
}

/* The same with four harmonics, whose shares are those of the quasi-periodic process: spots that
 * are narrow, or velocities that are precise, show the third and the fourth. */
SHARED_FUNCTION void noise_terms_mep4(noise_process *made, const double *values)
{
    enum { N_HARMONICS = 4 };
    double variance = values[0] * values[0], rotation = NOISE_TERMS_TWO_PI / values[1],
           decay = values[2], shares[N_HARMONICS + 1];
    noise_terms_shares(values[3], N_HARMONICS, shares);
    noise_terms_smooth(made, variance * shares[0], sqrt(3.0) / decay, 0.0);
    for (int h = 1; h <= N_HARMONICS; h++)
        noise_terms_smooth(made, variance * shares[h], 1.0 / decay, h * h * rotation * rotation);
}

/* A squared exponential by three states, within 0.9 % (Delisle et al. 2022):
 * e^(-x) ((1 - g) + g cos(mu x) + sin(mu x) / mu), x = lambda tau, g = (1 - 2 / mu^2) / 3. */
#define NOISE_TERMS_LAMBDA 1.0907260149419182
#define NOISE_TERMS_MU 1.326644517327145

SHARED_FUNCTION void noise_terms_squared(noise_process *made, double variance, double decay)
{
    double lambda = NOISE_TERMS_LAMBDA / decay, swing = NOISE_TERMS_MU * lambda;
    double g = (1.0 - 2.0 / (NOISE_TERMS_MU * NOISE_TERMS_MU)) / 3.0, sine = 1.0 / NOISE_TERMS_MU;
    noise_terms_block(made, NOISE_BLOCK_EXPONENTIAL, variance * (1.0 - g), 0.0, lambda, 0.0);
    noise_terms_block(made, NOISE_BLOCK_DAMPED, variance * g, variance * sine * swing, lambda,
                      swing * swing);
}

/* That times cos(w tau): products of sines and cosines are sums of them. */
SHARED_FUNCTION void noise_terms_beats(noise_process *made, double variance, double decay, double w)
{
    double lambda = NOISE_TERMS_LAMBDA / decay, swing = NOISE_TERMS_MU * lambda;
    double g = (1.0 - 2.0 / (NOISE_TERMS_MU * NOISE_TERMS_MU)) / 3.0, sine = 1.0 / NOISE_TERMS_MU;
    noise_terms_block(made, NOISE_BLOCK_DAMPED, variance * (1.0 - g), 0.0, lambda, w * w);
    for (int side = -1; side <= 1; side += 2) {
        double beat = swing + side * w;
        noise_terms_block(made, NOISE_BLOCK_DAMPED, 0.5 * variance * g,
                          0.5 * variance * sine * beat, lambda, beat * beat);
    }
}

SHARED_FUNCTION void noise_terms_squared_periodic(noise_process *made, const double *values,
                                                  int n_harmonics)
{
    double variance = values[0] * values[0], rotation = NOISE_TERMS_TWO_PI / values[1];
    double shares[NOISE_TERMS_MOST_HARMONICS + 1];
    noise_terms_shares(values[3], n_harmonics, shares);
    noise_terms_squared(made, variance * shares[0], values[2]);
    for (int h = 1; h <= n_harmonics; h++)
        noise_terms_beats(made, variance * shares[h], values[2], h * rotation);
}

/* An offset for each night, in as many states as nights are ever open at a time. */
SHARED_FUNCTION void noise_terms_nights(noise_process *made, double amplitude, int n_nights)
{
    for (int i = 0; i < n_nights; i++) {
        noise_terms_block(made, NOISE_BLOCK_NIGHT, amplitude * amplitude, 0.0, 0.0, 0.0);
        made->block[made->n_blocks - 1].instrument = i;
    }
}

/* a exp(-(sin^2(b tau) q^2 + tau^2 c^2) / 2): a block of no states, for whole matrices. */
SHARED_FUNCTION void noise_terms_quasi_periodic(noise_process *made, const double *values)
{
    noise_terms_block(made, NOISE_BLOCK_QUASI_PERIODIC, values[0] * values[0],
                      0.5 * NOISE_TERMS_TWO_PI / values[1], 1.0 / values[2], 1.0 / values[3]);
}

/* How many blocks a term has. */
SHARED_FUNCTION int noise_terms_blocks(noise_kind kind, int n_nights)
{
    switch (kind) {
    case NOISE_NIGHT:
        return n_nights;
    case NOISE_ROTATION:
    case NOISE_ES:
        return 2;
    case NOISE_MEP:
        return 3;
    case NOISE_MEP4:
        return 5;
    case NOISE_ESP2:
        return 8;
    case NOISE_ESP3:
        return 11;
    case NOISE_EXPONENTIAL:
    case NOISE_MATERN32:
    case NOISE_MATERN52:
    case NOISE_SLOW:
    case NOISE_SHO:
    case NOISE_GRANULATION:
    case NOISE_QP:
    case N_NOISE_KINDS:
        break;
    }
    return 1;
}

/* Adds the blocks of a term, which has room for them; their kinds and their order do not depend on
 * the values. */
SHARED_FUNCTION void noise_terms_add(noise_process *made, noise_kind kind, const double *values,
                                     int n_nights)
{
    double variance = values[0] * values[0];
    switch (kind) {
    case NOISE_NIGHT:
        noise_terms_nights(made, values[0], n_nights);
        break;
    case NOISE_EXPONENTIAL:
        noise_terms_block(made, NOISE_BLOCK_EXPONENTIAL, variance, 0.0, 1.0 / values[1], 0.0);
        break;
    case NOISE_MATERN32:
        noise_terms_smooth(made, variance, sqrt(3.0) / values[1], 0.0);
        break;
    case NOISE_MATERN52:
    case NOISE_SLOW:
        noise_terms_block(made, NOISE_BLOCK_MATERN52, variance, 0.0, sqrt(5.0) / values[1], 0.0);
        break;
    case NOISE_SHO:
        noise_terms_oscillator(made, variance, NOISE_TERMS_TWO_PI / values[1], values[2]);
        break;
    case NOISE_GRANULATION:
        noise_terms_oscillator(made, variance, NOISE_TERMS_TWO_PI / values[1], sqrt(0.5));
        break;
    case NOISE_ROTATION:
        noise_terms_rotation(made, values);
        break;
    case NOISE_MEP:
        noise_terms_mep(made, values);
        break;
    case NOISE_MEP4:
        noise_terms_mep4(made, values);
        break;
    case NOISE_ES:
        noise_terms_squared(made, variance, values[1]);
        break;
    case NOISE_ESP2:
        noise_terms_squared_periodic(made, values, 2);
        break;
    case NOISE_ESP3:
        noise_terms_squared_periodic(made, values, 3);
        break;
    case NOISE_QP:
        noise_terms_quasi_periodic(made, values);
        break;
    case N_NOISE_KINDS:
        break;
    }
}

/* The process of a model's terms at the values of a set. */
SHARED_FUNCTION void noise_terms_expand(noise_process *made, const noise_kinds *kinds,
                                        const double *values, int n_nights)
{
    made->n_blocks = made->n_states = 0;
    for (int i = 0; i < kinds->n; i++) {
        int first = made->n_blocks;
        noise_terms_add(made, kinds->kind[i], values, n_nights);
        for (int b = first; b < made->n_blocks; b++)
            made->block[b].owner = kinds->owner[i];
        values += noise_kind_parameters(kinds->kind[i]);
    }
}

#endif
