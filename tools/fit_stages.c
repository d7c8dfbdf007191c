/* Where the time of a fit goes: seconds by stage, as the fit itself reports its stages, and how
 * many processors were at work in each.
 *
 * Usage: fit_stages THREADS BACKEND NOISE [FILE [SECONDS]]
 * THREADS 0: all; BACKEND auto, or one that `equant info` lists; without FILE, or with -, the
 * demonstration. After so many seconds the fit is stopped, and what it has done is shown. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "equant.h"

enum { MOST_STAGES = 64 };

typedef struct stage {
    char name[80];
    double seconds, processor_s;
    int n;
} stage;

typedef struct stages {
    size_t n, now;
    double since, processor_since, until;
    stage list[MOST_STAGES];
} stages;

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Time goes to the stage that was reported last. */
static void enter(stages *all, const char *name)
{
    double now = seconds_of(CLOCK_MONOTONIC), processor = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    all->list[all->now].seconds += now - all->since;
    all->list[all->now].processor_s += processor - all->processor_since;
    all->since = now;
    all->processor_since = processor;
    size_t i = 0;
    while (i < all->n && strcmp(all->list[i].name, name) != 0)
        i++;
    if (i == MOST_STAGES)
        i = 0;
    if (i == all->n)
        snprintf(all->list[all->n++].name, sizeof all->list[0].name, "%s", name);
    all->list[i].n += i != all->now;
    all->now = i;
}

static int note(const equant_progress_report *report, void *context)
{
    stages *all = context;
    enter(all, report->stage);
    return all->since > all->until;
}

static void show(stages *all, double total)
{
    for (size_t i = 0; i < all->n; i++)
        printf("  %-32s %8.3f s  %5.1f processors %6d times\n", all->list[i].name,
               all->list[i].seconds, all->list[i].processor_s / fmax(all->list[i].seconds, 1e-9),
               all->list[i].n);
    printf("  %-32s %8.3f s, %.2f s of processors\n", "all", total,
           seconds_of(CLOCK_PROCESS_CPUTIME_ID));
}

static equant_status read_star(const char *path, equant_dataset **dataset)
{
    return path && strcmp(path, "-") != 0 ? equant_dataset_from_files(1, &path, NULL, dataset)
                                          : equant_dataset_demonstration(dataset);
}

int main(int argc, char **argv)
{
    equant_dataset *dataset;
    equant_fit *fit;
    static stages all = {.n = 1, .list = {{.name = "before the first report"}}};
    if (argc < 4) {
        fprintf(stderr, "fit_stages THREADS BACKEND NOISE [FILE [SECONDS]]\n");
        return 2;
    }
    if (read_star(argc > 4 ? argv[4] : NULL, &dataset) != EQUANT_SUCCESS) {
        fprintf(stderr, "fit_stages: %s\n", equant_last_error());
        return 1;
    }
    const equant_engine_options engine = {.struct_size = sizeof engine,
                                          .n_threads = atoi(argv[1]),
                                          .backend = strcmp(argv[2], "auto") ? argv[2] : NULL};
    const equant_fit_options options = {.struct_size = sizeof options,
                                        .engine = &engine,
                                        .noise = argv[3],
                                        .progress = note,
                                        .progress_context = &all};
    double began = all.since = seconds_of(CLOCK_MONOTONIC);
    all.until = argc > 5 ? began + atof(argv[5]) : INFINITY;
    equant_status status = equant_fit_star(dataset, &options, &fit);
    enter(&all, "after the last report");
    if (status != EQUANT_SUCCESS) {
        fprintf(stderr, "fit_stages: %s\n", equant_last_error());
        show(&all, seconds_of(CLOCK_MONOTONIC) - began);
        equant_dataset_free(dataset);
        return 1;
    }
    equant_fit_summary summary = {.struct_size = sizeof summary};
    equant_fit_summarize(fit, &summary);
    printf("%s, noise %s, backend %s, threads %s: %zu planets, ln L %.6f\n",
           argc > 4 ? argv[4] : "demonstration", argv[3], argv[2], argv[1],
           equant_fit_n_planets(fit), summary.log_likelihood);
    show(&all, seconds_of(CLOCK_MONOTONIC) - began);
    equant_fit_free(fit);
    equant_dataset_free(dataset);
    return 0;
}
