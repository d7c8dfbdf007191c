/* Any bytes as the record of a star in an archive, star.ecsv, and as the fit.json beside it: a
 * status and a row come out, or an exit code; and the tables of such a folder are made, or not. */
#include <getopt.h>

#include "archive/star_record.h"
#include "commands/commands.h"
#include "fuzz_target.h"
#include "scratch.h"
#include "terminal/messages.h"

static void read_record(const char *folder)
{
    struct star_record record = {.status = STAR_NONE};
    int code = star_record_read(folder, &record);
    PROMISE(code == EXIT_CODE_OK || code == EXIT_CODE_FAILED);
    if (code == EXIT_CODE_OK && record.row != NULL)
        free(star_record_name(&record));
    star_record_free(&record);
}

static void make_tables(char *folder)
{
    static char *const kinds[] = {"parameters", "derived", "velocities", "models", "priors"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char *arguments[] = {"table",
                             folder,
                             "--from",
                             "fit",
                             "--what",
                             kinds[i],
                             i % 2 == 0 ? "--style=plain" : "--style=aastex",
                             NULL};
        optind = 0; /* the command line is a new one */
        int code = command_table(7, arguments);
        PROMISE(code == EXIT_CODE_OK || code == EXIT_CODE_FAILED || code == EXIT_CODE_USAGE);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static bool is_silent;
    if (!is_silent)
        scratch_silence(STDOUT_FILENO);
    is_silent = true;
    char folder[512];
    snprintf(folder, sizeof folder, "%s", scratch_folder());
    scratch_write("star.ecsv", n_bytes, data);
    scratch_write("fit.json", n_bytes, data);
    read_record(folder);
    make_tables(folder);
    return 0;
}
