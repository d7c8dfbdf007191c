/* Engine options checked and completed, and the backend they name. */
#ifndef EQUANT_CORE_ENGINE_H
#define EQUANT_CORE_ENGINE_H

#include "backends/backend.h"

#define ENGINE_MAX_THREADS 4096

/* The backend that no name stands for: the best processor code that can run here. */
const backend *engine_best_backend(void);

/* Fills *engine and finds *chosen; options may be NULL. */
equant_status engine_choose(const equant_engine_options *options, backend_engine *engine,
                            const backend **chosen);

/* Fails, with a sentence, for a backend without device memory. */
equant_status engine_require_device(const backend *chosen);

/* The sentence for a status that a backend returned; passes the status on. */
equant_status engine_report(const backend *chosen, equant_status status);

#endif
