/* Numbers of the circle, for everything but the physics, which includes nothing of ours and has
 * them in its own precisions (physics/mean_anomaly.h). */
#ifndef EQUANT_MODEL_CIRCLE_H
#define EQUANT_MODEL_CIRCLE_H

#define PI 3.14159265358979323846
#define HALF_PI 1.57079632679489661923
#define TWO_PI 6.28318530717958647693
#define LOG_TWO_PI 1.83787706640934548356

#endif
