/* What a fit says of noise beside jitters, in words. */
#ifndef EQUANT_APP_STARS_NOISE_WORDS_H
#define EQUANT_APP_STARS_NOISE_WORDS_H

#include "stars/star_noise.h"

enum { NOISE_WORDS_SIZE = 1024 };

struct star_result;

/* The plain word of a term: "rotation" for mep, "rotation@HARPS" for mep@HARPS, "rotation (esp3)"
 * for its other shape. */
struct noise_words_text {
    char text[STAR_NOISE_TERM_SIZE + STAR_NOISE_WORD_SIZE];
};
struct noise_words_text noise_words_term(const char *term);

/* "days" for d, else the unit itself. */
const char *noise_words_unit(const struct star_noise_parameter *parameter);

/* All terms and indicators in one clause: "rotation (amplitude 3.4 ± 0.6 m/s, ...) and ...". */
void noise_words_all(const struct star_result *star, char text[NOISE_WORDS_SIZE]);
/* "the velocities follow FWHM: 1.9 ± 0.3 m/s per standard deviation". */
void noise_words_indicator(const struct star_result *star, size_t index,
                           char text[NOISE_WORDS_SIZE]);

/* "the velocities are ahead of FWHM by 2.1 ± 0.3 days"; "" where indicators are no series. */
void noise_words_series(const struct star_result *star, char text[NOISE_WORDS_SIZE]);

/* An indicator that was tried, "fwhm averaged over 100 days of HARPS". */
void noise_words_tried(const struct star_result *star, size_t index, char text[NOISE_WORDS_SIZE]);

#endif
