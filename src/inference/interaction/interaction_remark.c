#include "inference/interaction/interaction_remark.h"

#include <math.h>
#include <stdio.h>

#include "inference/interaction/interaction_doubt.h"
#include "inference/likelihood/remarks.h"

/* By so many errors eccentricities are taken smaller. */
#define ERRORS_ROUNDER 2.0

/* The same of orbits that are rounder by some errors. */
static equant_status find_of_round(study *star, const solution *best, double star_mass,
                                   const double *eccentricity_err, interaction_doubt *found)
{
    solution round = {.set = NULL};
    equant_status status = solution_create(star, &round);
    if (status == EQUANT_SUCCESS) {
        solution_copy(star, best, &round);
        for (size_t p = 0; p < round.n_planets; p++) {
            double *e = &round.set[N_ELEMENTS * p + ELEMENT_ECCENTRICITY];
            if (eccentricity_err[p] > 0.0)
                *e = fmax(0.0, *e - ERRORS_ROUNDER * eccentricity_err[p]);
        }
        status = interaction_doubt_find(star, &round, star_mass, found);
    }
    solution_free(&round);
    return status;
}

equant_status interaction_remark(study *star, const solution *best, double star_mass,
                                 const double *eccentricity_err, remarks *into)
{
    interaction_doubt doubt;
    equant_status status =
        find_of_round(star, best, star_mass > 0.0 ? star_mass : 1.0, eccentricity_err, &doubt);
    if (status != EQUANT_SUCCESS || !doubt.matters)
        return status;
    const interaction_pair *pair = &doubt.pair;
    char result[120], near[40] = "";
    if (doubt.is_unstable)
        snprintf(result, sizeof result, "integrated, these orbits do not last as long as the data");
    else
        snprintf(result, sizeof result,
                 "integrated, they differ from Keplerian orbits by %schi-square %.2g",
                 doubt.chi_square > INTERACTION_CHI_SQUARE ? "" : "only ", doubt.chi_square);
    if (pair->off_resonance < INTERACTION_RESONANCE)
        snprintf(near, sizeof near, ", near %d:%d", pair->resonance[0], pair->resonance[1]);
    remarks_add(into,
                "Planets of %.4g and %.4g d attract each other: %s (%.1f mutual Hill radii%s%s).%s",
                best->set[N_ELEMENTS * pair->inner], best->set[N_ELEMENTS * pair->outer], result,
                pair->hill_radii, near, star_mass > 0.0 ? "" : "; 1 solar mass assumed",
                doubt.is_unstable || doubt.chi_square > INTERACTION_CHI_SQUARE
                    ? " Their number, periods and eccentricities are doubtful."
                    : "");
    return EQUANT_SUCCESS;
}
