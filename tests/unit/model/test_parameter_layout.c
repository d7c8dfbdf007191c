/* What a parameter set is: columns of all terms for all shapes, counted once more by hand, and
 * the sets that mean something. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/huge_angle.h"
#include "model/parameter_domain.h"

enum { MOST_PARAMETERS = 32 };

/* Every shape of up to two planets, three instruments and a parabola, each with the columns that
 * the public header promises. */
static void columns_stand_in_the_promised_order(void **state)
{
    (void)state;
    for (size_t code = 0; code < 3 * 3 * 3 * 8; code++) {
        parameter_shape shape = {.n_planets = code % 3,
                                 .n_instruments = 1 + code / 3 % 3,
                                 .trend_order = (int)(code / 9 % 3),
                                 .offsets_given = code / 27 % 2,
                                 .trend_given = code / 54 % 2};
        shape.n_jitters = code / 108 % 2 ? shape.n_instruments : 0;
        shape.noise = code % 2 ? (noise_kinds){.n = 2, .kind = {NOISE_MEP, NOISE_NIGHT}}
                               : (noise_kinds){.n = 0};
        parameter_layout layout = parameter_layout_of(shape);
        size_t next = 0, order = (size_t)shape.trend_order;
        size_t expected[N_TERMS] = {[TERM_ORBITS] = 5 * shape.n_planets,
                                    [TERM_OFFSETS] = shape.offsets_given ? shape.n_instruments : 0,
                                    [TERM_TREND] = shape.trend_given ? order : 0,
                                    [TERM_JITTERS] = shape.n_jitters,
                                    [TERM_NOISE] = code % 2 ? 5 : 0};
        for (int term = 0; term < N_TERMS; term++) {
            assert_int_equal(parameter_layout_first(&layout, term), next);
            next += expected[term];
            assert_int_equal(parameter_layout_end(&layout, term), next);
            assert_int_equal(parameter_layout_has(&layout, term), expected[term] > 0);
            for (size_t i = parameter_layout_first(&layout, term); i < next; i++)
                assert_int_equal(parameter_layout_term(&layout, i), term);
        }
        assert_int_equal(layout.n_parameters, next);
        assert_int_equal(layout.n_linear, shape.n_instruments + order);
    }
}

static void a_view_points_at_the_terms_of_a_set(void **state)
{
    (void)state;
    double set[MOST_PARAMETERS] = {0.0};
    parameter_layout all = parameter_layout_all_given(2, 2, 1, 2);
    parameter_view view = parameter_layout_view(&all, set);
    assert_ptr_equal(view.orbits, set);
    assert_ptr_equal(view.offsets, set + 10);
    assert_ptr_equal(view.trend, set + 12);
    assert_ptr_equal(view.jitters, set + 13);
    parameter_view walked = parameter_layout_walk(&all, set);
    assert_memory_equal(&walked, &view, sizeof view);
    assert_int_equal(parameter_layout_orbit(&all, 1), 5);
    assert_int_equal(parameter_layout_element(&all, 7), ELEMENT_ECCENTRICITY);
    assert_int_equal(parameter_layout_element(&all, 10), N_ELEMENTS);
    parameter_layout solved = parameter_layout_of(
        (parameter_shape){.n_planets = 1, .n_instruments = 2, .trend_order = 2});
    view = parameter_layout_view(&solved, set);
    assert_null(view.offsets);
    assert_null(view.trend);
    assert_null(view.jitters);
}

/* One good set; one number at a time made bad. */
static void the_domain_refuses_each_bad_number(void **state)
{
    (void)state;
    const double good[] = {10.0, 5.0, 0.3, 1.0, 2.0, -7.0, 0.01, 0.0};
    const parameter_layout layout = parameter_layout_all_given(1, 1, 1, 1);
    const double floor_days = 1e-10;
    assert_true(parameter_domain_has(&layout, floor_days, good));
    const struct {
        size_t column;
        double value;
    } bad[] = {{0, 0.0},     {0, -3.0},      {0, 1e-10}, {0, INFINITY}, {1, NAN},
               {2, -1e-300}, {2, 1.0},       {2, NAN},   {3, NAN},      {4, INFINITY},
               {5, NAN},     {6, -INFINITY}, {7, -1.0},  {7, NAN},      {7, 1e200}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double set[8];
        for (size_t k = 0; k < 8; k++)
            set[k] = good[k];
        set[bad[i].column] = bad[i].value;
        assert_false(parameter_domain_has(&layout, floor_days, set));
    }
}

static void only_huge_angles_are_touched(void **state)
{
    (void)state;
    assert_true(huge_angle_reduce(9e13, HUGE_ANGLE) == 9e13);
    assert_true(huge_angle_reduce(-3.0, HUGE_ANGLE) == -3.0);
    double reduced = huge_angle_reduce(1e20, HUGE_ANGLE);
    assert_true(fabs(reduced) <= 3.1415926535897936);
    assert_true(fabs(sin(reduced) - sin(1e20)) < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_stand_in_the_promised_order),
        cmocka_unit_test(a_view_points_at_the_terms_of_a_set),
        cmocka_unit_test(the_domain_refuses_each_bad_number),
        cmocka_unit_test(only_huge_angles_are_touched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
