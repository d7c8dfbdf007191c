#include "pictures/search_picture.h"

#include "drawing/key.h"
#include "figures/periodogram_panel.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"
#include "terminal/text_line.h"

static const double margin = 10.0, left = 54.0, power = 190.0, window = 56.0, between = 10.0,
                    axis = 46.0;

/* What the picture is of. */
static void write_notes(const struct search_picture *search, char *text, size_t n)
{
    snprintf(text, n,
             "Power: the share of chi-square that the best %s of a period explains, offsets and "
             "trend refitted for each",
             search->is_circular ? "circular orbit" : "orbit");
    if (search->n_known > 0)
        text_line_append(text, n, ", beside %s known planet%s",
                         spoken_number_words(search->n_known).text,
                         search->n_known == 1 ? "" : "s");
    text_line_append(text, n,
                     ". FAP: how often noise alone makes a peak as high. Grey periods may "
                     "be aliases of higher peaks.");
}

int search_picture_draw(const struct search_picture *search, const char *folder,
                        enum picture_format format)
{
    struct picture picture;
    struct key key = {0};
    char notes[512];
    if (equant_periodogram_n(search->periodogram) == 0)
        return EXIT_CODE_OK;
    if (!search->is_circular) {
        key_add(&key, "power", KEY_LINE, "eccentric orbits");
        key_add(&key, "power-circular", KEY_LINE, "circular orbits");
    }
    write_notes(search, notes, sizeof notes);
    double across = PICTURE_WIDTH - left - PERIODOGRAM_PANEL_RIGHT;
    struct periodogram_panel panel = {.left = left,
                                      .top = margin + key_height(&key, across) + 4.0,
                                      .width = across,
                                      .height = power,
                                      .title = "",
                                      .has_circular = !search->is_circular,
                                      .most_peaks = 4};
    double notes_top = panel.top + power + between + window + axis;
    int code = picture_begin(&picture, PICTURE_WIDTH, notes_top,
                             "Periodogram, and the window function of the times", notes);
    if (code != EXIT_CODE_OK)
        return code;
    panel.page = picture.page;
    key_draw(picture.page, &key, left, margin, across);
    periodogram_panel_draw(&panel, search->periodogram);
    panel.top += power + between;
    panel.height = window;
    panel.title = "window: the times of observation";
    periodogram_panel_window(&panel, search->periodogram);
    return picture_finish(&picture, folder, "periodogram", format, EXIT_CODE_OK);
}
