#include "astrometry/solution/sky_orientation.h"

#include <math.h>
#include <string.h>

sky_orientation sky_orientation_of(const sky_solution *solution, size_t orbit)
{
    sky_constants constants = sky_solution_constants(solution, orbit);
    sky_elements seen = sky_elements_of(&constants);
    double half_turn = solution->side[orbit] < 0.0 ? SKY_ORBIT_PI : 0.0;
    return (sky_orientation){.x = seen.a0 * cos(seen.omega + half_turn),
                             .y = seen.a0 * sin(seen.omega + half_turn),
                             .i = seen.i,
                             .Omega = seen.Omega + half_turn};
}

void sky_orientation_columns(double i, double Omega, double by[2][6])
{
    double c = cos(Omega), s = sin(Omega), cos_i = cos(i), sin_i = sin(i);
    const double made[2][6] = {{c, s, -s * cos_i, c * cos_i, 0.0, sin_i},
                               {-s * cos_i, c * cos_i, -c, -s, sin_i, 0.0}};
    memcpy(by, made, sizeof made);
}

void sky_orientation_put(const sky_orientation *own, sky_solution *solution, size_t orbit)
{
    double *amplitude = solution->value + sky_solution_amplitudes(solution, orbit), by[2][6];
    sky_orientation_columns(own->i, own->Omega, by);
    for (int j = 0; j < 4; j++)
        amplitude[j] = own->x * by[0][j] + own->y * by[1][j];
    sky_constants constants = sky_solution_constants(solution, orbit);
    sky_elements seen = sky_elements_of(&constants);
    /* Velocities are those of sin i (x, y); beyond 0 and 180 degrees that is the other node. */
    double agreement = own->x * cos(seen.omega) + own->y * sin(seen.omega);
    solution->side[orbit] = agreement * sin(own->i) < 0.0 ? -1.0 : 1.0;
}

void sky_orientation_slopes(const sky_orientation *own, double by[4][4])
{
    double columns[2][6], c = cos(own->Omega), s = sin(own->Omega);
    double cos_i = cos(own->i), sin_i = sin(own->i), x = own->x, y = own->y;
    sky_orientation_columns(own->i, own->Omega, columns);
    memcpy(by[0], columns[0], sizeof by[0]);
    memcpy(by[1], columns[1], sizeof by[1]);
    const double of_i[4] = {y * s * sin_i, -y * c * sin_i, x * s * sin_i, -x * c * sin_i};
    const double of_node[4] = {-x * s - y * c * cos_i, x * c - y * s * cos_i, y * s - x * c * cos_i,
                               -y * c - x * s * cos_i};
    memcpy(by[2], of_i, sizeof of_i);
    memcpy(by[3], of_node, sizeof of_node);
}
