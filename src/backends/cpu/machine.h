/* Defines the backend cpu/MACHINE from its four tables of kernels. Included once per
 * machine by machines.c, after MACHINE is defined. */
#define MACHINE_JOIN_(a, b) a##b
#define MACHINE_JOIN(a, b) MACHINE_JOIN_(a, b)
#define MACHINE_NAME(suffix) MACHINE_JOIN(MACHINE_JOIN(MACHINE, _), suffix)
#define MACHINE_KERNELS(precision) MACHINE_JOIN(cpu_kernels_, MACHINE_NAME(precision))

extern const cpu_kernels MACHINE_KERNELS(double), MACHINE_KERNELS(mixed), MACHINE_KERNELS(single),
    MACHINE_KERNELS(pair);

/* In the order of equant_precision. */
static const cpu_kernels *const MACHINE_NAME(kernels)[4] = {
    &MACHINE_KERNELS(double), &MACHINE_KERNELS(mixed), &MACHINE_KERNELS(single),
    &MACHINE_KERNELS(pair)};

static equant_status MACHINE_NAME(create)(const backend_problem *problem,
                                          const backend_engine *engine, void **state)
{
    return cpu_create(MACHINE_NAME(kernels), problem, engine, state);
}

static equant_status MACHINE_NAME(solve)(const backend_engine *engine, size_t n, const double *M,
                                         const double *e, double *E, double *sine, double *cosine)
{
    return cpu_solve(MACHINE_NAME(kernels), engine, n, M, e, E, sine, cosine);
}

static equant_status MACHINE_NAME(scan_create)(const backend_engine *engine,
                                               const backend_scan *scan, void **state)
{
    return cpu_scan_create(MACHINE_NAME(kernels), engine, scan, state);
}

static const backend_scans MACHINE_NAME(scans) = {
    .create = MACHINE_NAME(scan_create),
    .destroy = cpu_scan_destroy,
    .run = cpu_scan_run,
};

static equant_status MACHINE_NAME(sky_create)(const backend_engine *engine, size_t n_layers,
                                              const sky_scan_layer *layers, void **state)
{
    return cpu_sky_create(MACHINE_NAME(kernels), engine, n_layers, layers, state);
}

static const backend_sky_scans MACHINE_NAME(sky_scans) = {
    .create = MACHINE_NAME(sky_create),
    .destroy = cpu_sky_destroy,
    .bins = cpu_sky_bins,
};

extern const cpu_nbody_kernels MACHINE_JOIN(cpu_nbody_, MACHINE);

static equant_status MACHINE_NAME(nbody_integrate)(const backend_engine *engine,
                                                   const backend_nbody_plan *plan, size_t n_systems,
                                                   const double *systems, double *velocities_m_s,
                                                   double *states, int *ends)
{
    return cpu_nbody_integrate(&MACHINE_JOIN(cpu_nbody_, MACHINE), engine, plan, n_systems, systems,
                               velocities_m_s, states, ends);
}

static equant_status
MACHINE_NAME(nbody_differentiate)(const backend_engine *engine, const backend_nbody_plan *plan,
                                  size_t n_systems, const double *systems, size_t n_directions,
                                  const double *directions, double *velocities_m_s,
                                  double *jacobian, int *ends)
{
    return cpu_nbody_differentiate(&MACHINE_JOIN(cpu_nbody_, MACHINE), engine, plan, n_systems,
                                   systems, n_directions, directions, velocities_m_s, jacobian,
                                   ends);
}

static const backend_nbody MACHINE_NAME(nbody) = {
    .integrate = MACHINE_NAME(nbody_integrate),
    .differentiate = MACHINE_NAME(nbody_differentiate),
};

extern const backend MACHINE_NAME(backend);
const backend MACHINE_NAME(backend) = {
    .name = MACHINE_BACKEND_NAME,
    .description = MACHINE_DESCRIPTION,
    .available = MACHINE_NAME(available),
    .create = MACHINE_NAME(create),
    .destroy = cpu_destroy,
    .evaluate = cpu_evaluate,
    .differentiate = cpu_differentiate,
    .solve = MACHINE_NAME(solve),
    .scans = &MACHINE_NAME(scans),
    .sky_scans = &MACHINE_NAME(sky_scans),
    .nbody = &MACHINE_NAME(nbody),
};

#undef MACHINE
#undef MACHINE_BACKEND_NAME
#undef MACHINE_DESCRIPTION
#undef MACHINE_JOIN_
#undef MACHINE_JOIN
#undef MACHINE_NAME
#undef MACHINE_KERNELS
