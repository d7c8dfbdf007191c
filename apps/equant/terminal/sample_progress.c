#include "terminal/sample_progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "terminal/interrupt.h"
#include "terminal/spoken_number.h"
#include "terminal/text_line.h"

struct sample_progress sample_progress_start(void)
{
    return (struct sample_progress){.progress = progress_start("steps")};
}

/* What nobody knows yet is left out. */
static void describe(const equant_progress_report *now, char *line, size_t n)
{
    char left[64];
    snprintf(line, n, "%s  step %" PRIu64 "  %s/s", now->stage, now->step,
             spoken_number_of(now->steps_per_s).text);
    if (!isnan(now->acceptance))
        text_line_append(line, n, "  accepted %.0f %%", 100.0 * now->acceptance);
    if (!isnan(now->rhat))
        text_line_append(line, n, "  R-hat %.3f", now->rhat);
    if (!isnan(now->ess_bulk))
        text_line_append(line, n, "  ESS %.0f", fmin(now->ess_bulk, now->ess_tail));
    if (!isnan(now->seconds_left)) {
        progress_write_time_left(left, sizeof left, now->seconds_left);
        text_line_append(line, n, "  %s", left);
    }
}

int sample_progress_show(const equant_progress_report *now, void *context)
{
    struct sample_progress *line = context;
    char text[200] = "";
    line->step = now->step;
    if (now->step == 0) {
        progress_stage(&line->progress, now->stage, now->done, NAN);
    } else {
        describe(now, text, sizeof text);
        progress_text(&line->progress, text);
    }
    return interrupt_requested();
}
