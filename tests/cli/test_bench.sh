#!/usr/bin/env bash
# The benchmark's other tables: what they hold, not how fast anything is.
source "$(dirname "$0")/lib.sh"

expect_code 0 bench --sweep --quick --backend cpu --json
expect_json
expect_equal "axes of the sweep" "['observations', 'planets', 'systems']" \
    "$(json "sorted({p['varied'] for p in it['sweep']})")"
expect_equal "planets of the sweep" "[1, 2, 3, 4, 5, 6, 7, 8]" \
    "$(json "sorted({p['n_planets'] for p in it['sweep']})")"
expect_equal "speeds are speeds" True \
    "$(json "all(p['evaluations_per_s'] > p['systems_per_s'] > 0 for p in it['sweep'])")"

expect_error 2 'equant: --paper takes a GPU; "cpu" is none' bench --paper --backend cpu
expect_code 0 bench --paper --quick --json
expect_json
expect_equal "the paper's algorithm is there in two precisions" True \
    "$(json "it['paper_algorithm_mixed']['l1_err'] < it['paper_algorithm_single']['l1_err']")"
expect_equal "mixed precision beats the paper's on a processor" True \
    "$(json "all(r['l1_err'] < 0.6 * it['paper_algorithm_mixed']['l1_err'] for r in it['rows']
                 if r['precision'] == 'mixed')")"
finish
