#include "astrometry/solution/sky_motion_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/solution/sky_system.h"
#include "core/status_fail.h"

#define DAYS_PER_YEAR 365.25
#define JD_OF_YEAR(year) (2451545.0 + DAYS_PER_YEAR * ((year)-2000.0))

/* What the first solution of Hipparcos counts in the catalogue. */
#define SHARE_OF_1997 0.4

/* Observations of Gaia that a release has: DR2 before 2016 May 23, EDR3 before 2017 May 28. A
 * motion around an epoch before this year is of DR2. */
#define GAIA_BEGIN_JD 2456863.5
#define GAIA_DR2_END_JD 2457532.0
#define GAIA_EDR3_END_JD 2457902.0
#define GAIA_EDR3_YEAR 2015.75
#define HIPPARCOS_BEGIN_JD 2447859.5
#define HIPPARCOS_END_JD 2449063.5

enum { N_MISSION = 5, N_WINDOW = 64 };

/* Weights of the places of a mission in what five parameters, fitted to them, say: position and
 * motion towards East and North, [4][n], around `centre_jd`. */
typedef struct mission {
    size_t n, capacity;
    double *jd, *sine, *cosine, *factor, *uncertainty, *share; /* share: of the solution it is in */
    double *weight[4];
    double centre_jd;
} mission;

static void mission_free(mission *own)
{
    free(own->jd);
    *own = (mission){0};
}

static equant_status mission_open(size_t capacity, mission *own)
{
    *own = (mission){.capacity = capacity, .jd = calloc(10 * capacity + 1, sizeof *own->jd)};
    if (own->jd == NULL)
        return status_out_of_memory();
    double **const parts[] = {&own->sine, &own->cosine, &own->factor, &own->uncertainty,
                              &own->share};
    for (size_t i = 0; i < 5; i++)
        *parts[i] = own->jd + (i + 1) * capacity;
    for (size_t i = 0; i < 4; i++)
        own->weight[i] = own->jd + (6 + i) * capacity;
    return EQUANT_SUCCESS;
}

/* Adds the solution of rows [first, n): (D'WD)^-1 D'W, times their share. */
static equant_status solve(mission *own, size_t first)
{
    sky_system system;
    size_t n = own->n - first;
    double *column = malloc((n + 1) * sizeof *column), row[N_MISSION];
    equant_status status = sky_system_create(n, N_MISSION, &system);
    if (status != EQUANT_SUCCESS || column == NULL) {
        free(column);
        if (status == EQUANT_SUCCESS)
            sky_system_free(&system);
        return status_out_of_memory();
    }
    bool has_factor = false;
    for (size_t k = first; k < own->n; k++)
        has_factor |= own->factor[k] != 0.0;
    for (int j = 0; j < N_MISSION && status == EQUANT_SUCCESS; j++) {
        if (j == 2 && !has_factor)
            continue;
        for (size_t k = 0; k < n; k++) {
            size_t at = first + k;
            double years = (own->jd[at] - own->centre_jd) / DAYS_PER_YEAR;
            const double of[N_MISSION] = {own->sine[at], own->cosine[at], own->factor[at],
                                          years * own->sine[at], years * own->cosine[at]};
            column[k] = of[j] / own->uncertainty[at];
        }
        if (!sky_system_add(&system, column))
            status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                                 "%zu scans do not determine the five parameters behind a "
                                 "catalogue's proper motion",
                                 n);
    }
    for (size_t k = 0; k < n && status == EQUANT_SUCCESS; k++) {
        size_t at = first + k;
        memset(column, 0, n * sizeof *column);
        column[k] = 1.0 / own->uncertainty[at];
        sky_system_project(&system, column, row);
        sky_system_solve(&system, row);
        for (int i = 0; i < 4; i++)
            own->weight[i][at] = own->share[at] * row[i < 2 ? i : i + has_factor];
    }
    sky_system_free(&system);
    free(column);
    return status;
}

/* Scans between two dates become rows, and their solution. */
static equant_status add_scans(mission *own, const equant_astrometry *scans, double begin_jd,
                               double end_jd, double share)
{
    equant_sky_rows rows = {.struct_size = sizeof rows};
    size_t first = own->n;
    double reference = equant_astrometry_reference_jd(scans);
    equant_astrometry_rows(scans, &rows);
    for (size_t k = 0; k < rows.n_rows; k++) {
        double jd = reference + rows.time_days[k];
        if (jd < begin_jd || jd > end_jd)
            continue;
        own->jd[own->n] = jd;
        own->sine[own->n] = sin(rows.angle_rad[k]);
        own->cosine[own->n] = cos(rows.angle_rad[k]);
        own->factor[own->n] = rows.parallax_factor ? rows.parallax_factor[k] : 0.0;
        own->uncertainty[own->n] = rows.uncertainty_mas[k];
        own->share[own->n++] = share;
    }
    return solve(own, first);
}

/* Both directions at equal steps of time: a mission without scans. */
static equant_status add_window(mission *own, double begin_jd, double end_jd)
{
    for (int k = 0; k < 2 * N_WINDOW; k++, own->n++) {
        own->jd[own->n] = begin_jd + (end_jd - begin_jd) * (0.5 + k / 2) / N_WINDOW;
        own->sine[own->n] = k % 2 ? 1.0 : 0.0;
        own->cosine[own->n] = k % 2 ? 0.0 : 1.0;
        own->uncertainty[own->n] = own->share[own->n] = 1.0;
    }
    return solve(own, 0);
}

static bool is_forecast(const equant_astrometry *scans)
{
    equant_sky_rows rows = {.struct_size = sizeof rows};
    equant_astrometry_rows(scans, &rows);
    return rows.n_rows > 0 && rows.kind[0] == EQUANT_SKY_SCAN;
}

static size_t rows_of(const equant_astrometry *scans)
{
    equant_sky_rows rows = {.struct_size = sizeof rows};
    equant_astrometry_rows(scans, &rows);
    return rows.n_rows;
}

static equant_status open_gaia(const equant_sky_motions *motions, size_t n_scans,
                               const equant_astrometry *const *scans, mission *own)
{
    double epoch = 0.5 * (motions->gaia_epoch_yr[0] + motions->gaia_epoch_yr[1]);
    double end = epoch < GAIA_EDR3_YEAR ? GAIA_DR2_END_JD : GAIA_EDR3_END_JD;
    const equant_astrometry *found = NULL;
    for (size_t i = 0; i < n_scans; i++)
        if (is_forecast(scans[i]))
            found = scans[i];
    equant_status status = mission_open(found ? rows_of(found) : 2 * N_WINDOW, own);
    own->centre_jd = JD_OF_YEAR(epoch);
    if (status != EQUANT_SUCCESS)
        return status;
    return found ? add_scans(own, found, GAIA_BEGIN_JD, end, 1.0)
                 : add_window(own, GAIA_BEGIN_JD, end);
}

static equant_status open_hipparcos(const equant_sky_motions *motions, size_t n_scans,
                                    const equant_astrometry *const *scans, mission *own)
{
    const equant_astrometry *first = NULL, *second = NULL;
    for (size_t i = 0; i < n_scans; i++)
        if (!is_forecast(scans[i])) {
            if (strstr(equant_astrometry_format(scans[i]), "1997") != NULL)
                first = scans[i];
            else
                second = scans[i];
        }
    size_t n = (first ? rows_of(first) : 0) + (second ? rows_of(second) : 0);
    equant_status status = mission_open(n > 0 ? n : 2 * N_WINDOW, own);
    own->centre_jd =
        JD_OF_YEAR(0.5 * (motions->hipparcos_epoch_yr[0] + motions->hipparcos_epoch_yr[1]));
    if (status == EQUANT_SUCCESS && n == 0)
        status = add_window(own, HIPPARCOS_BEGIN_JD, HIPPARCOS_END_JD);
    if (status == EQUANT_SUCCESS && first)
        status = add_scans(own, first, -INFINITY, INFINITY, second ? SHARE_OF_1997 : 1.0);
    if (status == EQUANT_SUCCESS && second)
        status = add_scans(own, second, -INFINITY, INFINITY, first ? 1.0 - SHARE_OF_1997 : 1.0);
    return status;
}

/* How a place of a mission counts in a row along (east, north): by its motion, and by its position
 * at the mission's epochs. */
static double weigh(const mission *own, size_t k, const double along[2], const double epoch_yr[2],
                    double of_motion, double of_position)
{
    double sum = 0.0;
    for (int axis = 0; axis < 2; axis++) {
        double motion = own->weight[2 + axis][k];
        double later = epoch_yr[axis] - 2000.0 - (own->centre_jd - 2451545.0) / DAYS_PER_YEAR;
        sum += along[axis] *
               (of_motion * motion + of_position * (own->weight[axis][k] + later * motion));
    }
    return sum;
}

static void add_path(const mission *own, double reference_jd, const double along[2],
                     const double epoch_yr[2], double of_motion, double of_position, sky_path *path)
{
    for (size_t k = 0; k < own->n; k++, path->n++) {
        double weight = weigh(own, k, along, epoch_yr, of_motion, of_position);
        path->time_days[path->n] = own->jd[k] - reference_jd;
        path->sine[path->n] = weight * own->sine[k];
        path->cosine[path->n] = weight * own->cosine[k];
    }
}

/* The axes of an error ellipse: unit vectors towards East and North, and errors along them. */
static void find_axes(const double error[2], double correlation, double along[2][2],
                      double sigma[2])
{
    double a = error[0] * error[0], b = error[1] * error[1];
    double c = correlation * error[0] * error[1], angle = 0.5 * atan2(2.0 * c, a - b);
    for (int i = 0; i < 2; i++) {
        along[i][0] = i == 0 ? cos(angle) : -sin(angle);
        along[i][1] = i == 0 ? sin(angle) : cos(angle);
        sigma[i] = sqrt(along[i][0] * along[i][0] * a + along[i][1] * along[i][1] * b +
                        2.0 * along[i][0] * along[i][1] * c);
    }
}

static equant_status open_path(size_t n, sky_path *path)
{
    path->time_days = malloc((3 * n + 1) * sizeof *path->time_days);
    if (path->time_days == NULL)
        return status_out_of_memory();
    path->sine = path->time_days + n;
    path->cosine = path->sine + n;
    return EQUANT_SUCCESS;
}

void sky_motion_rows_free(sky_motion_rows *rows)
{
    for (int i = 0; i < SKY_MOTION_ROWS; i++)
        free(rows->path[i].time_days);
    *rows = (sky_motion_rows){0};
}

/* The two rows of one pair of motions: of Hipparcos, long, of Gaia. */
static equant_status fill_pair(const equant_sky_motions *motions, int pair,
                               const mission *hipparcos, const mission *gaia, double reference_jd,
                               sky_motion_rows *rows)
{
    const double *const values[3] = {motions->hipparcos_mas_yr, motions->long_mas_yr,
                                     motions->gaia_mas_yr};
    const double *const errors[3] = {motions->hipparcos_err_mas_yr, motions->long_err_mas_yr,
                                     motions->gaia_err_mas_yr};
    const double correlations[3] = {motions->hipparcos_correlation, motions->long_correlation,
                                    motions->gaia_correlation};
    const double years[3] = {motions->hipparcos_epoch_yr[0],
                             0.5 * (motions->hipparcos_epoch_yr[0] + motions->gaia_epoch_yr[0]),
                             motions->gaia_epoch_yr[0]};
    double along[2][2], sigma[2];
    equant_status status = EQUANT_SUCCESS;
    find_axes(errors[pair], correlations[pair], along, sigma);
    for (int i = 0; i < 2 && status == EQUANT_SUCCESS; i++) {
        int row = 2 * pair + i;
        rows->value[row] = along[i][0] * values[pair][0] + along[i][1] * values[pair][1];
        rows->uncertainty[row] = sigma[i];
        rows->time_days[row] = JD_OF_YEAR(years[pair]) - reference_jd;
        rows->base[row][0] = along[i][0];
        rows->base[row][1] = along[i][1];
        status = open_path(hipparcos->n + gaia->n, &rows->path[row]);
        if (status != EQUANT_SUCCESS)
            break;
        /* Of the long motion each coordinate has an interval of its own. */
        double between[2], less[2];
        for (int axis = 0; axis < 2; axis++) {
            between[axis] =
                along[i][axis] / (motions->gaia_epoch_yr[axis] - motions->hipparcos_epoch_yr[axis]);
            less[axis] = -between[axis];
        }
        if (pair == 0)
            add_path(hipparcos, reference_jd, along[i], motions->hipparcos_epoch_yr, 1.0, 0.0,
                     &rows->path[row]);
        if (pair == 1)
            add_path(hipparcos, reference_jd, less, motions->hipparcos_epoch_yr, 0.0, 1.0,
                     &rows->path[row]);
        if (pair == 1)
            add_path(gaia, reference_jd, between, motions->gaia_epoch_yr, 0.0, 1.0,
                     &rows->path[row]);
        if (pair == 2)
            add_path(gaia, reference_jd, along[i], motions->gaia_epoch_yr, 1.0, 0.0,
                     &rows->path[row]);
    }
    return status;
}

equant_status sky_motion_rows_create(const equant_sky_motions *motions, size_t n_scans,
                                     const equant_astrometry *const *scans, double reference_jd,
                                     sky_motion_rows *rows)
{
    mission hipparcos = {0}, gaia = {0};
    *rows = (sky_motion_rows){0};
    equant_status status = open_hipparcos(motions, n_scans, scans, &hipparcos);
    if (status == EQUANT_SUCCESS)
        status = open_gaia(motions, n_scans, scans, &gaia);
    for (int pair = 0; pair < 3 && status == EQUANT_SUCCESS; pair++)
        status = fill_pair(motions, pair, &hipparcos, &gaia, reference_jd, rows);
    if (status == EQUANT_SUCCESS && !(motions->parallax_err_mas > 0.0))
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "the catalogue's row has no parallax with an error");
    rows->value[SKY_MOTION_ROWS - 1] = motions->parallax_mas;
    rows->uncertainty[SKY_MOTION_ROWS - 1] = motions->parallax_err_mas;
    rows->base[SKY_MOTION_ROWS - 1][2] = 1.0;
    mission_free(&hipparcos);
    mission_free(&gaia);
    if (status != EQUANT_SUCCESS)
        sky_motion_rows_free(rows);
    return status;
}
