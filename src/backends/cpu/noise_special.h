/* Loops of correlated noise in which the numbers of blocks are constants, for the sums of terms
 * that are common: the states then stay in registers. NOISE_SPECIAL names what chooses among them.
 * Each costs a second of compiling, so that there are few; all others are the business of
 * noise_general.h, which gives the same bits. */
#include "backends/cpu/noise_loop.h"

#define NOISE_LOOP(pairs, triples, singles)                                                        \
    static void noise_loop_##pairs##_##triples##_##singles(                                        \
        const cpu_problem *problem, size_t n_groups, const double *words, const double *jitters,   \
        const double *residuals, double *chi_square, double *log_determinant)                      \
    {                                                                                              \
        noise_loop_with(pairs, triples, singles, problem, n_groups, words, jitters, residuals,     \
                        chi_square, log_determinant);                                              \
    }

NOISE_LOOP(0, 0, 1) /* exponential, or night   */
NOISE_LOOP(0, 1, 0) /* slow, Matern 5/2        */
NOISE_LOOP(1, 0, 0) /* SHO, Matern 3/2         */
NOISE_LOOP(2, 0, 0) /* rotation                */
NOISE_LOOP(2, 0, 1) /* rotation and night      */
NOISE_LOOP(3, 0, 0) /* MEP                     */

cpu_noise_loop *NOISE_SPECIAL(const noise_plan *plan)
{
    static const struct {
        int n_pairs, n_triples, n_singles;
        cpu_noise_loop *loop;
    } loops[] = {{0, 0, 1, noise_loop_0_0_1}, {0, 1, 0, noise_loop_0_1_0},
                 {1, 0, 0, noise_loop_1_0_0}, {2, 0, 0, noise_loop_2_0_0},
                 {2, 0, 1, noise_loop_2_0_1}, {3, 0, 0, noise_loop_3_0_0}};
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (plan->n_pairs == loops[i].n_pairs && plan->n_triples == loops[i].n_triples &&
            plan->n_singles == loops[i].n_singles)
            return loops[i].loop;
    return NULL;
}
