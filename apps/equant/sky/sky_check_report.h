/* The check of one published orbit, as text or JSON. */
#ifndef EQUANT_APP_SKY_CHECK_REPORT_H
#define EQUANT_APP_SKY_CHECK_REPORT_H

#include "equant.h"
#include "text/json_writer.h"

int sky_check_report_print(const equant_sky_published *orbit, const equant_sky_check *check);
void sky_check_report_write(json_writer *json, const equant_sky_published *orbit,
                            const equant_sky_check *check);

#endif
