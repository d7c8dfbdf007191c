/* The benchmark's results, for a person and for a program. */
#ifndef EQUANT_APP_BENCH_BENCH_REPORT_H
#define EQUANT_APP_BENCH_BENCH_REPORT_H

#include <stdio.h>

#include "bench/bench_rows.h"
#include "text/json_writer.h"
#include "terminal/table.h"

/* Opens the JSON object with what every benchmark record says: machine, processor
 * threads, compiler, version. */
void bench_report_json_machine(json_writer *json, int n_threads);

/* Problem, method, the paper's figures, baselines and rows, as members of an open object. */
void bench_report_json_body(json_writer *json, const bench_rows *rows, const bench_effort *effort);

/* The three errors as members of an open object. */
void bench_report_json_errors(json_writer *json, const bench_errors *errors);

void bench_report_json(FILE *stream, const bench_rows *rows, const bench_effort *effort,
                       int n_threads);

/* The line above a table: version, machine, compiler. */
void bench_report_text_machine(FILE *stream);

/* Cells of a table: a figure, or a dash where there is none; and three of them, the errors. */
void bench_report_add_figure(struct table *table, double value);
void bench_report_add_errors(struct table *table, const bench_errors *errors);

/* Returns an exit code, with a sentence when memory ran out. */
int bench_report_text(FILE *stream, const bench_rows *rows, const bench_effort *effort);

#endif
