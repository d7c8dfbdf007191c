/* Priors from a small YAML file. Every key may be left out:
 *
 *     set: ford-gregory              what the file does not say comes from this set
 *     every_planet:                  any of period_days, k_m_s, eccentricity, omega_rad, m0_rad
 *       eccentricity: beta(0.867, 3.03)
 *     planets:                       of planet 1, 2, ... in turn; more than the model has are
 *       - period_days: normal(4.2308, 0.0001)                             left alone
 *       - period_days: log-uniform(10, 1000)
 *     every_instrument:              any of offset_m_s, jitter_m_s
 *       jitter_m_s: uniform(0, 20)
 *     instruments:
 *       - name: HARPS                as the data set calls it
 *         offset_m_s: normal(0, 5)
 *     trend_m_s_day: normal(0, 0.1)
 *     trend_m_s_day2: fixed(0)
 *     noise:                         of parameters of noise terms
 *       - parameter: mep_period_days
 *         prior: log-uniform(20, 30)
 *
 * A value is a text for prior_text_read. What names single planets or instruments wins over what
 * names all of them. Terms of a trend and of noise that the model lacks are left alone. */
#ifndef EQUANT_INFERENCE_SAMPLE_TARGET_PRIORS_FILE_H
#define EQUANT_INFERENCE_SAMPLE_TARGET_PRIORS_FILE_H

#include "inference/sample/target/model_priors.h"

/* As priors_create, with the changes of the file. The set that the file names wins over that of
 * the options. Errors name file and line. A library built without libyaml answers
 * EQUANT_ERROR_UNAVAILABLE. */
equant_status priors_file_read(const char *path, const priors_options *options, priors **made);

#endif
