/* An orbit in coordinates in which what was said of it is simple: a value that is fixed is a
 * coordinate that does not move, a transit that is known is one that hardly does.
 *
 *   ln P
 *   K
 *   e cos omega, e sin omega; or e, omega where one of them is fixed, or omega has a prior
 *   the mean longitude; or M0; or days from the time that was given to the event of that kind,
 *   a conjunction or a pericentre, which is next to it
 *
 * A basis may ask for P, ln K, sqrt e cos omega and its sine, and for another phase where nothing
 * is said of one. */
#ifndef EQUANT_INFERENCE_PRIORS_STATED_ORBIT_H
#define EQUANT_INFERENCE_PRIORS_STATED_ORBIT_H

#include "inference/priors/basis_words.h"
#include "inference/priors/state_list.h"
#include "model/orbit_elements.h"
#include "statistics/orbit_basis.h"

enum { STATED_LN_PERIOD, STATED_K, STATED_SHAPE, STATED_SHAPE_TOO, STATED_PHASE, N_STATED };

typedef struct stated_orbit {
    char letter;
    bool is_polar; /* the shape is e, omega                                          */
    bool has_roots, has_linear_period, has_log_k; /* as a basis asks                 */
    bool has_said_phase;
    basis_phase phase;
    double anchor_days; /* of events: the time that was given, from the reference time    */
    bool is_free[N_STATED];
    double lower[N_STATED], upper[N_STATED];
    double fixed[N_STATED];    /* of those that are not free                       */
    double least_e, largest_e; /* bounds of the eccentricity                       */
} stated_orbit;

/* An amplitude of less is none, to fits: it has a logarithm. */
#define STATED_LEAST_K 1e-7
#define STATED_LARGEST_E 0.97
/* The least eccentricity from which an optimisation begins in coordinates that stand still on a
 * circle. */
#define STATED_OFF_CIRCLE 1e-3

/* What the states say of the planet with this letter. */
stated_orbit stated_orbit_of(const equant_states *states, char letter, double reference_time_days);

/* The same in the coordinates of a basis, but for what states need. */
void stated_orbit_take_basis(stated_orbit *own, const basis_words *basis);

/* Elements from coordinates, M0 at the reference time and not wrapped; and back, with all that is
 * fixed at its value and the rest within its bounds. */
void stated_orbit_elements(const stated_orbit *own, const double at[N_STATED],
                           double elements[N_ELEMENTS]);
void stated_orbit_coordinates(const stated_orbit *own, const double elements[N_ELEMENTS],
                              double at[N_STATED]);

/* Brings coordinates back into their bounds. */
void stated_orbit_bound(const stated_orbit *own, double at[N_STATED]);

/* The derivatives of EQUANT_BASIS_REGULAR by them: slope[i][j] of regular i by coordinate j. */
void stated_orbit_slopes(const stated_orbit *own, const double at[N_STATED],
                         double slope[N_ELEMENTS][N_STATED]);

/* How far a coordinate moves for a difference, and at most in one step of an optimisation over data
 * of this span. */
double stated_orbit_small_step(const stated_orbit *own, const double at[N_STATED],
                               size_t coordinate);
double stated_orbit_long_step(const stated_orbit *own, const double at[N_STATED], size_t coordinate,
                              double span_days);

#endif
