/* When a simulated telescope observes: times from a file, or a cadence. */
#ifndef EQUANT_APP_INPUTS_OBSERVATION_TIMES_H
#define EQUANT_APP_INPUTS_OBSERVATION_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct observation_times {
    double *days;
    size_t n;
};

/* Reads the first column of a file; its first line may be a heading. Returns an
 * exit code, with a sentence on failure. Free the times in any case. */
int observation_times_read(struct observation_times *times, const char *path);

/* Makes n times from start_days on; where `moves` is set each is moved by up to
 * half a cadence either way, at random from the seed. */
int observation_times_make(struct observation_times *times, size_t n, double start_days,
                           double cadence_days, bool moves, uint64_t seed);

void observation_times_free(struct observation_times *times);

/* Streams of random numbers that `equant simulate` draws from. */
enum { OBSERVATION_TIMES_PURPOSE = 1, OBSERVATION_NOISE_PURPOSE = 2 };

#endif
