/* The terms of a model as the recursion in lanes takes them: the plan, which all parameter sets
 * share, and the words of one set. */
#ifndef EQUANT_STATISTICS_PACKED_NOISE_H
#define EQUANT_STATISTICS_PACKED_NOISE_H

#include <string.h>

#include "physics/noise_plan.h"
#include "statistics/noise_terms.h"

/* ---- plan ---------------------------------------------------------------- */

/* What a term knows of its own blocks, numbered from its first; beats name blocks of the term. */
typedef struct noise_words_block {
    int motion, left, right, sign, decays_as;
} noise_words_block;

/* The blocks of nearly squared exponentials with harmonics h = 1, 2, 3: a single, the pair that
 * swings, and three pairs for each harmonic. All of them decay alike. */
static inline noise_words_block noise_words_squared(int b)
{
    noise_words_block made = {NOISE_MOTION_SWING, 1, 0, 1, 1};
    int harmonic = (b - 2) / 3, carrier = 2 + 3 * harmonic;
    if (b == 1)
        made.decays_as = NOISE_PLAN_ITSELF;
    if (b < 3)
        return made;
    made.motion = NOISE_MOTION_BEAT;
    if (b == carrier) { /* the harmonic before, and the first once more */
        made.left = carrier - 3;
        made.right = 2;
    } else {
        made.right = carrier;
        made.sign = b == carrier + 1 ? -1 : 1;
    }
    return made;
}

/* A Matern 3/2 and the harmonics of a rotation, each the one before turned by the first; those
 * decay alike. */
static inline noise_words_block noise_words_harmonics(int b)
{
    noise_words_block made = {NOISE_MOTION_CRITICAL, 0, 0, 1, NOISE_PLAN_ITSELF};
    if (b == 1)
        made.motion = NOISE_MOTION_SWING;
    if (b > 1) {
        made.motion = NOISE_MOTION_BEAT;
        made.left = b - 1;
        made.right = made.decays_as = 1;
    }
    return made;
}

static inline noise_words_block noise_words_block_of(noise_kind kind, int b)
{
    noise_words_block made = {NOISE_MOTION_SWING, 0, 0, 1, NOISE_PLAN_ITSELF};
    if (kind == NOISE_ES || kind == NOISE_ESP2 || kind == NOISE_ESP3)
        return noise_words_squared(b);
    if (kind == NOISE_MEP || kind == NOISE_MEP4)
        return noise_words_harmonics(b);
    if (kind == NOISE_SHO)
        made.motion = NOISE_MOTION_ANY;
    if (kind == NOISE_MATERN32)
        made.motion = NOISE_MOTION_CRITICAL;
    if (kind == NOISE_ROTATION && b == 1)
        made.motion = NOISE_MOTION_BEAT; /* half the period: twice the angle */
    return made;
}

/* Where each block of a process goes: pairs, triples, singles. */
static inline void noise_words_places(const noise_process *process, noise_plan *plan,
                                      int place[NOISE_PROCESS_MOST_BLOCKS])
{
    int n = 0;
    for (int size = 2; size <= 4; size++) {
        int wanted = size == 4 ? 1 : size, first = n;
        for (int b = 0; b < process->n_blocks; b++)
            if (noise_block_states(process->block[b].kind) == wanted) {
                plan->block[n] = (signed char)b;
                place[b] = n++;
            }
        *(wanted == 2   ? &plan->n_pairs
          : wanted == 3 ? &plan->n_triples
                        : &plan->n_singles) = n - first;
    }
}

static inline noise_plan noise_words_plan(const noise_kinds *kinds, int n_nights)
{
    noise_plan plan;
    noise_process process;
    double ones[NOISE_KIND_MOST_TERMS * NOISE_KIND_MOST_PARAMETERS];
    int place[NOISE_PROCESS_MOST_BLOCKS], first = 0;
    for (int i = 0; i < NOISE_KIND_MOST_TERMS * NOISE_KIND_MOST_PARAMETERS; i++)
        ones[i] = 1.0;
    memset(&plan, 0, sizeof plan);
    noise_terms_expand(&process, kinds, ones, n_nights);
    noise_words_places(&process, &plan, place);
    for (int i = 0; i < kinds->n; i++) {
        int n = noise_terms_blocks(kinds->kind[i], n_nights);
        for (int b = 0; b < n; b++) {
            noise_words_block own = noise_words_block_of(kinds->kind[i], b);
            const noise_block *block = &process.block[first + b];
            int at = place[first + b];
            plan.motion[at] = (signed char)own.motion;
            plan.left[at] =
                (signed char)(own.motion == NOISE_MOTION_BEAT ? place[first + own.left] : 0);
            plan.right[at] =
                (signed char)(own.motion == NOISE_MOTION_BEAT ? place[first + own.right] : 0);
            plan.sign[at] = (signed char)own.sign;
            plan.decays_as[at] =
                (signed char)(own.decays_as < 0 ? NOISE_PLAN_ITSELF : place[first + own.decays_as]);
            plan.night_place[at] =
                (signed char)(block->kind == NOISE_BLOCK_NIGHT ? block->instrument : -1);
            plan.owner[at] = block->owner;
            plan.is_masked = plan.is_masked || block->owner != NOISE_OWNER_ALL;
        }
        first += n;
    }
    return plan;
}

/* What a row sees, a bit for each block: all of it but the nights of other places and what is of
 * other instruments. */
static inline unsigned noise_words_seen(const noise_plan *plan, int night_place, int instrument)
{
    unsigned seen = 0;
    for (int b = 0; b < plan->n_pairs + plan->n_triples + plan->n_singles; b++)
        if ((plan->night_place[b] < 0 || plan->night_place[b] == night_place) &&
            (plan->owner[b] == NOISE_OWNER_ALL || plan->owner[b] == 1 + instrument))
            seen |= 1u << b;
    return seen;
}

/* What is forgotten before a row that begins a night: the nights of its place. */
static inline unsigned noise_words_forgotten(const noise_plan *plan, int night_place,
                                             bool begins_night)
{
    unsigned forgotten = 0;
    for (int b = 0; b < plan->n_pairs + plan->n_triples + plan->n_singles; b++)
        if (begins_night && plan->night_place[b] == night_place)
            forgotten |= 1u << b;
    return forgotten;
}

/* ---- words --------------------------------------------------------------- */

/* Numbers of words that a plan has. */
SHARED_FUNCTION int noise_words_n(const noise_plan *plan)
{
    return 1 + NOISE_N_WORDS * (plan->n_pairs + plan->n_triples + plan->n_singles);
}

/* The words of a process, `stride` apart: those of noise_recursion.h. A pair that swings has its
 * second state scaled by its frequency, that of a beat with the frequency's sign, which is b's. */
SHARED_FUNCTION void noise_words_write(const noise_plan *plan, const noise_process *process,
                                       double *words, size_t stride)
{
    double variance = 0.0;
    int nights_counted = 0;
    for (int i = 0; i < plan->n_pairs + plan->n_triples + plan->n_singles; i++) {
        const noise_block *block = &process->block[plan->block[i]];
        double *own = words + (size_t)(1 + i * NOISE_N_WORDS) * stride;
        int motion = i < plan->n_pairs ? plan->motion[i] : NOISE_MOTION_ANY;
        int is_scaled = motion == NOISE_MOTION_SWING || motion == NOISE_MOTION_BEAT;
        double w = is_scaled ? sqrt(block->q) : 1.0;
        double b = motion == NOISE_MOTION_BEAT ? fabs(block->b) : block->b;
        double beta = block->a != 0.0 && w != 0.0 ? b / (block->a * w) : 0.0;
        own[NOISE_WORD_A * stride] = block->a;
        own[NOISE_WORD_BETA * stride] = beta;
        own[NOISE_WORD_C * stride] = block->c;
        own[NOISE_WORD_TURNS * stride] = is_scaled ? w / NOISE_TERMS_TWO_PI : 0.0;
        own[NOISE_WORD_Q * stride] = block->q;
        /* A row is in one night, whatever the number of places. */
        if (block->kind != NOISE_BLOCK_NIGHT || !nights_counted)
            variance += block->a;
        nights_counted = nights_counted || block->kind == NOISE_BLOCK_NIGHT;
    }
    words[0] = variance;
}

#endif
