#include "pictures/search_picture.h"

#include <math.h>
#include <stdbool.h>

#include "pictures/gnuplot.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"

/* Two points for each of so many strips of the picture, far more than can be printed. */
enum { N_STRIPS = 2400 };

static const double width_in = 5.0, height_in = 3.3;
static const struct picture_frame power_frame = {0.115, 0.925, 0.36, 0.935};
static const struct picture_frame window_frame = {0.115, 0.925, 0.15, 0.325};
static const double levels[] = {0.1, 0.01, 0.001};

/* A curve in data block NAME, thinned to the lowest and the highest point of each strip
 * of the logarithmic axis: it looks as if all were drawn. */
static void write_curve(FILE *script, const char *name, const equant_periodogram *periodogram,
                        const double *value)
{
    const double *frequency = equant_periodogram_frequency_per_day(periodogram);
    size_t n = equant_periodogram_n(periodogram);
    double log_min = log(frequency[0]), log_max = log(frequency[n - 1]);
    double strips_per_log = log_max > log_min ? N_STRIPS / (log_max - log_min) : 0.0;
    fprintf(script, "$%s << EOD\n", name);
    for (size_t first = 0; first < n;) {
        size_t lowest = first, highest = first, next = first;
        double strip = floor((log(frequency[first]) - log_min) * strips_per_log);
        while (next < n && floor((log(frequency[next]) - log_min) * strips_per_log) <= strip) {
            lowest = value[next] < value[lowest] ? next : lowest;
            highest = value[next] > value[highest] ? next : highest;
            next++;
        }
        size_t earlier = lowest < highest ? lowest : highest;
        size_t later = lowest < highest ? highest : lowest;
        fprintf(script, "%.8g %.5g\n", 1.0 / frequency[earlier], value[earlier]);
        if (later != earlier)
            fprintf(script, "%.8g %.5g\n", 1.0 / frequency[later], value[later]);
        first = next;
    }
    fputs("EOD\n", script);
}

/* Highest power, drawn or to be compared with; the axis ends a little above it. */
static double top_of_axis(const equant_periodogram *periodogram)
{
    const double *power = equant_periodogram_power(periodogram);
    double highest = 0.0;
    for (size_t i = 0; i < equant_periodogram_n(periodogram); i++)
        highest = fmax(highest, power[i]);
    for (size_t i = 0; i < equant_periodogram_n_peaks(periodogram); i++) {
        equant_peak peak = {.struct_size = sizeof peak};
        equant_periodogram_peak(periodogram, i, &peak);
        highest = fmax(highest, peak.power);
    }
    double level = equant_periodogram_level(periodogram, levels[2]);
    if (isfinite(level) && level < 1.5 * highest)
        highest = fmax(highest, level);
    return highest > 0.0 ? fmin(1.18 * highest, 1.14) : 1.0;
}

/* A peak's period above it, within the frame; grey where the peak has a remark, as an
 * alias has. */
static void write_label(FILE *script, const equant_peak *peak, double position)
{
    const char *alignment = position < 0.1 ? "left" : position > 0.9 ? "right" : "center";
    fprintf(script,
            "set label '%s d' at first %.8g, first %.6g %s offset 0,0.6 font ',7.5' front "
            "textcolor rgb '%s'\n",
            spoken_number_digits(peak->period_days, 4).text, peak->period_days, peak->power,
            alignment, peak->remark[0] != '\0' ? PICTURE_GREY : PICTURE_INK);
}

/* Peaks worth a label: the highest, and others above the lowest level; at most MOST_LABELS,
 * none so near to one before it that the two would overlap. */
static void write_labels(FILE *script, const equant_periodogram *periodogram, double period_min,
                         double period_max)
{
    enum { MOST_LABELS = 4 };
    double labelled[MOST_LABELS], log_range = log(period_max / period_min);
    size_t n_labelled = 0;
    for (size_t i = 0; i < equant_periodogram_n_peaks(periodogram) && n_labelled < MOST_LABELS;
         i++) {
        equant_peak peak = {.struct_size = sizeof peak};
        equant_periodogram_peak(periodogram, i, &peak);
        double position = log(peak.period_days / period_min) / log_range;
        bool has_room = i == 0 || peak.power > equant_periodogram_level(periodogram, levels[0]);
        for (size_t j = 0; j < n_labelled; j++)
            has_room &= fabs(position - labelled[j]) > 0.13;
        if (!has_room)
            continue;
        labelled[n_labelled++] = position;
        write_label(script, &peak, position);
    }
}

/* The levels lie close together for many data: their labels are moved apart. */
static void write_levels(FILE *script, const equant_periodogram *periodogram, double top)
{
    double last_label = -INFINITY;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        double power = equant_periodogram_level(periodogram, levels[i]);
        if (!(power > 0.0 && power < top))
            continue;
        last_label = fmax(power, last_label + 0.065 * top);
        fprintf(script,
                "set arrow from graph 0, first %.6g to graph 1, first %.6g nohead front "
                "linewidth 0.5 dashtype (12,8) linecolor rgb '" PICTURE_INK "'\n"
                "set label '%g' at graph 1.012, first %.6g left font ',7.5'\n",
                power, power, levels[i], last_label);
    }
    if (isfinite(last_label))
        fprintf(script, "set label 'FAP' at graph 1.012, first %.6g left font ',7.5'\n",
                last_label + 0.065 * top);
}

static void write_script(FILE *script, const equant_periodogram *periodogram)
{
    const double *frequency = equant_periodogram_frequency_per_day(periodogram);
    size_t n = equant_periodogram_n(periodogram);
    double period_min = 1.0 / frequency[n - 1], period_max = 1.0 / frequency[0];
    double top = top_of_axis(periodogram);
    write_curve(script, "power", periodogram, equant_periodogram_power(periodogram));
    write_curve(script, "circular", periodogram, equant_periodogram_circular(periodogram));
    write_curve(script, "window", periodogram, equant_periodogram_window(periodogram));
    fprintf(script,
            "set multiplot\nset logscale x\nset xrange [%.8g:%.8g]\nset mxtics 10\n"
            "set key at graph 1, graph 1.02 right bottom horizontal Left reverse samplen 1.5 font "
            "',8'\n"
            "set format x ''\nset ylabel 'power' offset 1,0\nset yrange [0:%.6g]\n",
            period_min, period_max, top);
    write_levels(script, periodogram, top);
    write_labels(script, periodogram, period_min, period_max);
    picture_place(script, power_frame);
    fputs("plot $circular using 1:2 with lines linewidth 0.5 linecolor rgb '#e69f00' title "
          "'circular', \\\n"
          "  $power using 1:2 with lines linewidth 0.5 linecolor rgb '#0072b2' title "
          "'eccentric'\n"
          "unset arrow\nunset label\nunset key\n"
          "set format x '%g'\nset xlabel 'period (days)'\nset ylabel 'window' offset 1,0\n"
          "set yrange [0:1]\nset ytics 0.5\n",
          script);
    picture_place(script, window_frame);
    fputs("plot $window using 1:2 with lines linewidth 0.5 linecolor rgb '" PICTURE_GREY "'\n"
          "unset multiplot\n",
          script);
}

int search_picture_draw(const equant_periodogram *periodogram, const char *folder,
                        enum picture_format format)
{
    char name[32];
    if (equant_periodogram_n(periodogram) == 0)
        return EXIT_CODE_OK;
    FILE *script = picture_start(format, width_in, height_in);
    if (script == NULL)
        return EXIT_CODE_FAILED;
    write_script(script, periodogram);
    snprintf(name, sizeof name, "periodogram.%s", picture_format_name(format));
    int code = gnuplot_draw(script, folder, name);
    fclose(script);
    return code;
}
