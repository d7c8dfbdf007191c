#include "terminal/progress_display.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "platform/system_clock.h"
#include "terminal/bounded_number.h"
#include "terminal/spoken_number.h"
#include "terminal/terminal.h"
#include "terminal/wrapped_text.h"

enum { BAR_MAX_WIDTH = 40 };
static const double patience_s = 2.0, refresh_s = 0.1;

double progress_clock_s(void)
{
    return system_clock_s();
}

static bool is_silent;

void progress_silence(void)
{
    is_silent = true;
}

struct progress progress_start(const char *unit)
{
    double now = progress_clock_s();
    return (struct progress){.unit = unit,
                             .enabled = !is_silent && terminal_is(stderr),
                             .visible = false,
                             .start_s = now,
                             .last_s = now};
}

void progress_write_time_left(char *text, size_t n, double seconds)
{
    if (seconds < 60.0)
        snprintf(text, n, "%.0f s left", seconds > 1.0 ? seconds : 1.0);
    else if (seconds < 3600.0)
        snprintf(text, n, "%.0f min %02d s left", (double)(int)(seconds / 60.0), (int)seconds % 60);
    else
        snprintf(text, n, "%.1f h left", seconds / 3600.0);
}

static void draw_bar(double fraction, int width)
{
    int filled = (int)bounded_number(fraction * width, 0.0, width);
    fputs(terminal_style(stderr, TERMINAL_CYAN), stderr);
    for (int i = 0; i < width; i++) {
        if (i == filled)
            fputs(terminal_style(stderr, TERMINAL_PLAIN), stderr);
        fputs(i < filled ? "━" : "┄", stderr);
    }
    fputs(terminal_style(stderr, TERMINAL_PLAIN), stderr);
}

/* Whether the line is due: after a while, and not too often. */
static bool is_due(struct progress *progress, double now)
{
    if (!progress->enabled || now - progress->start_s < patience_s ||
        now - progress->last_s < refresh_s)
        return false;
    progress->last_s = now;
    progress->visible = true;
    return true;
}

/* Bar, percentage, what is being done, a time, in one line of the terminal: the bar takes what room
 * there is, and the text is cut. */
static void draw_line(double fraction, const char *text, const char *left)
{
    enum { PERCENTAGE = 7, GAP = 2, LEAST_BAR = 5 };
    int room = terminal_columns(stderr) - 1 - PERCENTAGE - GAP - (int)strlen(left);
    int width = room - (int)strlen(text);
    if (width > BAR_MAX_WIDTH)
        width = BAR_MAX_WIDTH;
    if (width >= LEAST_BAR)
        draw_bar(fraction, width);
    fprintf(stderr, " %3.0f %%  ", 100.0 * fraction);
    if (room > 0)
        wrapped_text_cut(stderr, text, room);
    if (room >= 0)
        fprintf(stderr, "  %s", left);
}

static void draw_text(const char *text)
{
    wrapped_text_cut(stderr, text, terminal_columns(stderr) - 1);
}

void progress_update(struct progress *progress, double done, double fraction)
{
    double now = progress_clock_s();
    double elapsed = now - progress->start_s;
    if (!is_due(progress, now))
        return;
    char rate[64];
    snprintf(rate, sizeof rate, "%s %s/s", spoken_number_of(done / elapsed).text, progress->unit);
    fputs("\r\033[K", stderr);
    char left[64];
    double share = fmin(fraction, 1.0);
    progress_write_time_left(left, sizeof left, elapsed * (1.0 - share) / share);
    if (fraction > 0.0)
        draw_line(share, rate, left);
    else {
        char line[128];
        snprintf(line, sizeof line, "%.0f %s  %s", done, progress->unit, rate);
        draw_text(line);
    }
    fflush(stderr);
}

void progress_stage(struct progress *progress, const char *stage, double fraction,
                    double seconds_left)
{
    double now = progress_clock_s();
    if (!is_due(progress, now))
        return;
    fputs("\r\033[K", stderr);
    char words[64] = "about ";
    if (isnan(seconds_left))
        snprintf(words, sizeof words, "%.0f s so far", now - progress->start_s);
    else
        progress_write_time_left(words + strlen(words), sizeof words - strlen(words), seconds_left);
    if (fraction > 0.0)
        draw_line(fmin(fraction, 1.0), stage, words);
    else
        draw_text(stage);
    fflush(stderr);
}

void progress_text(struct progress *progress, const char *text)
{
    if (!is_due(progress, progress_clock_s()))
        return;
    fputs("\r\033[K", stderr);
    draw_text(text);
    fflush(stderr);
}

void progress_clear(struct progress *progress)
{
    if (progress->visible)
        fputs("\r\033[K", stderr);
    progress->visible = false;
}
