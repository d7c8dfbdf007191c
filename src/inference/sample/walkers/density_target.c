#include "inference/sample/walkers/density_target.h"

static double prepare(const void *context, const double *coordinates, double *parameters)
{
    return posterior_density_prepare(context, coordinates, parameters);
}

static equant_status evaluate(void *context, size_t n_sets, const double *parameters,
                              double *log_likelihood)
{
    return posterior_density_log_likelihood(context, n_sets, parameters, log_likelihood);
}

static void draw(const void *context, uint64_t seed, uint64_t index, double *coordinates)
{
    posterior_density_draw(context, seed, index, coordinates);
}

sampler_target density_target(posterior_density *p)
{
    return (sampler_target){.n_coordinates = posterior_density_n_coordinates(p),
                            .n_parameters = posterior_density_n_parameters(p),
                            .is_angle = posterior_density_is_angle(p),
                            .subset = posterior_density_subset(p),
                            .context = p,
                            .prepare = prepare,
                            .evaluate = evaluate,
                            .draw = draw,
                            .evaluator = posterior_density_evaluator(p),
                            .map = posterior_density_map(p)};
}
