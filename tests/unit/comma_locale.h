/* A locale whose decimal sign is a comma: one of the system, else one made for the occasion. */
#ifndef EQUANT_TESTS_COMMA_LOCALE_H
#define EQUANT_TESTS_COMMA_LOCALE_H

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Sets it, or says that there is none and leaves the C locale. */
static bool comma_locale_set(void)
{
    char folder[] = "/tmp/equant-locale-XXXXXX", command[256];
    bool is_set = setlocale(LC_ALL, "de_DE.UTF-8") != NULL || setlocale(LC_ALL, "fr_FR.UTF-8");
    if (!is_set && mkdtemp(folder) != NULL) {
        snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null",
                 folder);
        is_set = system(command) == 0 && setenv("LOCPATH", folder, 1) == 0 &&
                 setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
        snprintf(command, sizeof command, "rm -r %s", folder);
        is_set = system(command) == 0 && is_set;
    }
    if (!is_set)
        print_message("no locale with a decimal comma here, and none can be made\n");
    return is_set;
}

#endif
