#include "backends/cuda/evaluate/guess_table.h"

#include "lanes/scalar.h"

#include "lanes/double.h"
#include "physics/kepler_equation.h"

/* Enough for the last row, where the orbit is a parabola and the iteration is slow. */
#define GUESS_TABLE_MAX_ITERATIONS 200

void guess_table_fill(float table[GUESS_TABLE_N_E][GUESS_TABLE_N_M])
{
    for (int i = 0; i < GUESS_TABLE_N_E; i++)
        for (int j = 0; j < GUESS_TABLE_N_M; j++) {
            double e = (double)i / (GUESS_TABLE_N_E - 1);
            double M = MEAN_ANOMALY_PI * j / (GUESS_TABLE_N_M - 1);
            kepler_point point;
            table[i][j] = (float)kepler_danby(kepler_danby_guess(M, e), M, e, 1.0 - e, 1e-15,
                                              GUESS_TABLE_MAX_ITERATIONS, &point);
        }
}
