/* What a run of the sampler leaves behind in its folder, beside the file of the run. */
#ifndef EQUANT_APP_RESULTS_SAMPLE_FOLDER_H
#define EQUANT_APP_RESULTS_SAMPLE_FOLDER_H

#include "equant.h"
#include "files/output_check.h"
#include "options/picture_options.h"
#include "posteriors/posterior_view.h"

/* The file of the run, which the library writes. */
#define SAMPLE_FOLDER_RUN "run.nc"

/* The table of its quantities, which is there when a run has come to its end. */
#define SAMPLE_FOLDER_MARK "summary.ecsv"

/* What is written beside the run and the pictures, for output_check_folder. */
extern const struct output_member sample_folder_members[];

/* summary.ecsv and the pictures. Returns an exit code, with a sentence on failure. */
int sample_folder_write(const struct posterior_view *posterior, const char *folder,
                        const struct picture_options *pictures);

#endif
