/* Numbers the way people say them: "450 million", not 4.5e+08. */
#ifndef EQUANT_APP_QUANTITY_H
#define EQUANT_APP_QUANTITY_H

struct quantity {
    char text[32];
};

/* Three digits and, from ten thousand on, thousand, million, billion or
 * trillion. */
struct quantity quantity_of(double value);

#endif
