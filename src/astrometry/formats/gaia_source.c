#include "astrometry/formats/gaia_source.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "model/circle.h"

/* No CCD measures so badly; Gaia's tables have 2e8 mas where there is nothing. */
static const double sentinel_mas = 1e6;

/* "FILE:7" for a line of text, "FILE: row 7" for what has no lines. */
static const char *place_name(const gaia_source *source, const gaia_place *place, char *text,
                              size_t n_text)
{
    if (place->is_line)
        snprintf(text, n_text, "%s:%zu", source->input->path, place->number);
    else
        snprintf(text, n_text, "%s: row %zu", source->input->path, place->number);
    return text;
}

/* ---- one CCD ----------------------------------------------------------- */

/* A cell's value for one CCD, or the one for the whole transit. */
static double real_of(const gaia_cell *cell, size_t ccd)
{
    return cell->n == 0 ? NAN : cell->real[cell->n == 1 ? 0 : ccd];
}

static int64_t whole_of(const gaia_cell *cell, size_t ccd)
{
    return cell->n == 0 ? 0 : cell->whole[cell->n == 1 ? 0 : ccd];
}

/* The units of a source are those of its first time and of its first correction that is not zero.
 */
static equant_status find_time(gaia_source *source, const gaia_transit *transit, size_t ccd,
                               const gaia_place *place, double *time_days)
{
    gaia_clock *clock = &source->clock;
    double time = real_of(&transit->cells[GAIA_TIME], ccd);
    double correction =
        source->has_correction ? real_of(&transit->cells[GAIA_CORRECTION], ccd) : 0.0;
    *time_days = NAN;
    if (!isfinite(time))
        return EQUANT_SUCCESS;
    if (clock->time == GAIA_UNIT_UNKNOWN)
        clock->time = gaia_unit_of_time(time);
    if (clock->correction == GAIA_UNIT_UNKNOWN && isfinite(correction) && correction != 0.0)
        clock->correction = gaia_unit_of_correction(clock->time, correction);
    *time_days = gaia_clock_days(clock, time, whole_of(&transit->cells[GAIA_TIME], ccd),
                                 source->has_correction ? correction : 0.0);
    if (isfinite(*time_days) || !isfinite(correction))
        return EQUANT_SUCCESS;
    char where[600];
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s: obs_time_tcb is %.17g, which is not a time from 2013 to 2040 in %s; "
                       "give nanoseconds since 2010.0, as Gaia's own tables have, or Julian dates",
                       place_name(source, place, where, sizeof where), time,
                       clock->time == GAIA_UNIT_UNKNOWN ? "any unit that is known here"
                                                        : gaia_unit_name_of_times(clock->time));
}

static equant_status add_ccd(gaia_source *source, const gaia_transit *transit, size_t ccd,
                             int64_t number, const gaia_place *place)
{
    const gaia_cell *cells = transit->cells;
    sky_row row = {
        .abscissa_mas = real_of(&cells[GAIA_ABSCISSA], ccd),
        .uncertainty_mas = real_of(&cells[GAIA_UNCERTAINTY], ccd),
        .angle_rad = real_of(&cells[GAIA_ANGLE], ccd) * (PI / 180),
        .parallax_factor = source->has_parallax ? real_of(&cells[GAIA_PARALLAX_FACTOR], ccd) : 0,
        .colour_factor =
            cells[GAIA_COLOUR_FACTOR].n > 0 ? real_of(&cells[GAIA_COLOUR_FACTOR], ccd) : 0,
        .transit = number,
    };
    bool is_used = !source->has_flags || whole_of(&cells[GAIA_USED], ccd) != 0;
    source->n_ccds++;
    if (!is_used && !source->input->keeps_rejected) {
        source->n_unused++;
        return EQUANT_SUCCESS;
    }
    equant_status status = find_time(source, transit, ccd, place, &row.time_days);
    if (status != EQUANT_SUCCESS)
        return status;
    bool is_finite = isfinite(row.time_days) && isfinite(row.abscissa_mas) &&
                     isfinite(row.uncertainty_mas) && isfinite(row.angle_rad) &&
                     isfinite(row.parallax_factor);
    if (!is_finite) {
        source->n_unfinished++;
        return EQUANT_SUCCESS;
    }
    if (row.uncertainty_mas <= 0 || row.uncertainty_mas >= sentinel_mas ||
        fabs(row.abscissa_mas) >= sentinel_mas) {
        source->n_sentinels++;
        return EQUANT_SUCCESS;
    }
    source->n_kept_unused += !is_used;
    if (!isfinite(row.colour_factor)) /* of use for the colour term alone */
        row.colour_factor = 0;
    return sky_builder_add(&source->builder, row);
}

/* ---- repeated measurements --------------------------------------------- */

static int compare_times(const void *left, const void *right)
{
    const sky_row *a = left, *b = right;
    if (a->time_days != b->time_days)
        return a->time_days < b->time_days ? -1 : 1;
    return (a->uncertainty_mas > b->uncertainty_mas) - (a->uncertainty_mas < b->uncertainty_mas);
}

/* CCDs are seconds apart. What is within a millisecond of another is the same measurement, reduced
 * twice; the one that stands first, or has the smaller uncertainty, stays. */
static size_t drop_repeats(sky_builder *builder)
{
    static const double millisecond_days = 1e-3 / 86400;
    size_t kept = 0, n = builder->n_rows;
    qsort(builder->rows, n, sizeof *builder->rows, compare_times);
    for (size_t k = 0; k < n; k++)
        if (kept == 0 ||
            builder->rows[k].time_days - builder->rows[kept - 1].time_days > millisecond_days)
            builder->rows[kept++] = builder->rows[k];
    builder->n_rows = kept;
    return n - kept;
}

/* A measurement may be reduced twice. Nearly all of a table cannot. */
static equant_status fail_repeated(gaia_source *source, size_t n_read, size_t n_repeats)
{
    equant_status status =
        status_fail(EQUANT_ERROR_FORMAT,
                    "%s: %zu of %zu CCD measurements of source %" PRId64
                    " are within 1 ms of another one: obs_time_tcb, read as %s, cannot be right",
                    source->input->path, n_repeats, n_read, source->builder.source_id,
                    gaia_unit_name_of_times(source->clock.time));
    sky_builder_free(&source->builder);
    return status;
}

/* Transits that have no number of their own are counted in the order of time, whatever the order of
 * the file is. */
static void number_transits(sky_builder *builder)
{
    int64_t before = -1, number = -1;
    for (size_t k = 0; k < builder->n_rows; k++) {
        int64_t row = builder->rows[k].transit;
        number += row != before;
        before = row;
        builder->rows[k].transit = number;
    }
}

/* ---- units ------------------------------------------------------------- */

/* Scans go round the sky: angles of many transits that all stay within six degrees of zero are
 * radians that somebody has made of them. */
static bool turn_radians(sky_builder *builder)
{
    enum { FEWEST_ROWS = 20 };
    const double degree = PI / 180;
    double largest = 0;
    for (size_t k = 0; k < builder->n_rows; k++)
        largest = fmax(largest, fabs(builder->rows[k].angle_rad));
    if (builder->n_rows < FEWEST_ROWS || largest > TWO_PI * degree)
        return false;
    for (size_t k = 0; k < builder->n_rows; k++)
        builder->rows[k].angle_rad /= degree;
    return true;
}

/* Gaia observed from 2014 to early 2025; the rows are in the order of time. */
static bool is_out_of_mission(const sky_builder *builder)
{
    return builder->rows[0].time_days < -1400 ||
           builder->rows[builder->n_rows - 1].time_days > 3000;
}

/* ---- a source ---------------------------------------------------------- */

static equant_status remark_on_rows(gaia_source *source, size_t n_repeats)
{
    sky_builder *builder = &source->builder;
    equant_status status = EQUANT_SUCCESS;
    if (source->remark != NULL)
        status = sky_builder_remark(builder, "%s", source->remark);
    if (status == EQUANT_SUCCESS && source->n_unused > 0)
        status = sky_builder_remark(builder,
                                    "left out: %zu of %zu CCD measurements that AGIS did not use "
                                    "(used_by_agis_al)",
                                    source->n_unused, source->n_ccds);
    if (status == EQUANT_SUCCESS && source->n_kept_unused > 0)
        status = sky_builder_remark(builder,
                                    "kept, as asked: %zu of %zu CCD measurements that AGIS did not "
                                    "use",
                                    source->n_kept_unused, source->n_ccds);
    if (status == EQUANT_SUCCESS && !source->has_flags)
        status =
            sky_builder_remark(builder, "no column used_by_agis_al: every CCD measurement with "
                                        "finite numbers is taken");
    if (status == EQUANT_SUCCESS && source->n_unfinished > 0)
        status = sky_builder_remark(builder,
                                    "left out: %zu CCD measurements without a finite time, "
                                    "abscissa, uncertainty, angle or parallax factor",
                                    source->n_unfinished);
    if (status == EQUANT_SUCCESS && source->n_sentinels > 0)
        status = sky_builder_remark(builder,
                                    "left out: %zu CCD measurements whose uncertainty is not above "
                                    "zero, or which have %g mas and more, which stands for none",
                                    source->n_sentinels, sentinel_mas);
    if (status == EQUANT_SUCCESS && n_repeats > 0)
        status = sky_builder_remark(builder,
                                    "left out: %zu CCD measurements within 1 ms of another one, of "
                                    "which the one with the smaller uncertainty is taken",
                                    n_repeats);
    return status;
}

static equant_status remark_on_units(gaia_source *source)
{
    const gaia_clock *clock = &source->clock;
    bool is_usual =
        clock->correction == GAIA_UNIT_NANOSECONDS || clock->correction == GAIA_UNIT_UNKNOWN;
    equant_status status = EQUANT_SUCCESS;
    if (clock->time != GAIA_UNIT_NANOSECONDS)
        status = sky_builder_remark(&source->builder,
                                    "times: obs_time_tcb is read as %s, by the size of the "
                                    "numbers; Gaia's own tables have nanoseconds since 2010.0",
                                    gaia_unit_name_of_times(clock->time));
    if (status == EQUANT_SUCCESS && !is_usual)
        status = sky_builder_remark(&source->builder,
                                    "times: obs_time_bary_corr is read as %s, by the size of the "
                                    "numbers; Gaia's own tables have nanoseconds",
                                    gaia_unit_name_of_corrections(clock->correction));
    return status;
}

static equant_status remark_on_meaning(gaia_source *source)
{
    sky_builder *builder = &source->builder;
    equant_status status = EQUANT_SUCCESS;
    if (turn_radians(builder))
        status = sky_builder_remark(builder, "scan angles: read as radians, for all of them are "
                                             "within 6.3; Gaia's own tables have degrees");
    if (status == EQUANT_SUCCESS && is_out_of_mission(builder))
        status = sky_builder_remark(builder,
                                    "times: some are outside of Gaia's mission; "
                                    "obs_time_tcb is read as %s",
                                    gaia_unit_name_of_times(source->clock.time));
    if (status == EQUANT_SUCCESS)
        status = remark_on_units(source);
    if (status != EQUANT_SUCCESS)
        return status;
    status = sky_builder_remark(
        builder,
        source->has_correction
            ? "times: TCB at the barycentre, obs_time_tcb with obs_time_bary_corr added"
            : "times: TCB at Gaia, up to 8 minutes from those at the barycentre, for the file has "
              "no obs_time_bary_corr");
    if (status == EQUANT_SUCCESS && !source->has_parallax)
        status = sky_builder_remark(builder, "no column parallax_factor_al: the parallax cannot be "
                                             "solved for");
    if (status == EQUANT_SUCCESS && source->excess_noise_mas > 0)
        status = sky_builder_remark(builder,
                                    "AGIS's excess noise of %.6g mas, which an orbit would "
                                    "explain, is not added to the uncertainties",
                                    source->excess_noise_mas);
    return status;
}

static equant_status finish(gaia_source *source)
{
    if (!source->is_open)
        return EQUANT_SUCCESS;
    source->is_open = false;
    sky_builder *builder = &source->builder;
    if (builder->n_rows == 0) {
        source->input->queue->n_left_out++;
        sky_builder_free(builder);
        return EQUANT_SUCCESS;
    }
    size_t n_read = builder->n_rows, n_repeats = drop_repeats(builder);
    if (10 * n_repeats > 9 * n_read)
        return fail_repeated(source, n_read, n_repeats);
    if (!source->has_numbers)
        number_transits(builder);
    char name[32] = "";
    if (builder->source_id != 0)
        snprintf(name, sizeof name, "Gaia %" PRId64, builder->source_id);
    builder->reference_jd = EQUANT_SKY_GAIA_JD;
    equant_status status = sky_builder_set_name(builder, name);
    if (status == EQUANT_SUCCESS)
        status = sky_builder_set_format(builder, source->format);
    if (status == EQUANT_SUCCESS)
        status = remark_on_rows(source, n_repeats);
    if (status == EQUANT_SUCCESS)
        status = remark_on_meaning(source);
    equant_astrometry *made = NULL;
    if (status == EQUANT_SUCCESS)
        status = sky_builder_finish(builder, &made);
    sky_builder_free(builder);
    return status == EQUANT_SUCCESS ? sky_queue_put(source->input->queue, made) : status;
}

static equant_status begin(gaia_source *source, const gaia_transit *transit,
                           const gaia_place *place)
{
    const gaia_cell *cells = transit->cells;
    int64_t source_id = whole_of(&cells[GAIA_SOURCE_ID], 0);
    char where[600];
    bool is_new;
    equant_status status = sky_queue_note(source->input->queue, source_id, &is_new);
    if (status == EQUANT_SUCCESS && !is_new)
        status = status_fail(EQUANT_ERROR_FORMAT,
                             "%s: the rows of source %" PRId64
                             " do not stand together; sort the table by source_id",
                             place_name(source, place, where, sizeof where), source_id);
    if (status != EQUANT_SUCCESS)
        return status;
    source->is_open = true;
    source->builder =
        (sky_builder){.source_id = source_id, .has_colour = cells[GAIA_COLOUR_FACTOR].n > 0};
    source->clock = (gaia_clock){GAIA_UNIT_UNKNOWN, GAIA_UNIT_UNKNOWN};
    source->n_rows = source->n_ccds = source->n_unused = 0;
    source->n_unfinished = source->n_sentinels = source->n_kept_unused = 0;
    source->has_numbers = cells[GAIA_TRANSIT_ID].n > 0;
    source->has_flags = cells[GAIA_USED].n > 0;
    source->has_correction = cells[GAIA_CORRECTION].n > 0;
    source->has_parallax = cells[GAIA_PARALLAX_FACTOR].n > 0;
    source->excess_noise_mas = real_of(&cells[GAIA_EXCESS_NOISE], 0);
    return EQUANT_SUCCESS;
}

/* All arrays of a transit have the length of its times, or one value for all of them. */
static equant_status count_ccds(const gaia_source *source, const gaia_transit *transit,
                                const gaia_place *place, size_t *n_ccds)
{
    char where[600];
    size_t n = transit->cells[GAIA_TIME].n;
    for (int i = 0; i < GAIA_N_COLUMNS; i++)
        n = transit->cells[i].n > n ? transit->cells[i].n : n;
    for (int i = 0; i < GAIA_N_COLUMNS; i++) {
        size_t n_own = transit->cells[i].n;
        if (n_own > 1 && n_own != n)
            return status_fail(EQUANT_ERROR_FORMAT,
                               "%s: %s has %zu values where others have %zu; is the file cut or "
                               "changed?",
                               place_name(source, place, where, sizeof where),
                               gaia_column_name((gaia_column)i), n_own, n);
    }
    *n_ccds = n;
    return EQUANT_SUCCESS;
}

equant_status gaia_source_add(gaia_source *source, const gaia_transit *transit,
                              const gaia_place *place)
{
    const gaia_cell *cells = transit->cells;
    int64_t source_id = whole_of(&cells[GAIA_SOURCE_ID], 0);
    if (source->input->source_id != 0 && source_id != source->input->source_id)
        return EQUANT_SUCCESS;
    size_t n_ccds = 0;
    equant_status status = count_ccds(source, transit, place, &n_ccds);
    if (status == EQUANT_SUCCESS && source->is_open && source->builder.source_id != source_id)
        status = finish(source);
    if (status == EQUANT_SUCCESS && !source->is_open)
        status = begin(source, transit, place);
    int64_t number = (int64_t)source->n_rows++;
    if (source->has_numbers)
        number = cells[GAIA_TRANSIT_ID].whole[0];
    for (size_t ccd = 0; ccd < n_ccds && status == EQUANT_SUCCESS; ccd++)
        status = add_ccd(source, transit, ccd, number, place);
    return status;
}

equant_status gaia_source_end(gaia_source *source)
{
    return finish(source);
}

void gaia_source_free(gaia_source *source)
{
    sky_builder_free(&source->builder);
}
