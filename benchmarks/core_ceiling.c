/* What a machine gives to threads that share nothing at all: multiply-adds in registers, no
 * memory, no scheduler of ours. No program scales better than this, so it is the measure for the
 * figures of `equant bench --scaling`. Built and run by benchmarks/check-scaling.
 *
 * Two loops. `many` keeps sixteen independent chains going and so fills the ports: two processors
 * that share a core get half each. `one` is a single chain, bound by the latency of one
 * multiply-add: it hardly feels a neighbour on its core, and shows the clock alone. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define VECTOR_BYTES 64
enum { MOST = 256, CHAINS = 16, ROUNDS = 7, STEPS = 4000000 };
typedef double vector __attribute__((vector_size(VECTOR_BYTES)));

typedef struct {
    int cpu, chains;
    double start, end, value;
    pthread_barrier_t *barrier;
} job;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double many(long steps)
{
    vector sum[CHAINS], a = {0}, b = {0};
    a += 0.999999, b += 1e-6;
    for (int i = 0; i < CHAINS; i++)
        sum[i] = a * (double)i;
    for (long n = 0; n < steps; n++)
        for (int i = 0; i < CHAINS; i++)
            sum[i] = sum[i] * a + b;
    double total = 0.0;
    for (int i = 0; i < CHAINS; i++)
        total += sum[i][0];
    return total;
}

static double one(long steps)
{
    vector sum = {0}, a = {0}, b = {0};
    a += 0.999999, b += 1e-6;
    for (long n = 0; n < steps; n++)
        sum = sum * a + b;
    return sum[0];
}

static void *work(void *argument)
{
    job *j = argument;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(j->cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
    j->value = one(100000);
    pthread_barrier_wait(j->barrier);
    j->start = now();
    j->value += j->chains > 1 ? many(STEPS) : one(4 * STEPS);
    j->end = now();
    return NULL;
}

/* Seconds until the last of n threads has done the same work, fastest of some rounds. */
static double seconds(const int *cpus, int n, int chains)
{
    double best = 1e30;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t threads[MOST];
        job jobs[MOST];
        pthread_barrier_t barrier;
        pthread_barrier_init(&barrier, NULL, (unsigned)n);
        for (int i = 0; i < n; i++) {
            jobs[i] = (job){.cpu = cpus[i], .chains = chains, .barrier = &barrier};
            if (pthread_create(&threads[i], NULL, work, &jobs[i]) != 0) {
                fprintf(stderr, "core_ceiling: no thread to be had\n");
                exit(1);
            }
        }
        double first = 1e30, last = 0.0;
        for (int i = 0; i < n; i++) {
            pthread_join(threads[i], NULL);
            first = jobs[i].start < first ? jobs[i].start : first;
            last = jobs[i].end > last ? jobs[i].end : last;
        }
        pthread_barrier_destroy(&barrier);
        best = last - first < best ? last - first : best;
    }
    return best;
}

int main(void)
{
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    int cpus[MOST], n = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE && n < MOST; cpu++)
        if (CPU_ISSET(cpu, &allowed))
            cpus[n++] = cpu;

    double alone_many = seconds(cpus, 1, CHAINS), alone_one = seconds(cpus, 1, 1);
    printf("processor %d with another: share of its speed alone that each keeps\n", cpus[0]);
    printf("%9s %12s %12s\n", "other", "many chains", "one chain");
    for (int i = 1; i < n; i++) {
        int pair[2] = {cpus[0], cpus[i]};
        printf("%9d %10.0f %% %10.0f %%\n", cpus[i], 100.0 * alone_many / seconds(pair, 2, CHAINS),
               100.0 * alone_one / seconds(pair, 2, 1));
    }
    printf("\nn processors at once: share of the speed alone that each keeps\n");
    printf("%9s %12s %12s\n", "n", "many chains", "one chain");
    for (int count = 2; count / 2 < n; count *= 2) {
        int used = count < n ? count : n;
        printf("%9d %10.0f %% %10.0f %%\n", used, 100.0 * alone_many / seconds(cpus, used, CHAINS),
               100.0 * alone_one / seconds(cpus, used, 1));
        if (used == n)
            break;
    }
    return 0;
}
