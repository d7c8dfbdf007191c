#include "options/star_request.h"

#include <stdio.h>
#include <string.h>

#include "terminal/messages.h"
#include "terminal/text_line.h"

static const struct property {
    const char *option, *name, *error_name;
    size_t value, error; /* where they are in the star */
} properties[] = {
#define PROPERTY(option, member, name_of, error_member, error_name)                                \
    {                                                                                              \
        option, name_of, error_name, offsetof(equant_star, member),                                \
            offsetof(equant_star, error_member)                                                    \
    }
    PROPERTY("star-mass", mass, "star_mass", mass_err, "star_mass_err"),
    PROPERTY("star-radius", radius, "star_radius", radius_err, "star_radius_err"),
    PROPERTY("star-luminosity", luminosity, "star_luminosity", luminosity_err,
             "star_luminosity_err"),
    PROPERTY("star-teff", temperature_k, "star_temperature_k", temperature_err_k,
             "star_temperature_err_k"),
};
enum { N_PROPERTIES = sizeof properties / sizeof properties[0] };

static double *number_at(equant_star *star, size_t offset)
{
    return (double *)(void *)((char *)star + offset);
}

/* VALUE or VALUE+-ERROR; the sign may be one character, too. */
static int take(const char *command, char *argument, equant_star *star, size_t index)
{
    static const char *const signs[] = {"+-", "±", "+/-"};
    const struct property *own = &properties[index];
    double error = 0.0;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        char *sign = strstr(argument, signs[i]), value[64];
        if (sign == NULL || (size_t)(sign - argument) >= sizeof value)
            continue;
        int code = command_line_positive(command, own->option, sign + strlen(signs[i]), &error);
        if (code != EXIT_CODE_OK)
            return code;
        snprintf(value, sizeof value, "%.*s", (int)(sign - argument), argument);
        *number_at(star, own->error) = error;
        code = command_line_positive(command, own->option, value, number_at(star, own->value));
        if (code == EXIT_CODE_OK && equant_star_check(star) != EQUANT_SUCCESS)
            return messages_usage(command, "--%s: %s", own->option, equant_last_error());
        return code;
    }
    *number_at(star, own->error) = 0.0;
    return command_line_positive(command, own->option, argument, number_at(star, own->value));
}

static int take_mass(const char *command, char *argument, void *into)
{
    return take(command, argument, into, 0);
}

static int take_radius(const char *command, char *argument, void *into)
{
    return take(command, argument, into, 1);
}

static int take_luminosity(const char *command, char *argument, void *into)
{
    return take(command, argument, into, 2);
}

static int take_temperature(const char *command, char *argument, void *into)
{
    return take(command, argument, into, 3);
}

#define OPTIONS_OF equant_star
const struct option_row star_request_rows[] = {
    {"star-mass", "M", OPTION_CALL(take_mass),
     "solar masses; gives m sin i and the semi-major axes. An\n"
     "error, as in 0.874+-0.012, is propagated to them"},
    {"star-radius", "R", OPTION_CALL(take_radius), "solar radii, such as 0.999+-0.017"},
    {"star-teff", "T", OPTION_CALL(take_temperature),
     "effective temperature in kelvin, such as 5372+-92; with mass\n"
     "and radius it gives insolation and equilibrium temperatures"},
    {"star-luminosity", "L", OPTION_CALL(take_luminosity),
     "solar luminosities, instead of radius and temperature"},
    {0}};

void star_request_describe(const equant_star *star, char *line, size_t n)
{
    equant_star own = *star;
    for (size_t i = 0; i < N_PROPERTIES; i++) {
        double value = *number_at(&own, properties[i].value);
        double error = *number_at(&own, properties[i].error);
        if (value > 0.0)
            text_line_append(line, n, " --%s %.17g", properties[i].option, value);
        if (error > 0.0)
            text_line_append(line, n, "+-%.17g", error);
    }
}

const char *star_request_name(size_t index)
{
    if (index >= 2 * N_PROPERTIES)
        return NULL;
    const struct property *own = &properties[index / 2];
    return index % 2 == 0 ? own->name : own->error_name;
}

double *star_request_number(equant_star *star, size_t index)
{
    const struct property *own = &properties[index / 2];
    return number_at(star, index % 2 == 0 ? own->value : own->error);
}

void star_request_mass_text(const equant_star *star, char *text, size_t n)
{
    if (star->mass_err > 0.0)
        snprintf(text, n, "%g ± %g", star->mass, star->mass_err);
    else
        snprintf(text, n, "%g", star->mass);
}
