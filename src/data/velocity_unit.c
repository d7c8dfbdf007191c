/* Spellings of m/s and km/s, and the guess where neither is written. */
#include "data/velocity_unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double velocity_unit_scale(equant_unit unit)
{
    return unit == EQUANT_UNIT_KM_S ? 1000.0 : 1.0;
}

const char *velocity_unit_name(equant_unit unit)
{
    return unit == EQUANT_UNIT_KM_S ? "km/s" : "m/s";
}

/* Small letters and digits alone, so that "KM / S", "[km/s]" and "km s^-1"
 * become "kms" or "kms1". */
static void squeeze(text_slice text, char *buffer, size_t n_buffer)
{
    size_t used = 0;
    for (size_t i = 0; i < text.n && used + 1 < n_buffer; i++) {
        char c = text.start[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            buffer[used++] = c;
    }
    buffer[used] = '\0';
}

equant_unit velocity_unit_parse(text_slice text)
{
    static const struct {
        const char *squeezed;
        equant_unit unit;
    } spellings[] = {
        {"ms", EQUANT_UNIT_M_S},
        {"ms1", EQUANT_UNIT_M_S},
        {"mps", EQUANT_UNIT_M_S},
        {"msec", EQUANT_UNIT_M_S},
        {"metersecond", EQUANT_UNIT_M_S},
        {"meterspersecond", EQUANT_UNIT_M_S},
        {"kms", EQUANT_UNIT_KM_S},
        {"kms1", EQUANT_UNIT_KM_S},
        {"kmps", EQUANT_UNIT_KM_S},
        {"kmsec", EQUANT_UNIT_KM_S},
        {"kilometerspersecond", EQUANT_UNIT_KM_S},
    };
    char squeezed[32];
    squeeze(text, squeezed, sizeof squeezed);
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        if (strcmp(squeezed, spellings[i].squeezed) == 0)
            return spellings[i].unit;
    return EQUANT_UNIT_FROM_FILE;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

bool velocity_unit_statistics(size_t n, const double *velocity, const double *uncertainty,
                              velocity_statistics *statistics)
{
    *statistics = (velocity_statistics){0};
    if (n == 0)
        return true;
    double *sorted = malloc(n * sizeof *sorted);
    if (sorted == NULL)
        return false;
    memcpy(sorted, uncertainty, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_doubles);
    statistics->median_uncertainty = sorted[n / 2];
    free(sorted);

    double smallest = velocity[0], largest = velocity[0], sum = 0;
    for (size_t k = 0; k < n; k++) {
        smallest = fmin(smallest, velocity[k]);
        largest = fmax(largest, velocity[k]);
        sum += velocity[k];
    }
    statistics->spread = largest - smallest;
    statistics->mean = sum / (double)n;
    return true;
}

bool velocity_unit_median_size(size_t n, const double *values, double *size)
{
    double *sorted = malloc((n + 1) * sizeof *sorted);
    if (sorted == NULL)
        return false;
    size_t n_known = 0;
    for (size_t k = 0; k < n; k++)
        if (!isnan(values[k]))
            sorted[n_known++] = fabs(values[k]);
    qsort(sorted, n_known, sizeof *sorted, compare_doubles);
    *size = n_known > 0 ? sorted[n_known / 2] : NAN;
    free(sorted);
    return true;
}

/* No spectrograph reaches 0.05 m/s, while 0.05 km/s is ordinary; and nothing
 * bound to a star moves it by 500 km/s. Above 0.05, numbers that hardly differ
 * from a mean of a few to a few hundred are the star's own motion in km/s. */
equant_unit velocity_unit_guess(const velocity_statistics *statistics)
{
    double mean = fabs(statistics->mean);
    if (statistics->median_uncertainty < 0.05 && statistics->spread < 500)
        return EQUANT_UNIT_KM_S;
    if (statistics->median_uncertainty < 0.5 && mean > 1 && mean < 300 &&
        mean > 10 * statistics->spread)
        return EQUANT_UNIT_KM_S;
    return EQUANT_UNIT_M_S;
}
