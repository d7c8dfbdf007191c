/* The sky at one instant. */
#include "core/status_fail.h"
#include "observing/site.h"
#include "observing/sky_day.h"
#include "observing/star_position.h"

equant_status equant_sky_conditions_at(const equant_site *site, const equant_star_position *star,
                                       double jd_utc, equant_sky_conditions *conditions)
{
    equant_star_position position;
    sky_day *day = NULL;
    equant_sky_conditions found = {0};
    if (conditions == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no room for conditions");
    equant_status status = OPTIONS_CHECK(conditions);
    if (status == EQUANT_SUCCESS)
        status = site_check(site);
    if (status == EQUANT_SUCCESS)
        status = star_position_take(star, &position);
    if (status == EQUANT_SUCCESS)
        status = sky_day_create(site, &position, jd_utc, &day);
    if (status != EQUANT_SUCCESS)
        return status;
    sky_day_at(day, jd_utc, &found);
    sky_day_free(day);
    OPTIONS_FILL(found, conditions);
    return EQUANT_SUCCESS;
}
