#include "inference/search/gpu_warmup.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine.h"
#include "platform/system_threads.h"

struct gpu_warmup {
    const placement_list *among;
    equant_engine_options options;
    size_t n_base;
    pthread_t thread;
};

/* Observations of the smallest scan, and columns of its base at most. */
enum { N_OBS = 16, MOST_COLUMNS = 8 };

/* A scan of a few nodes: what all scans need is there when it is done. */
static void scan_little(const placement *found, size_t n_base)
{
    const backend_scan_layer layers[] = {{0.0, 1, 1, BACKEND_SCAN_PHASES},
                                         {0.1, 1, 1, BACKEND_SCAN_PHASES}};
    double time_days[N_OBS], root_weight[N_OBS], residual[N_OBS],
        base[MOST_COLUMNS * N_OBS] = {0.0};
    for (size_t k = 0; k < N_OBS; k++) {
        time_days[k] = (double)k;
        root_weight[k] = 1.0;
        residual[k] = k < MOST_COLUMNS ? 0.0 : 1.0;
    }
    for (size_t j = 0; j < MOST_COLUMNS; j++)
        base[j * N_OBS + j] = 1.0;
    const backend_scan scan = {.n_obs = N_OBS,
                               .time_days = time_days,
                               .root_weight = root_weight,
                               .residual = residual,
                               .n_base = n_base,
                               .base = base,
                               .first_frequency_per_day = 0.1,
                               .bin_width_per_day = 0.01,
                               .n_layers = sizeof layers / sizeof layers[0],
                               .layers = layers};
    void *state;
    backend_scan_node best, circular;
    if (found->chosen->scans->create(&found->engine, &scan, &state) != EQUANT_SUCCESS)
        return; /* whoever scans in earnest will be told why */
    found->chosen->scans->run(state, 0, 1, &best, &circular);
    found->chosen->scans->destroy(state);
}

static void *open_gpu(void *context)
{
    const gpu_warmup *opening = context;
    const equant_work work = {.struct_size = sizeof work, .kind = EQUANT_WORK_SCAN};
    placement found;
    if (placement_find(opening->among, &opening->options, &work, &found) == EQUANT_SUCCESS &&
        found.chosen->device)
        scan_little(&found, opening->n_base);
    return NULL;
}

/* Whether a GPU may be meant; drivers are not asked. */
static bool may_mean_gpu(const placement_list *among, const equant_engine_options *options)
{
    for (size_t i = 0; i < among->n; i++) {
        const backend *one = among->backends[i];
        if (one->device && one->scans &&
            (engine_is_automatic(options) ||
             strncmp(options->backend, one->name, strlen(one->name)) == 0))
            return true;
    }
    return false;
}

gpu_warmup *gpu_warmup_begin(const placement_list *among, const equant_engine_options *options,
                             size_t n_base)
{
    static atomic_flag was_begun = ATOMIC_FLAG_INIT;
    const placement_list built_in = {backend_list, backend_list_length};
    if (!may_mean_gpu(among ? among : &built_in, options) || atomic_flag_test_and_set(&was_begun))
        return NULL;
    gpu_warmup *opening = malloc(sizeof *opening);
    if (!opening)
        return NULL;
    *opening = (gpu_warmup){.among = among,
                            .options = *options,
                            .n_base = n_base < MOST_COLUMNS ? n_base : MOST_COLUMNS};
    if (!system_threads_start(&opening->thread, open_gpu, opening)) {
        free(opening);
        return NULL;
    }
    return opening;
}

void gpu_warmup_end(gpu_warmup *opening)
{
    if (!opening)
        return;
    pthread_join(opening->thread, NULL);
    free(opening);
}
