#include "drawing/svg.h"

#include <math.h>
#include <string.h>

#include "drawing/figure_style.h"
#include "files/html.h"
#include "text/utf8.h"

void svg_begin(FILE *page, const char *class, double width, double height, const char *label)
{
    fprintf(page, "<svg class=\"%s\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", class,
            width, height);
    html_text(page, label);
    fputs("\">\n", page);
}

void svg_begin_picture(FILE *page, double width, double height, const char *label)
{
    fprintf(page,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n<title>",
            width, height, width, height);
    html_text(page, label);
    fputs("</title>\n<style>\n", page);
    figure_style_of_picture(page);
    fputs("</style>\n", page);
    svg_rectangle(page, "paper", 0.0, 0.0, width, height);
}

void svg_begin_part(FILE *page, double left, double top, double width, double height)
{
    fprintf(page, "<svg x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">\n", left, top, width,
            height);
}

void svg_end(FILE *page)
{
    fputs("</svg>\n", page);
}

void svg_group_begin(FILE *page, const char *class)
{
    fprintf(page, "<g class=\"%s\">\n", class);
}

void svg_group_end(FILE *page)
{
    fputs("</g>\n", page);
}

void svg_number(FILE *page, double value)
{
    double tenths = round(10.0 * value);
    if (fmod(tenths, 10.0) == 0.0)
        fprintf(page, "%.0f ", tenths / 10.0 + 0.0); /* -0 becomes 0 */
    else
        fprintf(page, "%.1f ", tenths / 10.0);
}

void svg_line(FILE *page, const char *class, double x1, double y1, double x2, double y2)
{
    fprintf(page, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class, x1, y1, x2, y2);
}

void svg_rectangle(FILE *page, const char *class, double left, double top, double width,
                   double height)
{
    fprintf(page, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
            class, left, top, width, height);
}

/* With its indices lower, and what follows them where it would be. */
static void write_text(FILE *page, const char *text)
{
    const char *index;
    while ((index = strstr(text, SVG_SUBSCRIPT)) != NULL) {
        const char *lowered = index + strlen(SVG_SUBSCRIPT);
        size_t n = utf8_length(lowered);
        html_text_n(page, text, (size_t)(index - text));
        if (n > 0) {
            fputs("<tspan dy=\"3\" font-size=\"9\">", page);
            html_text_n(page, lowered, n);
            /* A blank of no width: what is moved back must be something. */
            fputs("</tspan><tspan dy=\"-3\">\xE2\x80\x8B</tspan>", page);
        }
        text = lowered + n;
    }
    html_text(page, text);
}

void svg_text(FILE *page, const char *class, double x, double y, const char *text)
{
    fprintf(page, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
    write_text(page, text);
    fputs("</text>\n", page);
}

void svg_text_upwards(FILE *page, const char *class, double x, double y, const char *text)
{
    fprintf(page, "<text class=\"%s\" transform=\"translate(%.1f %.1f) rotate(-90)\">", class, x,
            y);
    write_text(page, text);
    fputs("</text>\n", page);
}

void svg_path_begin(FILE *page, const char *class)
{
    fprintf(page, "<path class=\"%s\" d=\"", class);
}

void svg_path_move(FILE *page, double x, double y)
{
    fputc('M', page);
    svg_number(page, x);
    svg_number(page, y);
}

void svg_path_line(FILE *page, double x, double y)
{
    fputc('L', page);
    svg_number(page, x);
    svg_number(page, y);
}

void svg_path_close(FILE *page)
{
    fputc('Z', page);
}

void svg_path_end(FILE *page)
{
    fputs("\"/>\n", page);
}

/* How far a point lies beside the straight line between two others. */
static double distance_from(double x, double y, double x1, double y1, double x2, double y2)
{
    double length = hypot(x2 - x1, y2 - y1);
    if (length == 0.0)
        return hypot(x - x1, y - y1);
    return fabs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length;
}

/* A place of a curve, to a hundredth: tenths make corners where a picture is printed large. */
static void write_place(FILE *page, char command, double x, double y)
{
    fprintf(page, "%c%.6g %.6g", command, round(100.0 * x) / 100.0 + 0.0,
            round(100.0 * y) / 100.0 + 0.0);
}

/* Goes from the last point written as far as all points on the way lie on the chord. */
void svg_curve(FILE *page, const char *class, size_t n, const double *x, const double *y)
{
    const double unseen = 0.03;
    const size_t furthest = 60;
    svg_path_begin(page, class);
    if (n > 0)
        write_place(page, 'M', x[0], y[0]);
    for (size_t from = 0; from + 1 < n;) {
        size_t to = from + 1;
        for (size_t next = to + 1; next < n && next <= from + furthest; next++) {
            size_t k = from + 1;
            while (k < next &&
                   distance_from(x[k], y[k], x[from], y[from], x[next], y[next]) < unseen)
                k++;
            if (k < next)
                break;
            to = next;
        }
        write_place(page, 'L', x[to], y[to]);
        from = to;
    }
    svg_path_end(page);
}

void svg_path_symbol(FILE *page, size_t kind, double x, double y, double radius)
{
    static const struct {
        size_t n;
        double corner[4][2];
    } shapes[] = {
        {4, {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}}},
        {3, {{0.0, -1.25}, {1.15, 0.85}, {-1.15, 0.85}}},
        {4, {{0.0, -1.35}, {1.2, 0.0}, {0.0, 1.35}, {-1.2, 0.0}}},
        {3, {{0.0, 1.25}, {1.15, -0.85}, {-1.15, -0.85}}},
    };
    size_t n_kinds = sizeof shapes / sizeof shapes[0] + 1;
    if (kind % n_kinds == 0) {
        svg_path_move(page, x - radius, y);
        fprintf(page, "a%.1f %.1f 0 1 0 %.1f 0a%.1f %.1f 0 1 0 %.1f 0", radius, radius,
                2.0 * radius, radius, radius, -2.0 * radius);
        return;
    }
    size_t shape = kind % n_kinds - 1;
    for (size_t i = 0; i < shapes[shape].n; i++) {
        double to_x = x + radius * shapes[shape].corner[i][0];
        double to_y = y + radius * shapes[shape].corner[i][1];
        if (i == 0)
            svg_path_move(page, to_x, to_y);
        else
            svg_path_line(page, to_x, to_y);
    }
    svg_path_close(page);
}
