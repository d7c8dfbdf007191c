#include "astrometry/orbit/sky_ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/orbit/sky_motion_fit.h"
#include "astrometry/orbit/sky_parts.h"
#include "astrometry/orbit/sky_period.h"
#include "astrometry/orbit/sky_search.h"
#include "astrometry/orbit/sky_tie.h"
#include "astrometry/orbit/sky_verdict.h"
#include "astrometry/orbit/sky_workshop.h"
#include "core/progress_report.h"
#include "core/status_fail.h"

/* Rows that a model must have beyond its parameters. */
enum { N_SPARE = 3 };

#define USUAL_PERIOD_MIN_DAYS 1.0

const char *sky_rung_name(sky_rung rung)
{
    static const char *const names[N_SKY_RUNGS] = {"5p",         "7p",    "9p",
                                                   "scan_angle", "orbit", "orbit_scan_angle"};
    return names[rung];
}

/* Tells the caller what comes next; EQUANT_ERROR_CANCELLED when the caller has had enough. */
static equant_status tell(const sky_ladder_settings *settings, const char *stage, double done)
{
    return progress_report_tell(settings->progress, settings->progress_context, stage, done);
}

static sky_model model_of(const sky_ladder *ladder, const sky_ladder_settings *settings, int order,
                          int n_harmonics)
{
    bool has_star = sky_data_has_star(&ladder->data);
    return (sky_model){.order = has_star ? order : 0,
                       .has_parallax = has_star && ladder->data.has_parallax,
                       .has_colour = ladder->data.has_colour && settings->has_colour,
                       .no_position = has_star && ladder->data.n_star == 0,
                       .has_second_frame = ladder->data.has_second_frame,
                       .recession_per_year = has_star ? ladder->recession_per_year : 0.0,
                       .n_harmonics = has_star ? n_harmonics : 0};
}

/* A model without an orbit; is_tried tells whether the data determine it. */
static equant_status try_plain(sky_ladder *ladder, const sky_ladder_settings *settings,
                               sky_rung rung, const sky_model *model)
{
    sky_workshop shop;
    sky_solution *own = ladder->rungs + rung;
    *own = sky_solution_make(&ladder->data, model, 0);
    if (rung != SKY_RUNG_5P && ladder->data.n_rows < sky_solution_n_parameters(own) + N_SPARE)
        return EQUANT_SUCCESS;
    equant_status status = sky_workshop_open(&ladder->data, model, &shop);
    if (status == EQUANT_SUCCESS)
        status = sky_refine(&shop.refiner, &settings->limits, settings->has_jitter, own);
    sky_workshop_close(&shop);
    ladder->is_tried[rung] = status == EQUANT_SUCCESS;
    return rung != SKY_RUNG_5P && sky_refine_has_none(status) ? EQUANT_SUCCESS : status;
}

/* The search in `shop` behind rung `base`, by means of transits where data are CCDs. */
static equant_status search(sky_ladder *ladder, const sky_ladder_settings *settings,
                            sky_workshop *shop, const sky_solution *base, sky_solution *found)
{
    sky_search_place place = {&shop->refiner, base}, coarse;
    if (!settings->as_ccds)
        return sky_search_orbit(&place, NULL, &ladder->grid, settings->has_jitter, settings->engine,
                                found);
    sky_workshop small;
    sky_solution *behind = malloc(sizeof *behind);
    if (behind == NULL)
        return status_out_of_memory();
    equant_status status = sky_workshop_open(&ladder->means, &base->model, &small);
    *behind = sky_solution_make(&ladder->means, &base->model, base->n_orbits);
    memcpy(behind->value + sky_solution_shape(behind, 0), base->value + sky_solution_shape(base, 0),
           3 * base->n_orbits * sizeof *behind->value);
    if (status == EQUANT_SUCCESS)
        status = sky_refine(&small.refiner, &settings->limits, settings->has_jitter, behind);
    coarse = (sky_search_place){&small.refiner, behind};
    if (status == EQUANT_SUCCESS)
        status = sky_search_orbit(&place, &coarse, &ladder->grid, settings->has_jitter,
                                  settings->engine, found);
    sky_workshop_close(&small);
    free(behind);
    return status;
}

/* The orbits of `from` beside the columns of another model, whose solution with an orbit less is
 * `base`. */
static equant_status carry_over(sky_ladder *ladder, const sky_ladder_settings *settings,
                                sky_workshop *shop, const sky_solution *from,
                                const sky_solution *base, sky_solution *found)
{
    sky_limits limits =
        sky_grid_limits(&ladder->grid, exp(from->value[sky_solution_shape(from, 0)]));
    *found = sky_solution_make(&ladder->data, &shop->design.model, from->n_orbits);
    memcpy(found->jitter, base->jitter, sizeof found->jitter);
    memcpy(found->value + sky_solution_shape(found, 0), from->value + sky_solution_shape(from, 0),
           3 * from->n_orbits * sizeof *found->value);
    equant_status status = sky_refine_shapes(&shop->refiner, &limits, found);
    if (status != EQUANT_SUCCESS)
        return status;
    found->chi_square_before = found->chi_square;
    memcpy(found->jitter, from->jitter, sizeof found->jitter);
    return sky_refine(&shop->refiner, &limits, settings->has_jitter, found);
}

static equant_status try_orbit(sky_ladder *ladder, const sky_ladder_settings *settings,
                               sky_rung rung, sky_rung behind, const sky_solution *start)
{
    sky_workshop shop;
    sky_solution *own = ladder->rungs + rung;
    const sky_solution *base = ladder->rungs + behind;
    if (!ladder->is_tried[behind] ||
        ladder->data.n_rows < sky_solution_n_parameters(base) + 7 + N_SPARE)
        return EQUANT_SUCCESS;
    equant_status status = sky_workshop_open(&ladder->data, &base->model, &shop);
    if (status == EQUANT_SUCCESS)
        status = start != NULL ? carry_over(ladder, settings, &shop, start, base, own)
                               : search(ladder, settings, &shop, base, own);
    sky_workshop_close(&shop);
    ladder->is_tried[rung] = status == EQUANT_SUCCESS;
    return sky_refine_has_none(status) ? EQUANT_SUCCESS : status;
}

static equant_status try_orbits(sky_ladder *ladder, const sky_ladder_settings *settings)
{
    equant_status status = tell(settings, "looking for an orbit", 0.1);
    if (status == EQUANT_SUCCESS)
        status = try_orbit(ladder, settings, SKY_RUNG_ORBIT, SKY_RUNG_5P, NULL);
    if (status == EQUANT_SUCCESS)
        status = tell(settings, "looking for an orbit beside harmonics of the scan angle", 0.4);
    if (status == EQUANT_SUCCESS && ladder->is_tried[SKY_RUNG_ORBIT])
        status = try_orbit(ladder, settings, SKY_RUNG_ORBIT_SCAN_ANGLE, SKY_RUNG_SCAN_ANGLE,
                           ladder->rungs + SKY_RUNG_ORBIT);
    if (status == EQUANT_SUCCESS && ladder->is_tried[SKY_RUNG_ORBIT_SCAN_ANGLE] &&
        sky_verdict_is_worth(ladder, settings, SKY_RUNG_SCAN_ANGLE, SKY_RUNG_5P)) {
        /* What the harmonics explain may have hidden another orbit. */
        sky_solution *carried = malloc(sizeof *carried),
                     *own = ladder->rungs + SKY_RUNG_ORBIT_SCAN_ANGLE;
        if (carried == NULL)
            return status_out_of_memory();
        *carried = *own;
        status = try_orbit(ladder, settings, SKY_RUNG_ORBIT_SCAN_ANGLE, SKY_RUNG_SCAN_ANGLE, NULL);
        if (!ladder->is_tried[SKY_RUNG_ORBIT_SCAN_ANGLE] ||
            own->log_likelihood < carried->log_likelihood)
            *own = *carried;
        ladder->is_tried[SKY_RUNG_ORBIT_SCAN_ANGLE] = true;
        free(carried);
    }
    return status;
}

/* One orbit more than the chosen rung has, where noise would hardly make it both behind that rung
 * and behind the same with harmonics of the scan angle. */
static equant_status add_orbit(sky_ladder *ladder, const sky_ladder_settings *settings,
                               sky_solution *found, bool *is_added)
{
    sky_solution *own = ladder->rungs + ladder->chosen, *carried = found + 1;
    const sky_solution *harmonic = ladder->rungs + SKY_RUNG_ORBIT_SCAN_ANGLE;
    size_t n = own->n_orbits;
    sky_workshop shop;
    double gain, other_gain;
    *is_added = false;
    equant_status status = sky_workshop_open(&ladder->data, &own->model, &shop);
    if (status == EQUANT_SUCCESS)
        status = search(ladder, settings, &shop, own, found);
    sky_workshop_close(&shop);
    if (status != EQUANT_SUCCESS)
        return sky_refine_has_none(status) ? EQUANT_SUCCESS : status;
    double false_alarm = sky_verdict_false_alarm(ladder, settings, found, own, &gain);
    if (!(false_alarm < settings->false_alarm_max) ||
        sky_verdict_bic(ladder, found) >= sky_verdict_bic(ladder, own))
        return EQUANT_SUCCESS;
    if (n == 1 && ladder->chosen == SKY_RUNG_ORBIT && ladder->is_tried[SKY_RUNG_ORBIT_SCAN_ANGLE]) {
        status = sky_workshop_open(&ladder->data, &harmonic->model, &shop);
        if (status == EQUANT_SUCCESS)
            status = carry_over(ladder, settings, &shop, found, harmonic, carried);
        sky_workshop_close(&shop);
        if (status != EQUANT_SUCCESS)
            return sky_refine_has_none(status) ? EQUANT_SUCCESS : status;
        false_alarm = fmax(
            false_alarm, sky_verdict_false_alarm(ladder, settings, carried, harmonic, &other_gain));
    }
    if (false_alarm < settings->false_alarm_max) {
        *own = *found;
        ladder->companion_gain[n] = gain;
        ladder->companion_false_alarm[n] = false_alarm;
        *is_added = true;
    }
    return EQUANT_SUCCESS;
}

/* Companions behind the first one. Errors that are taken as they are would make some: CCDs of a
 * transit share theirs. */
static equant_status add_orbits(sky_ladder *ladder, const sky_ladder_settings *settings)
{
    equant_status status = EQUANT_SUCCESS;
    bool is_added = ladder->rungs[ladder->chosen].n_orbits > 0 && settings->has_jitter &&
                    ladder->false_alarm < settings->false_alarm_max && ladder->data.n_star > 0;
    ladder->companion_gain[0] = ladder->orbit_gain;
    ladder->companion_false_alarm[0] = ladder->false_alarm;
    sky_solution *found = is_added ? malloc(2 * sizeof *found) : NULL;
    if (is_added && found == NULL)
        return status_out_of_memory();
    while (is_added && status == EQUANT_SUCCESS) {
        const sky_solution *own = ladder->rungs + ladder->chosen;
        if (own->n_orbits >= settings->max_orbits ||
            ladder->data.n_rows < sky_solution_n_parameters(own) + 9 + N_SPARE)
            break;
        status = tell(settings, "looking for another companion", 0.6);
        if (status == EQUANT_SUCCESS)
            status = add_orbit(ladder, settings, found, &is_added);
    }
    free(found);
    return status;
}

/* One orbit of a star without velocities is told with its most probable period. */
static equant_status settle_period(sky_ladder *ladder, const sky_ladder_settings *settings)
{
    sky_workshop shop;
    sky_solution *own = ladder->rungs + ladder->chosen;
    const sky_data *data = &ladder->data;
    if (own->n_orbits != 1 || data->n_velocities > 0 || data->n_star < data->n_sky)
        return EQUANT_SUCCESS;
    equant_status status = sky_workshop_open(data, &own->model, &shop);
    if (status == EQUANT_SUCCESS)
        status = sky_period_settle(&shop.refiner, &ladder->grid, settings->has_jitter, own);
    sky_workshop_close(&shop);
    return status;
}

/* Chi-squares of all rungs with the weights of one, so that they can be compared. */
static equant_status weigh_alike(sky_ladder *ladder, const sky_ladder_settings *settings)
{
    const sky_solution *chosen = ladder->rungs + ladder->chosen;
    sky_solution *trial = malloc(sizeof *trial);
    equant_status status = trial ? EQUANT_SUCCESS : status_out_of_memory();
    ladder->weight_jitter_mas = chosen->jitter[0];
    for (int rung = 0; rung < N_SKY_RUNGS && status == EQUANT_SUCCESS; rung++) {
        sky_workshop shop;
        ladder->chi_square[rung] = NAN;
        if (!ladder->is_tried[rung])
            continue;
        *trial = ladder->rungs[rung];
        memcpy(trial->jitter, chosen->jitter, sizeof trial->jitter);
        status = sky_workshop_open(&ladder->data, &trial->model, &shop);
        if (status == EQUANT_SUCCESS)
            status = sky_refine_shapes(&shop.refiner, &settings->limits, trial);
        if (status == EQUANT_SUCCESS)
            ladder->chi_square[rung] = trial->chi_square;
        else if (sky_refine_has_none(status))
            status = EQUANT_SUCCESS;
        sky_workshop_close(&shop);
    }
    free(trial);
    return status;
}

static equant_status tie_chosen(sky_ladder *ladder, const sky_ladder_settings *settings)
{
    sky_workshop shop;
    ladder->tie_excess = ladder->tie_chance = NAN;
    sky_solution *own = ladder->rungs + ladder->chosen, *plain = ladder->rungs + SKY_RUNG_5P;
    double zero_point = settings->parallax_zero_point_mas;
    bool has_distance = !sky_data_has_star(&ladder->data) ||
                        sky_solution_distance_parallax(own, zero_point) > 0.0 ||
                        sky_solution_distance_parallax(plain, zero_point) > 0.0;
    if (own->n_orbits == 0 || ladder->data.n_velocities == 0 || settings->is_free || !has_distance)
        return EQUANT_SUCCESS;
    equant_status status = sky_workshop_open(&ladder->data, &own->model, &shop);
    if (status == EQUANT_SUCCESS)
        status = sky_tie(&shop.refiner, &settings->limits, settings->has_jitter, zero_point,
                         sky_solution_column(plain, "parallax", NULL), own, &ladder->tie_excess);
    sky_workshop_close(&shop);
    ladder->is_tied = own->is_tied;
    if (status == EQUANT_SUCCESS && ladder->is_tied && sky_data_has_star(&ladder->data))
        ladder->tie_chance = sky_verdict_tie_chance(ladder, own, ladder->tie_excess);
    return status;
}

equant_status sky_ladder_begin(sky_ladder *ladder, const sky_ladder_settings *settings)
{
    sky_model plain = model_of(ladder, settings, 1, 0);
    return try_plain(ladder, settings, SKY_RUNG_5P, &plain);
}

/* From the parallax of five parameters without perspective; the parallax with it differs by less
 * than would matter. */
static equant_status find_recession(sky_ladder *ladder, const sky_ladder_settings *settings)
{
    const double km_s_per_au_yr = 4.740470446, mas_per_radian = 206264806.247;
    if (settings->radial_velocity_km_s == 0.0 || !ladder->data.has_parallax)
        return EQUANT_SUCCESS;
    equant_status status = sky_ladder_begin(ladder, settings);
    if (status != EQUANT_SUCCESS)
        return status;
    double parallax = sky_solution_column(ladder->rungs + SKY_RUNG_5P, "parallax", NULL);
    if (parallax > 0.0)
        ladder->recession_per_year =
            settings->radial_velocity_km_s / km_s_per_au_yr * parallax / mas_per_radian;
    return EQUANT_SUCCESS;
}

/* From five parameters to an orbit. */
static equant_status climb(sky_ladder *ladder, const sky_ladder_settings *settings)
{
    sky_model seven = model_of(ladder, settings, 2, 0), nine = model_of(ladder, settings, 3, 0);
    equant_status status = tell(settings, "fitting the motion of the star", 0.05);
    if (status == EQUANT_SUCCESS && ladder->data.n_star > 0)
        status = try_plain(ladder, settings, SKY_RUNG_7P, &seven);
    if (status == EQUANT_SUCCESS && ladder->data.n_star > 0)
        status = try_plain(ladder, settings, SKY_RUNG_9P, &nine);
    for (int n = SKY_MODEL_MAX_HARMONICS;
         n > 0 && status == EQUANT_SUCCESS && ladder->data.n_star > 0 &&
         !ladder->is_tried[SKY_RUNG_SCAN_ANGLE];
         n--) {
        sky_model harmonic = model_of(ladder, settings, 1, n);
        status = try_plain(ladder, settings, SKY_RUNG_SCAN_ANGLE, &harmonic);
    }
    return status == EQUANT_SUCCESS ? try_orbits(ladder, settings) : status;
}

/* What was found until a caller had enough counts, where that is wanted. */
static equant_status keep_partial(sky_ladder *ladder, const sky_ladder_settings *settings,
                                  equant_status status)
{
    if (status != EQUANT_ERROR_CANCELLED || !settings->keeps_partial)
        return status;
    ladder->is_partial = true;
    return EQUANT_SUCCESS;
}

static equant_status optimise(sky_ladder *ladder, const sky_ladder_settings *settings)
{
    equant_status status = find_recession(ladder, settings);
    if (status == EQUANT_SUCCESS)
        status = sky_ladder_begin(ladder, settings);
    if (status == EQUANT_SUCCESS)
        status = keep_partial(ladder, settings, climb(ladder, settings));
    if (status != EQUANT_SUCCESS)
        return status;
    sky_verdict_choose(ladder, settings);
    if (!ladder->is_partial)
        status = keep_partial(ladder, settings, add_orbits(ladder, settings));
    if (status == EQUANT_SUCCESS && !ladder->is_partial)
        status = keep_partial(ladder, settings, tell(settings, "comparing the models", 0.9));
    if (status == EQUANT_SUCCESS && !ladder->is_partial)
        status = settle_period(ladder, settings);
    if (status == EQUANT_SUCCESS)
        status = weigh_alike(ladder, settings);
    if (status == EQUANT_SUCCESS)
        status = tie_chosen(ladder, settings);
    return status == EQUANT_SUCCESS
               ? sky_parts_find(&ladder->data, ladder->rungs + ladder->chosen, ladder->part_gain)
               : status;
}

/* A source without rows: what is seen of the star are its motions in a catalogue. */
static equant_status add_only_motions(const equant_astrometry *source,
                                      const sky_ladder_settings *settings, sky_data *data)
{
    sky_motion_rows rows;
    if (settings->motions == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "%s: nothing was measured on the sky, and there are no motions of a "
                           "catalogue beside the velocities",
                           equant_astrometry_name(source));
    equant_status status =
        sky_motion_rows_create(settings->motions, settings->n_scans, settings->scans,
                               equant_astrometry_reference_jd(source), &rows);
    return status == EQUANT_SUCCESS ? sky_data_add_motions(data, &rows) : status;
}

equant_status sky_ladder_open(const equant_astrometry *source, const equant_dataset *velocities,
                              const sky_ladder_settings *settings, sky_ladder *ladder,
                              sky_ladder_settings *filled)
{
    *ladder = (sky_ladder){0};
    equant_status status = sky_data_create(source, settings->as_ccds, velocities, &ladder->data);
    bool has_rows = ladder->data.n_sky > 0;
    if (status == EQUANT_SUCCESS && !has_rows)
        status = add_only_motions(source, settings, &ladder->data);
    if (status == EQUANT_SUCCESS && settings->as_ccds && has_rows)
        status = sky_data_create(source, false, velocities, &ladder->means);
    ladder->rungs = malloc(N_SKY_RUNGS * sizeof *ladder->rungs);
    if (status == EQUANT_SUCCESS && ladder->rungs == NULL)
        status = status_out_of_memory();
    *filled = *settings;
    filled->as_ccds = settings->as_ccds && has_rows;
    /* Positions of companions are few, often at the same hour, and of long orbits. */
    if (!(filled->limits.period_min_days > 0.0))
        filled->limits.period_min_days = sky_data_has_star(&ladder->data)
                                             ? USUAL_PERIOD_MIN_DAYS
                                             : 0.1 * ladder->data.sky_span_days;
    if (!(filled->limits.period_max_days > 0.0))
        filled->limits.period_max_days = 20.0 * ladder->data.span_days;
    if (status == EQUANT_SUCCESS &&
        !(filled->limits.period_max_days > filled->limits.period_min_days))
        status =
            status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "periods from %g to %g days are no range",
                        filled->limits.period_min_days, filled->limits.period_max_days);
    if (status == EQUANT_SUCCESS)
        status = sky_grid_check(ladder->data.span_days, &filled->limits);
    if (status == EQUANT_SUCCESS)
        ladder->grid = sky_grid_make(ladder->data.span_days, &filled->limits);
    return status;
}

/* A correction to a parallax that is not known is no distance: nothing would say how fast a star
 * goes that moves by so many mas. */
static equant_status check_distance(const equant_astrometry *source, const sky_ladder *ladder,
                                    const sky_ladder_settings *settings)
{
    const char *name = equant_astrometry_name(source);
    if (!ladder->data.lacks_parallax || ladder->data.n_star == 0)
        return EQUANT_SUCCESS;
    if (settings->radial_velocity_km_s != 0.0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "%s: the perspective of a moving star needs its parallax, and the file "
                           "has residuals to a solution that it does not tell; give the "
                           "catalogue's parallax",
                           name);
    if (ladder->data.n_velocities > 0 && !settings->is_free)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "%s: velocities are tied to the orbit on the sky by the star's "
                           "parallax, and the file has residuals to a solution that it does not "
                           "tell; give the catalogue's parallax, or leave the velocities free",
                           name);
    return EQUANT_SUCCESS;
}

equant_status sky_ladder_fit(const equant_astrometry *source, const equant_dataset *velocities,
                             const sky_ladder_settings *settings, sky_ladder *ladder)
{
    sky_ladder_settings filled;
    equant_status status = sky_ladder_open(source, velocities, settings, ladder, &filled);
    if (status == EQUANT_SUCCESS)
        status = check_distance(source, ladder, &filled);
    if (status == EQUANT_SUCCESS)
        status = optimise(ladder, &filled);
    if (status == EQUANT_SUCCESS)
        status = sky_motion_fit_add(source, ladder, &filled);
    if (status != EQUANT_SUCCESS)
        sky_ladder_free(ladder);
    return status;
}

void sky_ladder_free(sky_ladder *ladder)
{
    sky_data_free(&ladder->data);
    sky_data_free(&ladder->means);
    free(ladder->rungs);
    *ladder = (sky_ladder){0};
}
