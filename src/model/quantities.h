/* The quantities of a run by name and unit: the columns of its parameter sets, and what follows
 * from them. Files and tables list the same ones. */
#ifndef EQUANT_MODEL_QUANTITIES_H
#define EQUANT_MODEL_QUANTITIES_H

#include <stdbool.h>

#include "inference/draws/draws.h"
#include "inference/study/orbit_quantities.h"

/* What the columns of a parameter set are, in the order of equant_model_n_parameters. */
typedef struct quantities_shape {
    size_t n_planets, n_instruments;
    bool has_offsets; /* one per instrument      */
    int trend_order;  /* columns of the trend    */
    size_t n_jitters; /* one per instrument, or one for all of them, or none */
    double star_mass; /* solar masses; 0: unknown, and no masses and axes follow */
} quantities_shape;

size_t quantities_n_parameters(const quantities_shape *shape);

typedef enum quantity_axis {
    QUANTITY_ALONE,
    QUANTITY_PER_PLANET,
    QUANTITY_PER_INSTRUMENT
} quantity_axis;

typedef struct quantity {
    const char *variable; /* in files: "P"                                    */
    const char *name;     /* in tables, before the number: "period_days"      */
    const char *unit;     /* "d"; "" for numbers                              */
    const char *meaning;  /* for a person                                     */
    quantity_axis axis;
    size_t n;              /* along that axis; 1 when alone                         */
    bool is_angle;         /* radians in [0, 2 pi)                                  */
    bool is_derived;       /* no column of the parameter set                        */
    size_t column, stride; /* where the first is and how far apart they are; of a derived one
                              `column` says which it is                                      */
} quantity;

enum { QUANTITIES_MOST = 16 };

/* Lists the quantities of a shape and returns how many there are. */
size_t quantities_list(const quantities_shape *shape, quantity list[QUANTITIES_MOST]);

/* Where the passages of a posterior's planets are counted: of all passages of pericentre, one
 * is taken that is close to that of the reference draw. Without it the times of a planet half a
 * period away from the reference time would fall into two heaps. */
typedef struct quantities_frame {
    double reference_time_days, star_mass;
    const double *reference; /* parameter set of the reference draw */
} quantities_frame;

/* The value of quantity number `index` along its axis in one parameter set. */
double quantity_value(const quantity *entry, size_t index, const double *parameters,
                      const quantities_frame *frame);

#endif
