#include "inference/compare/count_orbit.h"

#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "model/circle.h"

equant_status count_orbit_room_create(const count_star *star, size_t n_orbits,
                                      count_orbit_room *made)
{
    size_t n = n_orbits * star->n_obs;
    double *memory = malloc(4 * n * sizeof *memory);
    *made = (count_orbit_room){n_orbits, memory, memory + n, memory + 2 * n, memory + 3 * n};
    return memory ? EQUANT_SUCCESS : status_out_of_memory();
}

void count_orbit_room_free(count_orbit_room *room)
{
    free(room->mean);
}

equant_status count_orbit_columns(const count_star *star, size_t n, const count_orbit *orbits,
                                  count_orbit_room *room, double *columns)
{
    const equant_engine_options engine = {
        .struct_size = sizeof engine, .backend = "cpu", .n_threads = 1};
    size_t n_obs = star->n_obs;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_obs; k++) {
            double turns = orbits[i].frequency * star->time_days[k];
            room->mean[i * n_obs + k] = orbits[i].m0 + TWO_PI * (turns - floor(turns));
            room->eccentricity[i * n_obs + k] = orbits[i].eccentricity;
        }
    equant_status status = equant_kepler_solve(n * n_obs, room->mean, room->eccentricity, &engine,
                                               NULL, room->sine, room->cosine);
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++) {
        double e = orbits[i].eccentricity, root = sqrt((1.0 - e) * (1.0 + e));
        double *x = columns + 2 * i * n_obs, *y = x + n_obs;
        const double *sine = room->sine + i * n_obs, *cosine = room->cosine + i * n_obs;
        for (size_t k = 0; k < n_obs; k++) {
            double inverse = 1.0 / (1.0 - e * cosine[k]);
            x[k] = (cosine[k] - e) * inverse;
            y[k] = root * sine[k] * inverse;
        }
    }
    return status;
}
