/* The observations of one star as the library keeps them. Built either from
 * arrays (core/dataset.c) or by a file reader (src/data), which fills the same
 * builder row by row. */
#ifndef EQUANT_CORE_DATASET_H
#define EQUANT_CORE_DATASET_H

#include <stdbool.h>

#include "core/indicator_set.h"
#include "equant.h"
#include "model/observation_rows.h"

struct equant_dataset {
    size_t n_obs;
    double *time_days; /* as given by the user, sorted */
    double *velocity_m_s;
    double *uncertainty_m_s;
    int *instrument;
    size_t n_instruments;
    char **instrument_names;
    size_t *instrument_n_obs;
    row_kind *kind; /* [n_instruments]: what each of them measures */
    double reference_time_days;
    equant_unit unit;      /* in which the velocities were read */
    const char *time_name; /* of core/time_name.h */
    char *format;
    indicator_set indicators;
    equant_indicator *indicator_views; /* [indicators.n] */
    size_t n_ignored_columns;
    char **ignored_columns;
    size_t n_warnings;
    char **warnings;
    size_t n_left_out; /* observations that the caller left out by their times */
    char *star_name;   /* as a file has it; NULL: none does */
    double star_mass;  /* likewise, in solar masses; 0: unknown */
};

/* A growing data set. Zero-initialise; every function that can run out of
 * memory says so in its status. */
typedef struct dataset_builder {
    size_t n_obs, capacity;
    double *time_days, *velocity_m_s, *uncertainty_m_s;
    int *instrument;
    size_t n_instruments;
    char **instrument_names;
    indicator_set indicators; /* with room for as many rows as the other columns */
    size_t n_ignored_columns;
    char **ignored_columns;
    size_t n_warnings;
    char **warnings;
    char *format;
    equant_unit unit;
    const char *time_name; /* of core/time_name.h; NULL: the usual one */
    size_t n_left_out;
    char *star_name; /* NULL: unknown */
    double star_mass;
} dataset_builder;

/* The same observations with the reference time that is chosen where nobody gives one: near them,
 * where phases have all their digits. Borrows all arrays; not to be freed. */
equant_dataset dataset_at_own_epoch(const equant_dataset *dataset);

/* Index of the instrument called `name` (n bytes), added when new. */
equant_status dataset_builder_instrument(dataset_builder *builder, const char *name, size_t n,
                                         int *index);

/* Appends an instrument, whether or not another has its name. */
equant_status dataset_builder_add_instrument(dataset_builder *builder, const char *name);

/* Appends one observation, already in m/s and already checked. */
equant_status dataset_builder_add(dataset_builder *builder, double time_days, double velocity_m_s,
                                  double uncertainty_m_s, int instrument);

/* An indicator of the observation that was added last; `index` is that of
 * indicator_set_find in builder->indicators. */
void dataset_builder_set_indicator(dataset_builder *builder, size_t index, double value,
                                   double uncertainty);

/* Notes a column that was not used; names that are noted already stay as they are. */
equant_status dataset_builder_ignore(dataset_builder *builder, const char *column);

__attribute__((format(printf, 2, 3))) equant_status dataset_builder_warn(dataset_builder *builder,
                                                                         const char *format, ...);

equant_status dataset_builder_set_format(dataset_builder *builder, const char *format);

/* What a file calls its star, and its mass in solar masses; 0: unknown. */
equant_status dataset_builder_set_star(dataset_builder *builder, const char *name, double mass);

/* Leaves out what is to be left out, sorts, chooses t_ref, and moves everything into a new data
 * set; the builder is empty afterwards, on failure too. Fails on a builder without rows. */
equant_status dataset_builder_finish(dataset_builder *builder,
                                     const equant_dataset_options *options,
                                     equant_dataset **dataset);

void dataset_builder_free(dataset_builder *builder);

#endif
