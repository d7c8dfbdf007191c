/* Any bytes as the fit.json of a folder from which a page is made: a page comes out, or a
 * sentence, and then no page. */
#include <getopt.h>
#include <sys/stat.h>

#include "commands/commands.h"
#include "scratch.h"
#include "terminal/messages.h"

static char *star_path, *folder_path, *page_path, *json_name;

/* A fit with all that a folder of one has. */
static void make_folder(void)
{
    static const char star[] =
        "time,rv,err,instrument\n2455000,11,2,a\n2455003,7,2,b\n2455007,-9,2,a\n2455010,-3,2,b\n"
        "2455013,12,2,a\n2455016,2,2,b\n2455019,-13,2,a\n2455023,4,2,b\n2455026,10,2,a\n"
        "2455029,-4,2,b\n2455032,-8,2,a\n2455036,9,2,b\n2455039,8,2,a\n2455042,-9,2,b\n";
    scratch_silence(STDOUT_FILENO);
    scratch_write("star.csv", sizeof star - 1, star);
    star_path = strdup(scratch_path("star.csv"));
    folder_path = strdup(scratch_path("fit"));
    page_path = strdup(scratch_path("fit/report.html"));
    json_name = "fit/fit.json";
    char *arguments[] = {"fit",         star_path,  "--unit",    "m/s",   "--planets",
                         "1",           "--period", "12:13",     "--out", folder_path,
                         "--star-mass", "1.1",      "--threads", "1",     NULL};
    PROMISE(command_fit((int)(sizeof arguments / sizeof *arguments) - 1, arguments) ==
            EXIT_CODE_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    if (folder_path == NULL)
        make_folder();
    scratch_write(json_name, n_bytes, data);
    unlink(page_path);
    char *arguments[] = {"report", folder_path, "--no-periodograms", NULL};
    optind = 0; /* the command line is a new one */
    int code = command_report(3, arguments);
    struct stat page;
    PROMISE(code == EXIT_CODE_OK || code == EXIT_CODE_FAILED);
    PROMISE((stat(page_path, &page) == 0) == (code == EXIT_CODE_OK));
    return 0;
}
