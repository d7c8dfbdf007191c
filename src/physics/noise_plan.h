/* How the blocks of correlated noise are arranged for noise_recursion.h: which have how many
 * states, how they move, and which sines and exponentials they share. Plain data: the same for all
 * parameter sets of a model, and for a GPU. */
#ifndef EQUANT_PHYSICS_NOISE_PLAN_H
#define EQUANT_PHYSICS_NOISE_PLAN_H

enum { NOISE_PLAN_MOST_BLOCKS = 32, NOISE_PLAN_ITSELF = -1 };

/* Of a pair of states. */
enum noise_motion {
    NOISE_MOTION_SWING,    /* q > 0: an angle of its own                              */
    NOISE_MOTION_BEAT,     /* its angle is the sum or the difference of two others    */
    NOISE_MOTION_CRITICAL, /* q = 0                                                   */
    NOISE_MOTION_ANY       /* whatever q is                                           */
};

/* Blocks in the order of the recursion: pairs, then triples, then singles. */
typedef struct noise_plan {
    int n_pairs, n_triples, n_singles;
    int is_masked;                                   /* some are of one instrument alone     */
    int owner[NOISE_PLAN_MOST_BLOCKS];               /* 0: of all; from 1: of an instrument  */
    signed char motion[NOISE_PLAN_MOST_BLOCKS];      /* of pairs                             */
    signed char left[NOISE_PLAN_MOST_BLOCKS];        /* of beats: the angles that make it up */
    signed char right[NOISE_PLAN_MOST_BLOCKS];       /*                                      */
    signed char sign[NOISE_PLAN_MOST_BLOCKS];        /* of the right one                     */
    signed char decays_as[NOISE_PLAN_MOST_BLOCKS];   /* an earlier block, or itself          */
    signed char night_place[NOISE_PLAN_MOST_BLOCKS]; /* -1: not of nights                    */
    signed char block[NOISE_PLAN_MOST_BLOCKS];       /* its number in a noise_process        */
} noise_plan;

/* Words of a block, one behind the other; a word is a lane group. */
enum {
    NOISE_WORD_A,     /* variance                                                            */
    NOISE_WORD_BETA,  /* of a pair: b / a, in the scale of its second state                  */
    NOISE_WORD_C,     /* decay, per day                                                      */
    NOISE_WORD_TURNS, /* of a pair that swings: turns a day                                  */
    NOISE_WORD_Q,     /* of a pair of any motion                                             */
    NOISE_N_WORDS
};

#endif
