/* equant/paper.h: the paper. What nobody needs but to reproduce the tables of Ford (2008), and to
 * judge a device. */
#ifndef EQUANT_PAPER_H
#define EQUANT_PAPER_H

#include <stddef.h>

#include "equant/evaluate.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------ */
/* Ways to compute                                                           */

typedef enum equant_implementation {
    EQUANT_IMPLEMENTATION_FUSED = 0, /* one function from parameters to chi-square */
    EQUANT_IMPLEMENTATION_SPLIT = 1  /* Ford (2008): mean anomaly, eccentric anomaly, velocity
                                        and chi-square one after the other, their arrays in
                                        device memory: for comparison, on GPUs only   */
} equant_implementation;

typedef enum equant_first_guess {
    EQUANT_FIRST_GUESS_COMPUTED = 0,
    EQUANT_FIRST_GUESS_TABULATED = 1 /* Ford (2008): of the danby solver, from a texture:
                                        for comparison, on GPUs only                  */
} equant_first_guess;

/* What the member `paper` of engine options points to. */
typedef struct equant_paper_options {
    size_t struct_size;
    equant_implementation implementation;
    equant_first_guess first_guess;
} equant_paper_options;

/* ------------------------------------------------------------------------ */
/* Functions of a device                                                     */

/* A function that an evaluator launches on its device, as the driver describes it. */
typedef struct equant_kernel_info {
    size_t struct_size;
    const char *name;    /* "mean anomaly"; static                               */
    int registers;       /* of a thread                                          */
    size_t local_bytes;  /* of a thread: what does not fit its registers         */
    size_t shared_bytes; /* of a block                                           */
    int threads;         /* of a block                                           */
    double occupancy;    /* threads that a multiprocessor holds, over its most   */
} equant_kernel_info;

/* Number of functions that chi-square takes, in the order of their launch; 0 for an
 * evaluator without device. */
EQUANT_EXPERIMENTAL EQUANT_API size_t equant_evaluator_n_kernels(const equant_evaluator *evaluator);
EQUANT_EXPERIMENTAL EQUANT_API equant_status
equant_evaluator_kernel(const equant_evaluator *evaluator, size_t index, equant_kernel_info *info);

/* ------------------------------------------------------------------------ */
/* Devices                                                                   */

/* What a device can do at best, by its data sheet; zero where it does not tell. */
typedef struct equant_device_info {
    size_t struct_size;
    char name[64];
    size_t memory_bytes;
    double bytes_per_s;                /* of its memory                      */
    double single_per_s, double_per_s; /* fused multiply-adds, all lanes     */
    double instructions_per_s;         /* of any kind, all lanes             */
} equant_device_info;
EQUANT_API equant_status equant_device_describe(const char *backend, equant_device_info *info);

#ifdef __cplusplus
}
#endif
#endif
