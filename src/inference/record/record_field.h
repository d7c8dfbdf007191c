/* How a record is described: groups of fields, each with its name in files, its kind, its unit and
 * what it means. Whatever writes, reads, lists or checks a record walks over these. */
#ifndef EQUANT_INFERENCE_RECORD_RECORD_FIELD_H
#define EQUANT_INFERENCE_RECORD_RECORD_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "model/quantity_catalogue.h"

enum { RECORD_KEY_SIZE = 64 }; /* room for a key */

typedef enum record_kind {
    RECORD_NUMBER,  /* double; NaN and infinities are null                                  */
    RECORD_COUNT,   /* size_t                                                               */
    RECORD_BOOLEAN, /* int; below zero: unknown                                             */
    RECORD_TEXT,    /* const char *; NULL is null                                           */
    RECORD_NUMBERS, /* record_list of double                                                */
    RECORD_COUNTS,  /* record_list of size_t                                                */
    RECORD_TEXTS,   /* record_list of const char *                                          */
    RECORD_OBJECT,  /* pointer to a row of `group`; NULL is null                            */
    RECORD_LIST,    /* record_list of rows of `group`                                       */
    RECORD_MEMBERS, /* the same, as an object: a row begins with its key, a const char *    */
    RECORD_PLANET_QUANTITIES,      /* record_quantities: those of planets without the mass of the
                                      star; angles in degrees                              */
    RECORD_PLANET_STAR_QUANTITIES, /* and those that need it */
    RECORD_INSTRUMENT_QUANTITIES
} record_kind;

struct record_group;

typedef struct record_field {
    const char *key; /* "" where the quantities of the catalogue bring their own */
    record_kind kind;
    const char *unit, *meaning;
    size_t offset; /* in a row of the group */
    const struct record_group *group;
    /* Left out of files where this number of the row is NaN, or where the boolean, text or list
     * itself is unknown: 1 + the offset of the number, or of the field. 0: it is there always. */
    size_t needs;
    bool is_column; /* of the table of planets, too */
} record_field;

typedef struct record_group {
    size_t row_size, n_fields;
    const record_field *fields;
} record_group;

typedef struct record_list {
    size_t n;
    void *rows;
} record_list;

/* By the index of the catalogue, in the units that the library has. */
typedef struct record_quantities {
    double values[QUANTITY_CATALOGUE_MOST], errors[QUANTITY_CATALOGUE_MOST];
} record_quantities;

/* A zeroed row more; NULL where there is no memory. */
void *record_list_add(record_list *list, size_t row_size);

/* Numbers NaN, booleans unknown, everything else zero. */
void record_row_clear(const record_group *group, void *row);

/* Frees what belongs to a row: its lists and objects, not its texts. */
void record_row_free(const record_group *group, void *row);

/* The size of an element of a list of this kind. */
size_t record_element_size(const record_field *field);

/* Whether fields of this kind stand for quantities of the catalogue, and for this one. */
bool record_kind_is_of_catalogue(record_kind kind);
bool record_kind_has(record_kind kind, const quantity_kind *quantity);

#endif
