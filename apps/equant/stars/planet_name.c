#include "stars/planet_name.h"

#include <stdio.h>
#include <string.h>

struct planet_name planet_name_of(const struct planet_letters *letters, size_t planet)
{
    struct planet_name made;
    snprintf(made.text, sizeof made.text, "planet %.20s", planet_name_short(letters, planet).text);
    return made;
}

struct planet_name planet_name_short(const struct planet_letters *letters, size_t planet)
{
    struct planet_name made;
    if (planet <= 'z' - 'b' || planet < strlen(letters->text))
        snprintf(made.text, sizeof made.text, "%c", planet_name_letter(letters, planet));
    else
        snprintf(made.text, sizeof made.text, "%zu", planet + 1);
    return made;
}

char planet_name_letter(const struct planet_letters *letters, size_t planet)
{
    return planet < strlen(letters->text) ? letters->text[planet]
                                          : (char)(planet < 'z' - 'b' ? 'b' + planet : 'z');
}

struct planet_letters planet_letters_of_fit(const equant_fit *fit)
{
    struct planet_letters made = {""};
    for (size_t i = 0; i < equant_fit_n_planets(fit) && i + 1 < sizeof made.text; i++)
        made.text[i] = equant_fit_letter(fit, i);
    return made;
}

struct planet_letters planet_letters_of_run(const equant_posterior *posterior)
{
    struct planet_letters made = {""};
    size_t n = 0;
    for (size_t i = 0; i < equant_posterior_n_provenance(posterior); i++)
        if (strcmp(equant_posterior_provenance_name(posterior, i), "letters") == 0)
            for (const char *c = equant_posterior_provenance_text(posterior, i); *c != '\0'; c++)
                if (*c != ',' && n + 1 < sizeof made.text)
                    made.text[n++] = *c;
    return made;
}
