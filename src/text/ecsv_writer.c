#include "text/ecsv_writer.h"

#include <math.h>
#include <string.h>

#include "text/utf8.h"

static void write_column(FILE *stream, const struct ecsv_column *column)
{
    static const char *const datatypes[] = {[ECSV_NUMBER] = "float64",
                                            [ECSV_INTEGER] = "int64",
                                            [ECSV_TEXT] = "string",
                                            [ECSV_NUMBERS] = "string"};
    fprintf(stream, "# - {name: %s, ", column->name);
    if (column->unit != NULL)
        fprintf(stream, "unit: %s, ", column->unit);
    fprintf(stream, "datatype: %s", datatypes[column->type]);
    if (column->type == ECSV_NUMBERS)
        fputs(", subtype: 'float64[null]'", stream);
    if (column->description != NULL) {
        fputs(", description: ", stream);
        utf8_write_quoted(stream, column->description, '\'');
    }
    fputs("}\n", stream);
}

/* A number that YAML cannot mistake for a whole one or for text. */
static void write_yaml_number(FILE *stream, double value)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.17g", value);
    fprintf(stream, "%s%s", digits, strpbrk(digits, ".ein") == NULL ? ".0" : "");
}

static void write_note(FILE *stream, const struct ecsv_note *note)
{
    fprintf(stream, "# - {%s: ", note->name);
    if (note->text != NULL)
        utf8_write_quoted(stream, note->text, '\'');
    else
        write_yaml_number(stream, note->number);
    fputs("}\n", stream);
}

struct ecsv_writer ecsv_writer_start(FILE *stream, size_t n_columns,
                                     const struct ecsv_column *columns, size_t n_notes,
                                     const struct ecsv_note *notes)
{
    fputs("# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n", stream);
    for (size_t i = 0; i < n_columns; i++)
        write_column(stream, &columns[i]);
    if (n_notes > 0)
        fputs("# meta: !!omap\n", stream);
    for (size_t i = 0; i < n_notes; i++)
        write_note(stream, &notes[i]);
    fputs("# schema: astropy-2.0\n", stream);
    for (size_t i = 0; i < n_columns; i++)
        fprintf(stream, "%s%s", i == 0 ? "" : ",", columns[i].name);
    fputc('\n', stream);
    return (struct ecsv_writer){.stream = stream, .n_columns = n_columns};
}

static void before_cell(struct ecsv_writer *writer)
{
    if (writer->column > 0)
        fputc(',', writer->stream);
}

static void after_cell(struct ecsv_writer *writer)
{
    writer->column++;
    if (writer->column == writer->n_columns) {
        fputc('\n', writer->stream);
        writer->column = 0;
    }
}

void ecsv_writer_number(struct ecsv_writer *writer, double value)
{
    before_cell(writer);
    if (isnan(value))
        fputs("nan", writer->stream); /* printf would write -nan for some of them */
    else
        fprintf(writer->stream, "%.17g", value);
    after_cell(writer);
}

void ecsv_writer_integer(struct ecsv_writer *writer, long long value)
{
    before_cell(writer);
    fprintf(writer->stream, "%lld", value);
    after_cell(writer);
}

/* Quoted always: an empty cell without quotes would mean a missing value. */
void ecsv_writer_text(struct ecsv_writer *writer, const char *text)
{
    before_cell(writer);
    utf8_write_quoted(writer->stream, text, '"');
    after_cell(writer);
}

void ecsv_writer_numbers(struct ecsv_writer *writer, size_t n, const double *values)
{
    before_cell(writer);
    fputs("\"[", writer->stream);
    for (size_t i = 0; i < n; i++) {
        fputs(i == 0 ? "" : ",", writer->stream);
        if (isfinite(values[i]))
            fprintf(writer->stream, "%.17g", values[i]);
        else
            fputs("null", writer->stream);
    }
    fputs("]\"", writer->stream);
    after_cell(writer);
}
