/* Nights and times that may be used. */
#ifndef EQUANT_OBSERVING_SLOTS_H
#define EQUANT_OBSERVING_SLOTS_H

#include <stdbool.h>

#include "data/text_table.h"
#include "equant.h"

typedef struct slot_entry {
    double start_jd, end_jd;
    bool is_night;
    char *site, *label; /* new memory */
    size_t line;
} slot_entry;

struct equant_slots {
    slot_entry *entries;
    size_t n, capacity;
    char *name; /* of the file */
};

/* Takes copies of the texts; times must be in order. */
equant_status slots_add(equant_slots *slots, const slot_entry *entry, text_slice site,
                        text_slice label);

/* Whether an entry is for this site; a site of the file that is not known is a failure. */
equant_status slots_match_site(const equant_slots *slots, size_t index, const equant_site *site,
                               bool *matches);

/* The events of a calendar (calendar_reader.c), and what a calendar begins with. */
bool calendar_reader_recognises(const char *text, size_t n_bytes);
equant_status calendar_reader_read(const char *text, size_t n_bytes, equant_slots *slots);

#endif
