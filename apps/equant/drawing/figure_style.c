#include "drawing/figure_style.h"

#include <stdbool.h>
#include <string.h>

/* Those of instruments can be told apart without seeing all colours (Okabe and Ito 2008). */
static const struct {
    const char *name, *day, *night;
} colours[] = {
    {"paper", "#fff", "#14171a"},
    {"ink", "#1c2024", "#e4e6e8"},
    {"quiet", "#667078", "#98a2ab"},
    {"rule", "#d9dde1", "#343a40"},
    {"wash", "#f5f6f7", "#1c2024"},
    {"accent", "#1b5e8c", "#7ab8e0"},
    {"pale", "#b9c0c6", "#4d565e"},
    {"fill", "#dbe7f0", "#20384a"},
    {"fill-strong", "#9dbfd8", "#35688c"},
    {"good", "#2c6e49", "#7cc29a"},
    {"bad", "#a4342a", "#ef8a80"},
    {"edge", "#1c2024", "#8b949c"},
    {"i1", "#0072b2", "#56a8dc"},
    {"i2", "#d55e00", "#ef8640"},
    {"i3", "#009e73", "#3cc49c"},
    {"i4", "#cc79a7", "#e0a0c4"},
    {"i5", "#b8860b", "#e6b84c"},
    {"i6", "#56b4e9", "#8fcdf2"},
    {"i7", "#666", "#aaa"},
};

enum { N_COLOURS = sizeof colours / sizeof colours[0] };

/* $name stands for a colour. */
static const char rules[] =
    "svg text{font-size:12px;fill:$ink;font-variant-numeric:tabular-nums}\n"
    "svg .label{font-size:12.5px}\n"
    "svg .small{font-size:10.5px}svg .quiet{fill:$quiet}svg .strong{font-weight:600}\n"
    "svg .mid{text-anchor:middle}svg .end{text-anchor:end}\n"
    "svg .halo{paint-order:stroke;stroke:$paper;stroke-width:4px;stroke-linejoin:round}\n"
    ".frame{fill:none;stroke:$edge;stroke-width:.8}\n"
    ".tick{fill:none;stroke:$edge;stroke-width:.8}\n"
    ".zero{stroke:$pale;stroke-width:.8}\n"
    ".level{fill:none;stroke:$quiet;stroke-width:.8;stroke-dasharray:4 3}\n"
    ".leader{fill:none;stroke:$quiet;stroke-width:.6}\n"
    ".curve{fill:none;stroke:$ink;stroke-width:.9;stroke-linejoin:round;opacity:.75}\n"
    ".curve.strong{stroke-width:1.4;opacity:1}\n"
    ".bar{fill:none;stroke:$pale;stroke-width:.6}\n"
    ".bar.own{stroke-width:.9}\n"
    ".dot{stroke:none}.bar.own,.dot{opacity:.82}.phase .bar.own,.phase .dot{opacity:.55}\n"
    ".dot.i1{fill:$i1}.dot.i2{fill:$i2}.dot.i3{fill:$i3}.dot.i4{fill:$i4}"
    ".dot.i5{fill:$i5}.dot.i6{fill:$i6}.dot.i7{fill:$i7}\n"
    ".dot.open{fill:none;stroke-width:1.2}"
    ".dot.open.i1{stroke:$i1}.dot.open.i2{stroke:$i2}.dot.open.i3{stroke:$i3}"
    ".dot.open.i4{stroke:$i4}.dot.open.i5{stroke:$i5}.dot.open.i6{stroke:$i6}"
    ".dot.open.i7{stroke:$i7}\n"
    ".bar.i1{stroke:$i1}.bar.i2{stroke:$i2}.bar.i3{stroke:$i3}.bar.i4{stroke:$i4}"
    ".bar.i5{stroke:$i5}.bar.i6{stroke:$i6}.bar.i7{stroke:$i7}\n"
    ".mean{fill:$paper;stroke:$ink;stroke-width:1.3}\n"
    ".mean-bar{fill:none;stroke:$ink;stroke-width:1.3}\n"
    ".band-95{fill:$accent;opacity:.16}.band-68{fill:$accent;opacity:.26}\n"
    ".power{fill:$fill;stroke:$accent;stroke-width:.9;stroke-linejoin:round}\n"
    ".power-circular{fill:none;stroke:$i2;stroke-width:.7;stroke-linejoin:round;opacity:.8}\n"
    ".window{fill:$wash;stroke:$quiet;stroke-width:.8}\n"
    ".planet-mark{stroke:$i2;stroke-width:1;stroke-dasharray:2 2.5}\n"
    ".histogram{fill:$fill;stroke:$accent;stroke-width:.9}\n"
    ".median{stroke:$ink;stroke-width:1}\n"
    ".interval{stroke:$ink;stroke-width:.8;stroke-dasharray:3 2.5}\n"
    ".density-95{fill:$fill;stroke:$accent;stroke-width:.7;fill-rule:evenodd}\n"
    ".density-68{fill:$fill-strong;stroke:$accent;stroke-width:.7;fill-rule:evenodd}\n"
    ".trace{fill:none;stroke-width:1;stroke-linejoin:round}.spread{stroke:none;opacity:.16}\n"
    ".trace.i1{stroke:$i1}.trace.i2{stroke:$i2}.trace.i3{stroke:$i3}.trace.i4{stroke:$i4}"
    ".trace.i5{stroke:$i5}.trace.i6{stroke:$i6}.trace.i7{stroke:$i7}\n"
    ".spread.i1{fill:$i1}.spread.i2{fill:$i2}.spread.i3{fill:$i3}.spread.i4{fill:$i4}"
    ".spread.i5{fill:$i5}.spread.i6{fill:$i6}.spread.i7{fill:$i7}\n";

void figure_style_properties(FILE *page, enum figure_colours chosen)
{
    for (size_t i = 0; i < N_COLOURS; i++)
        fprintf(page, "--%s:%s;", colours[i].name,
                chosen == FIGURE_DAY ? colours[i].day : colours[i].night);
}

static size_t name_length(const char *at)
{
    return strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789-");
}

static const char *colour_of(const char *name, size_t n)
{
    for (size_t i = 0; i < N_COLOURS; i++)
        if (strlen(colours[i].name) == n && strncmp(colours[i].name, name, n) == 0)
            return colours[i].day;
    return "none";
}

static void write_rules(FILE *page, bool has_properties)
{
    const char *at = rules, *dollar;
    while ((dollar = strchr(at, '$')) != NULL) {
        size_t n = name_length(dollar + 1);
        fwrite(at, 1, (size_t)(dollar - at), page);
        if (has_properties)
            fprintf(page, "var(--%.*s)", (int)n, dollar + 1);
        else
            fputs(colour_of(dollar + 1, n), page);
        at = dollar + 1 + n;
    }
    fputs(at, page);
}

void figure_style_of_page(FILE *page)
{
    write_rules(page, true);
}

void figure_style_of_picture(FILE *page)
{
    fputs("svg{font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',"
          "sans-serif}\n.paper{fill:",
          page);
    fprintf(page, "%s}\n", colours[0].day);
    write_rules(page, false);
}
