/* Solves Kepler's equation, M = E - e sin E, for arrays of (M, e) and checks
 * the answers by putting them back. */
#include <math.h>
#include <stdio.h>

#include <equant.h>

int main(void)
{
    enum { N = 6 };
    const double mean_anomaly_rad[N] = {0.1, 1.0, 3.0, -2.0, 0.001, 100.0};
    const double eccentricity[N] = {0.0, 0.3, 0.6, 0.9, 0.999, 0.5};
    double eccentric_anomaly_rad[N], sine[N], cosine[N];

    equant_status status = equant_kepler_solve(N, mean_anomaly_rad, eccentricity, NULL,
                                               eccentric_anomaly_rad, sine, cosine);
    if (status != EQUANT_SUCCESS) {
        fprintf(stderr, "solve_kepler: %s\n", equant_last_error());
        return 1;
    }

    double worst = 0;
    for (int i = 0; i < N; i++) {
        double residual =
            eccentric_anomaly_rad[i] - eccentricity[i] * sine[i] - mean_anomaly_rad[i];
        printf("M %8.3f  e %5.3f  E %19.15f  residual %9.1e\n", mean_anomaly_rad[i],
               eccentricity[i], eccentric_anomaly_rad[i], residual);
        worst = fmax(worst, fabs(residual));
    }
    return worst < 1e-13 ? 0 : 1;
}
