/* Engine options, checked and completed. */
#ifndef EQUANT_CORE_ENGINE_H
#define EQUANT_CORE_ENGINE_H

#include "backends/backend.h"

#define ENGINE_MAX_THREADS 4096

/* True when the options leave the choice of the backend to the library. */
bool engine_is_automatic(const equant_engine_options *options);

/* Fills *engine; options may be NULL. Which backend takes it, on which device and on how many
 * threads where the options leave that open, is a matter of core/placement.h. */
equant_status engine_complete(const equant_engine_options *options, backend_engine *engine);

/* Fails for what only makes sense where arrays and tables can lie in the memory of a device. */
equant_status engine_check_device_options(const backend_engine *engine, const backend *chosen);

/* Fails, with a sentence, for a backend without device memory. */
equant_status engine_require_device(const backend *chosen);

/* The sentence for a status that a backend returned; passes the status on. */
equant_status engine_report(const backend *chosen, equant_status status);

#endif
