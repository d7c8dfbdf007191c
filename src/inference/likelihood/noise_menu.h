/* What noise a star may have beside its jitters: terms with the range of their parameters, and
 * activity indicators that its velocities may follow. A model makes a choice of it. */
#ifndef EQUANT_INFERENCE_LIKELIHOOD_NOISE_MENU_H
#define EQUANT_INFERENCE_LIKELIHOOD_NOISE_MENU_H

#include "equant.h"
#include "inference/likelihood/activity/noise_ranges.h"
#include "inference/likelihood/activity/series_rows.h"
#include "inference/likelihood/remarks.h"
#include "noise/noise_factor.h"
#include "noise/noise_text.h"

enum {
    NOISE_MENU_MOST_TERMS = 8,
    NOISE_MENU_MOST_PARAMETERS = NOISE_MENU_MOST_TERMS * NOISE_CATALOGUE_MOST_PARAMETERS + 1 +
                                 SERIES_VALUES * SPOTS_MOST_SERIES,
    NOISE_MENU_MOST_INDICATORS = 30,
    NOISE_MENU_NAME_SIZE = 16 + NOISE_TEXT_OWNER_SIZE
};

typedef struct noise_menu_term {
    const noise_term_kind *kind;
    int owner;                       /* of its blocks (statistics/noise_process.h) */
    char name[NOISE_MENU_NAME_SIZE]; /* "mep", or "mep@HARPS" of one instrument */
    size_t first;                    /* of its parameters among those of the menu */
    noise_range parameters[NOISE_CATALOGUE_MOST_PARAMETERS];
    bool is_learnt; /* its parameters are known beforehand: fits begin there */
    /* The term whose place it may take, never beside it: another shape of the same noise. Itself
     * where it is no such shape. */
    size_t instead_of;
    /* How often stars have such a noise, 0: it was asked for, and every model has it. */
    double share;
} noise_menu_term;

/* The velocities of an instrument may follow an indicator: a column of mean 0 and variance 1 over
 * the observations of that instrument that have it, 0 elsewhere. */
typedef struct noise_menu_indicator {
    size_t indicator, instrument; /* of the data set */
    double smoothing_days;        /* over which it was averaged first; 0: as measured */
    double mean, deviation;       /* of what was measured */
} noise_menu_indicator;

/* A choice: bits of terms and of indicators, and the observations that are not believed. */
typedef struct noise_choice {
    unsigned terms, indicators;
    struct outlier_set *outliers; /* of a study; NULL: none */
} noise_choice;

typedef struct noise_menu {
    star_class class; /* whose priors its terms have */
    size_t n_terms, n_parameters;
    noise_menu_term terms[NOISE_MENU_MOST_TERMS];
    size_t n_indicators;
    noise_menu_indicator indicators[NOISE_MENU_MOST_INDICATORS];
    double *columns; /* [n_indicators][n_obs] */
    /* Nights: which observations begin one, and which state carries it. Instruments that are
     * never at work in the same hours share a state. */
    bool *begins_night;
    int *night_state;
    int n_night_states;
    size_t n_repeated;   /* observations that are not the first of their night */
    noise_choice always; /* what every model has, because it was asked for */
    /* Where indicators are series: their rows, the term that they share with velocities, and where
     * their values begin among the parameters, behind those of terms. */
    series_rows *series; /* NULL: they are not */
    size_t series_term, first_series;
    remarks remarks;
} noise_menu;

/* Nothing to choose from, but nights are known. Free it in any case. */
equant_status noise_menu_create(const equant_dataset *dataset, noise_menu *made);
void noise_menu_free(noise_menu *menu);

/* The terms that make sense for these data: nights with several exposures, rotation, a slow term
 * over long spans. noise_indicators.h offers the rest. */
void noise_menu_offer(const equant_dataset *dataset, noise_menu *menu);

/* Terms in words, "rotation(period=20:30), night", as a fit takes them. */
equant_status noise_menu_read(const char *text, noise_term *terms, size_t *n_terms);

/* The number that the blocks of a term have (statistics/noise_process.h): that of its instrument in
 * these data, or that of all. */
equant_status noise_menu_find_owner(const noise_term *term, const equant_dataset *dataset,
                                    int *owner);

/* Terms in words, for every model of these data to have. */
equant_status noise_menu_take(const equant_dataset *dataset, const char *text, noise_menu *menu);

/* Indicators as series of one process with the velocities: its term is the rotation of the menu, or
 * one more, which every model then has. */
equant_status noise_menu_take_series(const equant_dataset *dataset,
                                     const equant_spots_options *options, noise_menu *menu);

/* Whether the data carry what every model has. */
equant_status noise_menu_check_room(const equant_dataset *dataset, bool with_jitter,
                                    const noise_menu *menu);

/* Whether a choice has nothing but what every model has. */
bool noise_menu_is_least(const noise_menu *menu, noise_choice choice);

/* Parameters that a choice has, but for those that are fixed. */
size_t noise_menu_n_chosen(const noise_menu *menu, noise_choice choice);

/* The process of the chosen terms, values of all parameters of the menu given. */
void noise_menu_process(const noise_menu *menu, noise_choice choice, const double *values,
                        noise_process *made);

/* One near it that scans can carry along: the same but for terms that need whole matrices. */
void noise_menu_scanned_process(const noise_menu *menu, noise_choice choice, const double *values,
                                noise_process *made);

/* Rows of a likelihood: velocities, and where indicators are series, these too. */
size_t noise_menu_n_rows(const noise_menu *menu, size_t n_obs);

/* A factor with room for any process of the menu over n rows. */
equant_status noise_menu_factor(const noise_menu *menu, size_t n, noise_factor *made);

/* The chosen terms with their values as equant_noise_create takes them, into n characters; ""
 * without any. */
void noise_menu_write(const noise_menu *menu, noise_choice choice, const double *values, size_t n,
                      char *text);

/* Values of a term's parameters at which a fit may start. */
void noise_menu_start(const noise_menu_term *term, double *values);

#endif
