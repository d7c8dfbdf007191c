/* What a column is for, by its name in the header of a table. */
#ifndef EQUANT_DATA_COLUMN_ROLE_H
#define EQUANT_DATA_COLUMN_ROLE_H

#include <stdbool.h>

#include "data/text_table.h"

typedef enum column_role {
    COLUMN_TIME,
    COLUMN_VELOCITY,
    COLUMN_UNCERTAINTY,
    COLUMN_INSTRUMENT,
    COLUMN_JITTER_FLAG, /* PyORBIT */
    COLUMN_OFFSET_FLAG, /* PyORBIT: tells the instruments apart */
    COLUMN_OBJECT,      /* orbitize: 0 is the star */
    COLUMN_QUALITY,     /* CARMENES, DACE: rows that the pipeline does not trust say False */
    COLUMN_SERVAL_FLAG, /* HARPS-RVBank: rows that SERVAL trusts say 0 */
    COLUMN_OTHER_FLAG,  /* may tell good rows from bad, but nobody wrote down how */
    COLUMN_TARGET,      /* the star that a row is of */
    COLUMN_N_ROLES,
    COLUMN_OTHER = COLUMN_N_ROLES
} column_role;

/* One name of a header, taken apart. */
typedef struct column_meaning {
    column_role role;
    int rank;        /* of several columns with one role, the lowest is taken; below zero where
                        the name says that it is the corrected one */
    text_slice unit; /* what stood in brackets or behind the name; may be empty */
    int indicator;   /* of model/indicator_catalogue.h; -1 for none */
    bool is_indicator_uncertainty;
} column_meaning;

/* Names of lower rank say what a star is called; "name" and "id" may be those of other things. */
enum { COLUMN_TARGET_DOUBTED = 2 };

enum { COLUMN_NAME_SIZE = 64 };

/* "RV [km/s]" is a velocity with the unit "km/s". */
column_meaning column_role_of(text_slice name);

/* The column, of names[n], that says which star a row is of; n where there is none. */
size_t column_role_find_target(const text_slice *names, size_t n);

/* A name as the lists of known names have it: small letters and digits, with '_' between. */
void column_role_normal(text_slice name, char normal[COLUMN_NAME_SIZE]);

#endif
