/* The guess of a format: columns by name where a table has names, else by place. */
#include "data/layout/table_layout.h"

#include "data/layout/named_layout.h"
#include "data/layout/unnamed_layout.h"
#include "data/velocity_unit.h"

bool table_layout_has(const table_layout *layout, column_role role)
{
    return layout->column[role] >= 0;
}

equant_status table_layout_find(const char *text, size_t n_bytes, const char *name,
                                const reading_request *request, dataset_builder *builder,
                                table_layout *layout)
{
    bool unit_is_forced = request->unit != EQUANT_UNIT_FROM_FILE;
    layout_search search = {.text = text,
                            .n_bytes = n_bytes,
                            .name = name,
                            .request = request,
                            .builder = builder,
                            .layout = layout};
    equant_status status = table_preamble_read(text, n_bytes, name, &search.preamble);
    if (status != EQUANT_SUCCESS)
        return status;
    const table_preamble *preamble = &search.preamble;
    *layout = (table_layout){
        .delimiter = table_preamble_delimiter(preamble->first_row),
        .instrument = preamble->instrument.n > 0 ? preamble->instrument : preamble->telescope,
        .rows = preamble->rows,
    };
    status = preamble->header.n > 0 ? named_layout_find(&search) : unnamed_layout_find(&search);
    if (status != EQUANT_SUCCESS)
        return status;
    if (!unit_is_forced && layout->velocity_unit == EQUANT_UNIT_FROM_FILE &&
        layout->uncertainty_unit == EQUANT_UNIT_FROM_FILE)
        layout->velocity_unit = velocity_unit_parse(preamble->value_units);
    return EQUANT_SUCCESS;
}
