/* Everything that a fit leaves behind in a folder. */
#ifndef EQUANT_APP_RESULTS_FIT_FOLDER_H
#define EQUANT_APP_RESULTS_FIT_FOLDER_H

#include "files/output_check.h"
#include "options/picture_options.h"
#include "stars/star_result.h"

/* Written last, so that a folder with this file in it is complete. */
#define FIT_FOLDER_MARK "fit.json"

/* Where the fit comes from: what `equant report` says to those who want to repeat it. */
#define FIT_FOLDER_ORIGIN "origin.json"

struct fit_folder_options {
    struct picture_options pictures;
    const char *star_name; /* "": unknown             */
    const char *command;   /* as it was typed         */
    equant_star star;      /* zeros: unknown          */
};

/* The files but for the picture, for output_check_folder. */
extern const struct output_member fit_folder_members[];

/* Writes origin.json. */
int fit_folder_write_origin(const struct fit_folder_options *options, const char *folder);

/* Prints fit.json. Returns an exit code, with a sentence on failure. */
int fit_folder_print_json(const struct star_result *star);

/* Makes the folder and writes tables, pictures, origin.json and fit.json. Returns an exit code,
 * with a sentence on failure. */
int fit_folder_write(const struct star_result *star, const char *folder,
                     const struct fit_folder_options *options);

#endif
