#include "tables/grid_writer.h"

#include <math.h>
#include <string.h>

#include "text/ecsv_writer.h"
#include "terminal/messages.h"
#include "terminal/table.h"

int grid_writer_write(FILE *stream, const struct paper_grid *grid, bool is_document)
{
    int code = paper_grid_check(grid);
    if (code != EXIT_CODE_OK)
        return code;
    switch (grid->style) {
    case PAPER_PLAIN:
        return grid_plain_write(stream, grid);
    case PAPER_AASTEX:
    case PAPER_AA:
        return grid_latex_write(stream, grid, is_document);
    case PAPER_MRT:
        return grid_mrt_write(stream, grid);
    case PAPER_ECSV:
        return grid_ecsv_write(stream, grid);
    case PAPER_VOTABLE:
        return grid_votable_write(stream, grid);
    }
    return EXIT_CODE_FAILED;
}

int grid_plain_write(FILE *stream, const struct paper_grid *grid)
{
    char alignment[PAPER_GRID_MOST_COLUMNS + 1];
    for (size_t c = 0; c < grid->n_columns; c++)
        alignment[c] = grid->columns[c].is_text ? 'l' : 'r';
    alignment[grid->n_columns] = '\0';
    struct table table = table_start(alignment);
    for (size_t c = 0; c < grid->n_columns; c++)
        table_add(&table, "%s", grid->columns[c].heading);
    for (size_t i = 0; i < grid->n_cells; i++) {
        const struct paper_cell *cell = &grid->cells[i];
        if (cell->text != NULL)
            table_add(&table, "%s", cell->text);
        else if (isnan(cell->number))
            table_add(&table, "-");
        else
            table_add(&table, "%.*f", grid->columns[i % grid->n_columns].decimals, cell->number);
    }
    fprintf(stream, "%s\n\n", grid->title);
    int code = table_print(&table, stream, 2);
    table_free(&table);
    for (size_t i = 0; i < grid->notes.n; i++)
        fprintf(stream, "%s  %s\n", i == 0 ? "\n" : "", grid->notes.texts[i]);
    return code;
}

int grid_ecsv_write(FILE *stream, const struct paper_grid *grid)
{
    struct ecsv_column columns[PAPER_GRID_MOST_COLUMNS];
    struct ecsv_note notes[] = {{"title", grid->title, 0.0}};
    for (size_t c = 0; c < grid->n_columns; c++) {
        const struct paper_column *own = &grid->columns[c];
        columns[c] = (struct ecsv_column){own->name, own->is_text ? ECSV_TEXT : ECSV_NUMBER,
                                          own->unit[0] != '\0' ? own->unit : NULL, own->meaning};
    }
    struct ecsv_writer writer = ecsv_writer_start(stream, grid->n_columns, columns, 1, notes);
    for (size_t i = 0; i < grid->n_cells; i++)
        if (grid->cells[i].text != NULL)
            ecsv_writer_text(&writer, grid->cells[i].text);
        else
            ecsv_writer_number(&writer, grid->cells[i].number);
    return EXIT_CODE_OK;
}

/* ---- VOTable ----------------------------------------------------------------------------------
 */

static void write_xml(FILE *stream, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            fputc(*text, stream);
        }
}

static void write_field(FILE *stream, const struct paper_column *own)
{
    fprintf(stream, "  <FIELD name=\"%s\" ID=\"%s\" ", own->name, own->name);
    fputs(own->is_text ? "datatype=\"unicodeChar\" arraysize=\"*\"" : "datatype=\"double\"",
          stream);
    /* VOUnits have dots for products and a slash before each quotient. */
    if (own->unit[0] != '\0')
        fprintf(stream, " unit=\"%s\"", strcmp(own->unit, "m / s") == 0 ? "m/s" : own->unit);
    fputs(">\n   <DESCRIPTION>", stream);
    write_xml(stream, own->meaning);
    fputs("</DESCRIPTION>\n  </FIELD>\n", stream);
}

int grid_votable_write(FILE *stream, const struct paper_grid *grid)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<VOTABLE version=\"1.4\" "
          "xmlns=\"http://www.ivoa.net/xml/VOTable/v1.3\">\n<RESOURCE type=\"results\">\n <TABLE>\n"
          "  <DESCRIPTION>",
          stream);
    write_xml(stream, grid->title);
    for (size_t i = 0; i < grid->notes.n; i++) {
        fputs(". ", stream);
        write_xml(stream, grid->notes.texts[i]);
    }
    fputs("</DESCRIPTION>\n", stream);
    for (size_t c = 0; c < grid->n_columns; c++)
        write_field(stream, &grid->columns[c]);
    fputs("  <DATA>\n   <TABLEDATA>\n", stream);
    for (size_t i = 0; i < grid->n_cells; i++) {
        fputs(i % grid->n_columns == 0 ? "    <TR><TD>" : "<TD>", stream);
        if (grid->cells[i].text != NULL)
            write_xml(stream, grid->cells[i].text);
        else
            fprintf(stream, isnan(grid->cells[i].number) ? "NaN" : "%.17g", grid->cells[i].number);
        fputs((i + 1) % grid->n_columns == 0 ? "</TD></TR>\n" : "</TD>", stream);
    }
    fputs("   </TABLEDATA>\n  </DATA>\n </TABLE>\n</RESOURCE>\n</VOTABLE>\n", stream);
    return EXIT_CODE_OK;
}
