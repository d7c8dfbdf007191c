#include "figures/orbit_labels.h"

#include <string.h>

#include "files/html.h"

#define NUMBERED(symbol) "<i>" symbol "</i><sub>%s</sub>"
#define SUBSCRIPT(symbol, name) "<i>" symbol "</i><sub>" name " %s</sub>"
#define JUPITERS "<i>M</i><sub>Jup</sub>"

static const struct orbit_label labels[] = {
    {"period_days", "P", NUMBERED("P"), "d", "period"},
    {"k_m_s", "K", NUMBERED("K"), "m/s", "semi-amplitude"},
    {"eccentricity", "e", NUMBERED("e"), "", "eccentricity"},
    {"omega_rad", "ω", NUMBERED("ω"), "deg", "argument of pericentre"},
    {"m0_rad", "M₀", SUBSCRIPT("M", "0"), "deg", "mean anomaly at the reference time"},
    {"lambda_rad", "λ", NUMBERED("λ"), "deg", "mean longitude at the reference time"},
    {"t_peri", "T peri", SUBSCRIPT("T", "peri"), "d", "passage of pericentre"},
    {"t_conj", "T conj", SUBSCRIPT("T", "conj"), "d", "inferior conjunction"},
    {"m_sin_i_jupiter", "m sin i", "<i>m</i> sin <i>i</i><sub>%s</sub>", JUPITERS, "minimum mass"},
    {"a_au", "a", NUMBERED("a"), "au", "semi-major axis"},
    {"offset_m_s", "offset", "offset%s", "m/s", "offset"},
    {"trend_m_s_day2", "curvature", "curvature%s", "m/s/d²", "curvature"},
    {"trend_m_s_day", "trend", "trend%s", "m/s/d", "trend"},
    {"jitter_m_s", "jitter", "jitter%s", "m/s", "jitter"},
};

const struct orbit_label *orbit_label_of(const char *name)
{
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
        if (strncmp(name, labels[i].kind, strlen(labels[i].kind)) == 0)
            return &labels[i];
    return NULL;
}

void orbit_label_header(FILE *page, const struct orbit_label *label, size_t planet,
                        const char *more)
{
    char number[24] = "";
    const char *place = strstr(label->html, "%s");
    if (planet > 0)
        snprintf(number, sizeof number, "%zu", planet);
    fprintf(page, "<th scope=\"row\" title=\"%s\">%.*s%s%s", label->words,
            (int)(place - label->html), label->html, number, place + strlen("%s"));
    html_text(page, more);
    if (label->unit[0] != '\0')
        fprintf(page, " <span class=\"unit\">%s</span>", label->unit);
    fputs("</th>", page);
}

void orbit_label_write(const struct orbit_label *label, size_t planet, char *text, size_t n)
{
    static const char *const digits[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
    const char *tens = planet >= 10 ? digits[planet / 10 % 10] : "";
    snprintf(text, n, "%s%s%s%s%s%s", label->symbol, tens, planet > 0 ? digits[planet % 10] : "",
             label->unit[0] != '\0' ? " (" : "", label->unit, label->unit[0] != '\0' ? ")" : "");
}
