/* Real observations that do not travel with the repository. A test that finds none is skipped, and
 * says so; EQUANT_REQUIRE_DATA=1 makes it fail. */
#ifndef TESTS_SHARED_DATA_H
#define TESTS_SHARED_DATA_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The path of a file of real data, until the next call; NULL where the file is absent. */
static inline const char *shared_file(const char *name)
{
    static char path[4096];
    const char *folder = getenv("EQUANT_SHARED_DATA"), *required = getenv("EQUANT_REQUIRE_DATA");
    snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : "../shared/data", name);
    if (access(path, R_OK) == 0)
        return path;
    if (required != NULL && *required != '\0') {
        fprintf(stderr, "FAIL: %s is missing, and EQUANT_REQUIRE_DATA is set\n", path);
        exit(1);
    }
    printf("SKIP: %s is missing\n", path);
    return NULL;
}

#endif
