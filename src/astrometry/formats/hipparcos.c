/* Scans of the new reduction of Hipparcos: files of the interactive tool of 2014, with a head of
 * twelve comments, and those of the DVD of 2007, with one line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "astrometry/epochs/sky_builder.h"
#include "astrometry/formats/hipparcos_scan.h"
#include "astrometry/formats/hipparcos_solution.h"
#include "astrometry/formats/sky_format.h"
#include "core/status_fail.h"
#include "data/text_number.h"
#include "data/text_table.h"

enum { MOST_SCANS = 4096, N_SCAN_CELLS = 7, MOST_CELLS = 32 };

typedef struct hipparcos_file {
    bool is_2014;
    double hip, n_res, n_components, solution, f2, rejected_percent; /* first line of numbers */
    double n_obs;                                                    /* NOB; 2014 alone */
    double cosmic_mas; /* var of stochastic solutions; 0: none */
    hipparcos_solution catalogue;
    size_t n_scans;
    hipparcos_scan *scans;
} hipparcos_file;

/* ---- heads ------------------------------------------------------------- */

/* Numbers of a line, NaN for "---"; returns how many cells there are. */
static size_t read_numbers(text_slice line, double *numbers, size_t capacity)
{
    text_slice cells[MOST_CELLS];
    size_t n = text_cells(line, TEXT_WHITESPACE, cells, MOST_CELLS);
    for (size_t i = 0; i < capacity; i++)
        if (i >= n || i >= MOST_CELLS || !text_number_read(cells[i], &numbers[i]))
            numbers[i] = NAN;
    return n;
}

static text_slice without_mark(text_slice line)
{
    text_slice trimmed = text_trim(line);
    return trimmed.n > 0 && trimmed.start[0] == '#'
               ? text_trim((text_slice){trimmed.start + 1, trimmed.n - 1})
               : trimmed;
}

/* HIP MCE NRES NC isol_n SCE F2 F1, of both kinds of files. */
static bool take_first_numbers(hipparcos_file *file, text_slice line)
{
    double numbers[8];
    size_t n = read_numbers(line, numbers, 8);
    *file = (hipparcos_file){.hip = numbers[0],
                             .n_res = numbers[2],
                             .n_components = numbers[3],
                             .solution = numbers[4],
                             .f2 = numbers[6],
                             .rejected_percent = numbers[7],
                             .n_obs = NAN};
    return n == 8 && numbers[0] >= 1 && numbers[0] < 200000 && numbers[2] >= 1 &&
           numbers[2] <= MOST_SCANS && isfinite(numbers[4]) && isfinite(numbers[6]);
}

/* The catalogue's solution, RAdeg DEdeg Plx pm_RA pm_DE, five errors, dpmRA dpmDE, two errors,
 * ddpmRA ddpmDE; "---": none. */
static hipparcos_solution catalogue_of(const double numbers[23])
{
    const int motion = 3, acceleration = 10, jerk = 14;
    hipparcos_solution own = {.parallax_mas = numbers[2]};
    for (int axis = 0; axis < 2; axis++) {
        own.pm_mas_yr[axis] = numbers[motion + axis];
        own.acceleration[axis] =
            isfinite(numbers[acceleration + axis]) ? numbers[acceleration + axis] : 0.0;
        own.jerk[axis] = isfinite(numbers[jerk + axis]) ? numbers[jerk + axis] : 0.0;
    }
    own.has_parallax = isfinite(own.parallax_mas);
    own.has_motion = own.has_parallax && isfinite(own.pm_mas_yr[0] + own.pm_mas_yr[1]);
    return own;
}

/* Takes the head, and leaves `lines` in front of the scans. */
static bool take_head(hipparcos_file *file, text_lines *lines)
{
    text_slice line;
    if (!text_lines_next(lines, &line))
        return false;
    if (text_trim(line).n == 0 || text_trim(line).start[0] != '#')
        return take_first_numbers(file, line);
    bool has_first = false, has_counts = false, has_names = false;
    while (!has_names && text_lines_next(lines, &line) && text_trim(line).n > 0 &&
           text_trim(line).start[0] == '#') {
        text_slice words = without_mark(line), next;
        double numbers[23];
        if (text_begins_with(words, "hip ") && text_lines_next(lines, &next))
            has_first = take_first_numbers(file, without_mark(next));
        else if (text_begins_with(words, "hp ") && text_lines_next(lines, &next)) {
            has_counts = read_numbers(without_mark(next), numbers, 5) >= 4;
            file->n_obs = numbers[3];
        } else if (text_begins_with(words, "radeg ") && text_lines_next(lines, &next)) {
            read_numbers(without_mark(next), numbers, 23);
            file->cosmic_mas = isfinite(numbers[22]) ? numbers[22] : 0;
            file->catalogue = catalogue_of(numbers);
        }
        has_names = text_begins_with(words, "iorb ");
    }
    file->is_2014 = true;
    return has_first && has_counts && has_names;
}

static bool read_scan(text_slice line, hipparcos_scan *scan)
{
    double numbers[N_SCAN_CELLS];
    if (read_numbers(line, numbers, N_SCAN_CELLS) != N_SCAN_CELLS)
        return false;
    for (size_t i = 0; i < N_SCAN_CELLS; i++)
        if (!isfinite(numbers[i]))
            return false;
    *scan =
        (hipparcos_scan){numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6]};
    return true;
}

/* A head of eight numbers is not enough: scans behind it have a direction of length one. */
static bool hipparcos_is(const char *head, size_t n_bytes)
{
    text_lines lines = text_lines_begin(head, n_bytes);
    text_slice line;
    hipparcos_file file;
    hipparcos_scan scan;
    return take_head(&file, &lines) && text_lines_next(&lines, &line) && read_scan(line, &scan) &&
           fabs(hypot(scan.east, scan.north) - 1) < 1e-2;
}

/* ---- scans ------------------------------------------------------------- */

static equant_status read_scans(hipparcos_file *file, text_lines *lines, const char *path)
{
    text_slice line;
    while (text_lines_next(lines, &line)) {
        text_slice trimmed = text_trim(line);
        if (trimmed.n == 0 || trimmed.start[0] == '#')
            continue;
        if (file->n_scans == MOST_SCANS)
            return status_fail(EQUANT_ERROR_FORMAT,
                               "%s:%zu: there are more than %d scans, which no star has", path,
                               lines->number, MOST_SCANS);
        hipparcos_scan *scan = &file->scans[file->n_scans];
        if (!read_scan(trimmed, scan))
            return status_fail(
                EQUANT_ERROR_FORMAT,
                "%s:%zu: a scan of Hipparcos has seven numbers: IORB EPOCH PARF CPSI "
                "SPSI RES SRES",
                path, lines->number);
        if (fabs(hypot(scan->east, scan->north) - 1) > 1e-2)
            return status_fail(EQUANT_ERROR_FORMAT,
                               "%s:%zu: CPSI and SPSI are no cosine and sine of one angle", path,
                               lines->number);
        file->n_scans++;
    }
    if ((double)file->n_scans != file->n_res)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: the head says that there are %g scans, and there are %zu; is the "
                           "file cut?",
                           path, file->n_res, file->n_scans);
    return EQUANT_SUCCESS;
}

/* NRES of the head above NOB: the tool has written residuals beside scans that are not theirs. */
static equant_status repair(hipparcos_file *file, sky_builder *builder)
{
    double n_lost = file->n_res - file->n_obs;
    if (!file->is_2014 || !(n_lost >= 1) || n_lost >= file->n_res)
        return EQUANT_SUCCESS;
    double imbalance;
    equant_status status =
        hipparcos_scan_repair(file->scans, file->n_scans, (size_t)n_lost, &imbalance);
    if (status != EQUANT_SUCCESS)
        return status;
    if (isinf(imbalance))
        return sky_builder_remark(builder,
                                  "the last %g residuals repeat others, and the scans that lost "
                                  "theirs were not found: do not believe this file",
                                  n_lost);
    file->n_scans -= (size_t)n_lost;
    return sky_builder_remark(builder,
                              "repaired: the last %g residuals repeat others, and as many scans "
                              "without one were found and left out, so that the residuals are "
                              "orthogonal to the catalogue's five parameters (to %.1f times their "
                              "rounding)",
                              n_lost, imbalance);
}

/* The factor that makes the scatter of the residuals what F2 of the catalogue says (Michalik et al.
 * 2014); 1 where it cannot be known. */
static double error_factor(const hipparcos_file *file, size_t n_used)
{
    int n_parameters = (int)fmod(fabs(file->solution), 10.0);
    if (n_parameters != 7 && n_parameters != 9)
        n_parameters = 5; /* also those of stochastic solutions, 1 */
    double n_free = (double)n_used - n_parameters;
    double root = n_free > 0 ? file->f2 * sqrt(2 / (9 * n_free)) + 1 - 2 / (9 * n_free) : 1;
    return root > 0 ? pow(root, 1.5) : 1;
}

/* Stochastic solutions have a dispersion in their errors that stands for motion not understood. */
static double own_uncertainty(const hipparcos_file *file, const hipparcos_scan *scan)
{
    double rest =
        scan->uncertainty_mas * scan->uncertainty_mas - file->cosmic_mas * file->cosmic_mas;
    return file->cosmic_mas > 0 && rest > 0 ? sqrt(rest) : scan->uncertainty_mas;
}

static equant_status add_scans(const hipparcos_file *file, double factor, bool keeps_uncertainties,
                               sky_builder *builder)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < file->n_scans && status == EQUANT_SUCCESS; i++) {
        const hipparcos_scan *scan = &file->scans[i];
        if (scan->uncertainty_mas <= 0)
            continue;
        double uncertainty =
            keeps_uncertainties ? scan->uncertainty_mas : factor * own_uncertainty(file, scan);
        sky_row row = {.time_days = 365.25 * scan->epoch_yr,
                       .abscissa_mas = scan->residual_mas,
                       .uncertainty_mas = uncertainty,
                       .angle_rad = atan2(scan->east, scan->north),
                       .parallax_factor = scan->parallax_factor,
                       .transit = (int64_t)i};
        status = sky_builder_add(builder, row);
    }
    return status;
}

static equant_status remark_on_errors(const hipparcos_file *file, const sky_input *input,
                                      double factor, sky_builder *builder)
{
    if (input->keeps_uncertainties)
        return sky_builder_remark(builder, "uncertainties: as they are written");
    equant_status status = EQUANT_SUCCESS;
    if (file->cosmic_mas > 0)
        status = sky_builder_remark(builder,
                                    "uncertainties: the dispersion of %g mas of the stochastic "
                                    "solution is taken out of them",
                                    file->cosmic_mas);
    if (status == EQUANT_SUCCESS)
        status = sky_builder_remark(builder,
                                    "uncertainties: multiplied by %.4f, as the catalogue's "
                                    "goodness of fit, F2 = %g, asks for",
                                    factor, file->f2);
    return status;
}

static equant_status remark_on_solution(const hipparcos_file *file, size_t n_rejected,
                                        sky_builder *builder)
{
    equant_status status = sky_builder_remark(
        builder, "the catalogue's solution has isol_n %g; times: Julian years from J1991.25",
        file->solution);
    if (status == EQUANT_SUCCESS && n_rejected > 0)
        status = sky_builder_remark(builder,
                                    "left out: %zu of %zu scans that were rejected (SRES "
                                    "not above zero)",
                                    n_rejected, file->n_scans);
    if (status == EQUANT_SUCCESS && !file->is_2014 && file->rejected_percent > 0)
        status = sky_builder_remark(builder,
                                    "%g %% of the scans were rejected in the reduction; this file "
                                    "of 2007 does not say which, and all are taken",
                                    file->rejected_percent);
    if (status == EQUANT_SUCCESS && file->n_components > 1)
        status = sky_builder_remark(builder,
                                    "the catalogue has %g components here: residuals are "
                                    "to one of them or to their photocentre",
                                    file->n_components);
    return status;
}

static equant_status make_source(hipparcos_file *file, const sky_input *input, sky_builder *builder)
{
    equant_status status = repair(file, builder);
    size_t n_used = 0;
    for (size_t i = 0; i < file->n_scans; i++)
        n_used += file->scans[i].uncertainty_mas > 0;
    double factor = error_factor(file, n_used);
    builder->reference_jd = EQUANT_SKY_HIPPARCOS_JD;
    builder->source_id = (int64_t)file->hip;
    char name[32];
    snprintf(name, sizeof name, "HIP %d", (int)file->hip);
    if (status == EQUANT_SUCCESS)
        status = sky_builder_set_name(builder, name);
    if (status == EQUANT_SUCCESS)
        status = sky_builder_set_format(builder, file->is_2014 ? "Hipparcos scans of 2014"
                                                               : "Hipparcos scans of 2007");
    if (status == EQUANT_SUCCESS)
        status = remark_on_solution(file, file->n_scans - n_used, builder);
    if (status == EQUANT_SUCCESS)
        status = remark_on_errors(file, input, factor, builder);
    if (status == EQUANT_SUCCESS)
        status = add_scans(file, factor, input->keeps_uncertainties, builder);
    if (status != EQUANT_SUCCESS)
        return status;
    if (builder->n_rows == 0) {
        input->queue->n_left_out++;
        return EQUANT_SUCCESS;
    }
    status = hipparcos_solution_put_back(&file->catalogue, input, builder);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_astrometry *made = NULL;
    status = sky_builder_finish(builder, &made);
    return status == EQUANT_SUCCESS ? sky_queue_put(input->queue, made) : status;
}

static equant_status hipparcos_read(const char *text, size_t n_bytes, const sky_input *input)
{
    hipparcos_file file = {0};
    sky_builder builder = {0};
    text_lines lines = text_lines_begin(text, n_bytes);
    if (!take_head(&file, &lines))
        return status_fail(EQUANT_ERROR_FORMAT, "%s: the head of these scans makes no sense",
                           input->path);
    file.scans = malloc(MOST_SCANS * sizeof *file.scans);
    if (file.scans == NULL)
        return status_out_of_memory();
    equant_status status = read_scans(&file, &lines, input->path);
    if (status == EQUANT_SUCCESS)
        status = make_source(&file, input, &builder);
    sky_builder_free(&builder);
    free(file.scans);
    return status;
}

const sky_format hipparcos_format = {.is = hipparcos_is, .read_text = hipparcos_read};
