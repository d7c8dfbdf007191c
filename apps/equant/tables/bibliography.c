#include "tables/bibliography.h"

#include <string.h>

#include "stars/posterior_result.h"

enum need {
    ALWAYS,
    OF_NOISE,      /* terms of correlated noise         */
    OF_SERIES,     /* indicators as series of a process */
    OF_RUN,        /* draws                             */
    OF_FORD_PRIOR, /* default priors of runs            */
    OF_KIPPING,    /* its priors of eccentricity        */
    OF_STAR,       /* nominal solar values              */
    OF_DEMO
};

static const struct reference {
    enum need need;
    const char *entry;
} references[] = {
    {ALWAYS, "@article{Ford2009,\n"
             "  author  = {{Ford}, Eric B.},\n"
             "  title   = {Parallel algorithm for solving Kepler's equation on Graphics Processing "
             "Units: Application to analysis of Doppler exoplanet searches},\n"
             "  journal = {New Astronomy},\n"
             "  year    = {2009},\n"
             "  volume  = {14},\n"
             "  pages   = {406--412},\n"
             "  eprint  = {0812.2976},\n"
             "  archivePrefix = {arXiv}\n"
             "}\n"},
    {OF_NOISE, "@article{ForemanMackey2017,\n"
               "  author  = {{Foreman-Mackey}, Daniel and {Agol}, Eric and {Ambikasaran}, "
               "Sivaram and {Angus}, Ruth},\n"
               "  title   = {Fast and Scalable Gaussian Process Modeling with Applications to "
               "Astronomical Time Series},\n"
               "  journal = {The Astronomical Journal},\n"
               "  year    = {2017},\n"
               "  volume  = {154},\n"
               "  pages   = {220}\n"
               "}\n"},
    {OF_SERIES, "@article{Rajpaul2015,\n"
                "  author  = {{Rajpaul}, V. and {Aigrain}, S. and {Osborne}, M. A. and {Reece}, S. "
                "and {Roberts}, S.},\n"
                "  title   = {A Gaussian process framework for modelling stellar activity signals "
                "in radial velocity data},\n"
                "  journal = {Monthly Notices of the Royal Astronomical Society},\n"
                "  year    = {2015},\n"
                "  volume  = {452},\n"
                "  pages   = {2269--2291}\n"
                "}\n"},
    {OF_RUN, "@article{terBraak2006,\n"
             "  author  = {{ter Braak}, Cajo J. F.},\n"
             "  title   = {A {M}arkov {C}hain {M}onte {C}arlo version of the genetic algorithm "
             "Differential Evolution: easy {B}ayesian computing for real parameter spaces},\n"
             "  journal = {Statistics and Computing},\n"
             "  year    = {2006},\n"
             "  volume  = {16},\n"
             "  pages   = {239--249}\n"
             "}\n"},
    {OF_RUN, "@article{Vehtari2021,\n"
             "  author  = {{Vehtari}, Aki and {Gelman}, Andrew and {Simpson}, Daniel and "
             "{Carpenter}, Bob and {B{\\\"u}rkner}, Paul-Christian},\n"
             "  title   = {Rank-Normalization, Folding, and Localization: An Improved "
             "{$\\widehat{R}$} for Assessing Convergence of {MCMC}},\n"
             "  journal = {Bayesian Analysis},\n"
             "  year    = {2021},\n"
             "  volume  = {16},\n"
             "  pages   = {667--718}\n"
             "}\n"},
    {OF_FORD_PRIOR, "@inproceedings{FordGregory2007,\n"
                    "  author    = {{Ford}, E. B. and {Gregory}, P. C.},\n"
                    "  title     = {Bayesian Model Selection and Extrasolar Planet Detection},\n"
                    "  booktitle = {Statistical Challenges in Modern Astronomy IV},\n"
                    "  series    = {Astronomical Society of the Pacific Conference Series},\n"
                    "  year      = {2007},\n"
                    "  volume    = {371},\n"
                    "  pages     = {189},\n"
                    "  eprint    = {astro-ph/0608328},\n"
                    "  archivePrefix = {arXiv}\n"
                    "}\n"},
    {OF_KIPPING, "@article{Kipping2013,\n"
                 "  author  = {{Kipping}, David M.},\n"
                 "  title   = {Parametrizing the exoplanet eccentricity distribution with the beta "
                 "distribution},\n"
                 "  journal = {Monthly Notices of the Royal Astronomical Society Letters},\n"
                 "  year    = {2013},\n"
                 "  volume  = {434},\n"
                 "  pages   = {L51--L55}\n"
                 "}\n"},
    {OF_STAR, "@article{Prsa2016,\n"
              "  author  = {{Pr{\\v{s}}a}, Andrej and others},\n"
              "  title   = {Nominal Values for Selected Solar and Planetary Quantities: {IAU} 2015 "
              "Resolution {B3}},\n"
              "  journal = {The Astronomical Journal},\n"
              "  year    = {2016},\n"
              "  volume  = {152},\n"
              "  pages   = {41}\n"
              "}\n"},
    {OF_DEMO, "@article{Fulton2016,\n"
              "  author  = {{Fulton}, Benjamin J. and others},\n"
              "  title   = {Three Temperate {N}eptunes Orbiting Nearby Stars},\n"
              "  journal = {The Astrophysical Journal},\n"
              "  year    = {2016},\n"
              "  volume  = {830},\n"
              "  pages   = {46}\n"
              "}\n"},
};

/* Whether a prior of the run is of that kind. */
static bool has_prior(const equant_posterior *posterior, const char *kind)
{
    for (size_t i = 0; posterior != NULL && i < equant_posterior_n_provenance(posterior); i++)
        if (strncmp(equant_posterior_provenance_name(posterior, i), "prior_", 6) == 0 &&
            strncmp(equant_posterior_provenance_text(posterior, i), kind, strlen(kind)) == 0)
            return true;
    return false;
}

static bool is_demonstration(const equant_dataset *dataset)
{
    equant_dataset *own = NULL;
    size_t n = equant_dataset_n_obs(dataset);
    bool is_same = equant_dataset_demonstration(&own) == EQUANT_SUCCESS &&
                   equant_dataset_n_obs(own) == n &&
                   memcmp(equant_dataset_velocities_m_s(own),
                          equant_dataset_velocities_m_s(dataset), n * sizeof(double)) == 0;
    equant_dataset_free(own);
    return is_same;
}

static bool is_needed(enum need need, const struct paper_source *source)
{
    const struct star_result *star = paper_source_star(source);
    switch (need) {
    case ALWAYS:
        return true;
    case OF_NOISE:
        return star->noise.n_parameters > 0;
    case OF_SERIES:
        return star->noise.has_series;
    case OF_RUN:
        return source->posterior != NULL;
    case OF_FORD_PRIOR:
        return has_prior(source->posterior, "ford-gregory");
    case OF_KIPPING:
        return has_prior(source->posterior, "beta(0.867");
    case OF_STAR:
        return source->host.mass > 0.0;
    case OF_DEMO:
        return is_demonstration(star->dataset);
    }
    return false;
}

void bibliography_write(FILE *stream, const struct paper_source *source)
{
    fprintf(stream,
            "@software{equant,\n"
            "  author  = {{The equant developers}},\n"
            "  title   = {equant: which orbits explain these radial velocities?},\n"
            "  version = {%s}\n"
            "}\n",
            equant_version());
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++)
        if (is_needed(references[i].need, source))
            fprintf(stream, "\n%s", references[i].entry);
}
