/* Loops of correlated noise in which the numbers of blocks are constants, for the sums of terms
 * that are common: the states then stay in registers. NOISE_SPECIAL names what chooses among them.
 * Each costs a second of compiling, so that there are few; all others are the business of
 * noise_general.h, which gives the same bits. */
#include "backends/cpu/noise_loop.h"

#define NOISE_LOOP_OF(name, pairs, triples, singles, is_masked)                                    \
    static void noise_loop_##name##pairs##_##triples##_##singles(                                  \
        const cpu_problem *problem, size_t n_groups, const double *words, const double *jitters,   \
        const double *residuals, double *chi_square, double *log_determinant)                      \
    {                                                                                              \
        const noise_sizes sizes = {pairs, triples, singles, is_masked};                            \
        noise_loop_with(sizes, &problem->noise.plan, problem, n_groups, words, jitters, residuals, \
                        chi_square, log_determinant);                                              \
    }
#define NOISE_LOOP(pairs, triples, singles) NOISE_LOOP_OF(, pairs, triples, singles, 0)
#define NOISE_MASKED_LOOP(pairs, triples, singles)                                                 \
    NOISE_LOOP_OF(masked_, pairs, triples, singles, 1)

NOISE_LOOP(0, 0, 1) /* exponential, or night   */
NOISE_LOOP(0, 1, 0) /* slow, Matern 5/2        */
NOISE_LOOP(1, 0, 0) /* SHO, Matern 3/2         */
NOISE_LOOP(2, 0, 0) /* two SHO or Matern 3/2   */
NOISE_LOOP(2, 0, 1) /* rotation and night      */
NOISE_LOOP(3, 0, 0) /* rotation and granulation */

/* Where some of it is of one instrument. */
NOISE_MASKED_LOOP(0, 0, 1) /* its nights, or its exponential          */
NOISE_MASKED_LOOP(3, 0, 1) /* one of these beside the star's rotation */

/* The rotations that most stars are given, with all of their plans constants: no question is left
 * in the loop. */
#define NOISE_PLAN_LOOP(name, pairs, triples, singles)                                             \
    static void noise_loop_##name(                                                                 \
        const cpu_problem *problem, size_t n_groups, const double *words, const double *jitters,   \
        const double *residuals, double *chi_square, double *log_determinant)                      \
    {                                                                                              \
        const noise_sizes sizes = {pairs, triples, singles, 0};                                    \
        noise_loop_with(sizes, &noise_special_##name, problem, n_groups, words, jitters,           \
                        residuals, chi_square, log_determinant);                                   \
    }

static const noise_plan noise_special_rotation = {
    .n_pairs = 2,
    .motion = {NOISE_MOTION_SWING, NOISE_MOTION_BEAT},
    .sign = {1, 1},
    .decays_as = {NOISE_PLAN_ITSELF, NOISE_PLAN_ITSELF},
    .night_place = {-1, -1}};
static const noise_plan noise_special_mep = {
    .n_pairs = 3,
    .motion = {NOISE_MOTION_CRITICAL, NOISE_MOTION_SWING, NOISE_MOTION_BEAT},
    .left = {0, 0, 1},
    .right = {0, 0, 1},
    .sign = {1, 1, 1},
    .decays_as = {NOISE_PLAN_ITSELF, NOISE_PLAN_ITSELF, 1},
    .night_place = {-1, -1, -1}};

NOISE_PLAN_LOOP(rotation, 2, 0, 0)
NOISE_PLAN_LOOP(mep, 3, 0, 0)

static bool noise_special_is(const noise_plan *plan, const noise_plan *wanted)
{
    int n = plan->n_pairs + plan->n_triples + plan->n_singles;
    bool is_same = !plan->is_masked && plan->n_pairs == wanted->n_pairs &&
                   plan->n_triples == wanted->n_triples && plan->n_singles == wanted->n_singles;
    for (int b = 0; b < n && is_same; b++)
        is_same = plan->motion[b] == wanted->motion[b] && plan->left[b] == wanted->left[b] &&
                  plan->right[b] == wanted->right[b] && plan->sign[b] == wanted->sign[b] &&
                  plan->decays_as[b] == wanted->decays_as[b] &&
                  plan->night_place[b] == wanted->night_place[b];
    return is_same;
}

cpu_noise_loop *NOISE_SPECIAL(const noise_plan *plan)
{
    static const struct {
        int n_pairs, n_triples, n_singles, is_masked;
        cpu_noise_loop *loop;
    } loops[] = {{0, 0, 1, 0, noise_loop_0_0_1},        {0, 1, 0, 0, noise_loop_0_1_0},
                 {1, 0, 0, 0, noise_loop_1_0_0},        {2, 0, 0, 0, noise_loop_2_0_0},
                 {2, 0, 1, 0, noise_loop_2_0_1},        {3, 0, 0, 0, noise_loop_3_0_0},
                 {0, 0, 1, 1, noise_loop_masked_0_0_1}, {3, 0, 1, 1, noise_loop_masked_3_0_1}};
    if (noise_special_is(plan, &noise_special_rotation))
        return noise_loop_rotation;
    if (noise_special_is(plan, &noise_special_mep))
        return noise_loop_mep;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (plan->n_pairs == loops[i].n_pairs && plan->n_triples == loops[i].n_triples &&
            plan->n_singles == loops[i].n_singles && plan->is_masked == loops[i].is_masked)
            return loops[i].loop;
    return NULL;
}
