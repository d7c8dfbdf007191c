#include "data/tables/votable_row.h"

#include <string.h>

#include "data/text_table.h"

/* No cell of a table of transits comes near this. */
enum { MOST_VALUES = 1 << 20 };

/* ---- fields ------------------------------------------------------------ */

static const struct {
    const char *name;
    size_t n_bytes; /* of a value; 0 for bits */
} types[] = {
    [VOTABLE_BOOLEAN] = {"boolean", 1},
    [VOTABLE_BIT] = {"bit", 0},
    [VOTABLE_BIT_BYTE] = {"", 1},
    [VOTABLE_BYTE] = {"unsignedbyte", 1},
    [VOTABLE_SHORT] = {"short", 2},
    [VOTABLE_INT] = {"int", 4},
    [VOTABLE_LONG] = {"long", 8},
    [VOTABLE_CHAR] = {"char", 1},
    [VOTABLE_UNICODE] = {"unicodechar", 2},
    [VOTABLE_FLOAT] = {"float", 4},
    [VOTABLE_DOUBLE] = {"double", 8},
    [VOTABLE_COMPLEX] = {"floatcomplex", 8},
    [VOTABLE_DOUBLE_COMPLEX] = {"doublecomplex", 16},
};

/* "10", "10*", "*" or "2x5", of which a star makes the last factor vary. */
static bool read_array_size(const char *text, votable_field *field)
{
    field->count = 1;
    while (*text != '\0') {
        size_t factor = 0;
        bool has_digits = false;
        for (; *text >= '0' && *text <= '9'; text++) {
            factor = 10 * factor + (size_t)(*text - '0');
            has_digits = true;
            if (factor > MOST_VALUES)
                return false;
        }
        if (*text == '*') {
            field->is_variable = true; /* "10*" is at most ten, so the number is no factor */
            return text[1] == '\0';
        }
        if (!has_digits || (*text != '\0' && *text != 'x'))
            return false;
        field->count *= factor;
        if (field->count > MOST_VALUES)
            return false;
        if (*text == 'x')
            text++;
    }
    return true;
}

bool votable_field_read(const char *datatype, const char *arraysize, votable_field *field)
{
    *field = (votable_field){.column = VOTABLE_NO_COLUMN, .type = VOTABLE_UNKNOWN, .count = 1};
    for (size_t i = 0; datatype != NULL && i < sizeof types / sizeof types[0]; i++)
        if (text_is_word((text_slice){datatype, strlen(datatype)}, types[i].name))
            field->type = (votable_type)i;
    if (field->type == VOTABLE_UNKNOWN || (arraysize != NULL && !read_array_size(arraysize, field)))
        return false;
    /* One bit is the first of its byte, and with astropy the fifth. */
    if (field->type == VOTABLE_BIT && field->count == 1 && !field->is_variable)
        field->type = VOTABLE_BIT_BYTE;
    return true;
}

bool votable_type_is_number(votable_type type)
{
    return type < VOTABLE_COMPLEX && type != VOTABLE_CHAR && type != VOTABLE_UNICODE;
}

/* ---- values ------------------------------------------------------------ */

static uint64_t read_big_endian(const unsigned char *bytes, size_t n)
{
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++)
        value = value << 8 | bytes[i];
    return value;
}

static votable_number whole(int64_t value)
{
    return (votable_number){true, (double)value, value};
}

votable_number votable_value(votable_type type, const unsigned char *bytes, size_t i)
{
    uint64_t raw = type == VOTABLE_BIT
                       ? (uint64_t)(bytes[i / 8] >> (7 - i % 8) & 1)
                       : read_big_endian(bytes + i * types[type].n_bytes, types[type].n_bytes);
    switch (type) {
    case VOTABLE_BOOLEAN:
        return whole(raw != 0 && strchr("Tt1", (int)raw) != NULL);
    case VOTABLE_FLOAT: {
        uint32_t bits = (uint32_t)raw;
        float value;
        memcpy(&value, &bits, sizeof value);
        return (votable_number){false, (double)value, 0};
    }
    case VOTABLE_DOUBLE: {
        double value;
        memcpy(&value, &raw, sizeof value);
        return (votable_number){false, value, 0};
    }
    case VOTABLE_BIT_BYTE:
        return whole(raw != 0);
    case VOTABLE_SHORT:
        return whole((int16_t)raw);
    case VOTABLE_INT:
        return whole((int32_t)raw);
    default:
        return whole((int64_t)raw);
    }
}

/* How many bytes the length of a cell takes, and how many values it has. */
static votable_found read_length(const votable_field *field, bool is_strict,
                                 const unsigned char *bytes, size_t n_bytes, uint64_t *n_expected,
                                 size_t *n_values)
{
    *n_values = field->count;
    if (!field->is_variable)
        return VOTABLE_ROW;
    if (n_bytes < 4)
        return VOTABLE_NEEDS_MORE;
    uint64_t n_steps = read_big_endian(bytes, 4);
    bool is_text = field->type == VOTABLE_CHAR || field->type == VOTABLE_UNICODE;
    if (*n_expected == 0 && !is_text)
        *n_expected = n_steps;
    if (n_steps > MOST_VALUES || (is_strict && !is_text && n_steps != *n_expected))
        return VOTABLE_BROKEN;
    *n_values *= (size_t)n_steps;
    return VOTABLE_ROW;
}

votable_found votable_row_read(const votable_field *fields, size_t n_fields, bool has_mask,
                               bool is_strict, const unsigned char *bytes, size_t n_bytes,
                               votable_take *take, void *context, size_t *n_used)
{
    size_t used = has_mask ? (n_fields + 7) / 8 : 0;
    uint64_t n_expected = 0;
    if (n_bytes < used)
        return VOTABLE_NEEDS_MORE;
    for (size_t i = 0; i < n_fields; i++) {
        const votable_field *field = &fields[i];
        size_t n;
        votable_found found =
            read_length(field, is_strict, bytes + used, n_bytes - used, &n_expected, &n);
        if (found != VOTABLE_ROW)
            return found;
        used += field->is_variable ? 4 : 0;
        size_t length = field->type == VOTABLE_BIT ? (n + 7) / 8 : n * types[field->type].n_bytes;
        if (n_bytes - used < length)
            return VOTABLE_NEEDS_MORE;
        bool is_missing = has_mask && (bytes[i / 8] >> (7 - i % 8) & 1) != 0;
        if (take != NULL && field->column != VOTABLE_NO_COLUMN &&
            !take(context, field, is_missing ? NULL : bytes + used, is_missing ? 0 : n))
            return VOTABLE_BROKEN;
        used += length;
    }
    *n_used = used;
    return used > 0 ? VOTABLE_ROW : VOTABLE_BROKEN;
}
