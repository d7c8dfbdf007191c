/* The elements of one orbit, in the order in which they stand wherever an orbit is an array. */
#ifndef EQUANT_MODEL_ORBIT_ELEMENTS_H
#define EQUANT_MODEL_ORBIT_ELEMENTS_H

enum {
    ELEMENT_PERIOD,       /* days                                          */
    ELEMENT_K,            /* m/s: semi-amplitude of the star's velocity    */
    ELEMENT_ECCENTRICITY, /* [0, 1)                                        */
    ELEMENT_OMEGA,        /* radians: argument of pericentre of the star   */
    ELEMENT_M0,           /* radians: mean anomaly at the reference time   */
    N_ELEMENTS
};

/* Elements from this one on are angles. */
enum { FIRST_ANGLE_ELEMENT = ELEMENT_OMEGA };

#endif
