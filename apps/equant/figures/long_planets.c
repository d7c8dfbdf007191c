#include "figures/long_planets.h"

#include "stars/orbit_curve.h"
#include "terminal/messages.h"

struct long_planets long_planets_of(const struct star_result *star, double period_min_days)
{
    struct long_planets found = {.n = 0};
    size_t n_short = 0;
    for (size_t i = 0; i < star->n_planets; i++)
        n_short += star->planets[i].values[EQUANT_ELEMENT_PERIOD] < period_min_days;
    for (size_t i = star->n_planets; i > n_short && n_short > 0; i--) { /* they are by period */
        if (found.n == LONG_PLANETS_MOST)
            break;
        if (star->planets[i - 1].values[EQUANT_ELEMENT_PERIOD] >= period_min_days)
            found.index[found.n++] = i - 1;
    }
    return found;
}

int long_planets_share(const struct star_result *star, size_t index, double *share_m_s)
{
    size_t n_obs = equant_dataset_n_obs(star->dataset);
    int code = orbit_curve_of_planet(star, index, n_obs, equant_dataset_times_days(star->dataset),
                                     share_m_s);
    for (size_t k = 0; k < n_obs && code == EXIT_CODE_OK; k++)
        share_m_s[k] += star_noise_rest(star, k);
    return code;
}
