/* The threads of a study. Independent fits are shared out whole: each works on a study of its own,
 * which has the same data and one thread, so that no bit depends on how many there are. */
#ifndef EQUANT_INFERENCE_LIKELIHOOD_STUDY_CREW_H
#define EQUANT_INFERENCE_LIKELIHOOD_STUDY_CREW_H

#include "inference/likelihood/study.h"

/* Does piece `index`, with a study that is the piece's until it returns. */
typedef equant_status study_work(study *star, void *context, size_t index);

/* Does pieces 0 to n - 1, in any order; pieces may share out pieces of their own. With one thread,
 * or one piece, they are done one after the other on the star itself. Stops at a failure: that of
 * the first piece that failed is returned. */
equant_status study_crew_share(study *star, size_t n, study_work *work, void *context);

/* How many threads pieces are shared among. */
int study_crew_size(const study *star);

void study_crew_free(study_crew *crew);

#endif
