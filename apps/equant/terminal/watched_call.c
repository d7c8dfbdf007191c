#include "terminal/watched_call.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "terminal/interrupt.h"
#include "terminal/messages.h"

struct watched_call watched_call_start(const char *label)
{
    return (struct watched_call){
        .progress = progress_start("stages"), .label = label, .seconds_left = NAN};
}

int watched_call_progress(const equant_progress_report *now, void *context)
{
    struct watched_call *call = context;
    snprintf(call->stage, sizeof call->stage, "%s%s%s", call->label,
             call->label[0] != '\0' ? ": " : "", now->stage);
    if (!isnan(now->call_done)) {
        call->done = now->call_done;
        call->seconds_left = now->seconds_left;
    }
    bool is_known = !isnan(call->seconds_left);
    progress_stage(&call->progress, call->stage, is_known ? call->done : now->done,
                   call->seconds_left);
    return interrupt_requested();
}

int watched_call_end(struct watched_call *call, equant_status status)
{
    progress_clear(&call->progress);
    if (status == EQUANT_SUCCESS)
        return EXIT_CODE_OK;
    if (status != EQUANT_ERROR_CANCELLED)
        return messages_status(status);
    if (call->label[0] == '\0')
        messages_note("interrupted%s%s", call->stage[0] != '\0' ? " while " : "", call->stage);
    return EXIT_CODE_INTERRUPTED;
}
