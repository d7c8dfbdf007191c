/* Fields of a VOTable, and its rows as bytes (BINARY and BINARY2): numbers with the high byte
 * first, arrays of varying length behind their number. */
#ifndef EQUANT_ASTROMETRY_VOTABLE_ROW_H
#define EQUANT_ASTROMETRY_VOTABLE_ROW_H

#include "astrometry/formats/gaia_transit.h"

typedef enum votable_type {
    VOTABLE_BOOLEAN,
    VOTABLE_BIT,
    VOTABLE_BIT_BYTE, /* a byte for each bit, as astropy writes arrays of varying length */
    VOTABLE_BYTE,
    VOTABLE_SHORT,
    VOTABLE_INT,
    VOTABLE_LONG,
    VOTABLE_CHAR,
    VOTABLE_UNICODE,
    VOTABLE_FLOAT,
    VOTABLE_DOUBLE,
    VOTABLE_COMPLEX, /* two floats; of no use here, but it takes room */
    VOTABLE_DOUBLE_COMPLEX,
    VOTABLE_UNKNOWN
} votable_type;

typedef struct votable_field {
    gaia_column column;
    votable_type type;
    bool is_variable;
    size_t count; /* values of a cell, or of one step of a variable one */
} votable_field;

/* A field from its attributes, of which those that are not there are NULL. False where they cannot
 * be meant. */
bool votable_field_read(const char *name, const char *datatype, const char *arraysize,
                        votable_field *field);

typedef enum votable_found { VOTABLE_ROW, VOTABLE_NEEDS_MORE, VOTABLE_BROKEN } votable_found;

/* Reads the row at the front of some bytes; *n_used is its length. `has_mask`: a bit for each field
 * stands in front, set where it has no value. `is_strict`: arrays of varying length are broken
 * unless all have the same number of values. */
votable_found votable_row_read(const votable_field *fields, size_t n_fields, bool has_mask,
                               bool is_strict, const unsigned char *bytes, size_t n_bytes,
                               gaia_transit *transit, size_t *n_used);

#endif
