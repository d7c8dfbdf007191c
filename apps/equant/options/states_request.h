/* What a person says of parameters before a fit or a run: --set, --letters, --transits. */
#ifndef EQUANT_APP_OPTIONS_STATES_REQUEST_H
#define EQUANT_APP_OPTIONS_STATES_REQUEST_H

#include "equant.h"
#include "options/option_table.h"

struct states_request {
    struct text_list set; /* sentences NAME=VALUE */
    const char *letters, *transits;
    equant_states *made;          /* NULL: nothing was said */
    struct text_list kept, paths; /* of a star file: words that options point to, and its data */
};

extern const struct option_row states_request_rows[];

/* Makes the states. Of `files`, those that are sentences are taken as such: several may stand
 * behind one --set. Returns an exit code, with a sentence on failure. */
int states_request_take(struct states_request *request, struct file_list *files);

/* Whether a word that stands where a file may stand is a sentence. */
bool states_request_is_sentence(const char *word);

/* Adds the sentences among the files of a command line to those of --set, where there are some. */
int states_request_keep(struct states_request *request, const struct file_list *typed);
void states_request_free(struct states_request *request);

/* The trend that they ask for; EQUANT_TREND_DEFAULT: they do not say. */
equant_trend states_request_trend(const struct states_request *request);

/* Appends the options to a line. */
void states_request_describe(const struct states_request *request, char *line, size_t n);

#endif
