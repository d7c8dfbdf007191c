#include "inference/priors/basis_words.h"

#include <math.h>
#include <string.h>

#include "core/status_fail.h"
#include "equant.h"
#include "model/orbit_elements.h"
#include "model/quantity_catalogue.h"

typedef enum basis_part { PART_PERIOD, PART_K, PART_SHAPE, PART_PHASE, N_PARTS } basis_part;

static const struct {
    const char *word;
    basis_part part;
    int value;
} words_of_basis[] = {{"logper", PART_PERIOD, 0},
                      {"per", PART_PERIOD, 1},
                      {"logk", PART_K, 0},
                      {"k", PART_K, 1},
                      {"secosw", PART_SHAPE, SHAPE_ROOTS},
                      {"sesinw", PART_SHAPE, SHAPE_ROOTS},
                      {"ecosw", PART_SHAPE, SHAPE_PAIR},
                      {"esinw", PART_SHAPE, SHAPE_PAIR},
                      {"e", PART_SHAPE, SHAPE_POLAR},
                      {"w", PART_SHAPE, SHAPE_POLAR},
                      {"lambda", PART_PHASE, PHASE_LONGITUDE},
                      {"m0", PART_PHASE, PHASE_M0},
                      {"tc", PART_PHASE, PHASE_CONJUNCTION},
                      {"tp", PART_PHASE, PHASE_PERICENTRE}};

/* Reads "per tc secosw sesinw k"; parts that no word names stay -1. */
static equant_status read_words(const char *words, int parts[N_PARTS])
{
    for (const char *at = words ? words : ""; *at != '\0';) {
        size_t n = strcspn(at, " ,"), i = 0;
        for (; i < sizeof words_of_basis / sizeof *words_of_basis; i++)
            if (strlen(words_of_basis[i].word) == n && strncmp(at, words_of_basis[i].word, n) == 0)
                break;
        if (n > 0 && i == sizeof words_of_basis / sizeof *words_of_basis)
            return status_fail(
                EQUANT_ERROR_INVALID_ARGUMENT,
                "a basis has no word '%.*s': there are logper, per, logk, k, secosw, "
                "sesinw, ecosw, esinw, e, w, lambda, m0, tc and tp",
                (int)(n < 40 ? n : 40), at);
        if (n > 0) {
            int *part = &parts[words_of_basis[i].part];
            if (*part >= 0 && *part != words_of_basis[i].value)
                return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                                   "the basis '%.80s' says the same thing twice, the second time "
                                   "by '%s'",
                                   words, words_of_basis[i].word);
            *part = words_of_basis[i].value;
        }
        at += n + (at[n] != '\0');
    }
    return EQUANT_SUCCESS;
}

equant_status basis_words_read(const char *text, basis_words *made)
{
    int parts[N_PARTS] = {-1, -1, -1, -1};
    equant_status status = read_words(text, parts);
    *made = (basis_words){.has_period = parts[PART_PERIOD] >= 0,
                          .has_linear_period = parts[PART_PERIOD] == 1,
                          .has_k = parts[PART_K] >= 0,
                          .has_linear_k = parts[PART_K] == 1,
                          .has_shape = parts[PART_SHAPE] >= 0,
                          .has_phase = parts[PART_PHASE] >= 0};
    if (made->has_shape)
        made->shape = (basis_shape)parts[PART_SHAPE];
    if (made->has_phase)
        made->phase = (basis_phase)parts[PART_PHASE];
    return status;
}

/* ---- an orbit in them --------------------------------------------------------------------------
 */

enum { WORD_PERIOD, WORD_K, WORD_SHAPE, WORD_SHAPE_TOO, WORD_PHASE };

/* What no word is about is as fits like it. */
static equant_status read_whole(const char *text, basis_words *made)
{
    equant_status status = basis_words_read(text, made);
    made->has_linear_k = made->has_linear_k || !made->has_k;
    made->shape = made->has_shape ? made->shape : SHAPE_PAIR;
    made->phase = made->has_phase ? made->phase : PHASE_LONGITUDE;
    return status;
}

const char *equant_basis_word(const char *basis, size_t index)
{
    static const char *const shapes[][2] = {[SHAPE_ROOTS] = {"secosw", "sesinw"},
                                            [SHAPE_PAIR] = {"ecosw", "esinw"},
                                            [SHAPE_POLAR] = {"e", "w"}};
    static const char *const phases[] = {[PHASE_LONGITUDE] = "lambda",
                                         [PHASE_M0] = "m0",
                                         [PHASE_CONJUNCTION] = "tc",
                                         [PHASE_SUPERIOR] = "ts",
                                         [PHASE_PERICENTRE] = "tp"};
    basis_words words;
    if (read_whole(basis, &words) != EQUANT_SUCCESS)
        return NULL;
    switch (index) {
    case WORD_PERIOD:
        return words.has_linear_period ? "per" : "logper";
    case WORD_K:
        return words.has_linear_k ? "k" : "logk";
    case WORD_SHAPE:
    case WORD_SHAPE_TOO:
        return shapes[words.shape][index - WORD_SHAPE];
    case WORD_PHASE:
        return phases[words.phase];
    default:
        return NULL;
    }
}

static void coordinates_of(const basis_words *words, double reference_time_days,
                           const double elements[N_ELEMENTS], double values[N_ELEMENTS])
{
    double period = elements[ELEMENT_PERIOD], e = elements[ELEMENT_ECCENTRICITY],
           omega = elements[ELEMENT_OMEGA], m0 = elements[ELEMENT_M0];
    values[WORD_PERIOD] = words->has_linear_period ? period : log(period);
    values[WORD_K] = words->has_linear_k ? elements[ELEMENT_K] : log(elements[ELEMENT_K]);
    orbit_basis_shape_coordinates(words->shape, e, omega, values + WORD_SHAPE);
    if (words->shape == SHAPE_POLAR)
        values[WORD_SHAPE_TOO] = orbit_nearest_turn(omega);
    if (orbit_basis_has_event(words->phase)) {
        double away = orbit_basis_event_anomaly(words->phase, e, omega) - m0;
        values[WORD_PHASE] = reference_time_days + orbit_nearest_turn(away) / TWO_PI * period;
    } else {
        values[WORD_PHASE] = orbit_nearest_turn(words->phase == PHASE_M0 ? m0 : m0 + omega);
    }
}

/* How coordinate i moves with an element: events and angles by the shortest way. */
static void slope_of(const basis_words *words, const double elements[N_ELEMENTS], size_t element,
                     double slopes[N_ELEMENTS])
{
    static const double steps[N_ELEMENTS] = {1e-6, 1e-5, 1e-6, 1e-6, 1e-6};
    double step = steps[element], moved[N_ELEMENTS], high[N_ELEMENTS], low[N_ELEMENTS];
    if (element == ELEMENT_PERIOD || element == ELEMENT_K)
        step *= elements[element];
    double back = element == ELEMENT_ECCENTRICITY ? fmin(step, elements[element]) : step;
    memcpy(moved, elements, sizeof moved);
    moved[element] = elements[element] + step;
    coordinates_of(words, 0.0, moved, high);
    moved[element] = elements[element] - back;
    coordinates_of(words, 0.0, moved, low);
    bool is_event = orbit_basis_has_event(words->phase);
    double turn = is_event ? elements[ELEMENT_PERIOD] : TWO_PI;
    for (size_t i = 0; i < N_ELEMENTS; i++)
        slopes[i] = (high[i] - low[i]) / (step + back);
    double away = high[WORD_PHASE] - low[WORD_PHASE];
    slopes[WORD_PHASE] = (away - turn * floor(away / turn + 0.5)) / (step + back);
    if (words->shape == SHAPE_POLAR)
        slopes[WORD_SHAPE_TOO] =
            orbit_nearest_turn(high[WORD_SHAPE_TOO] - low[WORD_SHAPE_TOO]) / (step + back);
}

equant_status equant_orbit_coordinates(const char *basis, double reference_time_days,
                                       const double elements[EQUANT_N_ELEMENTS],
                                       const double *covariance, double values[EQUANT_N_ELEMENTS],
                                       double errors[EQUANT_N_ELEMENTS])
{
    basis_words words;
    double slopes[N_ELEMENTS][N_ELEMENTS]; /* [element][coordinate] */
    if (!elements || !values || (covariance && !errors))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "coordinates need elements and a place to put them");
    equant_status status = read_whole(basis, &words);
    if (status != EQUANT_SUCCESS)
        return status;
    if (!(elements[ELEMENT_PERIOD] > 0.0) || !(elements[ELEMENT_ECCENTRICITY] >= 0.0) ||
        !(elements[ELEMENT_ECCENTRICITY] < 1.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "an orbit has a period above zero and an eccentricity from 0 to 1");
    coordinates_of(&words, reference_time_days, elements, values);
    for (size_t j = 0; j < N_ELEMENTS && covariance; j++)
        slope_of(&words, elements, j, slopes[j]);
    for (size_t i = 0; i < N_ELEMENTS && covariance; i++) {
        double sum = 0.0;
        for (size_t a = 0; a < N_ELEMENTS; a++)
            for (size_t b = 0; b < N_ELEMENTS; b++)
                sum += slopes[a][i] * covariance[a * N_ELEMENTS + b] * slopes[b][i];
        errors[i] = sqrt(fmax(sum, 0.0));
    }
    return EQUANT_SUCCESS;
}
