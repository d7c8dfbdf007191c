/* Outliers of a star: observations and nights that a model does not believe. Their errors are wider
 * than what was measured; everything that a study does with errors then follows. A model has a set
 * of them, or none, as it has terms of noise. */
#ifndef EQUANT_INFERENCE_LIKELIHOOD_OUTLIER_SET_H
#define EQUANT_INFERENCE_LIKELIHOOD_OUTLIER_SET_H

#include <stdbool.h>

#include "core/dataset.h"
#include "equant.h"
#include "inference/likelihood/remarks.h"

/* One of them: a unit of the book, and what is added in squares to the errors of its rows. */
typedef struct outlier {
    size_t unit;
    double widening_m_s;
} outlier;

typedef struct outlier_set {
    struct outlier_set *next;
    size_t n;
    outlier *outliers;      /* by unit */
    double price;           /* in ln L */
    equant_dataset dataset; /* that of the star, with wider errors; borrows all else */
} outlier_set;

/* What can be an outlier, and the sets that were made. Units are nights of an instrument, numbered
 * from 0, and behind these single observations; of nights with one observation only the night. */
typedef struct outlier_book {
    bool is_open;              /* models may have outliers */
    double share;              /* of the units that are expected to be outliers; 0: unknown */
    size_t n_nights, n_units;  /* n_units: nights, and observations that are not alone */
    size_t *rows, *first_row;  /* of night i: rows[first_row[i]] to rows[first_row[i + 1] - 1] */
    struct outlier_list *sets; /* all threads of a study share it */
} outlier_book;

/* "none" or NULL, "auto", or a share between 0 and one half. */
equant_status outlier_book_read(const char *text, bool *is_open, double *share);

/* begins_night is that of model/nights.h. Free it in any case. */
equant_status outlier_book_create(const equant_dataset *dataset, const bool *begins_night,
                                  const char *text, outlier_book *made);
void outlier_book_free(outlier_book *book);

/* The observations of a unit; how many. */
size_t outlier_book_rows(const outlier_book *book, size_t unit, const size_t **rows);
bool outlier_book_is_night(const outlier_book *book, size_t unit);

/* The most units that a set may have. */
size_t outlier_book_most(const outlier_book *book);
/* What n of them cost, in ln L: ln of one over the prior odds, and what is left open by how much
 * they are off. */
double outlier_book_price(const outlier_book *book, size_t n);

/* The set with these outliers, made where there is none yet; NULL for n = 0. */
equant_status outlier_book_set(const outlier_book *book, const equant_dataset *dataset, size_t n,
                               const outlier *outliers, outlier_set **set);

/* What a set costs, and whether two have the same units. NULL: no outliers. */
double outlier_set_price(const outlier_set *set);
bool outlier_set_is_same(const outlier_set *one, const outlier_set *other);

/* Adds a sentence about each of a set. */
void outlier_set_remark(const outlier_book *book, const outlier_set *set, remarks *made);

#endif
