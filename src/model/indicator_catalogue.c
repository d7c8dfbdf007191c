#include "model/indicator_catalogue.h"

#include <string.h>

/* Lines of stars are some km/s wide and bisector spans some tens of m/s, so the size of a number
 * tells its unit: a width between 1 and 500, or a span below 1, is written in km/s. */
static const indicator_info catalogue[] = {
    {"s_index", "S index", "", false, 0, 0,
     "s sindex svalue s_value sval smw s_mw s_index_mw shk s_hk s_index_hk", true},
    {"log_rhk", "log R'HK", "", false, 0, 0,
     "logrhk log_r_hk logr_hk rhk lrhk log_rphk logrphk rphk r_hk", true},
    {"h_alpha", "H alpha", "", false, 0, 0,
     "halpha ha ha_index haindex halpha_index h_alpha_index i_ha i_halpha ha06 ha16", true},
    {"na_d", "Na D", "", false, 0, 0, "nad na na_index naindex nad_index na_d_index i_na i_nad",
     true},
    {"na_d1", "Na D1", "", false, 0, 0, "nad1 nad_1", true},
    {"na_d2", "Na D2", "", false, 0, 0, "nad2 nad_2", true},
    {"ca_ii", "Ca II H and K", "", false, 0, 0, "caii ca ca_index caindex i_ca i_caii cahk ca_hk",
     true},
    {"fwhm", "FWHM", "m/s", true, 1, 500, "fwhm_drs fwhm_ccf ccf_fwhm", true},
    {"bis", "BIS", "m/s", true, 0, 1,
     "bis_span bisspan bispan bisector bisector_span bvs bis_drs ccf_bis ccf_bis_span", false},
    {"contrast", "CCF contrast", "", false, 0, 0, "contrast_drs contrast_ccf ccf_contrast", true},
    {"crx", "CRX", "m/s/Np", false, 0, 0, "chromatic_index", false},
    {"dlw", "dLW", "", false, 0, 0, "d_lw differential_line_width", false},
    {"spots", "spots", "", false, 0, 0, "", false},
    {"spots_rate", "rate of spots", "", false, 0, 0, "", false},
};

_Static_assert(sizeof catalogue / sizeof catalogue[0] <= INDICATOR_CATALOGUE_MOST,
               "arrays of indicators are too short");

size_t indicator_catalogue_n(void)
{
    return sizeof catalogue / sizeof catalogue[0];
}

const indicator_info *indicator_catalogue_at(size_t index)
{
    return &catalogue[index];
}

const indicator_info *indicator_catalogue_find(const char *name)
{
    for (size_t i = 0; i < indicator_catalogue_n(); i++)
        if (strcmp(catalogue[i].name, name) == 0)
            return &catalogue[i];
    return NULL;
}

/* True when `word` (n bytes) is one of a list set apart by blanks. */
static bool is_in_list(const char *list, const char *word, size_t n)
{
    while (*list != '\0') {
        size_t length = strcspn(list, " ");
        if (length == n && strncmp(list, word, n) == 0)
            return true;
        list += length + (list[length] == ' ');
    }
    return false;
}

static int find_heading(const char *heading, size_t n)
{
    for (size_t i = 0; i < indicator_catalogue_n(); i++)
        if (is_in_list(catalogue[i].name, heading, n) ||
            is_in_list(catalogue[i].aliases, heading, n))
            return (int)i;
    return -1;
}

/* agatha numbers the columns that it uses as proxies of activity: "fwhm_proxy2". */
static size_t length_without_proxy(const char *heading)
{
    const char *ending = strstr(heading, "_proxy");
    bool is_numbered = ending != NULL && ending > heading &&
                       strspn(ending + 6, "0123456789") == strlen(ending + 6);
    return is_numbered ? (size_t)(ending - heading) : strlen(heading);
}

static int find_uncertainty(const char *heading, size_t n)
{
    static const char *const prefixes[] = {"e_", "e",      "err_",  "error_", "sig_", "sig",
                                           "s_", "sigma_", "sigma", "s",      "unc_", "err"};
    static const char *const endings[] = {"_err", "err",  "_error", "_unc", "_uncertainty",
                                          "_sig", "_std", "_sigma", "_e"};
    int found = -1;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0] && found < 0; i++) {
        size_t length = strlen(prefixes[i]);
        if (n > length && strncmp(heading, prefixes[i], length) == 0)
            found = find_heading(heading + length, n - length);
    }
    for (size_t i = 0; i < sizeof endings / sizeof endings[0] && found < 0; i++) {
        size_t length = strlen(endings[i]);
        if (n > length && strncmp(heading + n - length, endings[i], length) == 0)
            found = find_heading(heading, n - length);
    }
    return found;
}

int indicator_catalogue_of_heading(const char *heading, bool *is_uncertainty)
{
    size_t n = length_without_proxy(heading);
    int found = find_heading(heading, n);
    *is_uncertainty = found < 0;
    return found >= 0 ? found : find_uncertainty(heading, n);
}
