#include "options/option_line.h"

#include <math.h>

#include "terminal/text_line.h"

void option_line_number(char *line, size_t n, const char *option, double value)
{
    if (value != 0.0)
        text_line_append(line, n, " --%s %.17g", option, value);
}

void option_line_text(char *line, size_t n, const char *option, const char *text)
{
    if (text != NULL)
        text_line_append(line, n, " --%s %s", option, text);
}

void option_line_source(char *line, size_t n, const struct data_source *source)
{
    option_line_text(line, n, "unit", data_source_unit_name(source->unit));
    option_line_text(line, n, "columns", source->columns);
    if (source->only_star != NULL)
        text_line_append(line, n, " --only-star '%s'", source->only_star);
    if (source->skips_bad_rows)
        text_line_append(line, n, " --skip-bad-rows");
    for (size_t i = 0; i < source->leave_out.names.n; i++)
        option_line_text(line, n, "leave-out", source->leave_out.names.texts[i]);
    for (size_t i = 0; i < source->left_out.spans.n; i++)
        option_line_text(line, n, "leave-out-times", source->left_out.spans.texts[i]);
    for (size_t i = 0; i < source->left_out.transits.n; i++)
        option_line_text(line, n, "leave-out-transits", source->left_out.transits.texts[i]);
    if (!isnan(source->reference_time_days))
        text_line_append(line, n, " --t-ref %.17g", source->reference_time_days);
}
