/* The key of a picture that stands alone: signs with what they mean, in as many lines as they
 * take. Pages have lists in its place. */
#ifndef EQUANT_APP_DRAWING_KEY_H
#define EQUANT_APP_DRAWING_KEY_H

#include <stddef.h>
#include <stdio.h>

enum { KEY_MOST = 40, KEY_TEXT = 128 };

struct key_entry {
    char class[24];      /* of the sign                                  */
    int symbol;          /* as svg_path_symbol has them; KEY_LINE: a line */
    char text[KEY_TEXT]; /* cut where it is too long                     */
};

enum { KEY_LINE = -1 };

struct key {
    size_t n;
    struct key_entry entry[KEY_MOST];
};

/* Adds an entry; where there are too many, the last one is "…". */
void key_add(struct key *key, const char *class, int symbol, const char *text);

/* How high it is within that width. */
double key_height(const struct key *key, double width);

void key_draw(FILE *page, const struct key *key, double left, double top, double width);

#endif
