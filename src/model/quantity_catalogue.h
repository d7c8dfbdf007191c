/* The catalogue of quantities: one row for each kind of number that a model has or that follows
 * from one. Files, tables, texts, pages, pictures and Python take names, units and words from
 * here; whatever has a formula is derived, listed and given an error without anybody naming it. */
#ifndef EQUANT_MODEL_QUANTITY_CATALOGUE_H
#define EQUANT_MODEL_QUANTITY_CATALOGUE_H

#include <stdbool.h>

#include "equant.h"
#include "model/parameter_layout.h"
#include "physics/orbit.h"

typedef double quantity_formula(const keplerian_orbit *own);

typedef struct quantity_kind {
    equant_quantity_info info; /* what everybody may know of it                                   */
    parameter_term term;       /* of its column; N_TERMS where it has none                        */
    int place;                 /* among the columns of an orbit, of a trend, or of a noise term   */
    noise_kind noise;          /* the term of noise, where it is of one                           */
    quantity_formula *formula; /* of a planet's orbit; NULL for a column of the parameter set     */
    bool is_event;             /* the formula gives days from the reference time to an event that
                                  returns with every turn; the quantity is the time of one        */
    bool is_lost_on_circle;    /* measured from pericentre: without one it could be anything      */
} quantity_kind;

/* At least as many as there are rows: room for one value of each. */
enum { QUANTITY_CATALOGUE_MOST = 60 };

/* The elements come first, in the order of a parameter set, then what follows from them, then
 * everything else in the order of its columns. */
size_t quantity_catalogue_n(void);
const quantity_kind *quantity_catalogue_at(size_t index);
size_t quantity_catalogue_index(const quantity_kind *kind);

/* The kind of a name, with or without a number behind it: "k_m_s", "k_m_s_2"; NULL: of none. */
const quantity_kind *quantity_catalogue_find(const char *name);

#endif
