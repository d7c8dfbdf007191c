#include "results/sky_listing.h"

#include <stdio.h>

#include "equant.h"
#include "text/json_writer.h"
#include "terminal/angles.h"
#include "terminal/messages.h"
#include "terminal/plain_text.h"
#include "terminal/table.h"
#include "terminal/terminal.h"
#include "terminal/wrapped_text.h"

/* More sources than this are told in a line each. */
enum { MOST_IN_FULL = 5 };

static const char *const kind_names[] = {"star", "companion", "scan"};
static const char *const measurement_names[][2] = {
    {"measurement of the star", "measurements of the star"},
    {"row of a companion", "rows of a companion"},
    {"planned scan", "planned scans"}};

/* What one source looks like. */
struct sky_summary {
    equant_sky_rows rows;
    double first_jd, last_jd, span_days, mean_uncertainty_mas;
};

static struct sky_summary summarise(const equant_astrometry *source)
{
    struct sky_summary summary = {.rows = {.struct_size = sizeof summary.rows}};
    equant_astrometry_rows(source, &summary.rows);
    size_t n = summary.rows.n_rows;
    double reference_jd = equant_astrometry_reference_jd(source);
    summary.first_jd = reference_jd + summary.rows.time_days[0];
    summary.last_jd = reference_jd + summary.rows.time_days[n - 1];
    summary.span_days = summary.rows.time_days[n - 1] - summary.rows.time_days[0];
    for (size_t k = 0; k < n; k++)
        summary.mean_uncertainty_mas += summary.rows.uncertainty_mas[k] / (double)n;
    return summary;
}

/* ---- JSON -------------------------------------------------------------- */

static void write_source(json_writer *json, const char *path, const equant_astrometry *source)
{
    struct sky_summary summary = summarise(source);
    json_object_begin(json);
    json_key_string(json, "file", path);
    json_key_string(json, "name", equant_astrometry_name(source));
    json_key_integer(json, "source_id", (long long)equant_astrometry_source_id(source));
    json_key_string(json, "format", equant_astrometry_format(source));
    json_key_string(json, "kind", kind_names[summary.rows.kind[0]]);
    json_key_integer(json, "n_rows", (long long)summary.rows.n_rows);
    json_key_integer(json, "n_transits", (long long)equant_astrometry_n_transits(source));
    json_key_number(json, "reference_jd", equant_astrometry_reference_jd(source));
    json_key_number(json, "first_jd", summary.first_jd);
    json_key_number(json, "last_jd", summary.last_jd);
    json_key_number(json, "span_days", summary.span_days);
    json_key_number(json, "mean_uncertainty_mas", summary.mean_uncertainty_mas);
    json_key(json, "remarks");
    json_array_begin(json);
    for (size_t i = 0; i < equant_astrometry_n_remarks(source); i++)
        json_string(json, equant_astrometry_remark(source, i));
    json_array_end(json);
    json_object_end(json);
}

/* ---- text -------------------------------------------------------------- */

static void print_title(const char *path, const equant_astrometry *source, size_t n_rows)
{
    const char *bold = terminal_style(stdout, TERMINAL_BOLD);
    const char *plain = terminal_style(stdout, TERMINAL_PLAIN);
    const char *name = equant_astrometry_name(source);
    equant_sky_rows rows = {.struct_size = sizeof rows};
    equant_astrometry_rows(source, &rows);
    fputs(bold, stdout);
    plain_text_write(stdout, name[0] != '\0' ? name : path);
    printf(": %zu %s", n_rows, measurement_names[rows.kind[0]][n_rows != 1]);
    if (equant_astrometry_n_transits(source) != n_rows)
        printf(" in %zu transits", equant_astrometry_n_transits(source));
    printf("%s\n\n", plain);
}

static int print_first_and_last(const equant_astrometry *source, const equant_sky_rows *rows)
{
    static const char *const headers[] = {
        "", "JD", "abscissa mas", "uncertainty mas", "position angle deg", "parallax factor"};
    struct table table = table_start("lrrrrr");
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        table_add(&table, "%s", headers[i]);
    for (size_t row = 0; row < 2; row++) {
        size_t k = row == 0 ? 0 : rows->n_rows - 1;
        table_add(&table, "%s", row == 0 ? "first" : "last");
        table_add(&table, "%.6f", equant_astrometry_reference_jd(source) + rows->time_days[k]);
        table_add(&table, "%.4f", rows->abscissa_mas[k]);
        table_add(&table, "%.4f", rows->uncertainty_mas[k]);
        table_add(&table, "%.4f", rows->angle_rad[k] * DEGREES_PER_RADIAN);
        table_add(&table, "%.5f", rows->parallax_factor[k]);
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

static int print_in_full(const char *path, const equant_astrometry *source)
{
    struct sky_summary summary = summarise(source);
    print_title(path, source, summary.rows.n_rows);
    fputs("  format            ", stdout);
    plain_text_write(stdout, equant_astrometry_format(source));
    wrapped_text_print("\n  span              %.3f days\n", summary.span_days);
    wrapped_text_print("  mean uncertainty  %.4f mas\n", summary.mean_uncertainty_mas);
    wrapped_text_print("  reference time    JD %.10g\n\n", equant_astrometry_reference_jd(source));
    int code = print_first_and_last(source, &summary.rows);
    for (size_t i = 0; i < equant_astrometry_n_remarks(source); i++) {
        fputs(i == 0 ? "\n- " : "- ", stdout);
        plain_text_write(stdout, equant_astrometry_remark(source, i));
        putchar('\n');
    }
    return code;
}

static void print_line(const equant_astrometry *source)
{
    struct sky_summary summary = summarise(source);
    plain_text_write(stdout, equant_astrometry_name(source));
    wrapped_text_print("  %zu rows, %zu transits, %.1f days, %.4f mas\n", summary.rows.n_rows,
                       equant_astrometry_n_transits(source), summary.span_days,
                       summary.mean_uncertainty_mas);
}

/* ---- files ------------------------------------------------------------- */

/* Where the listing has come to. */
struct listing {
    bool as_json;
    json_writer json; /* open once a source has been told: a failure before leaves nothing */
    size_t n_told;
};

static int tell(struct listing *listing, const char *path, const equant_astrometry *source)
{
    int code = EXIT_CODE_OK;
    if (listing->as_json) {
        if (listing->n_told == 0) {
            listing->json = json_start(stdout);
            json_object_begin(&listing->json);
            json_key(&listing->json, "sources");
            json_array_begin(&listing->json);
        }
        write_source(&listing->json, path, source);
    } else if (listing->n_told < MOST_IN_FULL) {
        if (listing->n_told > 0)
            putchar('\n');
        code = print_in_full(path, source);
    } else {
        if (listing->n_told == MOST_IN_FULL)
            puts("\nFurther sources, a line each:\n");
        print_line(source);
    }
    listing->n_told++;
    return code;
}

static int tell_file(struct listing *listing, const char *path)
{
    equant_sky_stream *stream = NULL;
    equant_astrometry *source = NULL;
    int code = messages_status(equant_sky_stream_open(path, NULL, &stream));
    while (code == EXIT_CODE_OK) {
        code = messages_status(equant_sky_stream_next(stream, &source));
        if (code != EXIT_CODE_OK || source == NULL)
            break;
        code = tell(listing, path, source);
        equant_astrometry_free(source);
    }
    size_t n_left_out = equant_sky_stream_n_left_out(stream);
    if (code == EXIT_CODE_OK && n_left_out > 0)
        messages_warning("%s: %zu source%s without a row that can be used", path, n_left_out,
                         n_left_out == 1 ? "" : "s");
    equant_sky_stream_free(stream);
    return code;
}

int sky_listing_print(const char *const *paths, size_t n_paths, bool as_json)
{
    struct listing listing = {.as_json = as_json};
    int code = EXIT_CODE_OK;
    for (size_t i = 0; i < n_paths && code == EXIT_CODE_OK; i++)
        code = tell_file(&listing, paths[i]);
    if (as_json && listing.n_told > 0) {
        json_array_end(&listing.json);
        json_object_end(&listing.json);
        json_finish(&listing.json);
    }
    return code;
}
