/* Plugins that misbehave; MODE says how. See faults.rs for what is expected of the host. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "trellis.h"

#define IS(mode) (strcmp(MODE, mode) == 0)

/* The compiler must not know that it is null, or it drops the crash. */
static volatile uintptr_t nowhere = 0;

static void crash(void) { *(volatile int *)nowhere = 1; }

static void report(const TrellisHost *host, uint32_t verdict, const uint32_t *words, size_t n)
{
    TrellisWords w = {words, n};
    TrellisStr none = {NULL, 0};
    host->report(host->context, verdict, w, none);
}

static void give_up(const TrellisHost *host)
{
    TrellisWords none = {NULL, 0};
    TrellisStr text = {(const uint8_t *)"done", 4};
    host->report(host->context, TRELLIS_VERDICT_UNKNOWN, none, text);
}

__attribute__((constructor)) static void on_load(void)
{
    if (IS("crash-on-load")) crash();
}

__attribute__((destructor)) static void on_exit_(void)
{
    if (IS("hang-on-exit"))
        for (;;) pause();
}

static void eat(void)
{
    for (;;) {
        char *block = malloc(1 << 20);
        if (block) memset(block, 1, 1 << 20);
    }
}

static void garbage(void)
{
    static const char text[] = "this is not a message at all, but quite a long one";
    for (int fd = 3; fd < 64; fd++)
        if (write(fd, text, sizeof text) < 0) continue;
}

static void offspring(void)
{
    pid_t child = fork();
    if (child == 0) {
        signal(SIGTERM, SIG_IGN);
        for (;;) pause();
    }
    fprintf(stderr, "offspring %d\n", (int)child);
}

/* Leaves the process group and loses its parent. */
static void daemon_(void)
{
    if (fork() == 0) {
        setsid();
        if (fork() != 0) _exit(0);
        signal(SIGTERM, SIG_IGN);
        fprintf(stderr, "offspring %d\n", (int)getpid());
        for (;;) pause();
    }
}

static int32_t run(const TrellisTask *task, const TrellisHost *host)
{
    static const uint32_t lie_safe[] = {0, 0, 0};
    static const uint32_t lie_unwound[] = {1};
    /* No initial values, no inputs, the first edge that can be taken everywhere. */
    static const uint32_t lie_script[] = {0, 0, 0, 0, 0};
    /* No initial values, one step through edge 0 without decisions. */
    static const uint32_t lie_trace[] = {0, 1, 0, 0, 0};
    static const uint32_t no_trace[] = {0, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    (void)task;
    if (IS("segfault")) crash();
    if (IS("abort")) abort();
    if (IS("spin"))
        for (;;) __asm__ volatile("");
    if (IS("deaf")) {
        signal(SIGTERM, SIG_IGN), signal(SIGINT, SIG_IGN);
        for (;;) pause();
    }
    if (IS("eat")) eat();
    if (IS("garbage")) garbage(), pause();
    if (IS("lie-safe")) return report(host, TRELLIS_VERDICT_SAFE, lie_safe, 3), 0;
    if (IS("lie-script")) return report(host, TRELLIS_VERDICT_SCRIPTED, lie_script, 5), 0;
    if (IS("lie-unwound")) return report(host, TRELLIS_VERDICT_UNWOUND, lie_unwound, 1), 0;
    if (IS("lie-trace")) return report(host, TRELLIS_VERDICT_UNSAFE, lie_trace, 5), 0;
    if (IS("malformed")) return report(host, TRELLIS_VERDICT_UNSAFE, no_trace, 11), 0;
    if (IS("exit")) exit(0);
    if (IS("no-verdict")) return 0;
    if (IS("status")) return -7;
    if (IS("print")) printf("a plugin that prints\n"), fflush(stdout), give_up(host);
    if (IS("flood")) {
        for (int i = 0; i < 100000; i++) printf("a plugin that prints line %d\n", i);
        fflush(stdout), give_up(host);
    }
    if (IS("offspring")) offspring(), give_up(host);
    if (IS("daemon")) {
        daemon_();
        for (;;) pause();
    }
    if (IS("offspring-deaf")) {
        offspring();
        TrellisStr text = {(const uint8_t *)"ready", 5};
        host->progress(host->context, text, (uint64_t)getpid());
        for (;;) pause();
    }
    if (IS("hang-on-exit")) give_up(host);
    if (IS("twice")) give_up(host), report(host, TRELLIS_VERDICT_SAFE, lie_safe, 3);
    return 0;
}

static const TrellisEngine engine = {sizeof engine, run};
static const TrellisEngine no_engine = {sizeof no_engine, NULL};

#ifndef NO_SYMBOL
const TrellisPlugin trellis_plugin = {
    TRELLIS_BUILT_AGAINST_THIS_HEADER,
    .kind = TRELLIS_KIND_ENGINE,
    .id = "hostile",
    .version = "0",
    .description = "misbehaves",
    .licence = "MIT OR Apache-2.0",
    .options = "{\"options\":[]}",
    .engine = &engine,
    OVERRIDE
};
#endif
const void *const keep[] = {&engine, &no_engine};
