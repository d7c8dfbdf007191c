/* The embedded table as a data set. */
#include "data/demonstration.h"

#include "core/dataset.h"
#include "core/status_fail.h"

static equant_status add_rows(dataset_builder *builder)
{
    for (size_t k = 0; k < DEMONSTRATION_N_ROWS; k++) {
        const demonstration_row *row = &demonstration_hd164922[k];
        int instrument;
        equant_status status = dataset_builder_instrument(builder, &row->telescope, 1, &instrument);
        if (status == EQUANT_SUCCESS)
            status = dataset_builder_add(builder, row->time_jd, row->velocity_m_s,
                                         row->uncertainty_m_s, instrument);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    return dataset_builder_set_format(builder, "embedded table");
}

equant_status equant_dataset_demonstration(equant_dataset **dataset)
{
    if (dataset == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "no place for the data set was given");
    dataset_builder builder = {.unit = EQUANT_UNIT_M_S};
    equant_status status = add_rows(&builder);
    if (status != EQUANT_SUCCESS) {
        dataset_builder_free(&builder);
        return status;
    }
    return dataset_builder_finish(&builder, NULL, dataset);
}
