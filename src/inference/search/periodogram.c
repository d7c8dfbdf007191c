#include "inference/search/periodogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

void equant_periodogram_free(equant_periodogram *periodogram)
{
    if (!periodogram)
        return;
    free(periodogram->frequency);
    free(periodogram->peaks);
    free(periodogram);
}

void periodogram_place_curves(equant_periodogram *made, double *piece)
{
    double **const curves[PERIODOGRAM_CURVES] = {&made->frequency, &made->power, &made->circular,
                                                 &made->eccentricity, &made->window};
    for (size_t i = 0; i < PERIODOGRAM_CURVES; i++)
        *curves[i] = piece ? piece + i * made->n : NULL;
}

size_t equant_periodogram_n(const equant_periodogram *periodogram)
{
    return periodogram ? periodogram->n : 0;
}

const double *equant_periodogram_frequency_per_day(const equant_periodogram *p)
{
    return p ? p->frequency : NULL;
}

const double *equant_periodogram_power(const equant_periodogram *p)
{
    return p ? p->power : NULL;
}

const double *equant_periodogram_circular(const equant_periodogram *p)
{
    return p ? p->circular : NULL;
}

const double *equant_periodogram_eccentricity(const equant_periodogram *p)
{
    return p ? p->eccentricity : NULL;
}

const double *equant_periodogram_window(const equant_periodogram *p)
{
    return p ? p->window : NULL;
}

/* With the noise level free, a share p of chi-square explained is a gain of -N/2 ln(1 - p). */
double equant_periodogram_level(const equant_periodogram *p, double false_alarm)
{
    if (!p)
        return NAN;
    false_alarm_search search = significance_search(&p->significance, p->n_base);
    double gain = false_alarm_level(&search, false_alarm);
    return 1.0 - exp(-2.0 * gain / (double)p->significance.n_obs);
}

size_t equant_periodogram_n_peaks(const equant_periodogram *periodogram)
{
    return periodogram ? periodogram->n_peaks : 0;
}

equant_status equant_periodogram_peak(const equant_periodogram *periodogram, size_t index,
                                      equant_peak *peak)
{
    if (!periodogram || !peak || index >= periodogram->n_peaks)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "the periodogram has no peak %zu", index);
    equant_status status = OPTIONS_CHECK(peak);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_peak whole = periodogram->peaks[index].peak;
    whole.remark = periodogram->peaks[index].remark;
    size_t size = peak->struct_size;
    memcpy(peak, &whole, size < sizeof whole ? size : sizeof whole);
    peak->struct_size = size;
    return EQUANT_SUCCESS;
}

size_t equant_periodogram_n_known(const equant_periodogram *periodogram)
{
    return periodogram ? periodogram->n_known : 0;
}

int equant_periodogram_is_circular(const equant_periodogram *periodogram)
{
    return periodogram ? periodogram->is_circular : 0;
}

double equant_periodogram_n_nodes(const equant_periodogram *periodogram)
{
    return periodogram ? periodogram->n_nodes : NAN;
}

double equant_periodogram_seconds(const equant_periodogram *periodogram)
{
    return periodogram ? periodogram->seconds : NAN;
}

const char *equant_periodogram_noise(const equant_periodogram *periodogram)
{
    return periodogram ? periodogram->noise : NULL;
}

const char *equant_periodogram_indicators(const equant_periodogram *periodogram)
{
    return periodogram ? periodogram->indicators : NULL;
}

size_t equant_periodogram_n_remarks(const equant_periodogram *periodogram)
{
    return periodogram ? periodogram->remarks.n : 0;
}

const char *equant_periodogram_remark(const equant_periodogram *periodogram, size_t index)
{
    if (!periodogram)
        return NULL;
    return index < periodogram->remarks.n ? periodogram->remarks.texts[index] : NULL;
}
