#include "observing/slots.h"

#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "data/text_file.h"
#include "data/text_number.h"
#include "observing/site.h"
#include "observing/utc_date.h"

static char *copy_slice(text_slice slice)
{
    char *copy = malloc(slice.n + 1);
    if (copy != NULL) {
        if (slice.n > 0)
            memcpy(copy, slice.start, slice.n);
        copy[slice.n] = '\0';
    }
    return copy;
}

equant_status slots_add(equant_slots *slots, const slot_entry *entry, text_slice site,
                        text_slice label)
{
    if (entry->end_jd <= entry->start_jd)
        return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: this slot ends before it begins",
                           slots->name, entry->line);
    if (slots->n == slots->capacity) {
        size_t capacity = slots->capacity == 0 ? 16 : 2 * slots->capacity;
        slot_entry *grown = realloc(slots->entries, capacity * sizeof *grown);
        if (grown == NULL)
            return status_out_of_memory();
        slots->entries = grown;
        slots->capacity = capacity;
    }
    slot_entry *added = &slots->entries[slots->n];
    *added = *entry;
    added->site = copy_slice(site);
    added->label = copy_slice(label);
    slots->n++;
    return added->site != NULL && added->label != NULL ? EQUANT_SUCCESS : status_out_of_memory();
}

/* Which cells of a row are what; TEXT_MAX_CELLS: there is none. */
typedef struct slot_columns {
    size_t night, start, end, site, label, n;
} slot_columns;

static bool is_one_of(text_slice cell, const char *const *words)
{
    for (; *words != NULL; words++)
        if (text_is_word(cell, *words))
            return true;
    return false;
}

/* True where a line is one of headings. */
static bool find_columns(const text_slice *cells, size_t n, slot_columns *columns)
{
    static const char *const nights[] = {"night", "date", "nights", NULL};
    static const char *const starts[] = {"start", "start_utc", "begin", "from", "dtstart", NULL};
    static const char *const ends[] = {"end", "end_utc", "stop", "to", "dtend", NULL};
    static const char *const sites[] = {"site", "place", "observatory", NULL};
    static const char *const labels[] = {"label", "name", "summary", "comment", NULL};
    const size_t none = TEXT_MAX_CELLS;
    *columns = (slot_columns){none, none, none, none, none, n};
    for (size_t i = 0; i < n; i++) {
        if (is_one_of(cells[i], nights))
            columns->night = i;
        else if (is_one_of(cells[i], starts))
            columns->start = i;
        else if (is_one_of(cells[i], ends))
            columns->end = i;
        else if (is_one_of(cells[i], sites))
            columns->site = i;
        else if (is_one_of(cells[i], labels))
            columns->label = i;
    }
    return columns->night != none || (columns->start != none && columns->end != none);
}

static bool read_time(text_slice cell, double *jd, bool *has_time)
{
    if (utc_date_read(cell, jd, has_time))
        return true;
    *has_time = true;
    return text_number_read(cell, jd) && *jd > 2e6 && *jd < 3e6;
}

static equant_status fail_row(const equant_slots *slots, size_t line, text_slice cell)
{
    char shown[48];
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s:%zu: '%s' is no time of a slot; write a night as 2026-11-16, or columns "
                       "start and end as 2026-11-16T23:30, in UTC",
                       slots->name, line, text_show(cell, shown, sizeof shown));
}

static text_slice cell_or_empty(const text_slice *cells, size_t n, size_t column)
{
    return column < n ? cells[column] : (text_slice){"", 0};
}

static equant_status take_row(equant_slots *slots, const slot_columns *columns,
                              const text_slice *cells, size_t n, size_t line)
{
    slot_entry entry = {.line = line};
    text_slice night = cell_or_empty(cells, n, columns->night);
    bool has_time;
    if (night.n > 0) {
        if (!read_time(night, &entry.start_jd, &has_time) || has_time)
            return fail_row(slots, line, night);
        entry.is_night = true;
        entry.end_jd = entry.start_jd + 1.0;
    } else {
        text_slice start = cell_or_empty(cells, n, columns->start);
        text_slice end = cell_or_empty(cells, n, columns->end);
        if (!read_time(start, &entry.start_jd, &has_time))
            return fail_row(slots, line, start);
        if (!read_time(end, &entry.end_jd, &has_time))
            return fail_row(slots, line, end);
    }
    return slots_add(slots, &entry, cell_or_empty(cells, n, columns->site),
                     cell_or_empty(cells, n, columns->label));
}

static text_delimiter delimiter_of(text_slice line)
{
    if (text_count(line, ',') > 0)
        return TEXT_COMMA;
    if (text_count(line, ';') > 0)
        return TEXT_SEMICOLON;
    return text_count(line, '\t') > 0 ? TEXT_TAB : TEXT_COMMA;
}

static equant_status read_table(const char *text, size_t n_bytes, equant_slots *slots)
{
    text_slice line, cells[64];
    slot_columns columns = {0};
    text_lines lines = text_lines_begin(text, n_bytes);
    bool is_first = true;
    while (text_lines_next(&lines, &line)) {
        line = text_trim(line);
        if (line.n == 0 || line.start[0] == '#')
            continue;
        size_t n = text_cells(line, delimiter_of(line), cells, 64);
        if (n > 64)
            n = 64;
        bool was_first = is_first;
        is_first = false;
        if (was_first && find_columns(cells, n, &columns))
            continue;
        if (was_first) /* no headings: nights, or starts and ends */
            columns = (slot_columns){n == 1 ? 0 : TEXT_MAX_CELLS, 0, 1, 2, 3, n};
        equant_status status = take_row(slots, &columns, cells, n, lines.number);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    return EQUANT_SUCCESS;
}

equant_status equant_slots_from_text(const char *text, size_t n_bytes, const char *name,
                                     equant_slots **slots)
{
    if (text == NULL || name == NULL || slots == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a text of slots and its name are needed");
    equant_status status = text_file_check(text, n_bytes, name);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_slots *made = calloc(1, sizeof *made);
    if (made == NULL)
        return status_out_of_memory();
    made->name = copy_slice((text_slice){name, strlen(name)});
    if (made->name == NULL)
        status = status_out_of_memory();
    else if (calendar_reader_recognises(text, n_bytes))
        status = calendar_reader_read(text, n_bytes, made);
    else
        status = read_table(text, n_bytes, made);
    if (status == EQUANT_SUCCESS && made->n == 0)
        status = status_fail(EQUANT_ERROR_FORMAT, "%s: there are no slots in it", name);
    if (status != EQUANT_SUCCESS) {
        equant_slots_free(made);
        return status;
    }
    *slots = made;
    return EQUANT_SUCCESS;
}

equant_status equant_slots_read(const char *path, equant_slots **slots)
{
    char *text = NULL;
    size_t n_bytes = 0;
    if (path == NULL || slots == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a file of slots is needed");
    equant_status status = text_file_read(NULL, path, &text, &n_bytes);
    if (status == EQUANT_SUCCESS)
        status = equant_slots_from_text(text, n_bytes, path, slots);
    free(text);
    return status;
}

void equant_slots_free(equant_slots *slots)
{
    if (slots == NULL)
        return;
    for (size_t i = 0; i < slots->n; i++) {
        free(slots->entries[i].site);
        free(slots->entries[i].label);
    }
    free(slots->entries);
    free(slots->name);
    free(slots);
}

size_t equant_slots_n(const equant_slots *slots)
{
    return slots == NULL ? 0 : slots->n;
}

equant_status equant_slots_at(const equant_slots *slots, size_t index, equant_slot *slot)
{
    equant_status status = STATUS_CHECK_ITEM(slot, "slots", equant_slots_n(slots), index);
    if (status != EQUANT_SUCCESS)
        return status;
    const slot_entry *entry = &slots->entries[index];
    equant_slot known = {.start_jd_utc = entry->start_jd,
                         .end_jd_utc = entry->end_jd,
                         .is_night = entry->is_night,
                         .site = entry->site,
                         .label = entry->label};
    OPTIONS_FILL(known, slot);
    return EQUANT_SUCCESS;
}

equant_status slots_match_site(const equant_slots *slots, size_t index, const equant_site *site,
                               bool *matches)
{
    const slot_entry *entry = &slots->entries[index];
    equant_site named = {.struct_size = sizeof named};
    *matches = true;
    if (entry->site[0] == '\0')
        return EQUANT_SUCCESS;
    if (equant_site_find(entry->site, &named) != EQUANT_SUCCESS) {
        char sentence[256];
        strncpy(sentence, equant_last_error(), sizeof sentence - 1);
        sentence[sizeof sentence - 1] = '\0';
        return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: %s", slots->name, entry->line, sentence);
    }
    *matches =
        named.longitude_deg == site->longitude_deg && named.latitude_deg == site->latitude_deg;
    return EQUANT_SUCCESS;
}
