/* Barycentric coordinate time (TCB), which Gaia counts, and barycentric dynamical time (TDB), which
 * velocities and the rest of the field count. TCB runs faster by 1.550519768e-8 since 1977 January
 * 1.0 TAI (IAU 2006 resolution B3): by 20 s in 2020. The constant of that definition, 66
 * microseconds, is left out: a Julian date in double precision has steps of 40. */
#ifndef EQUANT_CORE_NUMBERS_TCB_CLOCK_H
#define EQUANT_CORE_NUMBERS_TCB_CLOCK_H

#define TCB_CLOCK_RATE 1.550519768e-8
#define TCB_CLOCK_ORIGIN_JD 2443144.5003725

/* Days that TCB is ahead of TDB; `jd` is a Julian date of either: they differ by 3e-12 days. */
static inline double tcb_clock_ahead_days(double jd)
{
    return TCB_CLOCK_RATE * (jd - TCB_CLOCK_ORIGIN_JD);
}

#endif
