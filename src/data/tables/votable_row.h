/* Fields of a VOTable, and its rows as bytes (BINARY and BINARY2): numbers with the high byte
 * first, arrays of varying length behind their number. */
#ifndef EQUANT_DATA_VOTABLE_ROW_H
#define EQUANT_DATA_VOTABLE_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

enum { VOTABLE_NO_COLUMN = -1 };

typedef struct votable_field {
    int column; /* what the reader of the table calls it; VOTABLE_NO_COLUMN: it is of no use */
    votable_type type;
    bool is_variable;
    size_t count; /* values of a cell, or of one step of a variable one */
} votable_field;

/* Type and size of a field from its attributes, of which those that are not there are NULL. False
 * where they cannot be meant. */
bool votable_field_read(const char *datatype, const char *arraysize, votable_field *field);

/* Whether a value of a type is a number or a flag, which votable_value reads. */
bool votable_type_is_number(votable_type type);

typedef struct votable_number {
    bool is_whole;
    double real;
    int64_t whole;
} votable_number;

/* The i-th value of a cell. */
votable_number votable_value(votable_type type, const unsigned char *bytes, size_t i);

typedef enum votable_found { VOTABLE_ROW, VOTABLE_NEEDS_MORE, VOTABLE_BROKEN } votable_found;

/* What becomes of the cells of a row that are of use: n values, or none with bytes NULL. False
 * where they cannot be meant. */
typedef bool votable_take(void *context, const votable_field *field, const unsigned char *bytes,
                          size_t n);

/* Reads the row at the front of some bytes; *n_used is its length. `has_mask`: a bit for each field
 * stands in front, set where it has no value. `is_strict`: arrays of varying length are broken
 * unless all have the same number of values. `take` NULL: nothing is taken. */
votable_found votable_row_read(const votable_field *fields, size_t n_fields, bool has_mask,
                               bool is_strict, const unsigned char *bytes, size_t n_bytes,
                               votable_take *take, void *context, size_t *n_used);

#endif
