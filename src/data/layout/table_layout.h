/* Which format a table has and which of its columns mean what: by the names in
 * its header, or by position where it has none. */
#ifndef EQUANT_DATA_LAYOUT_TABLE_LAYOUT_H
#define EQUANT_DATA_LAYOUT_TABLE_LAYOUT_H

#include "core/dataset.h"
#include "data/reading_request.h"
#include "data/text_table.h"
#include "model/indicator_catalogue.h"

typedef struct table_layout {
    const char *format; /* a name for a person, static */
    text_delimiter delimiter;
    bool has_names; /* columns were told by their names, not by position */
    size_t n_columns;
    int column[COLUMN_N_ROLES]; /* -1 where the table has none */
    int indicator[INDICATOR_CATALOGUE_MOST], indicator_uncertainty[INDICATOR_CATALOGUE_MOST];
    equant_unit indicator_unit[INDICATOR_CATALOGUE_MOST]; /* as the header says */
    text_slice quality_name, flag_name; /* of the columns that judge rows, and may judge them */
    text_slice target_name;             /* of COLUMN_TARGET */
    /* As the header says; FROM_FILE where it does not. */
    equant_unit velocity_unit, uncertainty_unit;
    /* What the format means when nothing is said; FROM_FILE for none. */
    equant_unit customary_unit;
    const char *time_name;  /* of core/time_name.h; NULL where the header says nothing */
    bool is_drs;            /* rvc in km/s beside dvrms in m/s */
    bool is_target_doubted; /* COLUMN_TARGET may name other things than stars */
    text_slice instrument;  /* of the whole file, from its comments; may be empty */
    text_lines rows;
} table_layout;

bool table_layout_has(const table_layout *layout, column_role role);

/* Guesses become warnings of `builder`, columns of no use its ignored ones; `name` is the file's.
 * Where the caller gives a unit, those of the header are not looked at. */
equant_status table_layout_find(const char *text, size_t n_bytes, const char *name,
                                const reading_request *request, dataset_builder *builder,
                                table_layout *layout);

#endif
