#include "model/quantity_catalogue.h"

#include <string.h>

#define DEGREES_PER_RADIAN 57.295779513082323

/* A number that is shown as it is kept: its unit, that of tables, that of pages. */
#define UNITS(own, table, page)                                                                    \
    .info.unit = own, .info.shown_unit = own, .info.table_unit = table, .info.html_unit = page,    \
    .info.shown_factor = 1.0
/* Kept in radians, shown in degrees. */
#define ANGLE                                                                                      \
    .info.unit = "rad", .info.shown_unit = "deg", .info.table_unit = "rad",                        \
    .info.html_unit = "deg", .info.shown_factor = DEGREES_PER_RADIAN, .info.is_angle = 1
#define NAMED(own) .info.name = own, .info.shown_name = own

#define ROLE(own, along) .info.role = EQUANT_QUANTITY_##own, .info.axis = EQUANT_QUANTITY_##along
#define ELEMENT(own)                                                                               \
    ROLE(ELEMENT, PER_PLANET), .info.derived_from = "", .term = TERM_ORBITS, .place = ELEMENT_##own
#define OFFSET ROLE(LINEAR, PER_INSTRUMENT), .info.derived_from = "", .term = TERM_OFFSETS
#define TREND(power)                                                                               \
    ROLE(LINEAR, ALONE), .info.derived_from = "", .term = TERM_TREND, .place = power - 1
#define JITTER ROLE(NOISE, PER_INSTRUMENT), .info.derived_from = "", .term = TERM_JITTERS
#define DERIVED_FROM(names) ROLE(DERIVED, PER_PLANET), .info.derived_from = names, .term = N_TERMS

/* Parameters of correlated noise: a term's name, the parameter's, its unit. */
#define IN_M_S UNITS("m/s", "m / s", "m/s")
#define IN_DAYS UNITS("d", "d", "d")
#define BARE UNITS("", "", "")
#define NOISE(own, index)                                                                          \
    ROLE(NOISE, ALONE), .info.derived_from = "", .term = TERM_NOISE, .noise = NOISE_##own,         \
                        .place = index
#define NOISE_ROW(own, index, own_name, suffix, words, own_label, own_meaning, ...)                \
    {                                                                                              \
        NAMED(own_name suffix), NOISE(own, index), __VA_ARGS__,                                    \
            .info.label = own_label, .info.symbol = words, .info.html = words "%s",                \
            .info.meaning = own_meaning                                                            \
    }

/* On a page, with the number of the planet as an index. */
#define NUMBERED(symbol) "<i>" symbol "</i><sub>%s</sub>"
#define SUBSCRIPT(symbol, name) "<i>" symbol "</i><sub>" name " %s</sub>"

/* The planet is between the star and us. */
static double inferior_conjunction(const keplerian_orbit *own)
{
    return orbit_to_longitude(own, 0.5 * ORBIT_PI);
}

/* The planet is behind the star. */
static double superior_conjunction(const keplerian_orbit *own)
{
    return orbit_to_longitude(own, 1.5 * ORBIT_PI);
}

static const quantity_kind catalogue[] = {
    {
        NAMED("period_days"),
        ELEMENT(PERIOD),
        UNITS("d", "d", "d"),
        .info.label = "period days",
        .info.symbol = "P",
        .info.html = NUMBERED("P"),
        .info.meaning = "orbital period",
    },
    {
        NAMED("k_m_s"),
        ELEMENT(K),
        UNITS("m/s", "m / s", "m/s"),
        .info.label = "K m/s",
        .info.symbol = "K",
        .info.html = NUMBERED("K"),
        .info.meaning = "velocity semi-amplitude",
    },
    {
        NAMED("eccentricity"),
        ELEMENT(ECCENTRICITY),
        UNITS("", "", ""),
        .info.label = "e",
        .info.symbol = "e",
        .info.html = NUMBERED("e"),
        .info.meaning = "eccentricity",
    },
    {
        .info.name = "omega_rad",
        .info.shown_name = "omega_deg",
        ELEMENT(OMEGA),
        ANGLE,
        .info.label = "omega deg",
        .info.symbol = "ω",
        .info.html = NUMBERED("ω"),
        .info.meaning = "argument of pericentre of the star",
        .is_lost_on_circle = true,
    },
    {
        .info.name = "m0_rad",
        .info.shown_name = "m0_deg",
        ELEMENT(M0),
        ANGLE,
        .info.label = "M0 deg",
        .info.symbol = "M₀",
        .info.html = SUBSCRIPT("M", "0"),
        .info.meaning = "mean anomaly at the reference time",
        .is_lost_on_circle = true,
    },
    {
        .info.name = "lambda_rad",
        .info.shown_name = "lambda_deg",
        DERIVED_FROM("omega_rad m0_rad"),
        ANGLE,
        .info.label = "lambda deg",
        .info.symbol = "λ",
        .info.html = NUMBERED("λ"),
        .info.meaning = "mean longitude M0 + omega at the reference time",
        .info.is_posterior_only = 1,
        .formula = orbit_mean_longitude,
    },
    {
        NAMED("t_peri"),
        DERIVED_FROM("period_days m0_rad"),
        UNITS("d", "d", "d"),
        .info.label = "pericentre",
        .info.symbol = "T peri",
        .info.html = SUBSCRIPT("T", "peri"),
        .info.meaning = "a passage of pericentre",
        .formula = orbit_to_pericentre,
        .is_event = true,
        .is_lost_on_circle = true,
    },
    {
        NAMED("t_conj"),
        DERIVED_FROM("period_days eccentricity omega_rad m0_rad"),
        UNITS("d", "d", "d"),
        .info.label = "conjunction",
        .info.symbol = "T conj",
        .info.html = SUBSCRIPT("T", "conj"),
        .info.meaning = "an inferior conjunction",
        .formula = inferior_conjunction,
        .is_event = true,
    },
    {
        NAMED("t_sup"),
        DERIVED_FROM("period_days eccentricity omega_rad m0_rad"),
        UNITS("d", "d", "d"),
        .info.label = "sup. conj.",
        .info.symbol = "T sup",
        .info.html = SUBSCRIPT("T", "sup"),
        .info.meaning = "a superior conjunction",
        .formula = superior_conjunction,
        .is_event = true,
    },
    {
        NAMED("m_sin_i_jupiter"),
        DERIVED_FROM("period_days k_m_s eccentricity star_mass"),
        .info.needs_star_mass = 1,
        UNITS("M_jup", "jupiterMass", "<i>M</i><sub>Jup</sub>"),
        .info.label = "m sin i MJup",
        .info.symbol = "m sin i",
        .info.html = "<i>m</i> sin <i>i</i><sub>%s</sub>",
        .info.meaning = "minimum mass",
        .formula = orbit_minimum_mass,
    },
    {
        NAMED("a_au"),
        DERIVED_FROM("period_days k_m_s eccentricity star_mass"),
        .info.needs_star_mass = 1,
        UNITS("au", "AU", "au"),
        .info.label = "a AU",
        .info.symbol = "a",
        .info.html = NUMBERED("a"),
        .info.meaning = "semi-major axis of the relative orbit",
        .formula = orbit_semi_major_axis,
    },
    {
        NAMED("insolation_earth"),
        DERIVED_FROM("period_days k_m_s eccentricity star_mass star_luminosity"),
        .info.needs_star_mass = 1,
        .info.needs_star_luminosity = 1,
        BARE,
        .info.label = "insolation",
        .info.symbol = "S",
        .info.html = NUMBERED("S"),
        .info.meaning = "insolation at the semi-major axis, in that of the Earth",
        .formula = orbit_insolation,
    },
    {
        NAMED("t_eq_k"),
        DERIVED_FROM("period_days k_m_s eccentricity star_mass star_luminosity"),
        .info.needs_star_mass = 1,
        .info.needs_star_luminosity = 1,
        UNITS("K", "K", "K"),
        .info.label = "T eq K",
        .info.symbol = "T eq",
        .info.html = SUBSCRIPT("T", "eq"),
        .info.meaning = "equilibrium temperature of a planet that reflects nothing",
        .formula = orbit_equilibrium_temperature,
    },
    {
        NAMED("offset_m_s"),
        OFFSET,
        UNITS("m/s", "m / s", "m/s"),
        .info.label = "offset m/s",
        .info.symbol = "offset",
        .info.html = "offset%s",
        .info.meaning = "velocity offset of the instrument",
    },
    {
        NAMED("trend_m_s_day"),
        TREND(1),
        UNITS("m/s/d", "m / (d s)", "m/s/d"),
        .info.label = "trend m/s/day",
        .info.symbol = "trend",
        .info.html = "trend%s",
        .info.meaning = "linear trend",
    },
    {
        NAMED("trend_m_s_day2"),
        TREND(2),
        UNITS("m/s/d2", "m / (d2 s)", "m/s/d²"),
        .info.label = "curvature m/s/day^2",
        .info.symbol = "curvature",
        .info.html = "curvature%s",
        .info.meaning = "quadratic trend",
    },
    {
        NAMED("jitter_m_s"),
        JITTER,
        UNITS("m/s", "m / s", "m/s"),
        .info.label = "jitter m/s",
        .info.symbol = "jitter",
        .info.html = "jitter%s",
        .info.meaning = "noise beyond the given uncertainties",
    },
    NOISE_ROW(NIGHT, 0, "night_amplitude", "_m_s", "nights amplitude", "nights amplitude m/s",
              "standard deviation of what a night adds", IN_M_S),
    NOISE_ROW(EXPONENTIAL, 0, "exponential_amplitude", "_m_s", "exponential amplitude",
              "exponential amplitude m/s", "of noise that forgets at a constant rate", IN_M_S),
    NOISE_ROW(EXPONENTIAL, 1, "exponential_decay", "_days", "exponential decay",
              "exponential decay days", "after which 1/e of it is left", IN_DAYS),
    NOISE_ROW(MATERN32, 0, "matern32_amplitude", "_m_s", "Matern 3/2 amplitude",
              "Matern 3/2 amplitude m/s", "of Matern 3/2 noise", IN_M_S),
    NOISE_ROW(MATERN32, 1, "matern32_decay", "_days", "Matern 3/2 decay", "Matern 3/2 decay days",
              "scale of Matern 3/2 noise", IN_DAYS),
    NOISE_ROW(MATERN52, 0, "matern52_amplitude", "_m_s", "Matern 5/2 amplitude",
              "Matern 5/2 amplitude m/s", "of Matern 5/2 noise", IN_M_S),
    NOISE_ROW(MATERN52, 1, "matern52_decay", "_days", "Matern 5/2 decay", "Matern 5/2 decay days",
              "scale of Matern 5/2 noise", IN_DAYS),
    NOISE_ROW(SLOW, 0, "slow_amplitude", "_m_s", "slow amplitude", "slow amplitude m/s",
              "standard deviation of a drift over more than 200 days", IN_M_S),
    NOISE_ROW(SLOW, 1, "slow_decay", "_days", "slow decay", "slow decay days",
              "scale of a drift over more than 200 days", IN_DAYS),
    NOISE_ROW(SHO, 0, "sho_amplitude", "_m_s", "oscillator amplitude", "oscillator amplitude m/s",
              "of a driven oscillator", IN_M_S),
    NOISE_ROW(SHO, 1, "sho_period", "_days", "oscillator period", "oscillator period days",
              "undamped, of a driven oscillator", IN_DAYS),
    NOISE_ROW(SHO, 2, "sho_quality", "", "oscillator Q", "oscillator Q", "of a driven oscillator",
              BARE),
    NOISE_ROW(GRANULATION, 0, "granulation_amplitude", "_m_s", "granulation amplitude",
              "granulation amplitude m/s", "of granulation", IN_M_S),
    NOISE_ROW(GRANULATION, 1, "granulation_period", "_days", "granulation period",
              "granulation period days", "undamped, of granulation", IN_DAYS),
    NOISE_ROW(ROTATION, 0, "rotation_amplitude", "_m_s", "rotation amplitude",
              "rotation amplitude m/s", "of a star that turns", IN_M_S),
    NOISE_ROW(ROTATION, 1, "rotation_period", "_days", "rotation period", "rotation period days",
              "in which the star turns", IN_DAYS),
    NOISE_ROW(ROTATION, 2, "rotation_quality", "", "rotation Q", "rotation Q",
              "of the second oscillator, above 1/2", BARE),
    NOISE_ROW(ROTATION, 3, "rotation_extra_quality", "", "rotation dQ", "rotation dQ",
              "by which the first oscillator exceeds it", BARE),
    NOISE_ROW(ROTATION, 4, "rotation_mix", "", "rotation mix", "rotation mix",
              "variance of the second oscillator over the first", BARE),
    NOISE_ROW(MEP, 0, "mep_amplitude", "_m_s", "MEP amplitude", "MEP amplitude m/s",
              "of a star that turns", IN_M_S),
    NOISE_ROW(MEP, 1, "mep_period", "_days", "MEP period", "MEP period days",
              "in which the star turns", IN_DAYS),
    NOISE_ROW(MEP, 2, "mep_decay", "_days", "MEP decay", "MEP decay days", "life of spots",
              IN_DAYS),
    NOISE_ROW(MEP, 3, "mep_width", "", "MEP width", "MEP width",
              "of what a spot does, in turns times pi", BARE),
    NOISE_ROW(MEP4, 0, "mep4_amplitude", "_m_s", "MEP 4 amplitude", "MEP 4 amplitude m/s",
              "of a star that turns", IN_M_S),
    NOISE_ROW(MEP4, 1, "mep4_period", "_days", "MEP 4 period", "MEP 4 period days",
              "in which the star turns", IN_DAYS),
    NOISE_ROW(MEP4, 2, "mep4_decay", "_days", "MEP 4 decay", "MEP 4 decay days", "life of spots",
              IN_DAYS),
    NOISE_ROW(MEP4, 3, "mep4_width", "", "MEP 4 width", "MEP 4 width",
              "of what a spot does, in turns times pi", BARE),
    NOISE_ROW(ES, 0, "es_amplitude", "_m_s", "ES amplitude", "ES amplitude m/s",
              "of nearly squared-exponential noise", IN_M_S),
    NOISE_ROW(ES, 1, "es_decay", "_days", "ES decay", "ES decay days",
              "scale of nearly squared-exponential noise", IN_DAYS),
    NOISE_ROW(ESP2, 0, "esp2_amplitude", "_m_s", "ESP 2 amplitude", "ESP 2 amplitude m/s",
              "of a star that turns", IN_M_S),
    NOISE_ROW(ESP2, 1, "esp2_period", "_days", "ESP 2 period", "ESP 2 period days",
              "in which the star turns", IN_DAYS),
    NOISE_ROW(ESP2, 2, "esp2_decay", "_days", "ESP 2 decay", "ESP 2 decay days", "life of spots",
              IN_DAYS),
    NOISE_ROW(ESP2, 3, "esp2_width", "", "ESP 2 width", "ESP 2 width",
              "of what a spot does, in turns times pi", BARE),
    NOISE_ROW(ESP3, 0, "esp3_amplitude", "_m_s", "ESP 3 amplitude", "ESP 3 amplitude m/s",
              "of a star that turns", IN_M_S),
    NOISE_ROW(ESP3, 1, "esp3_period", "_days", "ESP 3 period", "ESP 3 period days",
              "in which the star turns", IN_DAYS),
    NOISE_ROW(ESP3, 2, "esp3_decay", "_days", "ESP 3 decay", "ESP 3 decay days", "life of spots",
              IN_DAYS),
    NOISE_ROW(ESP3, 3, "esp3_width", "", "ESP 3 width", "ESP 3 width",
              "of what a spot does, in turns times pi", BARE),
    NOISE_ROW(QP, 0, "qp_amplitude", "_m_s", "QP amplitude", "QP amplitude m/s",
              "of a star that turns", IN_M_S),
    NOISE_ROW(QP, 1, "qp_period", "_days", "QP period", "QP period days", "in which the star turns",
              IN_DAYS),
    NOISE_ROW(QP, 2, "qp_decay", "_days", "QP decay", "QP decay days", "life of spots", IN_DAYS),
    NOISE_ROW(QP, 3, "qp_width", "", "QP width", "QP width",
              "of what a spot does, in turns times pi", BARE),
};

enum { N_KINDS = sizeof catalogue / sizeof catalogue[0] };

_Static_assert((int)N_KINDS <= (int)QUANTITY_CATALOGUE_MOST, "there must be room for one of each");

size_t quantity_catalogue_n(void)
{
    return N_KINDS;
}

const quantity_kind *quantity_catalogue_at(size_t index)
{
    return index < N_KINDS ? &catalogue[index] : NULL;
}

size_t quantity_catalogue_index(const quantity_kind *kind)
{
    return (size_t)(kind - catalogue);
}

/* Whether nothing follows a name but the number of a planet or an instrument. */
static bool is_number(const char *rest)
{
    return *rest == '\0' ||
           (*rest == '_' && rest[1] != '\0' && rest[1 + strspn(rest + 1, "0123456789")] == '\0');
}

const quantity_kind *quantity_catalogue_find(const char *name)
{
    for (size_t i = 0; i < N_KINDS; i++) {
        size_t length = strlen(catalogue[i].info.name);
        if (strncmp(name, catalogue[i].info.name, length) == 0 && is_number(name + length))
            return &catalogue[i];
    }
    return NULL;
}
