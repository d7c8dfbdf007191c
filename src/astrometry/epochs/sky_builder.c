/* Growing a source row by row, and sorting it. */
#include "astrometry/epochs/sky_builder.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/epochs/sky_source.h"
#include "core/decimal_text.h"
#include "core/status_fail.h"

equant_status sky_builder_add(sky_builder *builder, sky_row row)
{
    if (builder->n_rows == builder->capacity) {
        size_t capacity = builder->capacity == 0 ? 64 : 2 * builder->capacity;
        sky_row *grown = capacity <= SIZE_MAX / (2 * sizeof *grown)
                             ? realloc(builder->rows, capacity * sizeof *grown)
                             : NULL;
        if (grown == NULL)
            return status_out_of_memory();
        builder->rows = grown;
        builder->capacity = capacity;
    }
    builder->rows[builder->n_rows++] = row;
    return EQUANT_SUCCESS;
}

equant_status sky_builder_remark(sky_builder *builder, const char *format, ...)
{
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    decimal_text_vprint(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    char **grown = realloc(builder->remarks, (builder->n_remarks + 1) * sizeof *grown);
    if (grown == NULL)
        return status_out_of_memory();
    builder->remarks = grown;
    char *copy = strdup(sentence);
    if (copy == NULL)
        return status_out_of_memory();
    grown[builder->n_remarks++] = copy;
    return EQUANT_SUCCESS;
}

static equant_status set_text(char **text, const char *words)
{
    char *copy = strdup(words);
    if (copy == NULL)
        return status_out_of_memory();
    free(*text);
    *text = copy;
    return EQUANT_SUCCESS;
}

equant_status sky_builder_set_name(sky_builder *builder, const char *name)
{
    return set_text(&builder->name, name);
}

equant_status sky_builder_set_format(sky_builder *builder, const char *format)
{
    return set_text(&builder->format, format);
}

void sky_builder_free(sky_builder *builder)
{
    for (size_t i = 0; i < builder->n_remarks; i++)
        free(builder->remarks[i]);
    free(builder->remarks);
    free(builder->rows);
    free(builder->name);
    free(builder->format);
    *builder = (sky_builder){0};
}

/* ---- from a builder to a source ---------------------------------------- */

/* A row and its place before sorting, which decides between equal times. */
typedef struct placed_row {
    sky_row row;
    size_t place;
} placed_row;

static int compare_rows(const void *left, const void *right)
{
    const placed_row *a = left, *b = right;
    if (a->row.time_days != b->row.time_days)
        return a->row.time_days < b->row.time_days ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

static equant_status sort_rows(sky_builder *builder)
{
    bool is_sorted = true;
    for (size_t k = 1; k < builder->n_rows && is_sorted; k++)
        is_sorted = builder->rows[k - 1].time_days <= builder->rows[k].time_days;
    if (is_sorted)
        return EQUANT_SUCCESS;
    placed_row *placed = malloc(builder->n_rows * sizeof *placed);
    if (placed == NULL)
        return status_out_of_memory();
    for (size_t k = 0; k < builder->n_rows; k++)
        placed[k] = (placed_row){builder->rows[k], k};
    qsort(placed, builder->n_rows, sizeof *placed, compare_rows);
    for (size_t k = 0; k < builder->n_rows; k++)
        builder->rows[k] = placed[k].row;
    free(placed);
    return EQUANT_SUCCESS;
}

static int compare_numbers(const void *left, const void *right)
{
    const int64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static equant_status count_transits(const equant_astrometry *source, size_t *n_transits)
{
    int64_t *numbers = malloc((source->n_rows + 1) * sizeof *numbers);
    if (numbers == NULL)
        return status_out_of_memory();
    memcpy(numbers, source->transit, source->n_rows * sizeof *numbers);
    qsort(numbers, source->n_rows, sizeof *numbers, compare_numbers);
    size_t n = source->n_rows > 0 ? 1 : 0;
    for (size_t k = 1; k < source->n_rows; k++)
        n += numbers[k] != numbers[k - 1];
    free(numbers);
    *n_transits = n;
    return EQUANT_SUCCESS;
}

static bool allocate_columns(equant_astrometry *source, bool has_colour)
{
    size_t n = source->n_rows + 1; /* never none: not every malloc gives memory of no size */
    double **columns[] = {&source->time_days, &source->abscissa_mas, &source->uncertainty_mas,
                          &source->angle_rad, &source->parallax_factor};
    bool has_all = true;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        has_all = (*columns[i] = malloc(n * sizeof(double))) != NULL && has_all;
    if (has_colour)
        has_all = (source->colour_factor = malloc(n * sizeof(double))) != NULL && has_all;
    source->kind = malloc(n * sizeof *source->kind);
    source->transit = malloc(n * sizeof *source->transit);
    source->frame = malloc(n * sizeof *source->frame);
    return has_all && source->kind != NULL && source->transit != NULL && source->frame != NULL;
}

static void copy_rows(const sky_builder *builder, equant_astrometry *source)
{
    for (size_t k = 0; k < source->n_rows; k++) {
        const sky_row *row = &builder->rows[k];
        source->time_days[k] = row->time_days;
        source->abscissa_mas[k] = row->abscissa_mas;
        source->uncertainty_mas[k] = row->uncertainty_mas;
        source->angle_rad[k] = row->angle_rad;
        source->parallax_factor[k] = row->parallax_factor;
        if (source->colour_factor != NULL)
            source->colour_factor[k] = row->colour_factor;
        source->kind[k] = row->kind;
        source->transit[k] = row->transit;
        source->frame[k] = row->frame;
    }
}

/* Hands over the texts; those that were never set become empty ones. */
static equant_status move_texts(sky_builder *builder, equant_astrometry *source)
{
    equant_status status = EQUANT_SUCCESS;
    if (builder->name == NULL)
        status = sky_builder_set_name(builder, "");
    if (status == EQUANT_SUCCESS && builder->format == NULL)
        status = sky_builder_set_format(builder, "");
    if (status != EQUANT_SUCCESS)
        return status;
    source->name = builder->name;
    source->format = builder->format;
    source->remarks = builder->remarks;
    source->n_remarks = builder->n_remarks;
    builder->name = builder->format = NULL;
    builder->remarks = NULL;
    builder->n_remarks = 0;
    return EQUANT_SUCCESS;
}

static int compare_reals(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The value in the middle of n, which are put into their order. */
static double middle_of(size_t n, double *values)
{
    qsort(values, n, sizeof *values, compare_reals);
    return values[n / 2];
}

/* A measurement of another star, or of none, is not made better by a jitter: one that lies a
 * hundred times further out than half of all others do is named. */
static equant_status remark_on_far_rows(sky_builder *builder)
{
    enum { LEAST_ROWS = 10 };
    const double far = 100.0;
    size_t n = builder->n_rows, n_far = 0, first = 0;
    if (n < LEAST_ROWS || builder->rows[0].kind != EQUANT_SKY_STAR)
        return EQUANT_SUCCESS;
    double *values = malloc(n * sizeof *values);
    if (values == NULL)
        return status_out_of_memory();
    for (size_t k = 0; k < n; k++)
        values[k] = builder->rows[k].abscissa_mas;
    double middle = middle_of(n, values);
    for (size_t k = 0; k < n; k++)
        values[k] = fabs(builder->rows[k].abscissa_mas - middle);
    double usual = middle_of(n, values);
    free(values);
    for (size_t k = n; k-- > 0 && usual > 0.0;)
        if (fabs(builder->rows[k].abscissa_mas - middle) > far * usual) {
            n_far++;
            first = k;
        }
    return n_far == 0 ? EQUANT_SUCCESS
                      : sky_builder_remark(
                            builder,
                            "%zu of %zu abscissae lie more than a hundred times further out than "
                            "half of all do, the first at JD %.5f with %.6g mas: are they of this "
                            "source? They are kept",
                            n_far, n, builder->reference_jd + builder->rows[first].time_days,
                            builder->rows[first].abscissa_mas);
}

static equant_status make_source(sky_builder *builder, equant_astrometry *made)
{
    equant_status status = sort_rows(builder);
    if (status == EQUANT_SUCCESS && builder->format != NULL)
        status = remark_on_far_rows(builder);
    if (status != EQUANT_SUCCESS)
        return status;
    made->n_rows = builder->n_rows;
    made->reference_jd = builder->reference_jd;
    made->lacks_parallax = builder->lacks_parallax;
    made->lacks_motion = builder->lacks_motion;
    made->source_id = builder->source_id;
    if (!allocate_columns(made, builder->has_colour))
        return status_out_of_memory();
    copy_rows(builder, made);
    status = count_transits(made, &made->n_transits);
    return status == EQUANT_SUCCESS ? move_texts(builder, made) : status;
}

equant_status sky_builder_finish(sky_builder *builder, equant_astrometry **source)
{
    equant_astrometry *made = calloc(1, sizeof *made);
    equant_status status = made != NULL ? make_source(builder, made) : status_out_of_memory();
    sky_builder_free(builder);
    if (status == EQUANT_SUCCESS)
        *source = made;
    else
        equant_astrometry_free(made);
    return status;
}
