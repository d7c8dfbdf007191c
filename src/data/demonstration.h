/* The embedded data set, for showing equant without a file at hand. */
#ifndef EQUANT_DATA_DEMONSTRATION_H
#define EQUANT_DATA_DEMONSTRATION_H

typedef struct demonstration_row {
    double time_jd;
    double velocity_m_s;
    double uncertainty_m_s;
    char telescope;
} demonstration_row;

enum { DEMONSTRATION_N_ROWS = 401 };

extern const demonstration_row demonstration_hd164922[DEMONSTRATION_N_ROWS];

#endif
