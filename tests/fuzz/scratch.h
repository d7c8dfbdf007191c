/* Files and folders for targets whose subject reads from disk, under /tmp or $TMPDIR; one of each
 * for a run of the target, written anew for each input. */
#ifndef EQUANT_TESTS_SCRATCH_H
#define EQUANT_TESTS_SCRATCH_H

#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <unistd.h>

#include "equant.h"
#include "fuzz_target.h"

/* Libraries that keep some bytes until the end, or lose them over files without sense. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5\nleak:libnetcdf\nleak:libfontconfig\nleak:librsvg\nleak:libpango\n";
}

static char scratch_folder_path[256];

static inline int scratch_remove(const char *path, const struct stat *about, int kind,
                                 struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

static inline void scratch_remove_all(void)
{
    nftw(scratch_folder_path, scratch_remove, 8, FTW_DEPTH | FTW_PHYS);
}

/* A folder of this process; it stays behind when a target fails, with what made it fail. */
static inline const char *scratch_folder(void)
{
    char *path = scratch_folder_path;
    if (path[0] == '\0') {
        const char *parent = getenv("TMPDIR");
        snprintf(path, sizeof scratch_folder_path, "%s/equant-fuzz-XXXXXX",
                 parent != NULL ? parent : "/tmp");
        PROMISE(mkdtemp(path) != NULL);
        atexit(scratch_remove_all);
    }
    return path;
}

/* The path of a file in that folder; valid until the next call. */
static inline const char *scratch_path(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", scratch_folder(), name);
    return path;
}

static inline void scratch_write(const char *name, size_t n, const void *bytes)
{
    FILE *stream = fopen(scratch_path(name), "wb");
    PROMISE(stream != NULL);
    PROMISE(fwrite(bytes, 1, n, stream) == n);
    PROMISE(fclose(stream) == 0);
}

/* Observations in m/s from a table; for the caller to free. */
static inline equant_dataset *scratch_star(const char *table)
{
    equant_dataset_options options = {.struct_size = sizeof options,
                                      .velocity_unit = EQUANT_UNIT_M_S};
    equant_dataset *made = NULL;
    PROMISE(equant_dataset_from_text(table, strlen(table), "star.csv", &options, &made) ==
            EQUANT_SUCCESS);
    return made;
}

/* What a command prints is not looked at: only that it ends as it should. */
static inline void scratch_silence(int descriptor)
{
    int nowhere = open("/dev/null", O_WRONLY);
    PROMISE(nowhere >= 0 && dup2(nowhere, descriptor) == descriptor);
    close(nowhere);
}

#endif
