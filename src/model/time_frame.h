/* Where a backend solves the trend, and which periods its phases can follow: a decision that
 * all backends must take alike. */
#ifndef EQUANT_MODEL_TIME_FRAME_H
#define EQUANT_MODEL_TIME_FRAME_H

#include <math.h>

#include "model/observation_rows.h"
#include "model/parameter_layout.h"

/* Days. The trend is solved in (time - middle) / scale, where its terms are least alike
 * whatever the reference time is. The middle is zero where the trend is solved but the
 * offsets are given: no constant is free to move then. Periods must exceed the floor: where
 * the data hold more than 2^50 of them a phase means nothing, even in double. */
typedef struct time_frame {
    double middle, scale, farthest, period_floor;
} time_frame;

static inline time_frame time_frame_of(const observation_rows *rows, const parameter_layout *layout)
{
    double first = rows->time_days[0], last = rows->time_days[rows->n - 1];
    double farthest = fmax(1.0, fmax(fabs(first), fabs(last)));
    bool fixed = layout->given[TERM_OFFSETS] && !layout->given[TERM_TREND];
    time_frame frame;
    frame.middle = fixed ? 0.0 : 0.5 * first + 0.5 * last;
    frame.scale = fixed ? farthest : fmax(1.0, 0.5 * last - 0.5 * first);
    frame.farthest = farthest;
    frame.period_floor = farthest * 0x1p-50;
    return frame;
}

#endif
