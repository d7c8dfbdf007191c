/* Periodograms as bytes, for those who keep them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/search/periodogram.h"

/* Before the curves and the peaks. The pointers of `numbers` are NULL. */
typedef struct bytes_header {
    char magic[24];
    char version[16];
    equant_periodogram numbers;
} bytes_header;

static const char magic[sizeof((bytes_header *)0)->magic] = "equant periodogram";

size_t equant_periodogram_n_bytes(const equant_periodogram *p)
{
    return p ? sizeof(bytes_header) + PERIODOGRAM_CURVES * p->n * sizeof *p->frequency +
                   p->n_peaks * sizeof *p->peaks
             : 0;
}

void equant_periodogram_to_bytes(const equant_periodogram *p, void *bytes)
{
    if (!p)
        return;
    bytes_header header;
    char *to = bytes;
    size_t n_curve_bytes = PERIODOGRAM_CURVES * p->n * sizeof *p->frequency;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, magic, sizeof magic);
    snprintf(header.version, sizeof header.version, "%s", equant_version());
    header.numbers = *p;
    header.numbers.peaks = NULL;
    periodogram_place_curves(&header.numbers, NULL);
    memcpy(to, &header, sizeof header);
    memcpy(to + sizeof header, p->frequency, n_curve_bytes);
    if (p->n_peaks > 0)
        memcpy(to + sizeof header + n_curve_bytes, p->peaks, p->n_peaks * sizeof *p->peaks);
}

/* Whether the numbers of a header go with so many bytes, and reach beyond none of its arrays. */
static bool is_possible(const bytes_header *header, size_t n_bytes)
{
    const equant_periodogram *p = &header->numbers;
    return p->n > 0 && p->n < n_bytes && p->n_peaks <= PERIODOGRAM_MOST_PEAKS &&
           n_bytes == equant_periodogram_n_bytes(p) &&
           p->significance.n_bands <= SCAN_GRID_MAX_LAYERS && p->remarks.n <= REMARKS_MOST;
}

static equant_status check_bytes(const bytes_header *header, size_t n_bytes)
{
    if (memcmp(header->magic, magic, sizeof magic) != 0)
        return status_fail(EQUANT_ERROR_FORMAT, "these bytes are no periodogram");
    if (strncmp(header->version, equant_version(), sizeof header->version) != 0)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "this periodogram was kept by version %.*s; search again",
                           (int)sizeof header->version, header->version);
    if (!is_possible(header, n_bytes))
        return status_fail(EQUANT_ERROR_FORMAT, "the bytes of this periodogram are incomplete");
    return EQUANT_SUCCESS;
}

equant_status equant_periodogram_from_bytes(const void *bytes, size_t n_bytes,
                                            equant_periodogram **out)
{
    bytes_header header = {.magic = ""};
    const char *from = bytes;
    if (bytes && n_bytes >= sizeof header)
        memcpy(&header, bytes, sizeof header);
    equant_status status = check_bytes(&header, n_bytes);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t n_curve_bytes = PERIODOGRAM_CURVES * header.numbers.n * sizeof(double);
    size_t n_peak_bytes = header.numbers.n_peaks * sizeof(reported_peak);
    equant_periodogram *made = malloc(sizeof *made);
    double *curves = malloc(n_curve_bytes);
    reported_peak *peaks = calloc(header.numbers.n_peaks + 1, sizeof *peaks);
    if (!made || !curves || !peaks) {
        free(made);
        free(curves);
        free(peaks);
        return status_out_of_memory();
    }
    *made = header.numbers;
    made->noise[PERIODOGRAM_WORDS - 1] = made->indicators[PERIODOGRAM_WORDS - 1] = '\0';
    for (size_t i = 0; i < made->remarks.n; i++)
        made->remarks.texts[i][REMARKS_SIZE - 1] = '\0';
    memcpy(curves, from + sizeof header, n_curve_bytes);
    memcpy(peaks, from + sizeof header + n_curve_bytes, n_peak_bytes);
    for (size_t i = 0; i < made->n_peaks; i++)
        peaks[i].remark[PERIODOGRAM_REMARK - 1] = '\0';
    periodogram_place_curves(made, curves);
    made->peaks = peaks;
    *out = made;
    return EQUANT_SUCCESS;
}
