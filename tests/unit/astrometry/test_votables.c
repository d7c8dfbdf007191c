/* Gaia's epoch astrometry as VOTable and FITS: written small, by hand, whole and broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/astrometry/sky_file.h"

#define HEAD                                                                                       \
    "<?xml version=\"1.0\"?>\n<VOTABLE version=\"1.4\"><RESOURCE><TABLE>\n"                        \
    "<FIELD name=\"sourceId\" datatype=\"long\"/>\n"                                               \
    "<FIELD name=\"obsTimeTcb\" datatype=\"long\" arraysize=\"*\"/>\n"                             \
    "<FIELD name=\"centroidPosAl\" datatype=\"double\" arraysize=\"*\"/>\n"                        \
    "<FIELD name=\"centroidPosErrorAl\" datatype=\"float\" arraysize=\"*\"/>\n"                    \
    "<FIELD name=\"scanPosAngle\" datatype=\"double\" arraysize=\"*\"/>\n"                         \
    "<FIELD name=\"parallaxFactorAl\" datatype=\"float\"/>\n"                                      \
    "<FIELD name=\"usedByAgisAl\" datatype=\"bit\" arraysize=\"*\"/>\n<DATA>\n"
#define TAIL "</DATA></TABLE></RESOURCE></VOTABLE>\n"
#define CELLS                                                                                      \
    "<TR><TD>9007199254740993</TD><TD>236682000000000000 236768400000000000</TD><TD>1.5 2.5</TD>"  \
    "<TD>0.5 0.25</TD><TD>0 90</TD><TD>0.125</TD><TD>01</TD></TR>\n"

/* ---- rows as bytes ----------------------------------------------------- */

typedef struct byte_row {
    unsigned char bytes[512];
    size_t n;
} byte_row;

static void put(byte_row *row, uint64_t value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        row->bytes[row->n++] = (unsigned char)(value >> 8 * (n - 1 - i));
}

static void put_double(byte_row *row, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(row, bits, 8);
}

static void put_float(byte_row *row, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(row, bits, 4);
}

/* The row of CELLS; the flags as two bits of a byte, or as two bytes. */
static byte_row row_bytes(int has_packed_bits)
{
    byte_row row = {.n = 0};
    put(&row, 0, 1); /* nothing is missing */
    put(&row, 9007199254740993, 8);
    put(&row, 2, 4);
    put(&row, 236682000000000000, 8);
    put(&row, 236768400000000000, 8);
    put(&row, 2, 4);
    put_double(&row, 1.5);
    put_double(&row, 2.5);
    put(&row, 2, 4);
    put_float(&row, 0.5f);
    put_float(&row, 0.25f);
    put(&row, 2, 4);
    put_double(&row, 0);
    put_double(&row, 90);
    put_float(&row, 0.125f);
    put(&row, 2, 4);
    if (has_packed_bits)
        put(&row, 0x40, 1);
    else
        put(&row, 0x0008, 2);
    return row;
}

static void encode(const byte_row *row, size_t n_rows, char *text)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = row->n * n_rows;
    for (size_t i = 0; i < n; i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (i + k < n ? row->bytes[(i + k) % row->n] : 0);
        for (size_t k = 0; k < 4; k++)
            *text++ =
                i + k <= n && (k < 2 || i + k - 1 < n) ? letters[bits >> (18 - 6 * k) & 63] : '=';
        if (i % 48 == 45)
            *text++ = '\n';
    }
    *text = '\0';
}

static void binary_table(const byte_row *row, size_t n_rows, char *text, size_t n_text)
{
    char encoded[2048];
    encode(row, n_rows, encoded);
    snprintf(text, n_text, "%s<BINARY2><STREAM encoding=\"base64\">\n%s\n</STREAM></BINARY2>%s",
             HEAD, encoded, TAIL);
}

/* ---- what is in them --------------------------------------------------- */

static void check_source(const sky_file *file, const equant_astrometry *source)
{
    equant_sky_rows rows = {.struct_size = sizeof rows};
    assert_int_equal(file->is_recognised, 1);
    assert_int_equal(equant_astrometry_rows(source, &rows), 0);
    assert_int_equal(rows.n_rows, 1);
    assert_true(rows.time_days[0] == 1 && rows.abscissa_mas[0] == 2.5);
    assert_true(rows.uncertainty_mas[0] == 0.25 && rows.parallax_factor[0] == 0.125);
    assert_float_equal(rows.angle_rad[0], 3.14159265358979323846 / 2, 1e-15);
    assert_true(equant_astrometry_source_id(source) == 9007199254740993);
    assert_true(sky_file_says(source, "times: TCB at Gaia"));
}

/* True where this build has what the test needs. */
static int has_library(const sky_file *file)
{
    if (file->status == EQUANT_ERROR_UNAVAILABLE) {
        assert_non_null(strstr(equant_last_error(), "this build of equant has no"));
        skip();
    }
    if (file->status != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    return 1;
}

static void elements_and_bytes_say_the_same(void **state)
{
    (void)state;
    sky_file file = sky_file_read(HEAD "<TABLEDATA>" CELLS "</TABLEDATA>" TAIL);
    assert_true(has_library(&file));
    assert_int_equal(file.n, 1);
    check_source(&file, file.sources[0]);
    sky_file_free(&file);
    for (int has_packed_bits = 0; has_packed_bits < 2; has_packed_bits++) {
        byte_row row = row_bytes(has_packed_bits);
        char text[4096];
        binary_table(&row, 3, text, sizeof text);
        file = sky_file_read(text);
        assert_true(has_library(&file));
        assert_int_equal(file.n, 1);
        /* three rows of the same transit: two are repeats */
        check_source(&file, file.sources[0]);
        assert_true(sky_file_says(file.sources[0], "left out: 2 CCD measurements within 1 ms"));
        sky_file_free(&file);
    }
}

/* As the archive writes them: fixed arrays, booleans with a letter for what is not known, and a
 * mask for what is missing. */
static void booleans_and_masks(void **state)
{
    (void)state;
    static const char head[] =
        "<?xml version=\"1.0\"?>\n<VOTABLE xmlns:vot=\"x\"><RESOURCE><TABLE>"
        "<FIELD name=\"source_id\" datatype=\"long\"/>"
        "<FIELD name=\"obs_time_tcb\" datatype=\"long\" arraysize=\"3\"/>"
        "<FIELD name=\"centroid_pos_al\" datatype=\"double\" arraysize=\"3\"/>"
        "<FIELD name=\"centroid_pos_error_al\" datatype=\"float\" arraysize=\"3\"/>"
        "<FIELD name=\"scan_pos_angle\" datatype=\"double\" arraysize=\"3\"/>"
        "<FIELD name=\"parallax_factor_al\" datatype=\"float\"/>"
        "<FIELD name=\"used_by_agis_al\" datatype=\"boolean\" arraysize=\"3\"/>"
        "<FIELD name=\"solution\" datatype=\"char\" arraysize=\"4*\"/><DATA>"
        "<BINARY2><STREAM encoding=\"base64\">";
    byte_row row = {.n = 0};
    for (int is_missing = 0; is_missing < 2; is_missing++) {
        put(&row, is_missing ? 0x04 : 0, 1); /* the second has no parallax factor */
        put(&row, 7, 8);
        for (uint64_t i = 0; i < 3; i++)
            put(&row, 236682000000000000 + (i + 10 * (uint64_t)is_missing) * 5000000000, 8);
        for (int i = 0; i < 3; i++)
            put_double(&row, 1 + i);
        for (int i = 0; i < 3; i++)
            put_float(&row, 0.5f);
        for (int i = 0; i < 3; i++)
            put_double(&row, 90);
        put_float(&row, 0.25f);
        put(&row, 'F' << 16 | 'T' << 8 | '?', 3);
        put(&row, 2, 4);
        put(&row, 'a' << 8 | 'b', 2);
    }
    char encoded[1024], text[4096];
    encode(&row, 1, encoded);
    snprintf(text, sizeof text, "%s%s</STREAM></BINARY2>%s", head, encoded, TAIL);
    sky_file file = sky_file_read(text);
    equant_sky_rows rows = {.struct_size = sizeof rows};
    assert_true(has_library(&file));
    assert_int_equal(equant_astrometry_rows(file.sources[0], &rows), 0);
    assert_int_equal(rows.n_rows, 1);
    assert_true(rows.abscissa_mas[0] == 2 && rows.parallax_factor[0] == 0.25);
    assert_true(sky_file_says(file.sources[0], "left out: 4 of 6 CCD measurements that AGIS"));
    assert_true(sky_file_says(file.sources[0], "left out: 1 CCD measurements without a finite"));
    sky_file_free(&file);
}

static void broken_votables_are_refused(void **state)
{
    (void)state;
    sky_file whole = sky_file_read(HEAD "<TABLEDATA>" CELLS "</TABLEDATA>" TAIL);
    assert_true(has_library(&whole));
    sky_file_free(&whole);
    sky_file_refuse(HEAD "<TABLEDATA>" CELLS CELLS "<TR><TD>9", "cut or broken");
    sky_file_refuse(HEAD "<TABLEDATA>" CELLS CELLS "<TR><TD>9", "after 2 rows");
    sky_file_refuse(HEAD "<TABLEDATA><TR><TD>1</TD></TR></TABLEDATA>" TAIL,
                    ":11: this row has 1 cells, and the table 7 fields");
    sky_file_refuse(HEAD "<TABLEDATA><TR><TD>x</TD></TR></TABLEDATA>" TAIL,
                    ":11: source_id is 'x'");
    sky_file_refuse(HEAD "<BINARY2><STREAM encoding=\"base64\">AA*A</STREAM></BINARY2>" TAIL,
                    "no base64");
    sky_file_refuse(HEAD "<BINARY2><STREAM encoding=\"base64\">AAAA</STREAM></BINARY2>" TAIL,
                    "end within one");
    sky_file_refuse(HEAD "<BINARY2><STREAM href=\"rows\"/></BINARY2>" TAIL, "in another file");
    sky_file_refuse("<?xml version=\"1.0\"?>\n<VOTABLE><RESOURCE><TABLE>"
                    "<FIELD name=\"ra\" datatype=\"double\"/><DATA><TABLEDATA><TR><TD>1</TD></TR>"
                    "</TABLEDATA>" TAIL,
                    "no table of epoch astrometry: there is no field obs_time_tcb");
    sky_file_refuse("<?xml version=\"1.0\"?>\n<VOTABLE><RESOURCE><TABLE>"
                    "<FIELD name=\"ra\" datatype=\"quaternion\"/>",
                    ":2: the field 'ra'");
}

static void fits_files_of_something_else_are_refused(void **state)
{
    (void)state;
    /* A header without data, in cards of 80 bytes and a block of 2880. */
    static char block[2881];
    memset(block, ' ', 2880);
    static const char *const cards[] = {"SIMPLE  =                    T",
                                        "BITPIX  =                    8",
                                        "NAXIS   =                    0", "END"};
    for (size_t i = 0; i < sizeof cards / sizeof cards[0]; i++)
        memcpy(block + 80 * i, cards[i], strlen(cards[i]));
    sky_file file = sky_file_read_bytes(block, 2880, NULL);
    assert_int_not_equal(file.status, EQUANT_SUCCESS);
    assert_non_null(strstr(equant_last_error(), file.status == EQUANT_ERROR_UNAVAILABLE
                                                    ? "this build of equant has no cfitsio"
                                                    : "no table of epoch astrometry"));
    file = sky_file_read_bytes(block, 100, NULL);
    assert_int_not_equal(file.status, EQUANT_SUCCESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_and_bytes_say_the_same),
        cmocka_unit_test(booleans_and_masks),
        cmocka_unit_test(broken_votables_are_refused),
        cmocka_unit_test(fits_files_of_something_else_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
