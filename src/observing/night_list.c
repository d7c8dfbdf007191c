#include "observing/night_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"
#include "observing/site.h"
#include "observing/slots.h"
#include "observing/star_position.h"
#include "observing/utc_date.h"

enum { MOST_NIGHTS = 20000 };

static double local_noon(const equant_site *site, double date_jd)
{
    return date_jd + 0.5 - remainder(site->longitude_deg, 360.0) / 360.0;
}

/* The dates whose nights touch the interval: [first, last]. */
static void find_dates(const equant_site *site, double start_jd, double end_jd, double *first,
                       double *last)
{
    double shift = local_noon(site, 0.0);
    *first = floor(start_jd - shift + 0.5) - 0.5;
    *last = floor(end_jd - shift + 0.5) - 0.5;
    if (*last > *first && end_jd <= local_noon(site, *last))
        *last -= 1.0;
}

static equant_status add_night(equant_nights *list, const equant_night *night)
{
    if (list->n_nights == list->night_capacity) {
        size_t capacity = list->night_capacity == 0 ? 64 : 2 * list->night_capacity;
        equant_night *grown = realloc(list->nights, capacity * sizeof *grown);
        if (grown == NULL)
            return status_out_of_memory();
        list->nights = grown;
        list->night_capacity = capacity;
    }
    list->nights[list->n_nights++] = *night;
    return EQUANT_SUCCESS;
}

static equant_status add_window(equant_nights *list, const time_interval *window, size_t night)
{
    if (list->n_windows == list->window_capacity) {
        size_t capacity = list->window_capacity == 0 ? 64 : 2 * list->window_capacity;
        equant_window *grown = realloc(list->windows, capacity * sizeof *grown);
        if (grown == NULL)
            return status_out_of_memory();
        list->windows = grown;
        list->window_capacity = capacity;
    }
    list->windows[list->n_windows++] = (equant_window){.struct_size = sizeof(equant_window),
                                                       .site = list->nights[night].site,
                                                       .night = night,
                                                       .start_jd_utc = window->start_jd,
                                                       .end_jd_utc = window->end_jd};
    return EQUANT_SUCCESS;
}

static int compare_nights(const void *left, const void *right)
{
    const equant_night *a = left, *b = right;
    if (a->noon_jd_utc != b->noon_jd_utc)
        return a->noon_jd_utc < b->noon_jd_utc ? -1 : 1;
    return (a->site > b->site) - (a->site < b->site);
}

/* Lists the nights of all sites by time; nothing of them is known yet but when they begin. */
static equant_status list_nights(equant_nights *list)
{
    for (size_t s = 0; s < list->n_sites; s++) {
        double first, last;
        find_dates(&list->sites[s], list->start_jd, list->end_jd, &first, &last);
        if (last - first + 1.0 + (double)list->n_nights > MOST_NIGHTS)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "there are more than %d nights in this interval; take a shorter one",
                               (int)MOST_NIGHTS);
        for (double date = first; date <= last; date += 1.0) {
            utc_date day = utc_date_of(date);
            equant_night night = {.struct_size = sizeof night,
                                  .site = s,
                                  .noon_jd_utc = local_noon(&list->sites[s], date)};
            decimal_text_print(night.date, sizeof night.date, "%04d-%02d-%02d", day.year, day.month,
                               day.day);
            equant_status status = add_night(list, &night);
            if (status != EQUANT_SUCCESS)
                return status;
        }
    }
    qsort(list->nights, list->n_nights, sizeof *list->nights, compare_nights);
    return EQUANT_SUCCESS;
}

static int compare_intervals(const void *left, const void *right)
{
    const time_interval *a = left, *b = right;
    return (a->start_jd > b->start_jd) - (a->start_jd < b->start_jd);
}

/* Slots may overlap; no time counts twice. */
static void merge_intervals(interval_list *list)
{
    size_t n = 0;
    if (list->n == 0)
        return;
    qsort(list->items, list->n, sizeof *list->items, compare_intervals);
    for (size_t i = 1; i < list->n; i++) {
        if (list->items[i].start_jd <= list->items[n].end_jd)
            list->items[n].end_jd = fmax(list->items[n].end_jd, list->items[i].end_jd);
        else
            list->items[++n] = list->items[i];
    }
    list->n = n + 1;
}

/* When one may observe at a site at all: the interval, or those of its parts that are slots. */
static equant_status find_allowed(const equant_nights *list, size_t site, const equant_slots *slots,
                                  interval_list *allowed)
{
    if (slots == NULL)
        return interval_list_add(allowed, list->start_jd, list->end_jd);
    for (size_t i = 0; i < slots->n; i++) {
        const slot_entry *entry = &slots->entries[i];
        bool matches;
        equant_status status = slots_match_site(slots, i, &list->sites[site], &matches);
        if (status != EQUANT_SUCCESS)
            return status;
        double start = entry->start_jd, end = entry->end_jd;
        if (entry->is_night) {
            start = local_noon(&list->sites[site], entry->start_jd);
            end = start + 1.0;
        }
        start = fmax(start, list->start_jd);
        end = fmin(end, list->end_jd);
        if (matches && end > start)
            status = interval_list_add(allowed, start, end);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    merge_intervals(allowed);
    return EQUANT_SUCCESS;
}

static equant_status fill_nights(equant_nights *list, const interval_list *allowed)
{
    interval_list windows = {0};
    equant_status status = EQUANT_SUCCESS;
    list->furthest = NIGHT_OBSTACLE_SUN;
    for (size_t i = 0; i < list->n_nights && status == EQUANT_SUCCESS; i++) {
        equant_night *night = &list->nights[i];
        night_obstacle obstacle;
        windows.n = 0;
        status = night_record_fill(&list->sites[night->site], &list->star, &list->limits,
                                   &allowed[night->site], night, &windows, &obstacle);
        if (status == EQUANT_SUCCESS && obstacle > list->furthest)
            list->furthest = obstacle;
        for (size_t k = 0; k < windows.n && status == EQUANT_SUCCESS; k++)
            status = add_window(list, &windows.items[k], i);
    }
    interval_list_free(&windows);
    return status;
}

static equant_status fill_by_slots(equant_nights *list, const equant_slots *slots)
{
    interval_list *allowed = calloc(list->n_sites, sizeof *allowed);
    equant_status status = allowed == NULL ? status_out_of_memory() : EQUANT_SUCCESS;
    for (size_t s = 0; s < list->n_sites && status == EQUANT_SUCCESS; s++)
        status = find_allowed(list, s, slots, &allowed[s]);
    if (status == EQUANT_SUCCESS)
        status = fill_nights(list, allowed);
    for (size_t s = 0; s < list->n_sites && allowed != NULL; s++)
        interval_list_free(&allowed[s]);
    free(allowed);
    return status;
}

/* The highest that the star gets anywhere; a degree is left for precession and motion. */
static equant_status check_star_rises(const equant_nights *list)
{
    double highest = -INFINITY;
    size_t where = 0;
    char name[64];
    for (size_t s = 0; s < list->n_sites; s++) {
        double culmination = 90.0 - fabs(list->sites[s].latitude_deg - list->star.dec_deg);
        if (culmination > highest) {
            highest = culmination;
            where = s;
        }
    }
    if (highest + 1.0 >= list->limits.altitude_min_deg)
        return EQUANT_SUCCESS;
    const char *place = site_name(&list->sites[where], name, sizeof name);
    if (highest < 0.0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a star at declination %.2f degrees never rises at %s",
                           list->star.dec_deg, place);
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "a star at declination %.2f degrees never rises above %.1f degrees at %s, "
                       "and the limit is %.1f",
                       list->star.dec_deg, highest, place, list->limits.altitude_min_deg);
}

/* A sentence for an interval without windows. */
static void tell_trouble(equant_nights *list)
{
    char from[EQUANT_UTC_TEXT_BYTES] = "", to[EQUANT_UTC_TEXT_BYTES] = "", name[64];
    char why[128];
    if (list->n_windows > 0)
        return;
    equant_utc_text(list->start_jd, from, sizeof from);
    equant_utc_text(list->end_jd, to, sizeof to);
    from[10] = to[10] = '\0'; /* dates are enough */
    if (list->furthest == NIGHT_OBSTACLE_SUN)
        decimal_text_print(why, sizeof why, "the sun does not sink below %g degrees",
                           list->limits.sun_altitude_deg);
    else
        decimal_text_print(why, sizeof why, "%s", night_obstacle_words(list->furthest));
    if (list->furthest == NIGHT_OBSTACLE_SLOTS)
        decimal_text_print(list->trouble, sizeof list->trouble,
                           "none of the slots between %s and %s is at a time when the star can be "
                           "observed",
                           from, to);
    else
        decimal_text_print(list->trouble, sizeof list->trouble,
                           "nothing can be observed at %s%s between %s and %s: %s",
                           site_name(&list->sites[0], name, sizeof name),
                           list->n_sites > 1 ? " and the others" : "", from, to, why);
}

static equant_status copy_sites(equant_nights *list, size_t n_sites, const equant_site *sites)
{
    list->sites = calloc(n_sites, sizeof *list->sites);
    if (list->sites == NULL)
        return status_out_of_memory();
    list->n_sites = n_sites;
    for (size_t s = 0; s < n_sites; s++) {
        equant_status status = site_check(&sites[s]);
        if (status != EQUANT_SUCCESS)
            return status;
        list->sites[s] = sites[s];
        list->sites[s].source = NULL;
        list->sites[s].name = NULL;
        if (sites[s].name != NULL) {
            char *copy = malloc(strlen(sites[s].name) + 1);
            if (copy == NULL)
                return status_out_of_memory();
            list->sites[s].name = strcpy(copy, sites[s].name);
        }
    }
    return EQUANT_SUCCESS;
}

static equant_status make_nights(equant_nights *list, size_t n_sites, const equant_site *sites,
                                 const equant_star_position *star,
                                 const equant_observing_limits *limits)
{
    equant_status status = copy_sites(list, n_sites, sites);
    if (status == EQUANT_SUCCESS)
        status = star_position_take(star, &list->star);
    if (status == EQUANT_SUCCESS)
        status = night_limits_take(limits, &list->limits);
    if (status == EQUANT_SUCCESS)
        status = check_star_rises(list);
    if (status == EQUANT_SUCCESS)
        status = list_nights(list);
    if (status == EQUANT_SUCCESS)
        status = fill_by_slots(list, OPTION_OR_ZERO(limits, equant_observing_limits, slots));
    if (status == EQUANT_SUCCESS)
        tell_trouble(list);
    return status;
}

equant_status equant_nights_create(size_t n_sites, const equant_site *sites,
                                   const equant_star_position *star, double start_jd_utc,
                                   double end_jd_utc, const equant_observing_limits *limits,
                                   equant_nights **nights)
{
    if (n_sites == 0 || n_sites > 100 || sites == NULL || nights == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "nights are those of at least one site, and of at most 100");
    if (!(start_jd_utc > 2e6 && start_jd_utc < end_jd_utc && end_jd_utc < 3e6))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "nights are those from a start to a later end, between JD 2000000 and "
                           "3000000, not from JD %.5f to %.5f",
                           start_jd_utc, end_jd_utc);
    equant_nights *made = calloc(1, sizeof *made);
    if (made == NULL)
        return status_out_of_memory();
    made->start_jd = start_jd_utc;
    made->end_jd = end_jd_utc;
    equant_status status = make_nights(made, n_sites, sites, star, limits);
    if (status != EQUANT_SUCCESS) {
        equant_nights_free(made);
        return status;
    }
    *nights = made;
    return EQUANT_SUCCESS;
}

void equant_nights_free(equant_nights *nights)
{
    if (nights == NULL)
        return;
    for (size_t s = 0; s < nights->n_sites; s++)
        free((char *)nights->sites[s].name);
    free(nights->sites);
    free(nights->nights);
    free(nights->windows);
    free(nights->times);
    free(nights);
}

size_t equant_nights_n(const equant_nights *nights)
{
    return nights == NULL ? 0 : nights->n_nights;
}

equant_status equant_nights_at(const equant_nights *nights, size_t index, equant_night *night)
{
    equant_status status = STATUS_CHECK_ITEM(night, "nights", equant_nights_n(nights), index);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_night known = nights->nights[index];
    OPTIONS_FILL(known, night);
    return EQUANT_SUCCESS;
}

size_t equant_nights_n_windows(const equant_nights *nights)
{
    return nights == NULL ? 0 : nights->n_windows;
}

equant_status equant_nights_window(const equant_nights *nights, size_t index, equant_window *window)
{
    equant_status status =
        STATUS_CHECK_ITEM(window, "windows", equant_nights_n_windows(nights), index);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_window known = nights->windows[index];
    OPTIONS_FILL(known, window);
    return EQUANT_SUCCESS;
}

const char *equant_nights_trouble(const equant_nights *nights)
{
    return nights == NULL ? "" : nights->trouble;
}
