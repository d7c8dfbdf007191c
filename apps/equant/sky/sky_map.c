/* Panels that are pieces of the sky: North is up, East is left, both in one scale. */
#include <math.h>
#include <stdlib.h>

#include "drawing/plot.h"
#include "sky/sky_panels.h"
#include "sky/sky_points.h"
#include "terminal/angles.h"
#include "terminal/bounded_number.h"
#include "terminal/messages.h"

enum { N_CURVE = 4000, N_ELLIPSE = 721 };

/* What a map must hold. */
struct extent {
    double low[2], high[2];
};

static struct extent extent_start(void)
{
    return (struct extent){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
}

static void extent_add(struct extent *extent, const double place[2])
{
    for (int i = 0; i < 2; i++) {
        extent->low[i] = fmin(extent->low[i], place[i]);
        extent->high[i] = fmax(extent->high[i], place[i]);
    }
}

/* A plot in which a mas is as long in both directions, with all of the extent in it. */
static struct plot map_of(const struct sky_panel *panel, const struct extent *extent)
{
    const double more = 1.16;
    double east = extent->high[0] - extent->low[0], north = extent->high[1] - extent->low[1];
    double scale = fmax(east / panel->width, north / panel->height) * more;
    if (!(scale > 0.0) || !isfinite(scale))
        scale = 1.0 / panel->width;
    double middle[2] = {0.5 * (extent->low[0] + extent->high[0]),
                        0.5 * (extent->low[1] + extent->high[1])};
    double across = 0.5 * scale * panel->width, up = 0.5 * scale * panel->height;
    return (struct plot){.page = panel->page,
                         .left = panel->left,
                         .top = panel->top,
                         .width = panel->width,
                         .height = panel->height,
                         .x = {middle[0] + across, middle[0] - across, false},
                         .y = {middle[1] - up, middle[1] + up, false}};
}

/* Arrows to North and East, in the corner that is farthest from all n places. */
static void draw_compass(const struct plot *plot, size_t n, const double *east, const double *north)
{
    const double length = 24.0, head = 4.0, margin = 16.0, room = 40.0, below = 24.0;
    double farthest = -1.0, left = 0.0, top = 0.0;
    for (int corner = 0; corner < 4; corner++) {
        double x = corner % 2 == 0 ? plot->width - room : 0.0;
        double y = corner / 2 == 0 ? 0.0 : plot->height - room - below, nearest = INFINITY;
        for (size_t i = 0; i < n; i++)
            nearest = fmin(nearest, hypot(plot_x(plot, east[i]) - (x + 0.5 * room),
                                          plot_y(plot, north[i]) - (y + 0.5 * (room + below))));
        if (nearest > farthest + 1e-9) {
            farthest = nearest;
            left = x;
            top = y;
        }
    }
    double x = left + room - 10.0, y = top + margin + length;
    svg_path_begin(plot->page, "mean-bar");
    svg_path_move(plot->page, x, y);
    svg_path_line(plot->page, x, y - length);
    svg_path_move(plot->page, x - 0.7 * head, y - length + head);
    svg_path_line(plot->page, x, y - length);
    svg_path_line(plot->page, x + 0.7 * head, y - length + head);
    svg_path_move(plot->page, x, y);
    svg_path_line(plot->page, x - length, y);
    svg_path_move(plot->page, x - length + head, y - 0.7 * head);
    svg_path_line(plot->page, x - length, y);
    svg_path_line(plot->page, x - length + head, y + 0.7 * head);
    svg_path_end(plot->page);
    svg_text(plot->page, "mid small halo", x - 10.0, y - length + 6.0, "N");
    svg_text(plot->page, "mid small halo", x - length + 4.0, y + 14.0, "E");
}

static void finish_map(const struct plot *plot, const char *of)
{
    char label[64];
    struct ticks east = ticks_linear(plot->x.high, plot->x.low, 6);
    struct ticks north = ticks_linear(plot->y.low, plot->y.high, 6);
    plot_frame(plot);
    plot_ticks(plot, PLOT_BELOW, &east, true);
    plot_ticks(plot, PLOT_LEFT, &north, true);
    snprintf(label, sizeof label, "%sRA cos Dec (mas)", of);
    plot_label_below(plot, 34.0, label);
    snprintf(label, sizeof label, "%sDec (mas)", of);
    plot_label_left(plot, SKY_PANELS_LEFT - 12.0, label);
}

static double angle_of(const struct sky_star *star, size_t k)
{
    return star->scans.column[SKY_SCAN_ANGLE][k] * RADIANS_PER_DEGREE;
}

/* ---- path ------------------------------------------------------------------------------------ */

static void path_at(const struct sky_star *star, double time_days, bool is_whole, double place[2])
{
    sky_star_motion(star, time_days, is_whole, place);
    if (is_whole) {
        double orbit[2];
        sky_star_orbits(star, time_days, orbit);
        place[0] += orbit[0];
        place[1] += orbit[1];
    }
}

/* The path in N_CURVE steps, [2][N_CURVE]. */
static void fill_path(const struct sky_star *star, double first, double last, bool is_whole,
                      double *curve)
{
    for (size_t i = 0; i < N_CURVE; i++) {
        double place[2];
        path_at(star, first + (last - first) * (double)i / (N_CURVE - 1), is_whole, place);
        curve[i] = place[0];
        curve[N_CURVE + i] = place[1];
    }
}

/* A short line along each scan, through where it saw the star. */
static void draw_scans(const struct plot *plot, const struct sky_star *star)
{
    const double half = 7.0;
    size_t n = star->scans.n_rows;
    double radius = 0.8 * sky_points_radius(n);
    for (int turn = 0; turn < 2; turn++) {
        svg_path_begin(plot->page, turn == 0 ? "bar own i1" : "dot i1");
        for (size_t k = 0; k < n; k++) {
            double place[2], psi = angle_of(star, k);
            double left = star->scans.column[SKY_SCAN_RESIDUAL][k];
            path_at(star, star->scans.column[SKY_SCAN_TIME][k], true, place);
            double x = plot_x(plot, place[0] + left * sin(psi));
            double y = plot_y(plot, place[1] + left * cos(psi));
            if (turn == 1) {
                svg_path_symbol(plot->page, 0, x, y, radius);
                continue;
            }
            svg_path_move(plot->page, x + half * sin(psi), y + half * cos(psi));
            svg_path_line(plot->page, x - half * sin(psi), y - half * cos(psi));
        }
        svg_path_end(plot->page);
    }
}

/* The first of January of each year, beside the path, where there is room. */
static void write_years(const struct plot *plot, const struct sky_star *star, double first,
                        double last)
{
    const double january_2000 = 2451544.5, days_per_year = 365.25, apart = 26.0, beside = 12.0;
    double reference = star->summary.reference_jd, before[2] = {-1e9, -1e9};
    double begins = ceil(2000.0 + (reference + first - january_2000) / days_per_year);
    int year = (int)bounded_number(begins, -9999.0, 9999.0);
    for (; year < 10000; year++) {
        double time = january_2000 + (year - 2000.0) * days_per_year - reference, place[2],
               ahead[2];
        char text[16];
        if (!(time <= last))
            break;
        path_at(star, time, true, place);
        path_at(star, time + 5.0, true, ahead);
        double x = plot_x(plot, place[0]), y = plot_y(plot, place[1]);
        double along[2] = {plot_x(plot, ahead[0]) - x, plot_y(plot, ahead[1]) - y};
        double length = hypot(along[0], along[1]);
        if (hypot(x - before[0], y - before[1]) < apart || !(length > 0.0))
            continue;
        double side = along[1] > 0.0 ? -1.0 : 1.0; /* always the right-hand one */
        double to_x = x - side * along[1] / length * 2.4 * beside;
        double to_y = y + side * along[0] / length * 2.4 * beside;
        svg_line(plot->page, "leader", x, y, 0.4 * x + 0.6 * to_x, 0.4 * y + 0.6 * to_y);
        snprintf(text, sizeof text, "%d", year);
        svg_text(plot->page, "mid small quiet halo", to_x, to_y + 3.5, text);
        before[0] = x;
        before[1] = y;
    }
}

int sky_panels_path(const struct sky_panel *panel, const struct sky_star *star)
{
    const double *time_days = star->scans.column[SKY_SCAN_TIME];
    double first = INFINITY, last = -INFINITY;
    struct extent extent = extent_start();
    for (size_t k = 0; k < star->scans.n_rows; k++) {
        first = fmin(first, time_days[k]);
        last = fmax(last, time_days[k]);
    }
    double *curve = malloc(2 * N_CURVE * sizeof *curve);
    if (curve == NULL)
        return messages_out_of_memory();
    fill_path(star, first, last, true, curve);
    for (size_t i = 0; i < N_CURVE; i++)
        extent_add(&extent, (const double[2]){curve[i], curve[N_CURVE + i]});
    struct plot plot = map_of(panel, &extent);
    plot_begin_inside(&plot);
    fill_path(star, first, last, false, curve);
    bool is_drawn = plot_curve(&plot, "level", N_CURVE, curve, curve + N_CURVE);
    fill_path(star, first, last, true, curve);
    is_drawn &= plot_curve(&plot, "curve strong", N_CURVE, curve, curve + N_CURVE);
    draw_scans(&plot, star);
    write_years(&plot, star, first, last);
    draw_compass(&plot, N_CURVE, curve, curve + N_CURVE);
    plot_end_inside(&plot);
    free(curve);
    finish_map(&plot, "");
    return is_drawn ? EXIT_CODE_OK : messages_out_of_memory();
}

/* ---- orbit -------------------------------------------------------------------------------------
 */

/* By the eccentric anomaly, so that both ends of the ellipse are drawn alike. */
static void ellipse_at(const equant_sky_companion *own, double eccentric, double place[2])
{
    double e = own->eccentricity, x = cos(eccentric) - e, y = sqrt(1.0 - e * e) * sin(eccentric);
    const double *constants = own->thiele_innes_mas;
    place[0] = constants[1] * x + constants[3] * y;
    place[1] = constants[0] * x + constants[2] * y;
}

/* A place that was measured: by one scan, or by the two rows of a position, along the axes of its
 * error ellipse. */
struct sighting {
    size_t first, n; /* rows */
    double place[2]; /* on this orbit, all else taken away */
};

/* The one that begins with row k. */
static struct sighting sighting_at(const struct sky_star *star, const equant_sky_companion *own,
                                   size_t k)
{
    const double *time_days = star->scans.column[SKY_SCAN_TIME];
    bool is_pair = sky_star_is_relative(star) && k + 1 < star->scans.n_rows &&
                   time_days[k + 1] == time_days[k] &&
                   fabs(cos(angle_of(star, k + 1) - angle_of(star, k))) < 1e-6;
    struct sighting made = {.first = k, .n = is_pair ? 2 : 1};
    sky_star_orbit(own, time_days[k], made.place);
    for (size_t i = 0; i < made.n; i++) {
        double psi = angle_of(star, k + i), left = star->scans.column[SKY_SCAN_RESIDUAL][k + i];
        made.place[0] += left * sin(psi);
        made.place[1] += left * cos(psi);
    }
    return made;
}

/* The ellipse, an arrow in the sense of motion, pericentre, and the line of nodes. */
static bool draw_orbit(const struct plot *plot, const equant_sky_companion *own)
{
    double east[N_ELLIPSE], north[N_ELLIPSE], place[2], ahead[2];
    for (size_t i = 0; i < N_ELLIPSE; i++) {
        ellipse_at(own, TWO_PI * (double)i / (N_ELLIPSE - 1), place);
        east[i] = place[0];
        north[i] = place[1];
    }
    double reach = own->a0_mas * (1.0 + own->eccentricity);
    double node[2] = {reach * sin(own->node_rad), reach * cos(own->node_rad)};
    svg_line(plot->page, "level", plot_x(plot, -node[0]), plot_y(plot, -node[1]),
             plot_x(plot, node[0]), plot_y(plot, node[1]));
    bool is_drawn = plot_curve(plot, "curve strong", N_ELLIPSE, east, north);
    draw_compass(plot, N_ELLIPSE, east, north);
    const double at = 0.6 * TWO_PI, head = 8.0;
    ellipse_at(own, at, place);
    ellipse_at(own, at + 0.01, ahead);
    double x = plot_x(plot, place[0]), y = plot_y(plot, place[1]);
    double dx = plot_x(plot, ahead[0]) - x, dy = plot_y(plot, ahead[1]) - y;
    double length = hypot(dx, dy);
    if (length > 0.0) {
        dx *= head / length;
        dy *= head / length;
        svg_path_begin(plot->page, "mean-bar");
        svg_path_move(plot->page, x - dx - 0.6 * dy, y - dy + 0.6 * dx);
        svg_path_line(plot->page, x, y);
        svg_path_line(plot->page, x - dx + 0.6 * dy, y - dy - 0.6 * dx);
        svg_path_end(plot->page);
    }
    return is_drawn;
}

static void draw_marks(const struct plot *plot, const equant_sky_companion *own)
{
    const double cross = 5.0, radius = 4.0;
    double place[2], x = plot_x(plot, 0.0), y = plot_y(plot, 0.0);
    svg_path_begin(plot->page, "mean-bar");
    svg_path_move(plot->page, x - cross, y);
    svg_path_line(plot->page, x + cross, y);
    svg_path_move(plot->page, x, y - cross);
    svg_path_line(plot->page, x, y + cross);
    svg_path_end(plot->page);
    ellipse_at(own, 0.0, place);
    svg_path_begin(plot->page, "mean");
    svg_path_symbol(plot->page, 3, plot_x(plot, place[0]), plot_y(plot, place[1]), radius);
    svg_path_end(plot->page);
}

static void draw_seen(const struct plot *plot, const struct sky_star *star,
                      const equant_sky_companion *own)
{
    size_t n = star->scans.n_rows;
    double radius = sky_points_radius(n);
    svg_path_begin(plot->page, "bar");
    for (size_t k = 0; k < n;) { /* the bar of an error along its row */
        struct sighting seen = sighting_at(star, own, k);
        for (; k < seen.first + seen.n; k++) {
            double psi = angle_of(star, k), half = star->scans.column[SKY_SCAN_UNCERTAINTY][k];
            double east = half * sin(psi), north = half * cos(psi);
            svg_path_move(plot->page, plot_x(plot, seen.place[0] - east),
                          plot_y(plot, seen.place[1] - north));
            svg_path_line(plot->page, plot_x(plot, seen.place[0] + east),
                          plot_y(plot, seen.place[1] + north));
        }
    }
    svg_path_end(plot->page);
    svg_path_begin(plot->page, "dot i1");
    for (size_t k = 0; k < n;) {
        struct sighting seen = sighting_at(star, own, k);
        svg_path_symbol(plot->page, 0, plot_x(plot, seen.place[0]), plot_y(plot, seen.place[1]),
                        radius);
        k += seen.n;
    }
    svg_path_end(plot->page);
}

int sky_panels_orbit(const struct sky_panel *panel, const struct sky_star *star, size_t companion)
{
    equant_sky_companion turned = star->companions[companion], *own = &turned;
    struct extent extent = extent_start();
    double stretch = sky_star_stretch(star);
    turned.a0_mas *= fabs(stretch);
    for (int i = 0; i < 4; i++)
        turned.thiele_innes_mas[i] *= stretch;
    const double origin[2] = {0.0, 0.0};
    double place[2];
    extent_add(&extent, origin);
    for (int i = 0; i < 360; i++) {
        ellipse_at(own, TWO_PI * i / 360.0, place);
        extent_add(&extent, place);
    }
    for (size_t k = 0; k < star->scans.n_rows;) {
        struct sighting seen = sighting_at(star, own, k);
        extent_add(&extent, seen.place);
        k += seen.n;
    }
    struct plot plot = map_of(panel, &extent);
    plot_begin_inside(&plot);
    draw_seen(&plot, star, own);
    bool is_drawn = draw_orbit(&plot, own);
    draw_marks(&plot, own);
    plot_end_inside(&plot);
    finish_map(&plot, "Δ ");
    return is_drawn ? EXIT_CODE_OK : messages_out_of_memory();
}
