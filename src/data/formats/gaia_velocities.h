/* Velocities of Gaia's transits (rvs_epoch_parameters_single of DR4, vari_epoch_radial_velocity
 * before): a row for each transit, or one for each source with arrays. They become a plain table
 * with times in TDB, without transits that are of no use. */
#ifndef EQUANT_DATA_GAIA_VELOCITIES_H
#define EQUANT_DATA_GAIA_VELOCITIES_H

#include "core/dataset.h"
#include "data/reading_request.h"
#include "data/text_buffer.h"

/* By the names of the columns; false where the caller has chosen those of times or velocities. */
bool gaia_velocities_is(const char *text, size_t n_bytes, const reading_request *request);

/* The uncertainties are those that the caller has chosen, else radial_velocity_error. What was done
 * becomes warnings of `builder`. */
equant_status gaia_velocities_translate(const char *text, size_t n_bytes, const char *name,
                                        const reading_request *request, dataset_builder *builder,
                                        text_buffer *plain);

#endif
