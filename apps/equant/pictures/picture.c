#include "pictures/picture.h"

#include <math.h>

#include "terminal/messages.h"
#include "terminal/utf8.h"

/* The same look in each, as near as their units allow: type of 9 points, lines of width 1
 * as wide as a point. The cairo terminals count 96 dots to the inch when they size type;
 * svg keeps more room around its labels, so that its type is a little smaller. */
static void write_terminal(FILE *script, enum picture_format format, double width, double height)
{
    const double dots_per_inch = 300.0;
    if (format == PICTURE_PNG)
        fprintf(script,
                "set terminal pngcairo size %.0f,%.0f font 'Sans,9' fontscale %.4f "
                "linewidth %.4f pointscale %.4f background '#ffffff'\n",
                width * dots_per_inch, height * dots_per_inch, dots_per_inch / 96.0,
                dots_per_inch / 72.0, dots_per_inch / 72.0);
    else if (format == PICTURE_SVG)
        fprintf(script,
                "set terminal svg size %.0f,%.0f dynamic font 'Sans,8' linewidth 1 "
                "background '#ffffff'\n",
                width * 72.0, height * 72.0);
    else
        fprintf(script,
                "set terminal pdfcairo size %.3fin,%.3fin font 'Sans,9' fontscale 0.75 "
                "linewidth 2 pointscale 1.1\n",
                width, height);
}

FILE *picture_start(enum picture_format format, double width, double height)
{
    FILE *script = tmpfile();
    if (script == NULL) {
        messages_file("write", "a temporary file");
        return NULL;
    }
    fputs("set encoding utf8\n", script);
    write_terminal(script, format, width, height);
    fputs("set border 15 linewidth 0.6 linecolor rgb '" PICTURE_INK "'\n"
          "set tics scale 0.5,0.25 nomirror in\n"
          "set mxtics\n"
          "set mytics\n"
          "unset key\n",
          script);
    return script;
}

void picture_place(FILE *script, struct picture_frame frame)
{
    fprintf(script,
            "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
            "set bmargin at screen %.5f\nset tmargin at screen %.5f\n",
            frame.left, frame.right, frame.bottom, frame.top);
}

void picture_vertical_axis(FILE *script, double lowest, double highest, int n_most)
{
    static const double steps[] = {1.0, 2.0, 5.0, 10.0};
    double smallest = (highest - lowest) / n_most;
    double decade = pow(10.0, floor(log10(smallest)));
    size_t i = 0;
    while (steps[i] * decade < smallest && i + 1 < sizeof steps / sizeof steps[0])
        i++;
    fprintf(script, "set yrange [%.8g:%.8g]\nset ytics %.8g\n", lowest, highest, steps[i] * decade);
}

/* Inside single quotes gnuplot knows no escapes but the doubled quote. */
void picture_text(FILE *script, const char *text)
{
    utf8_write_quoted(script, text, '\'');
}

const char *picture_colour(size_t n)
{
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#e69f00", "#56b4e9", "#666666"};
    return colours[n % (sizeof colours / sizeof colours[0])];
}

int picture_symbol(size_t n)
{
    /* Disc, square, triangle, diamond, inverted triangle, all filled. */
    static const int symbols[] = {7, 5, 9, 13, 11};
    return symbols[n % (sizeof symbols / sizeof symbols[0])];
}
