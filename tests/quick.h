/* Short runs: under a sanitizer, where a person asks for one (EQUANT_QUICK=1), tests do less of the
 * same. */
#ifndef EQUANT_TESTS_QUICK_H
#define EQUANT_TESTS_QUICK_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool quick_run(void)
{
    const char *quick = getenv("EQUANT_QUICK");
    return quick && *quick && strcmp(quick, "0") != 0;
}

/* For a test of whole fits, which take minutes in a short run and whose lines others go through as
 * well: it is left out there. A macro, since cmocka's header is the test's own. */
#define QUICK_RUN_LEAVES_THIS_OUT()                                                                \
    do {                                                                                           \
        if (quick_run())                                                                           \
            skip();                                                                                \
    } while (0)

#endif
