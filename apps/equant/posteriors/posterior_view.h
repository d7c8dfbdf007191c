/* A posterior for whoever shows it, be it of velocities or of the sky. */
#ifndef EQUANT_APP_POSTERIORS_POSTERIOR_VIEW_H
#define EQUANT_APP_POSTERIORS_POSTERIOR_VIEW_H

#include <stdbool.h>

#include "equant.h"

/* One of the two is there. */
struct posterior_view {
    const equant_posterior *star;
    const equant_sky_posterior *sky;
};

struct posterior_view posterior_view_of(const equant_posterior *posterior);

equant_status posterior_view_summarize(const struct posterior_view *view,
                                       equant_posterior_summary *facts);
size_t posterior_view_n(const struct posterior_view *view);
equant_status posterior_view_quantity(const struct posterior_view *view, size_t index,
                                      equant_sampled_quantity *quantity);
equant_status posterior_view_values(const struct posterior_view *view, size_t index,
                                    double *values);

/* How it is called and shown: of the catalogue, or of the sky. */
equant_quantity_info posterior_view_kind(const equant_sampled_quantity *quantity);

/* Whether pictures show it. */
bool posterior_view_is_shown(const equant_sampled_quantity *quantity);

#endif
