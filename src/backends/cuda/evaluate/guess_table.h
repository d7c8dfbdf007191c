/* The tabulated first guess of Ford (2008): the eccentric anomaly on a grid of 16
 * eccentricities and 96 mean anomalies, kept in a texture whose hardware interpolates. */
#ifndef EQUANT_BACKENDS_CUDA_EVALUATE_GUESS_TABLE_H
#define EQUANT_BACKENDS_CUDA_EVALUATE_GUESS_TABLE_H

/* e = 0 to 1 and M = 0 to pi, both ends included. */
#define GUESS_TABLE_N_E 16
#define GUESS_TABLE_N_M 96

#ifdef __cplusplus
extern "C" {
#endif
void guess_table_fill(float table[GUESS_TABLE_N_E][GUESS_TABLE_N_M]);
#ifdef __cplusplus
}
#endif

#endif
