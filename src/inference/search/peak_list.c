#include "inference/search/peak_list.h"

#include <stdlib.h>

#include "core/status_fail.h"
#include "inference/search/next_planet.h"
#include "inference/search/noise_settings.h"

/* Of the draws of settings. */
enum { SEED = 1 };

equant_status peak_list_create(study *star, size_t n_wanted, peak_list *list)
{
    *list = (peak_list){.n_wanted = n_wanted, .found = calloc(n_wanted, sizeof *list->found)};
    equant_status status = list->found ? EQUANT_SUCCESS : status_out_of_memory();
    for (size_t i = 0; i < n_wanted && status == EQUANT_SUCCESS; i++)
        status = solution_create(star, &list->found[i]);
    return status;
}

void peak_list_free(peak_list *list)
{
    for (size_t i = 0; list->found && i < list->n_wanted; i++)
        solution_free(&list->found[i]);
    free(list->found);
    *list = (peak_list){.n = 0};
}

void peak_list_sort(peak_list *list)
{
    solution *found = list->found;
    for (size_t i = 1; i < list->n; i++)
        for (size_t j = i; j > 0 && found[j].log_likelihood > found[j - 1].log_likelihood; j--) {
            solution kept = found[j];
            found[j] = found[j - 1];
            found[j - 1] = kept;
        }
}

/* Puts a peak to its place, in that of another of its period or of the last, where it is better. */
static void add_peak(const study *star, peak_list *list, const solution *peak)
{
    size_t place = 0;
    while (place < list->n && !next_planet_same(star, &list->found[place], peak))
        place++;
    bool is_new = place == list->n && list->n < list->n_wanted;
    list->n += is_new;
    place = place < list->n ? place : list->n - 1;
    if (!is_new && !(peak->log_likelihood > list->found[place].log_likelihood))
        return;
    solution_copy(star, peak, &list->found[place]);
    peak_list_sort(list);
}

/* The peaks of one more scan, with the noise as `setting` has it. */
static equant_status add_setting(study *star, const planet_scan *like, const solution *setting,
                                 peak_list *list)
{
    planet_scan scan;
    peak_list more;
    equant_status status =
        planet_scan_create(star, setting, 0, NULL, &like->grid, "scanning with other noise", &scan);
    if (status != EQUANT_SUCCESS)
        return status;
    scan.circles_only = like->circles_only;
    status = peak_list_create(star, list->n_wanted, &more);
    if (status == EQUANT_SUCCESS)
        status = next_planet_refine(star, &scan, setting, 0, more.n_wanted, false, more.n_wanted,
                                    more.found, &more.n);
    for (size_t i = 0; i < more.n && status == EQUANT_SUCCESS; i++)
        add_peak(star, list, &more.found[i]);
    peak_list_free(&more);
    planet_scan_free(&scan);
    return status;
}

equant_status peak_list_add_settings(study *star, const planet_scan *scan,
                                     const solution *background, size_t n, peak_list *list)
{
    solution setting = {.set = NULL};
    bool differs = background->noise.terms != 0;
    equant_status status = differs ? solution_create(star, &setting) : EQUANT_SUCCESS;
    for (uint64_t i = 0; i < n && differs && status == EQUANT_SUCCESS; i++) {
        status = noise_settings_draw(star, background, SEED, i, &setting, &differs);
        if (status == EQUANT_SUCCESS && differs)
            status = add_setting(star, scan, &setting, list);
    }
    solution_free(&setting);
    return status;
}
