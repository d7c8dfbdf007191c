#include "core/progress_report.h"

#include <math.h>

#include "core/status_fail.h"

static equant_progress_report report_of(const char *stage, double done)
{
    return (equant_progress_report){.struct_size = sizeof(equant_progress_report),
                                    .stage = stage,
                                    .done = done,
                                    .steps_per_s = NAN,
                                    .acceptance = NAN,
                                    .rhat = NAN,
                                    .ess_bulk = NAN,
                                    .ess_tail = NAN,
                                    .seconds_left = NAN,
                                    .call_done = NAN};
}

equant_status progress_report_tell(equant_progress progress, void *context, const char *stage,
                                   double done)
{
    equant_progress_report report = report_of(stage, done);
    if (progress && progress(&report, context) != 0)
        return status_fail(EQUANT_ERROR_CANCELLED, "cancelled while %s", stage);
    return EQUANT_SUCCESS;
}
