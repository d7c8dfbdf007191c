/* The catalogue of quantities: every row complete and found again, formulas that take what they
 * say and no more, and the planets that we know best. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/model_quantities.h"

#define PI 3.14159265358979323846
#define TWO_PI 6.28318530717958647693

/* An ordinary orbit, far from every border. */
static const double ordinary[EQUANT_N_ELEMENTS] = {321.0, 40.0, 0.3, 1.1, 2.2};

static equant_quantity_info info_of(size_t index)
{
    equant_quantity_info info = {.struct_size = sizeof info};
    assert_int_equal(equant_quantity_at(index, &info), EQUANT_SUCCESS);
    assert_int_equal(info.struct_size, sizeof info);
    return info;
}

/* A star of so many solar masses and luminosities; 0: unknown. */
static star_values star_of(double mass, double luminosity)
{
    host_star star = {.value = {[STAR_MASS] = mass, [STAR_LUMINOSITY] = luminosity}};
    return host_star_at(&star, NULL);
}

/* The derived quantity of that name in an orbit. */
static double derived(const char *name, const double elements[EQUANT_N_ELEMENTS], double star_mass)
{
    keplerian_orbit own = quantities_orbit(elements, star_of(star_mass, 0.7));
    return quantity_catalogue_find(name)->formula(&own);
}

static void rows_are_complete(void **state)
{
    (void)state;
    for (size_t i = 0; i < equant_n_quantities(); i++) {
        equant_quantity_info info = info_of(i);
        const char *const words[] = {info.name,  info.shown_name, info.meaning,
                                     info.label, info.symbol,     info.html};
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
            assert_true(words[w] != NULL && words[w][0] != '\0');
        assert_non_null(strstr(info.html, "%s")); /* where its number goes */
        bool has_unit = info.unit[0] != '\0';
        assert_true(has_unit == (info.shown_unit[0] != '\0') &&
                    has_unit == (info.table_unit[0] != '\0') &&
                    has_unit == (info.html_unit[0] != '\0'));
        assert_true(info.is_angle == (strcmp(info.unit, "rad") == 0) &&
                    info.is_angle == (strcmp(info.shown_unit, "deg") == 0));
        assert_true(info.is_angle ? fabs(info.shown_factor - 180.0 / PI) < 1e-14
                                  : info.shown_factor == 1.0);
        assert_true(info.is_angle == (strcmp(info.name, info.shown_name) != 0));
        bool is_derived = quantity_catalogue_at(i)->formula != NULL;
        assert_true(is_derived == (info.role == EQUANT_QUANTITY_DERIVED) &&
                    is_derived == (info.derived_from[0] != '\0'));
        assert_true((info.role == EQUANT_QUANTITY_ELEMENT) == (i < EQUANT_N_ELEMENTS));
        assert_true(info.axis == EQUANT_QUANTITY_PER_PLANET ||
                    info.role == EQUANT_QUANTITY_LINEAR || info.role == EQUANT_QUANTITY_NOISE);
    }
}

static void no_two_rows_share_a_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < equant_n_quantities(); i++)
        for (size_t j = 0; j < i; j++) {
            equant_quantity_info a = info_of(i), b = info_of(j);
            assert_string_not_equal(a.name, b.name);
            assert_string_not_equal(a.shown_name, b.shown_name);
            assert_string_not_equal(a.label, b.label);
            assert_string_not_equal(a.symbol, b.symbol);
        }
}

static void rows_are_found_by_name(void **state)
{
    (void)state;
    size_t index = 99;
    for (size_t i = 0; i < equant_n_quantities(); i++) {
        char name[64];
        assert_int_equal(equant_quantity_find(info_of(i).name, &index), EQUANT_SUCCESS);
        assert_int_equal(index, i);
        snprintf(name, sizeof name, "%s_12", info_of(i).name);
        assert_int_equal(equant_quantity_find(name, &index), EQUANT_SUCCESS);
        assert_int_equal(index, i);
    }
    const char *const strangers[] = {"", "P", "k_m_s_", "k_m_s_x", "k_m_s_1x", "trend_m_s_day3"};
    index = 99;
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++)
        assert_int_equal(equant_quantity_find(strangers[i], &index), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_quantity_find(NULL, &index), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(index, 99);
    equant_quantity_info info = {.struct_size = sizeof info};
    assert_int_equal(equant_quantity_at(equant_n_quantities(), &info),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(info.name);
    info.struct_size = 0;
    assert_int_equal(equant_quantity_at(0, &info), EQUANT_ERROR_INVALID_ARGUMENT);
}

/* What stands in derived_from is what the formula takes: moving anything else changes nothing. */
static void formulas_take_what_they_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < quantity_catalogue_n(); i++) {
        const quantity_kind *kind = quantity_catalogue_at(i);
        const char *from = kind->info.derived_from;
        if (kind->formula == NULL)
            continue;
        double before = derived(kind->info.name, ordinary, 1.0);
        assert_true(isfinite(before));
        for (size_t element = 0; element < EQUANT_N_ELEMENTS; element++) {
            double moved[EQUANT_N_ELEMENTS];
            memcpy(moved, ordinary, sizeof moved);
            moved[element] *= 1.01;
            bool has_changed = derived(kind->info.name, moved, 1.0) != before;
            assert_int_equal(has_changed, strstr(from, info_of(element).name) != NULL);
        }
        bool takes_mass = derived(kind->info.name, ordinary, 1.1) != before;
        assert_int_equal(takes_mass, strstr(from, "star_mass") != NULL);
        assert_int_equal(takes_mass, kind->info.needs_star_mass);
        assert_int_equal(takes_mass, isnan(derived(kind->info.name, ordinary, 0.0)));
        keplerian_orbit dark = quantities_orbit(ordinary, star_of(1.0, 0.0));
        assert_int_equal(isnan(kind->formula(&dark)), kind->info.needs_star_luminosity);
        assert_int_equal(strstr(from, "star_luminosity") != NULL, kind->info.needs_star_luminosity);
    }
}

/* Events are next to the reference time, and are the same ones a turn further. */
static void events_return(void **state)
{
    (void)state;
    for (size_t i = 0; i < quantity_catalogue_n(); i++) {
        const quantity_kind *kind = quantity_catalogue_at(i);
        if (!kind->is_event)
            continue;
        for (double m0 = 0.0; m0 < TWO_PI; m0 += 0.1) {
            double moved[EQUANT_N_ELEMENTS] = {321.0, 40.0, 0.3, 1.1, m0};
            double days = derived(kind->info.name, moved, 0.0);
            assert_true(fabs(days) <= 0.5 * moved[0] * (1.0 + 1e-12));
            moved[4] += TWO_PI;
            double difference = derived(kind->info.name, moved, 0.0) - days;
            assert_true(fabs(remainder(difference, moved[0])) < 1e-9);
        }
    }
}

static void known_planets_follow_from_their_elements(void **state)
{
    (void)state;
    const double jupiter[EQUANT_N_ELEMENTS] = {4332.59, 12.49, 0.0489, 1.0, 0.5};
    const double earth[EQUANT_N_ELEMENTS] = {365.256, 0.08946, 0.0167, 0.0, 0.0};
    assert_float_equal(derived("m_sin_i_jupiter", jupiter, 1.0), 1.0, 5e-3);
    assert_float_equal(derived("a_au", jupiter, 1.0), 5.204, 2e-3);
    assert_float_equal(derived("lambda_rad", jupiter, 1.0), 1.5, 1e-12);
    assert_float_equal(derived("t_peri", jupiter, 1.0), -0.5 / TWO_PI * jupiter[0], 1e-9);
    assert_float_equal(derived("m_sin_i_jupiter", earth, 1.0) * 317.83, 1.0, 2e-3);
    assert_float_equal(derived("a_au", earth, 1.0), 1.0, 1e-5);
    /* On a circle with omega = 90 degrees pericentre and conjunction are one. */
    const double circle[EQUANT_N_ELEMENTS] = {100.0, 1.0, 0.0, 0.5 * PI, 3.0};
    assert_float_equal(derived("t_conj", circle, 0.0), derived("t_peri", circle, 0.0), 1e-12);
}

/* Where the star is at a time after the reference time, in units of its semi-major axis: across and
 * along the line of sight, away from us. Kepler's equation by bisection, then the ellipse turned by
 * omega; no anomaly but E enters. */
static void place_of_star(const double elements[EQUANT_N_ELEMENTS], double days, double *across,
                          double *away)
{
    double e = elements[2], omega = elements[3], mean = TWO_PI * days / elements[0] + elements[4];
    double low = mean - 1.0, high = mean + 1.0;
    for (int i = 0; i < 100; i++) {
        double middle = 0.5 * (low + high);
        *(middle - e * sin(middle) < mean ? &low : &high) = middle;
    }
    double x = cos(low) - e, y = sqrt(1.0 - e * e) * sin(low);
    *across = x * cos(omega) - y * sin(omega);
    *away = x * sin(omega) + y * cos(omega);
}

/* Star and planet are in line with us, the star behind the planet or before it. On a circle half a
 * period lies between the two. */
static void conjunctions_face_each_other(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++) {
        double own[EQUANT_N_ELEMENTS] = {41.0, 20.0, 0.9 * fmod(0.618034 * i, 1.0),
                                         fmod(1.7 * i, TWO_PI), fmod(2.3 * i, TWO_PI)};
        double across, away;
        place_of_star(own, derived("t_conj", own, 0.0), &across, &away);
        assert_true(fabs(across) < 1e-10 && away > 0.0);
        place_of_star(own, derived("t_sup", own, 0.0), &across, &away);
        assert_true(fabs(across) < 1e-10 && away < 0.0);
        own[2] = 0.0;
        double apart = derived("t_sup", own, 0.0) - derived("t_conj", own, 0.0);
        assert_float_equal(fabs(remainder(apart, own[0])), 0.5 * own[0], 1e-12);
    }
}

/* Every row of every shape is in its own place, and all columns have a name. */
static void shapes_have_all_their_columns(void **state)
{
    (void)state;
    const parameter_shape columns[] = {
        {.n_instruments = 1},
        {.n_planets = 2, .n_instruments = 3, .n_jitters = 3},
        {.n_planets = 1, .n_instruments = 2, .trend_order = 2, .offsets_given = true},
        {.n_instruments = 2,
         .n_jitters = 2,
         .noise = {.n = 3, .kind = {NOISE_NIGHT, NOISE_ROTATION, NOISE_EXPONENTIAL}}},
    };
    const host_star bright = {.value = {[STAR_MASS] = 1.0, [STAR_LUMINOSITY] = 1.0}};
    const quantities_shape shapes[] = {
        {.layout = parameter_layout_of(columns[0])},
        {.layout = parameter_layout_of(columns[1]), .star = bright},
        {.layout = parameter_layout_of(columns[2])},
        {.layout = parameter_layout_of(columns[3])},
        {.layout = parameter_layout_all_given(1, 2, 1, 1)},
        {.layout = parameter_layout_all_given(3, 2, 2, 2), .is_of_fit = true},
    };
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const quantities_shape *shape = &shapes[s];
        bool is_named[64] = {false};
        for (size_t r = 0; r < quantities_n_rows(shape); r++) {
            quantity_row row = quantities_row(shape, r);
            const quantity_kind *kind = row.entry.kind;
            assert_ptr_equal(quantity_catalogue_find(row.name), kind);
            assert_true(!kind->info.needs_star_mass || host_star_has_mass(&shape->star));
            assert_true(!kind->info.is_posterior_only || !shape->is_of_fit);
            for (size_t other = 0; other < r; other++)
                assert_string_not_equal(quantities_row(shape, other).name, row.name);
            if (kind->formula == NULL)
                is_named[row.entry.column + row.index * row.entry.stride] = true;
        }
        for (size_t c = 0; c < 64; c++)
            assert_int_equal(is_named[c], c < shape->layout.n_parameters);
        assert_string_equal(quantities_row(shape, quantities_n_rows(shape)).name, "");
    }
    /* One planet of known mass in a posterior has everything but correlated noise. */
    size_t n_white = 0;
    for (size_t i = 0; i < quantity_catalogue_n(); i++)
        n_white += quantity_catalogue_at(i)->term != TERM_NOISE;
    const quantities_shape whole = {.layout = parameter_layout_all_given(1, 1, 2, 1),
                                    .star = bright};
    assert_int_equal(quantities_n_rows(&whole), n_white);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_complete),
        cmocka_unit_test(no_two_rows_share_a_name),
        cmocka_unit_test(rows_are_found_by_name),
        cmocka_unit_test(formulas_take_what_they_say),
        cmocka_unit_test(events_return),
        cmocka_unit_test(known_planets_follow_from_their_elements),
        cmocka_unit_test(conjunctions_face_each_other),
        cmocka_unit_test(shapes_have_all_their_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
