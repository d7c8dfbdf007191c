/* Abscissae of the first catalogue of Hipparcos, of 1997: for most great circles one by each of two
 * consortia, which saw the same photons and are correlated. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "astrometry/epochs/sky_builder.h"
#include "astrometry/formats/hipparcos_solution.h"
#include "astrometry/formats/sky_format.h"
#include "core/status_fail.h"
#include "data/text_number.h"
#include "data/text_table.h"

/* A1, consortium, IA3 .. IA10 between bars. */
enum { N_CELLS = 10 };

typedef struct abscissa {
    double circle;
    char consortium; /* F or N; in small letters where it was not used */
    double east, north, parallax_factor, epoch_yr;
    double residual_mas, uncertainty_mas, correlation;
} abscissa;

static bool hipparcos_1997_is(const char *head, size_t n_bytes)
{
    text_lines lines = text_lines_begin(head, n_bytes);
    text_slice line;
    return text_lines_next(&lines, &line) && text_begins_with(line, "ih1 ");
}

static size_t split_bars(text_slice line, text_slice *cells)
{
    size_t n = 0, start = 0;
    for (size_t i = 0; i <= line.n; i++) {
        if (i < line.n && line.start[i] != '|')
            continue;
        if (n < N_CELLS)
            cells[n] = text_trim((text_slice){line.start + start, i - start});
        n++;
        start = i + 1;
    }
    return n;
}

/* The epoch is in the derivatives by proper motion: those by position times the years. */
static bool read_abscissa(text_slice line, abscissa *it)
{
    text_slice cells[N_CELLS];
    double numbers[N_CELLS];
    if (split_bars(line, cells) != N_CELLS || cells[1].n != 1)
        return false;
    for (size_t i = 0; i < N_CELLS; i++)
        if (i != 1 && !text_number_read(cells[i], &numbers[i]) && !(i == 9 && cells[i].n == 0))
            return false;
    double east = numbers[2], north = numbers[3];
    *it = (abscissa){.circle = numbers[0],
                     .consortium = cells[1].start[0],
                     .east = east,
                     .north = north,
                     .parallax_factor = numbers[4],
                     .epoch_yr = fabs(east) > fabs(north) ? numbers[5] / east : numbers[6] / north,
                     .residual_mas = numbers[7],
                     .uncertainty_mas = numbers[8],
                     .correlation = cells[9].n > 0 ? numbers[9] : 0};
    return fabs(hypot(east, north) - 1) < 1e-2 && it->uncertainty_mas > 0 &&
           fabs(it->correlation) < 1;
}

/* The mean of two correlated measurements of one circle, with the least variance. */
static abscissa merge(const abscissa *a, const abscissa *b)
{
    double va = a->uncertainty_mas * a->uncertainty_mas;
    double vb = b->uncertainty_mas * b->uncertainty_mas;
    double c = a->correlation * a->uncertainty_mas * b->uncertainty_mas;
    double wa = vb - c, wb = va - c, sum = va + vb - 2 * c;
    double x = wa / sum, y = wb / sum;
    abscissa mean = *a;
    mean.east = x * a->east + y * b->east;
    mean.north = x * a->north + y * b->north;
    mean.parallax_factor = x * a->parallax_factor + y * b->parallax_factor;
    mean.epoch_yr = x * a->epoch_yr + y * b->epoch_yr;
    mean.residual_mas = x * a->residual_mas + y * b->residual_mas;
    mean.uncertainty_mas = sqrt((va * vb - c * c) / sum);
    return mean;
}

static equant_status add(sky_builder *builder, const abscissa *it)
{
    return sky_builder_add(builder, (sky_row){.time_days = 365.25 * it->epoch_yr,
                                              .abscissa_mas = it->residual_mas,
                                              .uncertainty_mas = it->uncertainty_mas,
                                              .angle_rad = atan2(it->east, it->north),
                                              .parallax_factor = it->parallax_factor,
                                              .transit = (int64_t)builder->n_rows});
}

typedef struct circle_counts {
    size_t n_read, n_merged, n_rejected;
} circle_counts;

/* Abscissae of one circle stand next to each other. */
static equant_status read_abscissae(text_lines *lines, const sky_input *input, sky_builder *builder,
                                    circle_counts *counts)
{
    text_slice line;
    abscissa waiting = {0}, next;
    bool has_waiting = false;
    equant_status status = EQUANT_SUCCESS;
    while (status == EQUANT_SUCCESS && text_lines_next(lines, &line)) {
        if (text_trim(line).n == 0)
            continue;
        if (!read_abscissa(line, &next))
            return status_fail(EQUANT_ERROR_FORMAT,
                               "%s:%zu: an abscissa of Hipparcos has a circle, a consortium, F or "
                               "N, and IA3 to IA10 between bars",
                               input->path, lines->number);
        counts->n_read++;
        if (next.consortium >= 'a' && !input->keeps_rejected) {
            counts->n_rejected++;
            continue;
        }
        bool is_pair =
            has_waiting && waiting.circle == next.circle && waiting.consortium != next.consortium;
        if (is_pair) {
            next = merge(&waiting, &next);
            counts->n_merged++;
        }
        if (is_pair || has_waiting)
            status = add(builder, is_pair ? &next : &waiting);
        has_waiting = !is_pair;
        waiting = next;
    }
    return status == EQUANT_SUCCESS && has_waiting ? add(builder, &waiting) : status;
}

/* The number behind the colon of a line such as "IH1   :     3850    words". */
static double head_number(text_slice line)
{
    text_slice cells[3];
    double number = NAN;
    if (text_cells(line, TEXT_WHITESPACE, cells, 3) >= 3)
        text_number_read(cells[2], &number);
    return number;
}

/* What lines in front of the abscissae tell. */
typedef struct catalogue_head {
    double hip, n_abscissae, parallax_mas, pm_mas_yr[2], n_parameters;
} catalogue_head;

/* IH8, the code of the solution, is 5, 7, 9 or a letter. */
static void take_head(text_slice line, catalogue_head *head)
{
    const struct {
        const char *name;
        double *number;
    } numbers[] = {{"ih1 ", &head->hip},          {"ih5 ", &head->parallax_mas},
                   {"ih6 ", &head->pm_mas_yr[0]}, {"ih7 ", &head->pm_mas_yr[1]},
                   {"ih8 ", &head->n_parameters}, {"ih9 ", &head->n_abscissae}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (text_begins_with(line, numbers[i].name))
            *numbers[i].number = head_number(line);
}

/* The head tells the motion of solutions with five parameters alone. */
static hipparcos_solution solution_of(const catalogue_head *head)
{
    bool has_parallax = isfinite(head->parallax_mas);
    bool has_motion = head->n_parameters == 5 && isfinite(head->pm_mas_yr[0] + head->pm_mas_yr[1]);
    return (hipparcos_solution){.has_parallax = has_parallax,
                                .has_motion = has_parallax && has_motion,
                                .parallax_mas = has_parallax ? head->parallax_mas : 0.0,
                                .pm_mas_yr = {head->pm_mas_yr[0], head->pm_mas_yr[1]}};
}

static equant_status finish(sky_builder *builder, const circle_counts *counts,
                            const catalogue_head *head, const sky_input *input)
{
    char name[32];
    const hipparcos_solution solution = solution_of(head);
    snprintf(name, sizeof name, "HIP %d", (int)head->hip);
    builder->source_id = (int64_t)head->hip;
    builder->reference_jd = EQUANT_SKY_HIPPARCOS_JD;
    equant_status status = sky_builder_set_name(builder, name);
    if (status == EQUANT_SUCCESS)
        status = sky_builder_set_format(builder, "Hipparcos abscissae of 1997");
    if (status == EQUANT_SUCCESS)
        status = sky_builder_remark(builder,
                                    "abscissae: %zu pairs of both consortia are merged by their "
                                    "correlation",
                                    counts->n_merged);
    if (status == EQUANT_SUCCESS)
        status = hipparcos_solution_put_back(&solution, input, builder);
    if (status == EQUANT_SUCCESS && counts->n_rejected > 0)
        status = sky_builder_remark(builder, "left out: %zu of %zu abscissae that were not used",
                                    counts->n_rejected, counts->n_read);
    equant_astrometry *made = NULL;
    if (status == EQUANT_SUCCESS)
        status = sky_builder_finish(builder, &made);
    return status == EQUANT_SUCCESS ? sky_queue_put(input->queue, made) : status;
}

static equant_status hipparcos_1997_read(const char *text, size_t n_bytes, const sky_input *input)
{
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line;
    catalogue_head head = {NAN, NAN, NAN, {NAN, NAN}, NAN};
    bool has_names = false;
    while (!has_names && text_lines_next(&lines, &line)) {
        take_head(line, &head);
        has_names = text_begins_with(line, "a1 ");
    }
    if (!has_names || !(head.hip >= 1 && head.hip < 200000))
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: the head of these abscissae has no number of the star (IH1) or no "
                           "line of names",
                           input->path);
    sky_builder builder = {0};
    circle_counts counts = {0};
    equant_status status = read_abscissae(&lines, input, &builder, &counts);
    if (status == EQUANT_SUCCESS && isfinite(head.n_abscissae) &&
        head.n_abscissae != (double)counts.n_read)
        status = status_fail(EQUANT_ERROR_FORMAT,
                             "%s: the head says that there are %g abscissae, and there are %zu; is "
                             "the file cut?",
                             input->path, head.n_abscissae, counts.n_read);
    if (status == EQUANT_SUCCESS && builder.n_rows > 0)
        status = finish(&builder, &counts, &head, input);
    else if (status == EQUANT_SUCCESS)
        input->queue->n_left_out++;
    sky_builder_free(&builder);
    return status;
}

const sky_format hipparcos_1997_format = {.is = hipparcos_1997_is,
                                          .read_text = hipparcos_1997_read};
