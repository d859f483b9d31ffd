/* SPDX-License-Identifier: Apache-2.0
 * gnuplot.c - a picture drawn by gnuplot, whole or not at all.
 */
#include "gnuplot.h"

#include "outfile.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const gnuplot_colours[GNUPLOT_COLOURS] = {
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222", "#9933FF"};
const int gnuplot_shapes[GNUPLOT_COLOURS] = {7, 5, 13, 11, 4, 6, 12, 10};

void gnuplot_quote(FILE *out, const char *text)
{
    fputc('\'', out);
    for (size_t n; *text; text += n ? n : 1) {
        n = text_utf8((const unsigned char *)text);
        if (*text == '\'') /* doubled it would end some texts (gnuplot 5.4) */
            fputs("'.\"'\".'", out);
        else if (!n || (n == 3 && memcmp(text, "\xef\xbf", 2) == 0 && (text[2] & 0xfe) == 0xbe)) /* none that XML has */
            fputc('?', out);
        else if ((unsigned char)*text < 0x20)
            fputc(' ', out);
        else
            fwrite(text, 1, n, out);
    }
    fputc('\'', out);
}

/* At the right a label takes from the width of the curves, and rows beyond the height are not seen. */
struct gnuplot_key gnuplot_layout(unsigned entries, unsigned longest)
{
    enum { NARROW = 32, HIGH = 20, WIDTH = 112, SAMPLE = 8 };
    unsigned columns = WIDTH / (longest + SAMPLE);
    struct gnuplot_key key = {0, columns > 0 ? columns : 1};
    if (longest > NARROW || entries > HIGH)
        key.rows = (entries + key.columns - 1) / key.columns;
    return key;
}

void gnuplot_head(FILE *out, const char *part, bool svg, const char *title, const char *second,
                  const char *x, const char *y, struct gnuplot_key key)
{
    fprintf(out, "set encoding utf8\n");
    if (svg)
        fprintf(out, "set terminal svg size 960,%u name 'fatfly' font 'sans-serif,14' "
                     "background rgb 'white'\n", 600 + 21 * key.rows);
    else
        fprintf(out, "set terminal pngcairo size 1440,%u font 'sans,16' linewidth 1.5 "
                     "pointscale 1.4 background rgb 'white'\n", 900 + 32 * key.rows);
    fprintf(out, "set output \"");
    for (const char *c = part; *c; c++) /* any name: octal, so that nothing in it is a command */
        fprintf(out, "\\%03o", (unsigned)(unsigned char)*c);
    fprintf(out, "\"\nset tmargin 4.5\nset bmargin %.2f\nset label 1 ", 4.3 + 1.25 * key.rows);
    gnuplot_quote(out, title);
    fprintf(out, " at graph 0, graph 1 left offset 0, 2.3 font ',%d' noenhanced\nset label 2 ",
            svg ? 18 : 21);
    gnuplot_quote(out, second);
    fprintf(out, " at graph 0, graph 1 left offset 0, 0.9 font ',%d' noenhanced "
                 "textcolor rgb '#555555'\n", svg ? 12 : 14);
    fprintf(out, "set xlabel ");
    gnuplot_quote(out, x);
    fprintf(out, " noenhanced\nset ylabel ");
    gnuplot_quote(out, y);
    fprintf(out, " noenhanced\n"
                 "set border 3 linecolor rgb '#555555'\n"
                 "set tics nomirror out textcolor rgb '#222222'\n"
                 "set grid linetype 1 linecolor rgb '#E0E0E0' linewidth 0.8\n"
                 "set pointintervalbox 0\nset errorbars 0.8\n"
                 "set key samplen 2.5 spacing 1.25 Left reverse noenhanced ");
    if (key.rows)
        fprintf(out, "outside bottom center horizontal maxcols %u\n", key.columns);
    else
        fprintf(out, "outside right top vertical\n");
}

int gnuplot_format(const char *option, const char *file, bool *svg, struct fail *f)
{
    const char *dot = strrchr(file, '.');
    if (!dot || (strcmp(dot, ".svg") != 0 && strcmp(dot, ".png") != 0))
        return fail(f, EXIT_USAGE, "%s %s; allowed: a file that ends in .svg or .png", option,
                    file);
    *svg = strcmp(dot, ".svg") == 0;
    return 0;
}

/* Writes the script and reads what gnuplot complains of; neither side can block the other. */
static void talk(int in, int err, const char *script, size_t size, char *said, size_t room)
{
    size_t sent = 0, got = 0;
    struct pollfd fd[2] = {{.fd = in, .events = POLLOUT}, {.fd = err, .events = POLLIN}};
    fcntl(in, F_SETFL, O_NONBLOCK);
    while (fd[1].fd >= 0 && poll(fd, 2, -1) >= 0) {
        if (fd[0].fd >= 0 && fd[0].revents) {
            ssize_t n = write(in, script + sent, size - sent);
            sent += n > 0 ? (size_t)n : 0;
            if (sent == size || (n < 0 && errno != EAGAIN && errno != EINTR)) {
                close(in);
                fd[0].fd = -1;
            }
        }
        if (fd[1].revents) {
            char more[512];
            ssize_t n = read(err, more, sizeof more);
            for (ssize_t k = 0; k < n && got + 1 < room; k++)
                said[got++] = more[k];
            if (n == 0 || (n < 0 && errno != EINTR))
                fd[1].fd = -1;
        }
    }
    said[got] = '\0';
    if (fd[0].fd >= 0)
        close(in);
    close(err);
}

extern char **environ;

static int start(pid_t *child, int *in, int *err, struct fail *f)
{
    static const char *const argv[] = {"gnuplot", "--default-settings", "-", NULL};
    int to[2], from[2] = {-1, -1};
    posix_spawn_file_actions_t actions;
    if (pipe(to) || pipe(from) || posix_spawn_file_actions_init(&actions))
        return fail(f, EXIT_SYSTEM, "gnuplot: cannot start it: %s", strerror(errno));
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, to[1]);
    posix_spawn_file_actions_addclose(&actions, from[0]);
    int error = posix_spawnp(child, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    *in = to[1];
    *err = from[0];
    if (!error)
        return 0;
    close(*in);
    close(*err);
    if (error == ENOENT)
        return fail(f, EXIT_SYSTEM, "gnuplot is not there; install the package gnuplot-nox");
    return fail(f, EXIT_SYSTEM, "gnuplot: cannot start it: %s", strerror(error));
}

/* gnuplot does not tell when the disk is full; the end of a picture does. */
static bool is_whole(const char *picture, bool svg)
{
    char tail[17] = "";
    FILE *in = fopen(picture, "rb");
    bool whole = in && fseek(in, -16, SEEK_END) == 0 && fread(tail, 1, 16, in) == 16;
    if (in)
        fclose(in);
    for (unsigned k = 0; k < 16; k++)
        tail[k] = tail[k] ? tail[k] : ' ';
    return whole && strstr(tail, svg ? "</svg>" : "IEND");
}

static int run_gnuplot(const char *script, size_t size, const char *part, bool svg, struct fail *f)
{
    char said[600];
    int in = -1, err = -1, status = 0;
    pid_t child = 0;
    signal(SIGPIPE, SIG_IGN); /* a gnuplot that ends early says why */
    if (start(&child, &in, &err, f))
        return -1;
    talk(in, err, script, size, said, sizeof said);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (ended && is_whole(part, svg))
        return 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return fail(f, EXIT_SYSTEM, "gnuplot is not there; install the package gnuplot-nox");
    if (ended && !*said)
        return fail(f, EXIT_SYSTEM, "%s: gnuplot wrote no whole picture and did not say why; is the disk full, or "
                    "is it a gnuplot without %s?", part, svg ? "svg" : "pngcairo");
    const char *last = said;
    for (const char *s = said; *s; s++) /* the last line has the reason */
        if (*s == '\n' && s[1] && s[1] != '\n')
            last = s + 1;
    if (WIFSIGNALED(status))
        return fail(f, EXIT_SYSTEM, "gnuplot was ended by signal %d (%s)", WTERMSIG(status),
                    strsignal(WTERMSIG(status)));
    if (!*last)
        return fail(f, EXIT_SYSTEM, "gnuplot ended with exit code %d and did not say why", WEXITSTATUS(status));
    return fail(f, EXIT_SYSTEM, "gnuplot drew nothing: %.*s", (int)strcspn(last, "\n"), last);
}

static char *make_script(void (*say)(const void *context, const char *part, FILE *out),
                         const void *context, const char *part, size_t *size)
{
    char *script = NULL;
    FILE *out = open_memstream(&script, size);
    if (out)
        say(context, part, out);
    return out && fclose(out) == 0 ? script : NULL;
}

int gnuplot_draw(const char *file, void (*say)(const void *context, const char *part, FILE *out),
                 const void *context, struct fail *f)
{
    char part[OUTFILE_NAME];
    bool svg;
    size_t size = 0;
    if (gnuplot_format("--output", file, &svg, f))
        return -1;
    if (!outfile_is_regular(file))
        return fail(f, EXIT_SYSTEM, "%s: not a regular file; allowed: one, or a new name", file);
    if (outfile_beside(file, part, f))
        return -1;
    char *script = make_script(say, context, part, &size);
    int bad = script ? run_gnuplot(script, size, part, svg, f)
                     : fail(f, EXIT_SYSTEM, "no memory for the plot");
    free(script);
    if (!bad && outfile_place(part, file))
        bad = fail(f, EXIT_SYSTEM, "%s: cannot write: %s", file, strerror(errno));
    if (bad)
        unlink(part);
    return bad ? -1 : 0;
}
