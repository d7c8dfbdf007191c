/* What somebody says of one parameter before a fit or a run: that it is free, that it has a value,
 * a range or a prior. One sentence, "b.period_days=normal(20.8851, 0.0003)", read in one place for
 * options, star files and Python alike. */
#ifndef EQUANT_INFERENCE_PRIORS_PARAMETER_STATE_H
#define EQUANT_INFERENCE_PRIORS_PARAMETER_STATE_H

#include <stdbool.h>

#include "inference/priors/prior_text.h"
#include "model/quantity_catalogue.h"

enum {
    STATE_NAME_SIZE = 64,
    STATE_INSTRUMENT_SIZE = 64,
    STATE_WHERE_SIZE = 256,
    STATE_FIRST_LETTER = 'b',
    STATE_LAST_LETTER = 'z'
};

typedef enum state_form {
    STATE_FREE,  /* as if nothing had been said                */
    STATE_FIXED, /* a value                                    */
    STATE_PRIOR, /* a density; a range is a uniform one        */
    STATE_TREND, /* not of a parameter: which trend there is   */
    STATE_APART, /* nor this: orbits do not cross              */
    STATE_BESIDE /* known of a planet, and of no likelihood: its inclination */
} state_form;

typedef struct parameter_state {
    char name[STATE_NAME_SIZE];             /* as it was written, without blanks            */
    char text[PRIOR_TEXT_SIZE];             /* what stands behind the equals sign           */
    char where[STATE_WHERE_SIZE];           /* a file with its line, an option; "": unknown */
    const quantity_kind *kind;              /* NULL: of the trend, or of all orbits, as a whole */
    char letter;                            /* of a planet; 0: of none                      */
    char instrument[STATE_INSTRUMENT_SIZE]; /* "": of all, or of none                       */
    bool is_transit; /* a time that was measured; there may be many           */
    state_form form;
    prior_density density; /* in the unit of the kind; of what is fixed, its value  */
    int trend_order;       /* of STATE_TREND                                        */
} parameter_state;

/* Reads "NAME=TEXT". Fails with a sentence that begins with `where`, unless that is NULL or "". */
equant_status parameter_state_read(const char *sentence, const char *where, parameter_state *made);

/* Fails with a sentence about this state, `where` first. */
__attribute__((format(printf, 2, 3))) equant_status
parameter_state_fail(const parameter_state *state, const char *format, ...);

/* How many letters must change to make one word of the other. */
size_t parameter_state_distance(const char *one, const char *other);

#endif
