#include "model/prior_table.h"

#include <math.h>

#define LOG_ROOT_TWO_PI 0.91893853320467274178

/* ---- densities ----------------------------------------------------------------------------------
 */

double log_normal_sum_density(const log_normal_sum *prior, double log_x)
{
    double sum = 0.0;
    for (size_t i = 0; i < prior->n; i++) {
        double z = (log_x - log(prior->median[i])) / prior->width[i];
        sum += prior->share[i] * exp(-0.5 * z * z) / prior->width[i];
    }
    return fmax(log(sum), -700.0) - LOG_ROOT_TWO_PI;
}

double log_normal_sum_between(const log_normal_sum *prior, double log_low, double log_high)
{
    double sum = 0.0;
    for (size_t i = 0; i < prior->n; i++) {
        double scale = prior->width[i] * M_SQRT2, centre = log(prior->median[i]);
        sum += 0.5 * prior->share[i] *
               (erfc((log_low - centre) / scale) - erfc((log_high - centre) / scale));
    }
    return sum;
}

/* ---- classes ------------------------------------------------------------------------------------
 */

/* Main-sequence stars of more than a solar mass are hotter and smaller than this. */
#define M_DWARF_MASS 0.6
#define M_DWARF_TEMPERATURE 3950.0
#define EVOLVED_RADIUS 2.5
#define EVOLVED_TEMPERATURE 5200.0

star_class prior_table_class(const host_star *star)
{
    double mass = star->value[STAR_MASS], radius = star->value[STAR_RADIUS],
           temperature = star->value[STAR_TEMPERATURE];
    bool is_cool = temperature > 0.0 && temperature < EVOLVED_TEMPERATURE;
    if (radius > EVOLVED_RADIUS || (is_cool && mass > 1.0))
        return STAR_CLASS_EVOLVED;
    bool is_small = radius == 0.0 || radius < 1.0;
    if ((mass > 0.0 && mass < M_DWARF_MASS) ||
        (temperature > 0.0 && temperature < M_DWARF_TEMPERATURE && (mass > 0.0 || radius > 0.0) &&
         is_small))
        return STAR_CLASS_M_DWARF;
    return STAR_CLASS_UNKNOWN;
}

/* ---- noise --------------------------------------------------------------------------------------
 */

/* Kinds that have priors in common. */
typedef enum noise_family {
    FAMILY_NIGHT,  /* offsets of nights, noise of hours */
    FAMILY_MEMORY, /* without a period, of days to months */
    FAMILY_ROTATION,
    FAMILY_SLOW,
    N_FAMILIES
} noise_family;

static noise_family family_of(noise_kind kind)
{
    switch (kind) {
    case NOISE_NIGHT:
    case NOISE_EXPONENTIAL:
    case NOISE_GRANULATION:
        return FAMILY_NIGHT;
    case NOISE_SLOW:
        return FAMILY_SLOW;
    case NOISE_ROTATION:
    case NOISE_MEP:
    case NOISE_MEP4:
    case NOISE_ESP2:
    case NOISE_ESP3:
    case NOISE_QP:
        return FAMILY_ROTATION;
    case NOISE_MATERN32:
    case NOISE_MATERN52:
    case NOISE_SHO:
    case NOISE_ES:
    case N_NOISE_KINDS:
        break;
    }
    return FAMILY_MEMORY;
}

#define ONE(median, width)                                                                         \
    {                                                                                              \
        1, {1.0}, {median},                                                                        \
        {                                                                                          \
            width                                                                                  \
        }                                                                                          \
    }

/* Of stars whose class is unknown: surveys of velocities have quiet dwarfs most. */
#define MIXED(a, u, b, v, c, w, d, x)                                                              \
    {                                                                                              \
        4, {0.45, 0.25, 0.15, 0.15}, {a, b, c, d},                                                 \
        {                                                                                          \
            u, v, w, x                                                                             \
        }                                                                                          \
    }

/* m/s. From the residuals of 136 stars around their catalogued planets
 * (benchmarks/probabilities/learn-noise): noise with a memory of weeks has a median of 4.6 m/s (ln
 * +- 0.09) and a width of 0.8 in ln for all of them, 4.9 and 0.8 for dwarfs, 6.9 and 0.5 for
 * evolved stars; offsets of nights 4.4 and 0.9. Quiet and active dwarfs together have what was
 * learnt of dwarfs. M dwarfs were too few: Bonfils et al. (2013, A&A 549, A109). Cycles: Lovis et
 * al. (2011, arXiv:1107.5325). */
static const log_normal_sum amplitudes[N_FAMILIES][N_STAR_CLASSES] = {
    [FAMILY_NIGHT] = {MIXED(4.0, 0.9, 4.5, 0.9, 4.0, 0.9, 5.0, 0.8), ONE(4.0, 0.9), ONE(4.5, 0.9),
                      ONE(4.0, 0.9), ONE(5.0, 0.8)},
    [FAMILY_MEMORY] = {MIXED(3.2, 0.6, 8.0, 0.8, 2.5, 0.7, 6.9, 0.6), ONE(3.2, 0.6), ONE(8.0, 0.8),
                       ONE(2.5, 0.7), ONE(6.9, 0.6)},
    [FAMILY_ROTATION] = {MIXED(3.2, 0.6, 8.0, 0.8, 2.5, 0.7, 6.9, 0.6), ONE(3.2, 0.6),
                         ONE(8.0, 0.8), ONE(2.5, 0.7), ONE(6.9, 0.6)},
    [FAMILY_SLOW] = {MIXED(1.5, 0.8, 3.0, 0.8, 1.5, 0.8, 4.0, 0.8), ONE(1.5, 0.8), ONE(3.0, 0.8),
                     ONE(1.5, 0.8), ONE(4.0, 0.8)},
};

/* Days. Dwarfs of log R'HK near -5.0 turn in 25 to 50 days, those near -4.5 in 5 to 20 (Noyes et
 * al. 1984, ApJ 279, 763; Mamajek & Hillenbrand 2008, ApJ 687, 1264); M dwarfs in 1 to 160 (Newton
 * et al. 2016, ApJ 821, 93; Suarez Mascareno et al. 2018, A&A 612, A89); giants in months. */
static const log_normal_sum rotation_periods[N_STAR_CLASSES] = {
    MIXED(33.0, 0.4, 13.0, 0.6, 60.0, 0.9, 90.0, 0.9), ONE(33.0, 0.4), ONE(13.0, 0.6),
    ONE(60.0, 0.9), ONE(90.0, 0.9)};

/* Spots live for one to a few turns (Giles, Collier Cameron & Haywood 2017, MNRAS 472, 1618). */
static const log_normal_sum decays_in_periods = ONE(1.7, 0.5);
/* Of published quasi-periodic fits of velocities: 0.3 to 1 (Haywood et al. 2014, MNRAS 443, 2517;
 * Rajpaul et al. 2015, MNRAS 452, 2269). */
static const log_normal_sum widths = ONE(0.5, 0.5);
static const log_normal_sum memories = ONE(12.0, 1.2);
static const log_normal_sum uniform_in_logarithm = {.n = 0};

const log_normal_sum *prior_table_noise(star_class class, noise_kind kind, noise_quantity quantity)
{
    noise_family family = family_of(kind);
    switch (quantity) {
    case NOISE_AMPLITUDE:
        return &amplitudes[family][class];
    case NOISE_PERIOD:
        return family == FAMILY_ROTATION ? &rotation_periods[class] : &uniform_in_logarithm;
    case NOISE_TURNS:
        return &decays_in_periods;
    case NOISE_MEMORY:
        return family == FAMILY_MEMORY ? &memories : &uniform_in_logarithm;
    case NOISE_WIDTH:
        return &widths;
    case N_NOISE_QUANTITIES:
        break;
    }
    return &uniform_in_logarithm;
}

/* How often. The residuals of the same stars have correlated noise of some size in all of them
 * (share above 0.97), but they hold planets that nobody has found and offsets of instruments: the
 * table leaves half of the dwarfs without it. */
static const double shares[N_FAMILIES][N_STAR_CLASSES] = {
    [FAMILY_NIGHT] = {0.5, 0.5, 0.5, 0.5, 0.5},
    [FAMILY_MEMORY] = {0.25, 0.25, 0.3, 0.25, 0.4},
    [FAMILY_ROTATION] = {0.25, 0.25, 0.4, 0.3, 0.15},
    [FAMILY_SLOW] = {0.3, 0.3, 0.3, 0.3, 0.3},
};

double prior_table_noise_share(star_class class, noise_kind kind)
{
    return shares[family_of(kind)][class];
}
