/* The models that came closest to a fit and say otherwise. */
#include <string.h>

#include "core/status_fail.h"
#include "core/trend_order.h"
#include "inference/fit/fit_record.h"

size_t equant_fit_n_rivals(const equant_fit *fit)
{
    return fit ? fit->rivals.n : 0;
}

equant_status equant_fit_rival(const equant_fit *fit, size_t index, equant_fitted_rival *rival)
{
    equant_status status = STATUS_CHECK_ITEM(rival, "rivals", equant_fit_n_rivals(fit), index);
    if (status != EQUANT_SUCCESS)
        return status;
    const planet_rival *own = &fit->rivals.list[index];
    equant_fitted_rival given = {.period_days = own->period_days,
                                 .is_of_candidate = own->is_of_candidate,
                                 .n_planets = own->n_planets,
                                 .planets_days = own->planets_days,
                                 .noise = own->noise,
                                 .n_outliers = own->n_outliers,
                                 .trend = trend_order_name(own->trend_order),
                                 .delta_lnl = own->delta_lnl,
                                 .delta_score = own->delta_score,
                                 .sentence = own->sentence};
    OPTIONS_FILL(given, rival);
    return EQUANT_SUCCESS;
}
