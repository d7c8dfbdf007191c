#include "model/model_quantities.h"

#include <math.h>
#include <stdio.h>

static bool is_there(const quantities_shape *shape, const quantity_kind *kind)
{
    const equant_quantity_info *info = &kind->info;
    if (kind->term != N_TERMS)
        return (size_t)kind->place < shape->layout.columns[kind->term].n;
    return shape->layout.n_planets > 0 &&
           !(info->needs_star_mass && !host_star_has_mass(&shape->star)) &&
           !(info->needs_star_luminosity && !host_star_has_luminosity(&shape->star)) &&
           !(info->is_posterior_only && shape->is_of_fit);
}

static quantity entry_of(const parameter_layout *layout, const quantity_kind *kind)
{
    quantity entry = {.kind = kind, .axis = kind->info.axis, .n = 1, .stride = 1};
    if (entry.axis == EQUANT_QUANTITY_PER_PLANET) {
        entry.n = layout->n_planets;
        entry.stride = layout->n_elements;
    } else if (entry.axis == EQUANT_QUANTITY_PER_INSTRUMENT) {
        entry.n = layout->columns[kind->term].n;
        if (entry.n != layout->n_instruments)
            entry.axis = EQUANT_QUANTITY_ALONE;
    }
    if (kind->term != N_TERMS)
        entry.column = parameter_layout_first(layout, kind->term) + (size_t)kind->place;
    return entry;
}

/* One parameter of a kind of noise, for each term of that kind. */
static size_t list_noise(const parameter_layout *layout, const quantity_kind *kind, quantity *list)
{
    const noise_kinds *noise = &layout->noise;
    size_t n = 0;
    for (int term = 0; term < noise->n; term++)
        if (noise->kind[term] == kind->noise) {
            list[n] = entry_of(layout, kind);
            list[n].column += noise_kinds_place(noise, term);
            list[n++].owner = (size_t)noise->owner[term];
        }
    return n;
}

size_t quantities_list(const quantities_shape *shape, quantity list[QUANTITIES_MOST])
{
    size_t n = 0;
    for (size_t i = 0; i < quantity_catalogue_n(); i++) {
        const quantity_kind *kind = quantity_catalogue_at(i);
        if (kind->term == TERM_NOISE)
            n += list_noise(&shape->layout, kind, list + n);
        else if (is_there(shape, kind))
            list[n++] = entry_of(&shape->layout, kind);
    }
    return n;
}

size_t quantities_n_rows(const quantities_shape *shape)
{
    quantity list[QUANTITIES_MOST];
    size_t n = quantities_list(shape, list), n_rows = 0;
    for (size_t q = 0; q < n; q++)
        n_rows += list[q].n;
    return n_rows;
}

void quantity_write_name(const quantity *entry, size_t index, char name[QUANTITIES_NAME_SIZE])
{
    if (entry->owner > 0)
        snprintf(name, QUANTITIES_NAME_SIZE, "%s_%zu", entry->kind->info.name, entry->owner);
    else if (entry->axis == EQUANT_QUANTITY_ALONE)
        snprintf(name, QUANTITIES_NAME_SIZE, "%s", entry->kind->info.name);
    else
        snprintf(name, QUANTITIES_NAME_SIZE, "%s_%zu", entry->kind->info.name, index + 1);
}

void quantity_write_variable(const quantity *entry, char name[QUANTITIES_NAME_SIZE])
{
    if (entry->owner > 0)
        snprintf(name, QUANTITIES_NAME_SIZE, "%s_%zu", entry->kind->info.name, entry->owner);
    else
        snprintf(name, QUANTITIES_NAME_SIZE, "%s", entry->kind->info.name);
}

static quantity_row row_of(const quantity *entry, size_t index)
{
    quantity_row row = {.entry = *entry, .index = index, .instrument = entry->owner};
    if (entry->axis == EQUANT_QUANTITY_PER_PLANET)
        row.planet = index + 1;
    else if (entry->axis == EQUANT_QUANTITY_PER_INSTRUMENT)
        row.instrument = index + 1;
    quantity_write_name(entry, index, row.name);
    return row;
}

quantity_row quantities_row(const quantities_shape *shape, size_t row)
{
    quantity list[QUANTITIES_MOST];
    size_t n = quantities_list(shape, list), n_of_planet = 0;
    while (n_of_planet < n && list[n_of_planet].axis == EQUANT_QUANTITY_PER_PLANET)
        n_of_planet++;
    if (row < n_of_planet * shape->layout.n_planets)
        return row_of(&list[row % n_of_planet], row / n_of_planet);
    row -= n_of_planet * shape->layout.n_planets;
    size_t q = n_of_planet;
    while (q < n && row >= list[q].n)
        row -= list[q++].n;
    return q < n ? row_of(&list[q], row) : (quantity_row){.name = ""};
}

keplerian_orbit quantities_orbit(const double elements[N_ELEMENTS], star_values star)
{
    return (keplerian_orbit){.P = elements[ELEMENT_PERIOD],
                             .K = elements[ELEMENT_K],
                             .e = elements[ELEMENT_ECCENTRICITY],
                             .omega = elements[ELEMENT_OMEGA],
                             .M0 = elements[ELEMENT_M0],
                             .M_star = star.mass,
                             .L_star = star.luminosity};
}

/* The event at `days` after the reference time, or that many periods from it that it is next
 * to `wanted`. */
static double next_to(double days, double wanted, double period)
{
    return days + period * floor((wanted - days) / period + 0.5);
}

double quantity_value(const quantity *entry, size_t index, const double *parameters,
                      const quantities_frame *frame)
{
    quantity_formula *formula = entry->kind->formula;
    if (formula == NULL)
        return parameters[entry->column + index * entry->stride];
    keplerian_orbit own = quantities_orbit(parameters + N_ELEMENTS * index, frame->star);
    double value = formula(&own);
    if (!entry->kind->is_event)
        return value;
    keplerian_orbit other = quantities_orbit(frame->reference + N_ELEMENTS * index, frame->star);
    return frame->reference_time_days + next_to(value, formula(&other), own.P);
}
