/* Engine options checked and completed, and the backend they name. */
#ifndef EQUANT_CORE_ENGINE_H
#define EQUANT_CORE_ENGINE_H

#include "backends/backend.h"

#define ENGINE_MAX_THREADS 4096

/* The best processor code that can run here. */
const backend *engine_best_backend(void);

/* True when the options leave the choice of the backend to the library. */
bool engine_is_automatic(const equant_engine_options *options);

/* Fills *engine and finds *chosen; options may be NULL. An automatic choice is that of the best
 * processor code; core/automatic.h has what else it may be. */
equant_status engine_choose(const equant_engine_options *options, backend_engine *engine,
                            const backend **chosen);

/* Fails, with a sentence, for a backend without device memory. */
equant_status engine_require_device(const backend *chosen);

/* The sentence for a status that a backend returned; passes the status on. */
equant_status engine_report(const backend *chosen, equant_status status);

#endif
