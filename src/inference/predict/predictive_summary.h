/* What a mixture of draws says of one time: intervals, maxima, what an observation would tell. */
#ifndef EQUANT_INFERENCE_PREDICT_PREDICTIVE_SUMMARY_H
#define EQUANT_INFERENCE_PREDICT_PREDICTIVE_SUMMARY_H

#include "inference/predict/mixture.h"

enum { PREDICTIVE_USUAL_DRAWS = 2000, PREDICTIVE_MOST_MODES = 4 };

typedef struct predictive_summary {
    double mean, deviation;
    double low_95, low_68, median, high_68, high_95;
    double entropy;
    double information; /* of an observation: components are its noise */
    size_t n_modes;
    mixture_mode modes[PREDICTIVE_MOST_MODES];
} predictive_summary;

/* Of the mixture that was described last. */
predictive_summary predictive_summary_of(const mixture_facts *facts, const mixture_grid *grid);

/* A variance for each component where nothing but draws spreads: a little smoothing. */
double predictive_summary_smoothing(size_t n, const double *means);

#endif
