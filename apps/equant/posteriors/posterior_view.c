#include "posteriors/posterior_view.h"

#include <stdint.h>
#include <string.h>

#include "files/quantity_kind.h"
#include "terminal/angles.h"

struct posterior_view posterior_view_of(const equant_posterior *posterior)
{
    return (struct posterior_view){.star = posterior};
}

equant_status posterior_view_summarize(const struct posterior_view *view,
                                       equant_posterior_summary *facts)
{
    return view->sky != NULL ? equant_sky_posterior_summarize(view->sky, facts)
                             : equant_posterior_summarize(view->star, facts);
}

size_t posterior_view_n(const struct posterior_view *view)
{
    return view->sky != NULL ? equant_sky_posterior_n_quantities(view->sky)
                             : equant_posterior_n_quantities(view->star);
}

equant_status posterior_view_quantity(const struct posterior_view *view, size_t index,
                                      equant_sampled_quantity *quantity)
{
    return view->sky != NULL ? equant_sky_posterior_quantity(view->sky, index, quantity)
                             : equant_posterior_quantity(view->star, index, quantity);
}

equant_status posterior_view_values(const struct posterior_view *view, size_t index, double *values)
{
    return view->sky != NULL ? equant_sky_posterior_values(view->sky, index, values)
                             : equant_posterior_values(view->star, index, values);
}

/* What the sky has beyond the catalogue of quantities; the first ones are in pictures. */
#define NUMBERED(symbol) "<i>" symbol "</i><sub>%s</sub>"
#define SUBSCRIPT(symbol, name) "<i>" symbol "</i><sub>" name " %s</sub>"
static const struct sky_word {
    const char *name, *label, *symbol, *unit, *html, *meaning;
} sky_words[] = {
    {"a0_mas", "a0 mas", "a₀", "mas", SUBSCRIPT("a", "0"), "semi-major axis of the light's orbit"},
    {"inclination_rad", "inclination deg", "i", "deg", NUMBERED("i"), "inclination of the orbit"},
    {"node_rad", "node deg", "Ω", "deg", NUMBERED("Ω"), "position angle of the ascending node"},
    {"parallax_mas", "parallax mas", "ϖ", "mas", "<i>ϖ</i>%s", "parallax"},
    {"mass_jupiter", "mass M_jup", "m", "M_jup", NUMBERED("m"), "mass of a dark companion"},
    {"A_mas", "A mas", "A", "mas", NUMBERED("A"), "Thiele-Innes constant"},
    {"B_mas", "B mas", "B", "mas", NUMBERED("B"), "Thiele-Innes constant"},
    {"F_mas", "F mas", "F", "mas", NUMBERED("F"), "Thiele-Innes constant"},
    {"G_mas", "G mas", "G", "mas", NUMBERED("G"), "Thiele-Innes constant"},
    {"a1_au", "a1 au", "a₁", "au", SUBSCRIPT("a", "1"), "semi-major axis of the star's orbit"},
    {"a_au", "a au", "a", "au", NUMBERED("a"), "semi-major axis of the relative orbit"},
    {"ra_mas", "ra mas", "α", "mas", "α%s", "offset in right ascension times cos Dec"},
    {"dec_mas", "dec mas", "δ", "mas", "δ%s", "offset in declination"},
    {"pm_ra_mas_yr", "pm_ra mas/yr", "μα", "mas/yr", "<i>μ</i><sub>α</sub>%s",
     "proper motion in right ascension times cos Dec"},
    {"pm_dec_mas_yr", "pm_dec mas/yr", "μδ", "mas/yr", "<i>μ</i><sub>δ</sub>%s",
     "proper motion in declination"},
    {"jitter_mas", "jitter mas", "s", "mas", "<i>s</i>%s", "jitter of the abscissae"}};
enum { N_SKY_WORDS = sizeof sky_words / sizeof sky_words[0], N_SKY_SHOWN = 5 };

/* Whether `name` is `base`, or it with a number behind. */
static bool is_named(const char *name, const char *base)
{
    size_t n = strlen(base);
    return strncmp(name, base, n) == 0 &&
           (name[n] == '\0' || (name[n] == '_' && strspn(name + n + 1, "0123456789") > 0));
}

static int sky_word_of(const equant_sampled_quantity *quantity)
{
    for (int i = 0; i < N_SKY_WORDS; i++)
        if (is_named(quantity->name, sky_words[i].name))
            return i;
    return N_SKY_WORDS;
}

equant_quantity_info posterior_view_kind(const equant_sampled_quantity *quantity)
{
    size_t index;
    int word = quantity->kind == SIZE_MAX ? sky_word_of(quantity) : N_SKY_WORDS;
    if (quantity->kind != SIZE_MAX)
        return quantity_kind_at(quantity->kind);
    if (word == N_SKY_WORDS && equant_quantity_find(quantity->name, &index) == EQUANT_SUCCESS)
        return quantity_kind_at(index);
    bool is_known = word < N_SKY_WORDS;
    return (equant_quantity_info){.struct_size = sizeof(equant_quantity_info),
                                  .name = quantity->name,
                                  .unit = quantity->unit,
                                  .is_angle = quantity->is_angle,
                                  .shown_factor = quantity->is_angle ? DEGREES_PER_RADIAN : 1.0,
                                  .label = is_known ? sky_words[word].label : quantity->name,
                                  .symbol = is_known ? sky_words[word].symbol : quantity->name,
                                  .html = is_known ? sky_words[word].html : NULL,
                                  .meaning = is_known ? sky_words[word].meaning : "",
                                  .html_unit = is_known ? sky_words[word].unit : quantity->unit};
}

bool posterior_view_is_shown(const equant_sampled_quantity *quantity)
{
    static const char *const elements[] = {"period_days", "eccentricity", "omega_rad"};
    if (!(quantity->high > quantity->low))
        return false;
    /* The mean anomaly says what omega and the longitude say. */
    if (quantity->kind != SIZE_MAX)
        return !quantity->is_derived && quantity->kind != EQUANT_ELEMENT_M0;
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
        if (is_named(quantity->name, elements[i]))
            return true;
    return sky_word_of(quantity) < N_SKY_SHOWN;
}
