#include "drawing/key.h"

#include "drawing/figure_style.h"
#include "drawing/svg.h"
#include "drawing/text_width.h"

static const double line_height = 16.0, sign = 16.0, gap = 14.0, radius = 3.4;

void key_add(struct key *key, const char *class, int symbol, const char *text)
{
    const double longest = 220.0;
    if (key->n == KEY_MOST) {
        snprintf(key->entry[KEY_MOST - 1].text, KEY_TEXT, "…");
        return;
    }
    struct key_entry *entry = &key->entry[key->n++];
    entry->symbol = symbol;
    snprintf(entry->class, sizeof entry->class, "%s", class);
    text_width_cut(text, FIGURE_TEXT_SIZE, longest, entry->text, sizeof entry->text);
}

static void draw_sign(FILE *page, const struct key_entry *entry, double left, double middle)
{
    const double line = 12.0;
    svg_path_begin(page, entry->class);
    if (entry->symbol == KEY_LINE) {
        svg_path_move(page, left, middle);
        svg_path_line(page, left + line, middle);
    } else {
        svg_path_symbol(page, (size_t)entry->symbol, left + 0.5 * line, middle, radius);
    }
    svg_path_end(page);
}

/* Goes through the entries line by line; draws them where there is a page. Returns the height. */
static double walk(FILE *page, const struct key *key, double left, double top, double width)
{
    double x = 0.0, y = 0.0;
    for (size_t i = 0; i < key->n; i++) {
        const struct key_entry *entry = &key->entry[i];
        double own = sign + text_width_of(entry->text, FIGURE_TEXT_SIZE);
        if (x > 0.0 && x + own > width) {
            x = 0.0;
            y += line_height;
        }
        if (page != NULL) {
            draw_sign(page, entry, left + x, top + y + 8.0);
            svg_text(page, "", left + x + sign, top + y + 12.0, entry->text);
        }
        x += own + gap;
    }
    return key->n > 0 ? y + line_height : 0.0;
}

double key_height(const struct key *key, double width)
{
    return walk(NULL, key, 0.0, 0.0, width);
}

void key_draw(FILE *page, const struct key *key, double left, double top, double width)
{
    walk(page, key, left, top, width);
}
