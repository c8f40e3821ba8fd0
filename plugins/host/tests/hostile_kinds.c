/* Passes (KIND 3) and front ends (KIND 4) that misbehave; MODE says how. See kinds/mod.rs for what is expected of the host. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "trellis.h"

#define IS(mode) (strcmp(MODE, mode) == 0)

/* The compiler must not know that it is null, or it drops the crash. */
static volatile uintptr_t nowhere = 0;

static int32_t report(const TrellisHost *host, uint32_t kind, const uint32_t *words, size_t n, const char *why)
{
    TrellisWords w = {words, n};
    TrellisStr text = {(const uint8_t *)why, strlen(why)};
    return host->report(host->context, kind, w, text);
}

/* What a plugin of either kind may do wrong; whether it was that. */
static int misbehaved(const TrellisHost *host, int32_t *status)
{
    *status = 0;
    if (IS("segfault")) *(volatile int *)nowhere = 1;
    if (IS("abort")) abort();
    if (IS("exit")) exit(0);
    if (IS("spin"))
        for (;;) nowhere = 0;
    if (IS("eat"))
        for (;;) {
            char *block = malloc(1 << 20);
            if (block) memset(block, 1, 1 << 20);
        }
    if (IS("print-for-ever"))
        for (;;) puts("and on and on");
    if (IS("log-for-ever"))
        for (;;) {
            TrellisStr text = {(const uint8_t *)"and on and on", 13};
            host->log(host->context, TRELLIS_LOG_DEBUG, text);
        }
    if (IS("status")) *status = -7;
    if (IS("verdict")) *status = report(host, TRELLIS_VERDICT_SAFE, (const uint32_t[]){0, 0, 0}, 3, "");
    if (IS("refuse")) *status = report(host, TRELLIS_REPORT_REFUSED, NULL, 0, "p.counter:2:7: what is this?");
    if (IS("nonsense")) {
        static const uint32_t words[] = {7, 0xdeadbeef, 1, 2, 3, 4, 5, 6, 7, 8};
        *status = report(host, TRELLIS_REPORT_PROGRAM, words, sizeof words / sizeof *words, "");
    }
    if (IS("no-answer")) return 1;
    return IS("status") || IS("verdict") || IS("refuse") || IS("nonsense");
}

/* The words of a section; `count` may be changed. */
static uint32_t *section(uint32_t *image, uint32_t which, uint32_t **count)
{
    for (uint32_t i = 0; i < image[3]; i++) {
        uint32_t *entry = image + 4 + 3 * i;
        if (entry[0] == which) {
            *count = entry + 2;
            return image + entry[1];
        }
    }
    abort();
}

static int32_t transform(const TrellisTask *task, const TrellisHost *host)
{
    int32_t status;
    if (misbehaved(host, &status)) return status;
    if (IS("unchanged")) return report(host, TRELLIS_REPORT_UNCHANGED, NULL, 0, "");
    /* The program of the task, with some change, and a way back that says: nothing has changed. */
    static const uint32_t same[] = {TRELLIS_BACK_SAME_EDGES | TRELLIS_BACK_SAME_LOCS, 0, 0, 0, 0, 0, 0};
    size_t n = task->image.len, m = sizeof same / sizeof *same;
    uint32_t *words = malloc(4 * (1 + n + m)), *image = words + 1, *count;
    if (!words) return -1;
    words[0] = n;
    memcpy(image, task->image.data, 4 * n);
    memcpy(image + n, same, sizeof same);
    uint32_t *locs = section(image, TRELLIS_SECTION_LOCS, &count);
    if (IS("drop-errors"))
        for (uint32_t l = 0; l < *count; l++) locs[9 * l + 1] = 0;
    uint32_t *edges = section(image, TRELLIS_SECTION_EDGES, &count);
    if (IS("add-errors") && *count >= 3) edges[7 + 1] = edges[14 + 1]; /* the loop leads to the error, too */
    if (IS("drop-edges")) *count = 1;
    if (IS("same-command"))
        for (uint32_t e = 1; e < *count; e++) edges[7 * e + 3] = edges[3];
    if (IS("wrong-way-back") && *count >= 3) {
        /* The edges in another order, which the way back does not say. */
        uint32_t edge[7];
        memcpy(edge, edges + 7, sizeof edge);
        memcpy(edges + 7, edges + 14, sizeof edge);
        memcpy(edges + 14, edge, sizeof edge);
    }
    if (IS("no-such-loc")) edges[0] = 1000;
    if (IS("ill-formed") && *count >= 3) edges[14] = edges[14 + 1]; /* an edge leaves the error */
    if (IS("no-such-flag")) image[n] |= 64;
    if (IS("missing-walks")) image[n] = TRELLIS_BACK_SAME_LOCS;
    section(image, TRELLIS_SECTION_VARS, &count);
    if (IS("fewer-vars")) *count -= 1;
    size_t all = IS("cut") ? 1 + n / 2 : 1 + n + m;
    status = report(host, TRELLIS_REPORT_PROGRAM, words, all, "");
    free(words);
    return status;
}

/* A program without errors; where it is ill-formed, an edge goes from one procedure into the other. */
static int32_t translate(const TrellisSource *source, const TrellisHost *host)
{
    int32_t status;
    (void)source;
    if (misbehaved(host, &status)) return status;
    uint32_t none = TRELLIS_NONE, ill = IS("ill-formed");
    uint32_t words[] = {
        TRELLIS_IMAGE_MAGIC, TRELLIS_IMAGE_VERSION, 0, 6,
        TRELLIS_SECTION_STRINGS, 22, 1,
        TRELLIS_SECTION_FILES, 23, 1,
        TRELLIS_SECTION_CMDS, 25, 1,
        TRELLIS_SECTION_PROCS, 26, 2,
        TRELLIS_SECTION_LOCS, 48, 2,
        TRELLIS_SECTION_EDGES, 66, ill,
        'm' | 'q' << 8,
        0, 1,
        TRELLIS_CMD_SKIP,
        0, 1, 0, none, 0, 0, 0, 0, none, 0, 0,
        1, 1, 1, none, 0, 0, 0, 0, none, 0, 0,
        0, 0, none, 0, none, 0, 0, 1, 1,
        1, 0, none, 0, none, 0, 0, 1, 2,
        0, 1, 0, 0, none, 0, 0,
    };
    return report(host, TRELLIS_REPORT_PROGRAM, words, sizeof words / sizeof *words, "");
}

static const TrellisPass pass = {sizeof pass, TRELLIS_PROPERTY_FLAT, 0, 0, transform};
static const TrellisFrontEnd frontend = {sizeof frontend, 0, "counter ctr", translate};

const TrellisPlugin trellis_plugin = {
    TRELLIS_BUILT_AGAINST_THIS_HEADER,
    .kind = KIND,
    .id = "hostile",
    .version = "1",
    .description = "misbehaves",
    .licence = "MIT OR Apache-2.0",
    .options = "{\"options\":[{\"name\":\"n\",\"type\":\"integer\",\"default\":\"1\",\"doc\":\"\"}]}",
    .pass = KIND == TRELLIS_KIND_PASS ? &pass : NULL,
    .frontend = KIND == TRELLIS_KIND_FRONTEND ? &frontend : NULL,
};
