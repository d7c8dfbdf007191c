#include "inputs/planet_elements.h"

const char *const planet_elements_names[EQUANT_N_ELEMENTS] = {
    [EQUANT_ELEMENT_PERIOD] = "period_days",
    [EQUANT_ELEMENT_K] = "k_m_s",
    [EQUANT_ELEMENT_ECCENTRICITY] = "eccentricity",
    [EQUANT_ELEMENT_OMEGA] = "omega_rad",
    [EQUANT_ELEMENT_M0] = "m0_rad",
};

void planet_elements_get(const equant_planet *planet, double *elements)
{
    elements[EQUANT_ELEMENT_PERIOD] = planet->period_days;
    elements[EQUANT_ELEMENT_K] = planet->k_m_s;
    elements[EQUANT_ELEMENT_ECCENTRICITY] = planet->eccentricity;
    elements[EQUANT_ELEMENT_OMEGA] = planet->omega_rad;
    elements[EQUANT_ELEMENT_M0] = planet->m0_rad;
}
