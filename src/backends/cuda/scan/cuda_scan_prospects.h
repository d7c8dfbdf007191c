/* What ellipses of a scan may improve by, on a GPU: the slot `prospects` of its scans. */
#ifndef EQUANT_BACKENDS_CUDA_SCAN_CUDA_SCAN_PROSPECTS_H
#define EQUANT_BACKENDS_CUDA_SCAN_CUDA_SCAN_PROSPECTS_H

#include "backends/backend.h"

equant_status scan_prospects_on_device(const backend_engine *engine, const backend_scan *scan,
                                       const backend_scan_prospects *asked, float *most);

#endif
