/* A program of somebody else's, built against the installed library: one call
 * from each part that a user would link first. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <equant.h>

int main(void)
{
    if (strcmp(equant_version(), EQUANT_VERSION_STRING) != 0) {
        fprintf(stderr, "header is %s, library is %s\n", EQUANT_VERSION_STRING, equant_version());
        return 1;
    }

    const double mean_anomaly_rad = 1.0, eccentricity = 0.5;
    double eccentric_anomaly_rad;
    if (equant_kepler_solve(1, &mean_anomaly_rad, &eccentricity, NULL, &eccentric_anomaly_rad, NULL,
                            NULL) != EQUANT_SUCCESS) {
        fprintf(stderr, "%s\n", equant_last_error());
        return 1;
    }
    double residual =
        eccentric_anomaly_rad - eccentricity * sin(eccentric_anomaly_rad) - mean_anomaly_rad;
    if (fabs(residual) > 1e-14) {
        fprintf(stderr, "residual of Kepler's equation: %g\n", residual);
        return 1;
    }
    printf("consumer of equant %s\n", equant_version());
    return 0;
}
