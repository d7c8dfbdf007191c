/* Sums of powers of likelihoods, and the evidence from them. */
#include "inference/sample/walkers/stepping_stone.h"

#include <math.h>

void stepping_stone_add(stepping_stone_sum *to, double exponent, size_t n,
                        const double *log_likelihood)
{
    double largest = -INFINITY;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, stepping_stone_power(exponent, log_likelihood[i]));
    stepping_stone_expect(to, n, largest);
    for (size_t i = 0; i < n; i++) {
        double power = stepping_stone_power(exponent, log_likelihood[i]);
        double root = stepping_stone_term(power, to->largest);
        to->sum += root;
        to->sum_of_squares += root * root;
    }
}

/* Logarithms of the means of exp(x) and of exp(x/2). */
static double log_mean(const stepping_stone_sum *sum)
{
    return sum->largest + log(sum->sum_of_squares / sum->count);
}

static double log_mean_root(const stepping_stone_sum *sum)
{
    return 0.5 * sum->largest + log(sum->sum / sum->count);
}

typedef struct moments {
    double sum, sum_of_squares;
} moments;

static void add_to_moments(moments *sums, double shift, double value)
{
    sums->sum += value - shift;
    sums->sum_of_squares += (value - shift) * (value - shift);
}

static double error_of_mean(const moments *sums, double n)
{
    double variance = fmax(sums->sum_of_squares - sums->sum * sums->sum / n, 0.0) / (n - 1.0);
    return n > 1.0 ? sqrt(variance / n) : NAN;
}

stepping_stone_evidence stepping_stone_estimate(size_t n_steps, size_t n_populations,
                                                const stepping_stone *stones, double *by_population)
{
    const double n = (double)n_populations;
    stepping_stone_evidence answer = {0.0, 0.0, 0.0, 0.0};
    moments bridges = {0.0, 0.0};
    for (size_t p = 0; p < n_populations; p++) {
        double bridge = 0.0;
        for (size_t k = 0; k < n_steps; k++) {
            const stepping_stone *stone = &stones[k * n_populations + p];
            answer.forward += log_mean(&stone->forward) / n;
            answer.reverse -= log_mean(&stone->reverse) / n;
            bridge += log_mean_root(&stone->forward) - log_mean_root(&stone->reverse);
        }
        by_population[p] = bridge;
        add_to_moments(&bridges, by_population[0], bridge);
    }
    answer.log_evidence = by_population[0] + bridges.sum / n;
    answer.error = error_of_mean(&bridges, n);
    return answer;
}
