/* The quantities of one model: which of the catalogue it has, where they are in its parameter
 * sets, and their values there. Files and tables list the same ones. */
#ifndef EQUANT_MODEL_MODEL_QUANTITIES_H
#define EQUANT_MODEL_MODEL_QUANTITIES_H

#include "model/host_star.h"
#include "model/quantity_catalogue.h"

/* What decides which quantities there are. */
typedef struct quantities_shape {
    parameter_layout layout;
    host_star star; /* what it lacks leaves out what follows from it */
    bool is_of_fit; /* what only posteriors list is left out         */
} quantities_shape;

typedef struct quantity {
    const quantity_kind *kind;
    equant_quantity_axis axis; /* of its kind, but for a jitter that all instruments share */
    size_t n;                  /* along that axis; 1 when alone                            */
    size_t column, stride;     /* where the first is and how far apart they are; of a derived
                                  one nothing                                              */
    size_t owner;              /* of a noise term of one instrument: that, from 1; else 0  */
} quantity;

/* A kind of noise may be there once for all and once for each of some instruments. */
enum {
    QUANTITIES_MOST = QUANTITY_CATALOGUE_MOST + NOISE_KIND_MOST_TERMS * NOISE_KIND_MOST_PARAMETERS,
    QUANTITIES_NAME_SIZE = 40
};

/* Lists the quantities of a shape, those of planets first, and returns how many there are. */
size_t quantities_list(const quantities_shape *shape, quantity list[QUANTITIES_MOST]);

/* "period_days_1", "trend_m_s_day", "night_amplitude_m_s_2" of the second instrument: quantity
 * number `index` along its axis. */
void quantity_write_name(const quantity *entry, size_t index, char name[QUANTITIES_NAME_SIZE]);

/* The same as a variable of files, which have an axis of their own: "night_amplitude_2". */
void quantity_write_variable(const quantity *entry, char name[QUANTITIES_NAME_SIZE]);

/* One of them: a row of a table. Tables go planet by planet, then through the rest. */
typedef struct quantity_row {
    quantity entry;
    size_t index; /* along the axis of the entry                         */
    char name[QUANTITIES_NAME_SIZE];
    size_t planet, instrument; /* from 1; 0: of none                                  */
} quantity_row;

size_t quantities_n_rows(const quantities_shape *shape);
quantity_row quantities_row(const quantities_shape *shape, size_t row);

/* Where the passages of a posterior's planets are counted: of all passages of pericentre, one
 * is taken that is close to that of the reference draw. Without it the times of a planet half a
 * period away from the reference time would fall into two heaps. */
typedef struct quantities_frame {
    double reference_time_days;
    star_values star;        /* of this draw                        */
    const double *reference; /* parameter set of the reference draw */
} quantities_frame;

/* The value of quantity number `index` along its axis in one parameter set. */
double quantity_value(const quantity *entry, size_t index, const double *parameters,
                      const quantities_frame *frame);

/* An orbit from the elements of a planet, around such a star. */
keplerian_orbit quantities_orbit(const double elements[N_ELEMENTS], star_values star);

#endif
