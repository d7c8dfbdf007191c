#include "observing/site.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"
#include "data/text_number.h"
#include "data/text_table.h"

/* Longitudes to the east. Coordinates are those of the list of sites of astropy
 * (coordinates/sites.json of astropy-data), which says where each comes from; Dome C's are those of
 * Concordia station (IPEV and PNRA). Tens of metres move a star by less than an arcsecond. */
static const char iraf[] = "IRAF Observatory Database, by astropy";
static const char vlti[] = "VLTI raw data products, by astropy";
static const char website[] = "the website of the observatory, by astropy";
static const char encyclopedia[] = "Wikipedia, by astropy";

/* Other names are separated by bars; blanks, dashes, dots and underscores in names count for
 * nothing, nor do capitals. */
static const struct known_site {
    const char *name;
    const char *others;
    double longitude_deg, latitude_deg, height_m;
    const char *source;
} known[] = {
    {"La Silla", "lsc|eso|eso 3.6m|harps|coralie|nirps", -70.73, -29.256666666666668, 2347, iraf},
    {"Paranal", "vlt|espresso|cerro paranal", -70.40498688, -24.62743941, 2669, vlti},
    {"Las Campanas", "lco|magellan|pfs", -70.70166666666667, -29.003333333333334, 2282, iraf},
    {"Cerro Tololo", "ctio|chiron", -70.815, -30.165277777777778, 2215, iraf},
    {"Cerro Pachon", "gemini south|soar", -70.73668333333333, -30.24074166666667, 2750, website},
    {"Mauna Kea", "maunakea|keck|hires|kpf", -155.47833333333332, 19.828333333333333, 4160, iraf},
    {"CFHT", "spirou", -155.47166666666667, 19.826666666666668, 4215, iraf},
    {"Gemini North", "maroon-x", -155.4690467527778, 19.823801447222223, 4213, website},
    {"Subaru", "ird", -155.4761111111111, 19.825555555555557, 4139, website},
    {"La Palma", "orm|roque de los muchachos|tng|harps-n|hermes|not", -17.88, 28.758333333333333,
     2327, iraf},
    {"Teide", "tenerife|izana", -16.509722, 28.3, 2390, website},
    {"Calar Alto", "caha|carmenes", -2.546111, 37.22361111, 2168, encyclopedia},
    {"OHP", "haute-provence|observatoire de haute-provence|sophie|elodie", 5.713333333333333,
     43.93083333333333, 650, website},
    {"Kitt Peak", "kpno|wiyn|neid", -111.6, 31.96333333333333, 2120, iraf},
    {"McDonald", "het|hpf", -104.02166669444443, 30.671666694444447, 2075, iraf},
    {"Lick", "apf|mount hamilton", -121.63666666666668, 37.343333333333334, 1290, iraf},
    {"Palomar", "hale", -116.863, 33.356, 1706, iraf},
    {"Mount Wilson", "mwo|chara", -118.061684, 34.22257980555556, 1742, website},
    {"Mount Hopkins", "flwo|whipple|tres", -110.8775, 31.680944444444446, 2320, iraf},
    {"Lowell Discovery Telescope", "ldt|dct|expres", -111.422515, 34.744305, 2337, website},
    {"Apache Point", "apo", -105.82, 32.78, 2798, iraf},
    {"San Pedro Martir", "spm", -115.48694444444445, 31.029166666666665, 2830, iraf},
    {"Siding Spring", "sso", 149.06119444444445, -31.27336111111111, 1149, iraf},
    {"AAT", "aao|ucles|veloce", 149.06608611111113, -31.27703888888889, 1164, iraf},
    {"Sutherland", "saao|salt", 20.810808, -32.375823, 1798, website},
    {"Okayama", "oao|hides", 133.5939556, 34.577075, 370, website},
    {"Xinglong", "bao", 117.575, 40.39333333333333, 950, iraf},
    {"Dome C", "concordia", 123.3322, -75.0997, 3233, "Concordia station (IPEV, PNRA)"},
};

enum { N_KNOWN = sizeof known / sizeof known[0], NAME_BYTES = 64 };

size_t equant_n_sites(void)
{
    return N_KNOWN;
}

static equant_status fill_site(const equant_site *found, equant_site *site)
{
    equant_site filled = *found;
    equant_status status = OPTIONS_CHECK(site);
    if (status == EQUANT_SUCCESS)
        OPTIONS_FILL(filled, site);
    return status;
}

equant_status equant_site_at(size_t index, equant_site *site)
{
    if (site == NULL || index >= N_KNOWN)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there are %d sites; number %zu is none",
                           (int)N_KNOWN, index);
    const equant_site found = {.name = known[index].name,
                               .longitude_deg = known[index].longitude_deg,
                               .latitude_deg = known[index].latitude_deg,
                               .height_m = known[index].height_m,
                               .source = known[index].source};
    return fill_site(&found, site);
}

/* What counts of a name: letters and digits, small. */
static void simplify(const char *text, size_t n, char simple[NAME_BYTES])
{
    size_t n_kept = 0;
    for (size_t i = 0; i < n && n_kept + 1 < NAME_BYTES; i++)
        if (isalnum((unsigned char)text[i]))
            simple[n_kept++] = (char)tolower((unsigned char)text[i]);
    simple[n_kept] = '\0';
}

static size_t edit_distance(const char *a, const char *b)
{
    size_t row[NAME_BYTES];
    size_t n = strlen(b);
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t corner = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t best = corner + (a[i] != b[j]);
            corner = row[j + 1];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (corner + 1 < best)
                best = corner + 1;
            row[j + 1] = best;
        }
    }
    return row[n];
}

/* How far a name is from one of a site's: 0 is the same. */
static size_t distance_to(const struct known_site *place, const char *simple)
{
    char name[NAME_BYTES];
    simplify(place->name, strlen(place->name), name);
    size_t best = edit_distance(simple, name);
    for (const char *next = place->others; *next != '\0';) {
        size_t n = strcspn(next, "|");
        simplify(next, n, name);
        size_t distance = edit_distance(simple, name);
        if (distance < best)
            best = distance;
        next += n + (next[n] == '|');
    }
    return best;
}

static equant_status find_by_name(const char *text, equant_site *site)
{
    char simple[NAME_BYTES], shown[NAME_BYTES];
    text_slice typed = {text, strlen(text)};
    simplify(text, strlen(text), simple);
    size_t nearest = N_KNOWN, least = strlen(simple) / 3 + 2;
    for (size_t i = 0; i < N_KNOWN; i++) {
        size_t distance = distance_to(&known[i], simple);
        if (distance == 0)
            return equant_site_at(i, site);
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    text_show(typed, shown, sizeof shown);
    if (nearest < N_KNOWN)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "there is no site '%s'; did you mean '%s'?", shown, known[nearest].name);
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "there is no site '%s'; name another, or give its coordinates as "
                       "LONGITUDE,LATITUDE,HEIGHT in degrees east, degrees north and metres",
                       shown);
}

/* Two or three numbers with commas; false where it is something else. */
static bool read_coordinates(const char *text, double numbers[3])
{
    text_slice cells[4];
    text_slice line = {text, strlen(text)};
    size_t n = text_cells(line, TEXT_COMMA, cells, 4);
    numbers[2] = 0.0;
    if (n != 2 && n != 3)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!text_number_read(cells[i], &numbers[i]))
            return false;
    return true;
}

equant_status equant_site_find(const char *text, equant_site *site)
{
    double numbers[3];
    if (text == NULL || site == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a site has a name");
    if (!read_coordinates(text, numbers))
        return find_by_name(text, site);
    const equant_site found = {.struct_size = sizeof found,
                               .name = "",
                               .longitude_deg = numbers[0],
                               .latitude_deg = numbers[1],
                               .height_m = numbers[2],
                               .source = "given"};
    equant_status status = site_check(&found);
    return status == EQUANT_SUCCESS ? fill_site(&found, site) : status;
}

equant_status site_check(const equant_site *site)
{
    if (site == NULL || site->struct_size < offsetof(equant_site, source))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a site is missing, or its struct_size is not set");
    if (!(fabs(site->longitude_deg) <= 360.0) || !(fabs(site->latitude_deg) <= 90.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "there is no place at longitude %g, latitude %g: longitudes lie from "
                           "-360 to 360 degrees, positive to the east, latitudes from -90 to 90",
                           site->longitude_deg, site->latitude_deg);
    if (!(fabs(site->height_m) <= 20000.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a site is %g m high; heights are metres, within 20000", site->height_m);
    return EQUANT_SUCCESS;
}

const char *site_name(const equant_site *site, char *buffer, size_t n_buffer)
{
    if (site->name != NULL && site->name[0] != '\0')
        return site->name;
    decimal_text_print(buffer, n_buffer, "longitude %g, latitude %g", site->longitude_deg,
                       site->latitude_deg);
    return buffer;
}
