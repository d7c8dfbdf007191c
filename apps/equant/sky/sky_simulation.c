#include "sky/sky_simulation.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files/number_text.h"
#include "inputs/observation_times.h"
#include "options/sky_request.h"
#include "sky/gaia_error.h"
#include "sky/sky_source_file.h"
#include "sky/sky_star.h"
#include "terminal/angles.h"
#include "terminal/messages.h"

#define DAYS_PER_YEAR 365.25

enum { N_BIAS = 6, MOST_WORDS = 16 };
/* Streams of random numbers besides those of other simulations. */
enum { CCD_PURPOSE = OBSERVATION_NOISE_PURPOSE, TRANSIT_PURPOSE = 11 };

static int take_source(const char *command, char *argument, void *into)
{
    return sky_request_source(command, argument, &((struct sky_simulation *)into)->source_id);
}

#define OPTIONS_OF struct sky_simulation
const struct option_row sky_simulation_rows[] = {
    {"gaia", "FILE", OPTION_FILE(scans),
     "simulates astrometry with the times and scan angles of this\n"
     "file: a table of GOST, or any file of epochs"},
    {"source", "ID", OPTION_CALL(take_source), "selects a source of a file with several"},
    {"magnitude", "G", OPTION_NUMBER(magnitude),
     "G magnitude, which sets the errors of Gaia; default: the\n"
     "errors of the file"},
    {"error", "MAS", OPTION_POSITIVE(error_mas),
     "error of each row, instead of those of the file or the magnitude"},
    {"excess", "MAS", OPTION_POSITIVE(excess_mas),
     "additional scatter of whole transits, not included in the\n"
     "stated errors"},
    {"parallax", "MAS", OPTION_NUMBER(parallax_mas), "default: 0"},
    {"pm-ra", "X", OPTION_NUMBER(pm_ra_mas_yr), "mas per year; default: 0"},
    {"pm-dec", "X", OPTION_NUMBER(pm_dec_mas_yr), "mas per year; default: 0"},
    {"companion", "WORDS", OPTION_LIST(companions),
     "P=600,a0=0.3 and, if not 0, e, i, omega, node, M0, in days,\n"
     "mas and degrees, of the star's orbit; may be repeated"},
    {"scan-bias", "WORDS", OPTION_TEXT(bias),
     "harmonics 3, 5 and 7 of the scan angle in mas, such as\n"
     "cos3=0.2,sin5=0.1"},
    {"sources", "N", OPTION_COUNT(n_sources, 1, 100000000),
     "number of such sources, each with its own noise; default: 1"},
    {0}};

struct sky_simulation sky_simulation_default(void)
{
    return (struct sky_simulation){.magnitude = NAN, .n_sources = 1};
}

/* ---- words --------------------------------------------------------------------------------- */

/* "NAME=NUMBER,..." into values[n] by name; names that are not there are refused. */
static int take_words(const char *command, const char *option, const char *text, size_t n,
                      const char *const *names, double *values)
{
    char copy[256], *word = copy;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return messages_usage(command, "--%s is too long", option);
    for (char *comma = copy; comma != NULL; word = comma + 1) {
        comma = strchr(word, ',');
        if (comma != NULL)
            *comma = '\0';
        char *equal = strchr(word, '=');
        size_t i = 0;
        if (equal != NULL)
            *equal = '\0';
        while (i < n && strcmp(word, names[i]) != 0)
            i++;
        if (equal == NULL || i == n || !number_text_parse(equal + 1, &values[i]) ||
            !isfinite(values[i]))
            return messages_usage(command, "--%s wants words such as %s=1, not '%s'", option,
                                  names[0], word);
    }
    return EXIT_CODE_OK;
}

static int take_companion(const char *command, const char *text, equant_sky_companion *made)
{
    enum { PERIOD, AXIS, ECCENTRICITY, INCLINATION, OMEGA, NODE, M0, N_WORDS };
    static const char *const names[N_WORDS] = {"P", "a0", "e", "i", "omega", "node", "M0"};
    double value[N_WORDS] = {NAN, NAN};
    int code = take_words(command, "companion", text, N_WORDS, names, value);
    if (code != EXIT_CODE_OK)
        return code;
    if (!(value[PERIOD] > 0.0) || !(value[AXIS] >= 0.0) ||
        !(value[ECCENTRICITY] >= 0.0 && value[ECCENTRICITY] < 1.0))
        return messages_usage(command,
                              "--companion '%s' is no orbit: P > 0, a0 >= 0 and 0 <= e < 1 are "
                              "wanted",
                              text);
    double w = value[OMEGA] * RADIANS_PER_DEGREE, o = value[NODE] * RADIANS_PER_DEGREE;
    double tilt = cos(value[INCLINATION] * RADIANS_PER_DEGREE), a0 = value[AXIS];
    *made = (equant_sky_companion){
        .period_days = value[PERIOD],
        .eccentricity = value[ECCENTRICITY],
        .m0_rad = value[M0] * RADIANS_PER_DEGREE,
        .thiele_innes_mas = {a0 * (cos(w) * cos(o) - sin(w) * sin(o) * tilt),
                             a0 * (cos(w) * sin(o) + sin(w) * cos(o) * tilt),
                             -a0 * (sin(w) * cos(o) + cos(w) * sin(o) * tilt),
                             -a0 * (sin(w) * sin(o) - cos(w) * cos(o) * tilt)}};
    return EXIT_CODE_OK;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* All that sources share. */
struct scene {
    equant_sky_rows rows; /* of the file */
    double reference_jd;
    double *signal_mas, *error_mas; /* [n_rows] */
    double *noise;                  /* [2 n_rows] */
};

static double bias_of(const double bias[N_BIAS], double angle_rad)
{
    double sum = 0.0;
    for (int i = 0; i < N_BIAS; i++) {
        double turned = (3.0 + 2.0 * (i / 2)) * angle_rad;
        sum += bias[i] * (i % 2 == 0 ? cos(turned) : sin(turned));
    }
    return sum;
}

static int fill_signal(const char *command, const struct sky_simulation *wanted,
                       struct scene *scene)
{
    static const char *const names[N_BIAS] = {"cos3", "sin3", "cos5", "sin5", "cos7", "sin7"};
    double bias[N_BIAS] = {0.0};
    const equant_sky_rows *rows = &scene->rows;
    int code = wanted->bias != NULL
                   ? take_words(command, "scan-bias", wanted->bias, N_BIAS, names, bias)
                   : EXIT_CODE_OK;
    for (size_t k = 0; k < rows->n_rows && code == EXIT_CODE_OK; k++) {
        double psi = rows->angle_rad[k], years = rows->time_days[k] / DAYS_PER_YEAR;
        scene->signal_mas[k] = wanted->pm_ra_mas_yr * years * sin(psi) +
                               wanted->pm_dec_mas_yr * years * cos(psi) +
                               wanted->parallax_mas * rows->parallax_factor[k] + bias_of(bias, psi);
    }
    for (size_t i = 0; i < wanted->companions.n && code == EXIT_CODE_OK; i++) {
        equant_sky_companion own;
        code = take_companion(command, wanted->companions.texts[i], &own);
        for (size_t k = 0; k < rows->n_rows && code == EXIT_CODE_OK; k++) {
            double place[2], psi = rows->angle_rad[k];
            sky_star_orbit(&own, rows->time_days[k], place);
            scene->signal_mas[k] += place[0] * sin(psi) + place[1] * cos(psi);
        }
    }
    return code;
}

/* A planned scan stands for the CCDs of its transit. */
static int fill_errors(const char *command, const struct sky_simulation *wanted,
                       struct scene *scene)
{
    double by_magnitude = isnan(wanted->magnitude) ? 0.0 : gaia_error_of_ccd(wanted->magnitude);
    if (isnan(by_magnitude))
        return messages_usage(command, "--magnitude %g: errors are known from 4.7 to 20.9",
                              wanted->magnitude);
    for (size_t k = 0; k < scene->rows.n_rows; k++) {
        bool is_planned = scene->rows.kind[k] == EQUANT_SKY_SCAN;
        double own = is_planned ? by_magnitude / sqrt(GAIA_ERROR_CCDS) : by_magnitude;
        if (wanted->error_mas > 0.0)
            own = wanted->error_mas;
        else if (!(own > 0.0) && !is_planned)
            own = scene->rows.uncertainty_mas[k];
        if (!(own > 0.0))
            return messages_usage(command,
                                  "%s has scans that were planned, without errors: give "
                                  "--magnitude or --error",
                                  wanted->scans);
        scene->error_mas[k] = own;
    }
    return EXIT_CODE_OK;
}

/* As few digits as bring the same number back. */
static void write_number(FILE *out, double value)
{
    char text[32];
    int digits = 9;
    do {
        snprintf(text, sizeof text, "%.*g", digits, value);
    } while (strtod(text, NULL) != value && ++digits <= 17);
    fputs(text, out);
}

static int write_source(const struct sky_simulation *wanted, const struct scene *scene,
                        uint64_t seed, uint64_t number, int64_t id, FILE *out)
{
    const equant_sky_rows *rows = &scene->rows;
    size_t n = rows->n_rows, transit = 0;
    double *of_transit = scene->noise + n;
    int code =
        messages_status(equant_random_normal(seed, CCD_PURPOSE, number * n, n, scene->noise));
    if (code == EXIT_CODE_OK)
        code =
            messages_status(equant_random_normal(seed, TRANSIT_PURPOSE, number * n, n, of_transit));
    for (size_t k = 0; k < n && code == EXIT_CODE_OK; k++) {
        transit = k > 0 && rows->transit[k] == rows->transit[k - 1] ? transit : k;
        double value = scene->signal_mas[k] + scene->error_mas[k] * scene->noise[k] +
                       wanted->excess_mas * of_transit[transit];
        fprintf(out, "%" PRId64 ",%" PRId64 ",", id, rows->transit[k]);
        write_number(out, scene->reference_jd + rows->time_days[k]);
        fputc(',', out);
        write_number(out, value);
        fputc(',', out);
        write_number(out, scene->error_mas[k]);
        fputc(',', out);
        write_number(out, rows->angle_rad[k] * DEGREES_PER_RADIAN);
        fputc(',', out);
        write_number(out, rows->parallax_factor[k]);
        fputc('\n', out);
    }
    return code;
}

static int write_sources(const char *command, const struct sky_simulation *wanted,
                         const equant_astrometry *source, uint64_t seed, FILE *out)
{
    struct scene scene = {.rows = {.struct_size = sizeof scene.rows},
                          .reference_jd = equant_astrometry_reference_jd(source)};
    int64_t id = equant_astrometry_source_id(source);
    int code = messages_status(equant_astrometry_rows(source, &scene.rows));
    if (code != EXIT_CODE_OK)
        return code;
    size_t n = scene.rows.n_rows;
    scene.signal_mas = calloc(4 * n + 1, sizeof *scene.signal_mas);
    if (scene.signal_mas == NULL)
        return messages_out_of_memory();
    scene.error_mas = scene.signal_mas + n;
    scene.noise = scene.signal_mas + 2 * n;
    for (size_t k = 0; k < n && code == EXIT_CODE_OK; k++)
        if (scene.rows.kind[k] == EQUANT_SKY_COMPANION)
            code = messages_failure("%s has positions of a companion; scans of Gaia are wanted",
                                    wanted->scans);
    if (code == EXIT_CODE_OK)
        code = fill_signal(command, wanted, &scene);
    if (code == EXIT_CODE_OK)
        code = fill_errors(command, wanted, &scene);
    if (code == EXIT_CODE_OK)
        fputs("source_id,transit_id,jd_tcb,w_mas,sigma_mas,psi_deg,parallax_factor\n", out);
    for (uint64_t i = 0; i < wanted->n_sources && code == EXIT_CODE_OK; i++)
        code = write_source(wanted, &scene, seed, i,
                            wanted->n_sources == 1 && id != 0 ? id : (int64_t)i + 1, out);
    free(scene.signal_mas);
    return code;
}

int sky_simulation_write(const char *command, const struct sky_simulation *wanted, uint64_t seed,
                         FILE *out)
{
    const equant_sky_reading reading = {.struct_size = sizeof reading,
                                        .source_id = wanted->source_id};
    equant_astrometry *source = NULL;
    int code = sky_source_file_read(command, wanted->scans, &reading, &source);
    if (code == EXIT_CODE_OK)
        code = write_sources(command, wanted, source, seed, out);
    equant_astrometry_free(source);
    return code;
}
