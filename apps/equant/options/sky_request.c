#include "options/sky_request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "files/input_file.h"
#include "platform/system_file.h"
#include "terminal/messages.h"

enum { JITTER_FITTED, JITTER_NONE };

static const struct option_choice jitters[] = {{"fit", JITTER_FITTED}, {"none", JITTER_NONE}, {0}};

int sky_request_source(const char *command, const char *text, int64_t *source_id)
{
    char *end;
    errno = 0;
    *source_id = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || *source_id == 0)
        return messages_usage(command, "--source wants the number of a source, not '%s'", text);
    return EXIT_CODE_OK;
}

static int take_source(const char *command, char *argument, void *into)
{
    return sky_request_source(command, argument, &((struct sky_request *)into)->source_id);
}

static int take_zero_point(const char *command, char *argument, void *into)
{
    struct sky_request *request = into;
    char *end;
    request->parallax_zero_point_mas = strtod(argument, &end);
    if (end == argument || *end != '\0')
        return messages_usage(command, "--parallax-zero-point wants mas, not '%s'", argument);
    return EXIT_CODE_OK;
}

static int take_velocity(const char *command, char *argument, void *into)
{
    struct sky_request *request = into;
    char *end;
    request->radial_velocity_km_s = strtod(argument, &end);
    if (end == argument || *end != '\0')
        return messages_usage(command, "--radial-velocity wants km/s, not '%s'", argument);
    return EXIT_CODE_OK;
}

#define OPTIONS_OF struct sky_request
const struct option_row sky_request_rows[] = {
    {"ccd", NULL, OPTION_FLAG(as_ccds),
     "fits single CCD observations; default: the mean of each\n"
     "transit, whose CCDs share errors"},
    {"jitter", "WORD", OPTION_CHOICE(jitter, jitters),
     "fit (default): fits the excess noise; none: takes the\n"
     "uncertainties as given"},
    {"source", "ID", OPTION_CALL(take_source), "selects a source of a file with several"},
    {"star-mass-err", "M", OPTION_POSITIVE(star_mass_err),
     "uncertainty of --star-mass in solar masses; --star-mass\n"
     "M+-ERROR is the same"},
    {"parallax-zero-point", "X", OPTION_CALL(take_zero_point),
     "mas, subtracted from the parallax before it gives a\n"
     "distance; default: 0"},
    {"catalogue-parallax", "X", OPTION_POSITIVE(catalogue_parallax_mas),
     "parallax of the catalogue in mas, for files of Hipparcos\n"
     "residuals that lack it"},
    {"radial-velocity", "V", OPTION_CALL(take_velocity),
     "systemic radial velocity in km/s, positive when receding,\n"
     "for the perspective acceleration; default: 0"},
    {"free-velocities", NULL, OPTION_FLAG(has_free_velocities),
     "fits the velocity amplitude independently of the astrometric\n"
     "orbit, for instance with a luminous companion"},
    {"keep-rejected", NULL, OPTION_FLAG(keeps_rejected),
     "includes rows that the file marks as rejected"},
    {0}};

const struct option_row sky_request_verdict_rows[] = {
    {"orbit", NULL, OPTION_FLAG(has_orbit), "prints the best orbit even if it is not significant"},
    {0}};

bool sky_request_is_catalogue(const char *path)
{
    static const char magic[] = "SIMPLE  =";
    char head[sizeof magic] = "";
    equant_sky_motions motions = {.struct_size = sizeof motions};
    FILE *file = input_file_open(path);
    if (file == NULL)
        return false;
    size_t n = fread(head, 1, sizeof magic - 1, file);
    fclose(file);
    if (n != sizeof magic - 1 || memcmp(head, magic, n) != 0)
        return false;
    equant_status status = equant_sky_motions_read(path, 0, &motions);
    return status == EQUANT_SUCCESS || status == EQUANT_ERROR_INVALID_ARGUMENT ||
           status == EQUANT_ERROR_OUT_OF_MEMORY; /* whoever reads it will see */
}

bool sky_request_is_meant(const struct file_list *files)
{
    for (int i = 0; i < files->n; i++)
        if (equant_astrometry_recognises(files->paths[i]) ||
            equant_astrometry_is_joint(files->paths[i]) ||
            sky_request_is_catalogue(files->paths[i]))
            return true;
    return false;
}

equant_sky_fit_options sky_request_plain(const struct sky_request *sky,
                                         const equant_dataset *velocities)
{
    return (equant_sky_fit_options){
        .struct_size = sizeof(equant_sky_fit_options),
        .as_ccds = sky->as_ccds,
        .no_jitter = sky->jitter == JITTER_NONE,
        .force_orbit = sky->has_orbit,
        .parallax_zero_point_mas = sky->parallax_zero_point_mas,
        .radial_velocity_km_s = sky->radial_velocity_km_s,
        .velocities = velocities,
        .free_velocities = sky->has_free_velocities,
    };
}

/* An option that velocities have no use for; NULL: none was given. */
static const char *given_of_the_sky(const struct sky_request *sky)
{
    const struct {
        bool is_given;
        const char *name;
    } options[] = {{sky->as_ccds, "ccd"},
                   {sky->jitter != JITTER_FITTED, "jitter"},
                   {sky->source_id != 0, "source"},
                   {sky->parallax_zero_point_mas != 0.0, "parallax-zero-point"},
                   {sky->catalogue_parallax_mas != 0.0, "catalogue-parallax"},
                   {sky->radial_velocity_km_s != 0.0, "radial-velocity"},
                   {sky->has_free_velocities, "free-velocities"},
                   {sky->keeps_rejected, "keep-rejected"},
                   {sky->has_orbit, "orbit"}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (options[i].is_given)
            return options[i].name;
    return NULL;
}

/* Of fits, searches and runs together: none of these words means anything else in one of them. */
static const char *const of_velocities[] = {
    /* planets and their orbits */
    "start", "fixed", "known", "set", "letters", "transits", "basis", "circular", "events", "why",
    /* what stands beside them */
    "trend", "noise", "kernel", "outliers", "indicators", "indicators-as", "marginalise-offsets",
    /* how they are looked for and judged */
    "method", "draws", "probability", "threshold", "probabilities", "sweeps",
    /* priors and walkers */
    "prior-set", "priors", "prior", "temperatures"};

bool sky_request_is_of_velocities(const char *option)
{
    for (size_t i = 0; i < sizeof of_velocities / sizeof of_velocities[0]; i++)
        if (strcmp(option, of_velocities[i]) == 0)
            return true;
    return false;
}

int sky_request_refuse(const char *command, const char *option)
{
    if (option == NULL)
        return EXIT_CODE_OK;
    return messages_usage(command, "--%s is for velocities alone; leave it out with astrometry",
                          option);
}

int sky_request_check_companions(const char *command, size_t n)
{
    if (n >= 1 && n <= 3)
        return EXIT_CODE_OK;
    return messages_usage(command, "on the sky there may be 1 to 3 companions, not %zu", n);
}

/* Files that cannot be read are of nothing; whoever reads them says why. */
static bool are_readable(const struct file_list *files)
{
    for (int i = 0; i < files->n; i++)
        if (!system_file_is_readable(files->paths[i]))
            return false;
    return true;
}

int sky_request_settle(const char *command, const struct sky_request *sky,
                       const struct file_list *files, equant_star *star)
{
    const char *given = given_of_the_sky(sky);
    if (given != NULL && are_readable(files) && !sky_request_is_meant(files))
        return messages_usage(command, "--%s is for astrometry; leave it out with velocities alone",
                              given);
    if (!(sky->star_mass_err > 0.0))
        return EXIT_CODE_OK;
    star->mass_err = sky->star_mass_err;
    return equant_star_check(star) == EQUANT_SUCCESS
               ? EXIT_CODE_OK
               : messages_usage(command, "--star-mass-err: %s", equant_last_error());
}

void sky_request_weigh(const equant_star *star, equant_sky_fit_options *options)
{
    options->star_mass = star->mass;
    options->star_mass_err = star->mass_err;
}

equant_sky_fit_options sky_request_options(const struct sky_request *sky,
                                           const struct fit_request *fit,
                                           const equant_dataset *velocities)
{
    equant_sky_fit_options options = sky_request_plain(sky, velocities);
    options.engine = &fit->range.engine;
    options.no_jitter |= fit->has_no_jitter;
    options.false_alarm_max = fit->false_alarm_max;
    options.max_companions = fit->max_planets;
    options.period_min_days = fit->range.period_min_days;
    options.period_max_days = fit->range.period_max_days;
    options.eccentricity_max = fit->range.eccentricity_max;
    sky_request_weigh(&fit->star, &options);
    return options;
}
