/* Tables of many stars, star by star. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "equant.h"

static char path[] = "/tmp/equant-star-stream-XXXXXX";

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static equant_star_stream *open_text(const char *text)
{
    equant_star_stream *stream = NULL;
    write_file(text);
    assert_int_equal(equant_star_stream_open(path, NULL, &stream), EQUANT_SUCCESS);
    return stream;
}

static void expect_star(equant_star_stream *stream, const char *name, size_t n_obs, double first)
{
    equant_dataset *dataset = NULL;
    assert_int_equal(equant_star_stream_next(stream, &dataset), EQUANT_SUCCESS);
    assert_non_null(dataset);
    assert_string_equal(equant_star_stream_name(stream), name);
    assert_int_equal(equant_dataset_n_obs(dataset), n_obs);
    assert_true(equant_dataset_velocities_m_s(dataset)[0] == first);
    equant_dataset_free(dataset);
}

static void expect_end(equant_star_stream *stream)
{
    equant_dataset *dataset = NULL;
    assert_int_equal(equant_star_stream_next(stream, &dataset), EQUANT_SUCCESS);
    assert_null(dataset);
    assert_null(equant_star_stream_name(stream));
    equant_star_stream_free(stream);
}

static void stars_come_one_after_the_other(void **state)
{
    (void)state;
    equant_star_stream *stream = open_text("# of a survey\n"
                                           "star,time,rv [km/s],err,inst\n"
                                           "HD 1,2,0.2,0.01,A\n"
                                           "HD 1,1,0.1,0.01,B\n"
                                           "\n# a comment between\n"
                                           "\"x,y\",1,0.3,0.01,A\n"
                                           "z,1,0.4,0.01,A\r\n");
    expect_star(stream, "HD 1", 2, 100.0);
    expect_star(stream, "x,y", 1, 300.0);
    expect_star(stream, "z", 1, 400.0);
    expect_end(stream);
    stream =
        open_text("bjd mnvel errvel source_id\n1 10 1 7\n2 20 1 7\n1 30 1 12345678901234567890");
    expect_star(stream, "7", 2, 10.0);
    expect_star(stream, "12345678901234567890", 1, 30.0);
    expect_end(stream);
    stream = open_text("# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n"
                       "# - {name: star, datatype: string}\n# - {name: time, datatype: float64}\n"
                       "# - {name: rv, unit: km / s, datatype: float64}\n"
                       "# - {name: rv_err, unit: km / s, datatype: float64}\n"
                       "star,time,rv,rv_err\na,1,1,0.1\nb,1,2,0.1\n");
    expect_star(stream, "a", 1, 1000.0);
    expect_star(stream, "b", 1, 2000.0);
    expect_end(stream);
}

static void stars_may_be_passed_over(void **state)
{
    (void)state;
    equant_star_stream *stream =
        open_text("star,time,rv,err\na,1,no number,1\na,2,5,1\nb,1,6,1\nc,1,7,1\n");
    assert_int_equal(equant_star_stream_next(stream, NULL), EQUANT_SUCCESS);
    assert_string_equal(equant_star_stream_name(stream), "a");
    assert_int_equal(equant_star_stream_next(stream, NULL), EQUANT_SUCCESS);
    expect_star(stream, "c", 1, 7.0);
    expect_end(stream);
}

static void a_bad_star_is_named_and_the_next_is_read(void **state)
{
    (void)state;
    equant_dataset *dataset = NULL;
    equant_star_stream *stream = open_text("star,time,rv,err\na,1,1,1\nb,1,word,1\nc,1,7,1\n");
    expect_star(stream, "a", 1, 1.0);
    assert_int_equal(equant_star_stream_next(stream, &dataset), EQUANT_ERROR_FORMAT);
    assert_string_equal(equant_star_stream_name(stream), "b");
    assert_non_null(strstr(equant_last_error(), "star b, whose rows begin in line 3: "));
    expect_star(stream, "c", 1, 7.0);
    expect_end(stream);
}

static void a_file_that_makes_no_sense_ends(void **state)
{
    (void)state;
    equant_dataset *dataset = NULL;
    equant_star_stream *stream = open_text("star,time,rv,err\na,1,1,1\nb,1,1,1\na,2,1,1\n");
    expect_star(stream, "a", 1, 1.0);
    expect_star(stream, "b", 1, 1.0);
    assert_int_equal(equant_star_stream_next(stream, &dataset), EQUANT_ERROR_FORMAT);
    assert_non_null(strstr(equant_last_error(), ":4: star a was there before"));
    expect_end(stream);
    stream = open_text("time,rv,err,star\n1,1,1,a\n1,1,1\n");
    assert_int_equal(equant_star_stream_next(stream, &dataset), EQUANT_ERROR_FORMAT);
    assert_non_null(strstr(equant_last_error(), ":3: the row does not say whose it is"));
    expect_end(stream);
    write_file("star,time,rv,err\n");
    assert_int_equal(equant_star_stream_open(path, NULL, &stream), EQUANT_ERROR_FORMAT);
    assert_int_equal(equant_star_stream_open("/nowhere/at/all", NULL, &stream), EQUANT_ERROR_IO);
    assert_non_null(strstr(equant_last_error(), "there is no such file"));
    assert_int_equal(equant_star_stream_open(NULL, NULL, &stream), EQUANT_ERROR_INVALID_ARGUMENT);
}

static void a_file_without_names_is_one_star(void **state)
{
    (void)state;
    equant_star_stream *stream = open_text("time,rv,err\n1,1,1\n2,3,1\n");
    expect_star(stream, strrchr(path, '/') + 1, 2, 1.0);
    expect_end(stream);
    stream = open_text("1 5 1\n2 3 1\n");
    expect_star(stream, strrchr(path, '/') + 1, 2, 5.0);
    expect_end(stream);
}

static void many_names_are_remembered(void **state)
{
    (void)state;
    enum { N = 5000 };
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("star,time,rv,err\n", file);
    for (int i = 0; i < N; i++)
        fprintf(file, "s%d,1,1,1\n", i);
    fputs("s17,2,1,1\n", file);
    assert_int_equal(fclose(file), 0);
    equant_star_stream *stream = NULL;
    assert_int_equal(equant_star_stream_open(path, NULL, &stream), EQUANT_SUCCESS);
    for (int i = 0; i < N; i++)
        assert_int_equal(equant_star_stream_next(stream, NULL), EQUANT_SUCCESS);
    assert_int_equal(equant_star_stream_next(stream, NULL), EQUANT_ERROR_FORMAT);
    equant_star_stream_free(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stars_come_one_after_the_other),
        cmocka_unit_test(stars_may_be_passed_over),
        cmocka_unit_test(a_bad_star_is_named_and_the_next_is_read),
        cmocka_unit_test(a_file_that_makes_no_sense_ends),
        cmocka_unit_test(a_file_without_names_is_one_star),
        cmocka_unit_test(many_names_are_remembered),
    };
    int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    int n_failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return n_failed;
}
