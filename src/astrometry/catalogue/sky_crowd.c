#include "astrometry/catalogue/sky_crowd.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "parallel/parallel_for.h"

/* Sources in memory beside those of the caller, in each of two companies: enough to fill a GPU
 * several times. */
enum { MOST = 8192, N_COMPANIES = 2 };

/* Sources that go together: screened in one step, scanned in the next. */
typedef struct company {
    size_t first, n, n_scanned;
    sky_screen *screens;      /* [MOST]        */
    sky_scan_source *sources; /* [n_scanned]   */
    sky_scan_node *best;      /* [n_scanned]   */
    equant_status status;
} company;

static void company_free(company *own)
{
    for (size_t i = 0; own->screens && i < own->n; i++)
        sky_screen_free(&own->screens[i]);
    free(own->screens);
    free(own->sources);
    free(own->best);
}

static equant_status company_create(size_t n, company *own)
{
    size_t room = n < MOST ? n : MOST;
    *own = (company){.screens = calloc(room, sizeof *own->screens),
                     .sources = calloc(room, sizeof *own->sources),
                     .best = calloc(room, sizeof *own->best)};
    return own->screens && own->sources && own->best ? EQUANT_SUCCESS : status_out_of_memory();
}

static void gather(company *own)
{
    own->n_scanned = 0;
    for (size_t i = 0; i < own->n; i++)
        if (own->screens[i].is_scanned)
            own->sources[own->n_scanned++] = own->screens[i].source;
}

static void scan(const sky_crowd *crowd, company *own)
{
    if (own->status == EQUANT_SUCCESS && own->n_scanned > 0)
        own->status = sky_scan_peaks(crowd->scan, own->n_scanned, own->sources, 1, 0, own->best);
}

typedef struct screening {
    const sky_crowd *crowd;
    const equant_astrometry *const *sources; /* of the company */
    company *screened, *scanned;
    bool is_beside, has_scanned; /* the caller's */
    atomic_int n_failures;
} screening;

/* On the caller's thread, once; false behind a scan that failed. */
static bool scan_beside(screening *of)
{
    if (!of->is_beside)
        return true;
    if (!of->has_scanned)
        scan(of->crowd, of->scanned);
    of->has_scanned = true;
    return of->scanned->status == EQUANT_SUCCESS;
}

static void screen_some(void *context, size_t first, size_t end, int thread)
{
    screening *of = context;
    if (thread == 0 && !scan_beside(of))
        return;
    for (size_t i = first; i < end; i++)
        if (sky_screen_create(of->sources[i], &of->crowd->limits, of->crowd->has_colour,
                              &of->screened->screens[i]) != EQUANT_SUCCESS)
            atomic_fetch_add(&of->n_failures, 1);
}

/* Screens one company while another is scanned; either may be empty. On a GPU, the thread of the
 * caller feeds it and the others screen; on processors both steps want all threads, one after the
 * other. Behind a scan that failed nothing else is done on the caller's thread, which has the
 * sentence. */
static void step(const sky_crowd *crowd, const equant_astrometry *const *sources, company *screened,
                 company *scanned)
{
    screening of = {crowd, sources + screened->first, screened, scanned, .n_failures = 0};
    of.is_beside = sky_scan_is_on_gpu(crowd->scan) && crowd->n_threads > 1;
    if (!of.is_beside)
        scan(crowd, scanned);
    if (scanned->status != EQUANT_SUCCESS)
        return;
    parallel_for(crowd->n_threads, screened->n, 4, screen_some, &of);
    scan_beside(&of); /* others may have left the caller nothing to screen */
    screened->status =
        atomic_load(&of.n_failures) == 0 ? EQUANT_SUCCESS : EQUANT_ERROR_OUT_OF_MEMORY;
    gather(screened);
}

/* Hands a scanned company to the caller, and empties it. */
static void tell(company *own, sky_crowd_taker take, void *context)
{
    const sky_scan_node *best = own->best;
    for (size_t i = 0; i < own->n; i++) {
        bool is_told = own->status == EQUANT_SUCCESS;
        if (is_told)
            take(context, own->first + i, &own->screens[i],
                 own->screens[i].is_scanned ? best++ : NULL);
        sky_screen_free(&own->screens[i]);
    }
    own->n = own->n_scanned = 0;
}

equant_status sky_crowd_run(const sky_crowd *crowd, size_t n_sources,
                            const equant_astrometry *const *sources, sky_crowd_taker take,
                            void *context)
{
    company companies[N_COMPANIES] = {{0}};
    equant_status status = EQUANT_SUCCESS;
    for (int i = 0; i < N_COMPANIES && status == EQUANT_SUCCESS; i++)
        status = company_create(n_sources, &companies[i]);
    company *screened = &companies[0], *scanned = &companies[1];
    for (size_t first = 0; status == EQUANT_SUCCESS && (first < n_sources || scanned->n > 0);) {
        size_t left = n_sources - first;
        screened->first = first;
        screened->n = left < MOST ? left : MOST;
        step(crowd, sources, screened, scanned);
        status = scanned->status;
        tell(scanned, take, context);
        company *emptied = scanned;
        first += screened->n;
        scanned = screened;
        screened = emptied;
    }
    for (int i = 0; i < N_COMPANIES; i++)
        company_free(&companies[i]);
    return status == EQUANT_ERROR_OUT_OF_MEMORY ? status_out_of_memory() : status;
}
