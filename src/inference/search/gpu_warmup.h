/* Opens a GPU ahead of its first scan, beside other work: a driver takes two tenths of a second
 * for it, which is as long as some searches. */
#ifndef EQUANT_INFERENCE_SEARCH_GPU_WARMUP_H
#define EQUANT_INFERENCE_SEARCH_GPU_WARMUP_H

#include "core/placement.h"

typedef struct gpu_warmup gpu_warmup;

/* Begins, on a thread of its own; the options are borrowed until the end. Kernels take time to be
 * loaded, too: of them those of a scan behind a base of so many columns. NULL where there is
 * nothing to be opened, where it was begun before in this program, and where there is no thread.
 * Whoever scans meanwhile waits for the GPU as ever. among NULL: the backends of this build. */
gpu_warmup *gpu_warmup_begin(const placement_list *among, const equant_engine_options *options,
                             size_t n_base);

/* Waits until it is open, or cannot be. May be NULL. */
void gpu_warmup_end(gpu_warmup *opening);

#endif
