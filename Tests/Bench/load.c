// Loads a server, and prints how often it did what was asked in that time.
//
// load echo PORT PATH CONNECTIONS IN_FLIGHT BYTES SECONDS [tls]: messages that came back. IN_FLIGHT 0: handshakes, one
// after another, each ended by a reset. load flips PORT ROOMS MEMBERS RATE SECONDS: the messages for `floor flips`, by
// the first member of each room, at this rate a second and room. Both print `ready`, and start at a line of input. load
// watch PORT PATH CONNECTIONS [PATH CONNECTIONS ...]: says hello on each, and `ready`; reads until its input ends.
#define _GNU_SOURCE
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static SSL_CTX *context;
static SSL *sessions[1 << 16];

static void fail(const char *what) {
    fprintf(stderr, "load: %s\n", what);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static ssize_t get(int socket, void *bytes, size_t count) {
    return context ? SSL_read(sessions[socket], bytes, count) : recv(socket, bytes, count, 0);
}

static void put(int socket, const void *bytes, size_t count) {
    for (size_t at = 0; at < count;) {
        ssize_t sent = context ? SSL_write(sessions[socket], (char *)bytes + at, count - at)
                               : send(socket, (char *)bytes + at, count - at, MSG_NOSIGNAL);
        if (sent <= 0) fail("a connection was lost while sending");
        at += sent;
    }
}

static int opened(int port, const char *path) {
    int one = 1, it = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(it, (struct sockaddr *)&address, sizeof address)) fail("no connection");
    setsockopt(it, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (context) {
        sessions[it] = SSL_new(context);
        SSL_set_fd(sessions[it], it);
        if (SSL_connect(sessions[it]) != 1) fail("no TLS");
    }
    char head[1024];
    int size = snprintf(head, sizeof head,
                        "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n", path, port);
    put(it, head, size);
    // Nothing follows the head until something is sent.
    size = 0;
    while (size < 4 || memcmp(head + size - 4, "\r\n\r\n", 4)) {
        ssize_t count = get(it, head + size, sizeof head - 1 - size);
        if (count <= 0) fail("no answer to the handshake");
        size += count;
    }
    if (memcmp(head, "HTTP/1.1 101", 12)) fail("the handshake was refused");
    return it;
}

static void closed(int it) {
    struct linger reset = {1, 0};
    setsockopt(it, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    if (context) SSL_free(sessions[it]);
    close(it);
}

static void flips(int port, int rooms, int members, double rate, double seconds) {
    static unsigned char scratch[1 << 17];
    int epoll = epoll_create1(0), count = rooms * members, *sockets = malloc(count * sizeof(int));
    for (int i = 0; i < count; i++) {
        sockets[i] = opened(port, "/");
        struct epoll_event event = {.events = EPOLLIN, .data.fd = sockets[i]};
        epoll_ctl(epoll, EPOLL_CTL_ADD, sockets[i], &event);
    }
    printf("ready\n");
    fflush(stdout);
    getchar();
    // Rooms take turns in an order of their own, the same in each run.
    int *order = calloc(rooms, sizeof(int));
    srand(1);
    for (int i = 0; i < rooms; i++) {
        int other = rand() % (i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    unsigned char frame[60] = {0x81, 0x80 | 54};
    double begin = now(), total = rate * rooms;
    long said = 0;
    for (double passed = 0; passed < seconds; passed = now() - begin) {
        for (; said < passed * total; said++) put(sockets[order[said % rooms] * members], frame, sizeof frame);
        struct epoll_event events[256];
        int ready = epoll_wait(epoll, events, 256, 1);
        for (int i = 0; i < ready; i++)
            if (recv(events[i].data.fd, scratch, sizeof scratch, 0) <= 0) fail("a connection was lost");
    }
    printf("%ld\n", said);
}

static void watch(int port, char **words, int count) {
    static const char hello[] = "\x81\x90\0\0\0\0{\"type\":\"hello\"}";
    static char scratch[1 << 17];
    struct epoll_event event = {.events = EPOLLIN, .data.fd = 0}, events[256];
    int epoll = epoll_create1(0);
    epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &event);
    for (int i = 0; i + 1 < count; i += 2) {
        for (int k = atoi(words[i + 1]); k > 0; k--) {
            event.data.fd = opened(port, words[i]);
            put(event.data.fd, hello, sizeof hello - 1);
            epoll_ctl(epoll, EPOLL_CTL_ADD, event.data.fd, &event);
        }
    }
    printf("ready\n");
    fflush(stdout);
    for (;;) {
        int ready = epoll_wait(epoll, events, 256, -1);
        for (int i = 0; i < ready; i++) {
            int it = events[i].data.fd;
            if ((it ? recv(it, scratch, sizeof scratch, 0) : read(it, scratch, sizeof scratch)) > 0) continue;
            if (it) fail("a connection was lost");
            return;
        }
    }
}

int main(int count, char **words) {
    signal(SIGPIPE, SIG_IGN);
    if (count > 4 && !strcmp(words[1], "watch")) {
        watch(atoi(words[2]), words + 3, count - 3);
        return 0;
    }
    if (count == 7 && !strcmp(words[1], "flips")) {
        flips(atoi(words[2]), atoi(words[3]), atoi(words[4]), atof(words[5]), atof(words[6]));
        return 0;
    }
    if (count < 8 || strcmp(words[1], "echo")) fail("what is to be loaded, and how?");
    int port = atoi(words[2]), connections = atoi(words[4]), under_way = atoi(words[5]);
    size_t payload = atoi(words[6]);
    double seconds = atof(words[7]);
    if (count > 8) context = SSL_CTX_new(TLS_client_method());
    if (under_way == 0) {
        long done = 0;
        for (double end = now() + seconds; now() < end; done++) closed(opened(port, words[3]));
        printf("%ld\n", done);
        return 0;
    }
    size_t extended = payload > 125 ? 2 : 0, frame = 6 + extended + payload, answer = 2 + extended + payload;
    unsigned char *batch = malloc(frame * under_way), *scratch = malloc(1 << 17);
    for (int k = 0; k < under_way; k++) {
        unsigned char *at = batch + k * frame;
        at[0] = 0x81;
        at[1] = 0x80 | (extended ? 126 : payload);
        if (extended) {
            at[2] = payload >> 8;
            at[3] = payload;
        }
        memcpy(at + 2 + extended, "\x11\x22\x33\x44", 4);
        for (size_t i = 0; i < payload; i++)
            at[6 + extended + i] = ('a' + i % 26) ^ (0x11 * (1 + (i & 3)));
    }
    int epoll = epoll_create1(0), *sockets = malloc(connections * sizeof(int));
    size_t *missing = calloc(1 << 16, sizeof(size_t));
    for (int i = 0; i < connections; i++) {
        sockets[i] = opened(port, words[3]);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = sockets[i]};
        epoll_ctl(epoll, EPOLL_CTL_ADD, sockets[i], &event);
    }
    printf("ready\n");
    fflush(stdout);
    getchar();
    for (int i = 0; i < connections; i++) {
        missing[sockets[i]] = answer * under_way;
        put(sockets[i], batch, frame * under_way);
    }
    long done = 0;
    double end = now() + seconds;
    while (now() < end) {
        struct epoll_event events[256];
        int ready = epoll_wait(epoll, events, 256, 1000);
        for (int i = 0; i < ready; i++) {
            int it = events[i].data.fd;
            do {
                ssize_t got = get(it, scratch, 1 << 17);
                if (got <= 0) fail("a connection was lost");
                if ((size_t)got > missing[it]) fail("more came back than was sent");
                missing[it] -= got;
            } while (context && SSL_pending(sessions[it]) > 0);
            if (missing[it]) continue;
            done += under_way;
            missing[it] = answer * under_way;
            put(it, batch, frame * under_way);
        }
    }
    printf("%ld\n", done);
    return 0;
}
