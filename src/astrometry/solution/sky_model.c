#include "astrometry/solution/sky_model.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* All columns that there may be, in their order. */
typedef enum column_kind {
    COLUMN_RA,
    COLUMN_DEC,
    COLUMN_PARALLAX,
    COLUMN_PM_RA,
    COLUMN_PM_DEC,
    COLUMN_ACCELERATION_RA,
    COLUMN_ACCELERATION_DEC,
    COLUMN_JERK_RA,
    COLUMN_JERK_DEC,
    COLUMN_COLOUR,
    COLUMN_HARMONICS, /* and five more */
    COLUMN_SECOND_RA = COLUMN_HARMONICS + 2 * SKY_MODEL_MAX_HARMONICS,
    COLUMN_SECOND_DEC,
    N_COLUMN_KINDS
} column_kind;

static const char *const names[N_COLUMN_KINDS] = {"ra",
                                                  "dec",
                                                  "parallax",
                                                  "pm_ra",
                                                  "pm_dec",
                                                  "acceleration_ra",
                                                  "acceleration_dec",
                                                  "jerk_ra",
                                                  "jerk_dec",
                                                  "colour",
                                                  "cos3",
                                                  "sin3",
                                                  "cos5",
                                                  "sin5",
                                                  "cos7",
                                                  "sin7",
                                                  "ra_2",
                                                  "dec_2"};

static bool has_column(const sky_model *model, int kind)
{
    switch (kind) {
    case COLUMN_PARALLAX:
        return model->has_parallax;
    case COLUMN_COLOUR:
        return model->has_colour;
    case COLUMN_RA:
    case COLUMN_DEC:
        return model->order >= 1 && !model->no_position;
    case COLUMN_PM_RA:
    case COLUMN_PM_DEC:
        return model->order >= 1;
    case COLUMN_ACCELERATION_RA:
    case COLUMN_ACCELERATION_DEC:
        return model->order >= 2;
    case COLUMN_JERK_RA:
    case COLUMN_JERK_DEC:
        return model->order >= 3;
    case COLUMN_SECOND_RA:
    case COLUMN_SECOND_DEC:
        return model->order >= 1 && model->has_second_frame;
    default:
        return kind < COLUMN_HARMONICS + 2 * model->n_harmonics;
    }
}

size_t sky_model_n_columns(const sky_model *model)
{
    size_t n = 0;
    for (int kind = 0; kind < N_COLUMN_KINDS; kind++)
        n += has_column(model, kind);
    return n;
}

static int kind_of(const sky_model *model, size_t column)
{
    for (int kind = 0; kind < N_COLUMN_KINDS; kind++)
        if (has_column(model, kind) && column-- == 0)
            return kind;
    return N_COLUMN_KINDS;
}

const char *sky_model_column_name(const sky_model *model, size_t column)
{
    int kind = kind_of(model, column);
    return kind < N_COLUMN_KINDS ? names[kind] : "";
}

size_t sky_model_column_index(const sky_model *model, const char *name)
{
    size_t n = sky_model_n_columns(model);
    for (size_t j = 0; j < n; j++)
        if (strcmp(sky_model_column_name(model, j), name) == 0)
            return j;
    return SIZE_MAX;
}

/* At the distance of the reference time. */
static double value_of(int kind, const equant_sky_rows *rows, size_t k)
{
    double years = rows->time_days[k] / SKY_MODEL_DAYS_PER_YEAR, angle = rows->angle_rad[k];
    switch (kind) {
    case COLUMN_RA:
    case COLUMN_SECOND_RA:
        return sin(angle);
    case COLUMN_DEC:
    case COLUMN_SECOND_DEC:
        return cos(angle);
    case COLUMN_PARALLAX:
        return rows->parallax_factor[k];
    case COLUMN_PM_RA:
        return years * sin(angle);
    case COLUMN_PM_DEC:
        return years * cos(angle);
    case COLUMN_ACCELERATION_RA:
        return 0.5 * years * years * sin(angle);
    case COLUMN_ACCELERATION_DEC:
        return 0.5 * years * years * cos(angle);
    case COLUMN_JERK_RA:
        return years * years * years / 6.0 * sin(angle);
    case COLUMN_JERK_DEC:
        return years * years * years / 6.0 * cos(angle);
    case COLUMN_COLOUR:
        return SKY_MODEL_COLOUR_SCALE * rows->colour_factor[k];
    default:
        break;
    }
    int harmonic = 3 + 2 * ((kind - COLUMN_HARMONICS) / 2);
    return (kind - COLUMN_HARMONICS) % 2 ? sin(harmonic * angle) : cos(harmonic * angle);
}

/* Positions, and what the instrument adds, belong to a mission; motion and parallax do not. */
static bool is_seen_in(int kind, int frame)
{
    if (kind >= COLUMN_PARALLAX && kind < COLUMN_COLOUR)
        return true;
    return (kind >= COLUMN_SECOND_RA) == (frame != 0);
}

double sky_model_value(const sky_model *model, const equant_sky_rows *rows, size_t column, size_t k)
{
    int kind = kind_of(model, column);
    double years = rows->time_days[k] / SKY_MODEL_DAYS_PER_YEAR;
    bool is_of_sky = kind < COLUMN_COLOUR || kind >= COLUMN_SECOND_RA;
    if (rows->kind != NULL && rows->kind[k] != EQUANT_SKY_STAR)
        return 0.0;
    if (!is_seen_in(kind, rows->frame != NULL ? rows->frame[k] : 0))
        return 0.0;
    double nearness = is_of_sky ? 1.0 / (1.0 + model->recession_per_year * years) : 1.0;
    return nearness * value_of(kind, rows, k);
}
