#include "stars/quantity_label.h"

#include <string.h>

const char *quantity_label(const equant_quantity *quantity)
{
    static const struct {
        const char *name, *label;
    } labels[] = {
        {"period_days", "period days"},
        {"k_m_s", "K m/s"},
        {"eccentricity", "e"},
        {"omega_rad", "omega deg"},
        {"m0_rad", "M0 deg"},
        {"lambda_rad", "lambda deg"},
        {"t_peri", "pericentre"},
        {"t_conj", "conjunction"},
        {"m_sin_i_jupiter", "m sin i MJup"},
        {"a_au", "a AU"},
        {"offset_m_s", "offset m/s"},
        {"trend_m_s_day2", "curvature m/s/day^2"},
        {"trend_m_s_day", "trend m/s/day"},
        {"jitter_m_s", "jitter m/s"},
    };
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
        if (strncmp(quantity->name, labels[i].name, strlen(labels[i].name)) == 0)
            return labels[i].label;
    return quantity->name;
}
