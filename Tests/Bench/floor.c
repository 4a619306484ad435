// The floor: a bare epoll loop that does only what an echo, a handshake and a durable flip cannot do without. No
// limits, no UTF-8, no fragments, no time-outs; frames of at most 64 KiB.
//
// floor echo PORT [CERT KEY]: sends back. floor flips PORT MEMBERS DATABASE [gather]: connections form rooms of MEMBERS
// in the order in which they come. Each message becomes a row in the database, which is synced once a turn, and then a
// message to all of its room, one send a member. After every second message, and a delay, two more rows and messages
// follow, as cards are turned back and the turn goes on. With `gather` the disk rests after each sync for as long as it
// worked; the hub's does so if appends are to come in that time. Both print `ready`.
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 256, BUFFER = 1 << 17, SOCKETS = 1 << 16, EVENT = 129, OK = 40, ENOUGH = 32 };

// In seconds: how long two cards stay up, and the longest rest.
static const double reveal = 0.2, longest_rest = 0.002;

// What a read left over of an incomplete frame; kept by descriptor.
struct rest {
    unsigned char *bytes;
    size_t count;
    char upgraded;
    SSL *tls;
};

static struct rest rests[SOCKETS];
static unsigned char input[BUFFER], output[BUFFER];
static SSL_CTX *context;

// For flips.
static int members, joined[SOCKETS], joined_count, place[SOCKETS];
static int said[SOCKETS], said_count;
// Rooms whose cards turn back, in that order; the numbers count on.
static struct { int room; double due; } turning[SOCKETS];
static unsigned turned, turning_count;
static char is_second[SOCKETS], gathers;
static double rest_end, sync_time;
static long version[SOCKETS];
static sqlite3 *database;
static sqlite3_stmt *begin, *insert, *commit;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void forget(int socket) {
    SSL_free(rests[socket].tls);
    free(rests[socket].bytes);
    memset(&rests[socket], 0, sizeof rests[socket]);
    close(socket);
}

static void upgrade(int socket, char *head, size_t count) {
    static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    head[count] = 0;
    char *key = strcasestr(head, "sec-websocket-key: ");
    if (!key) return forget(socket);
    char joined[64];
    unsigned char digest[20], accept[29];
    memcpy(joined, key + 19, 24);
    memcpy(joined + 24, guid, 36);
    SHA1((unsigned char *)joined, 60, digest);
    EVP_EncodeBlock(accept, digest, 20);
    int size = sprintf((char *)output,
                       "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                       "Sec-WebSocket-Accept: %s\r\n\r\n", accept);
    rests[socket].upgraded = 1;
    if (rests[socket].tls) SSL_write(rests[socket].tls, output, size);
    else if (send(socket, output, size, MSG_NOSIGNAL) < 0) forget(socket);
}

// Unmasks whole frames, writes each back without its mask, and sends all of them at once.
static void echo(int socket, size_t count) {
    struct rest *rest = &rests[socket];
    size_t at = 0, out = 0;
    while (count - at >= 6) {
        unsigned char *frame = input + at;
        size_t header = 2, payload = frame[1] & 0x7F;
        if (payload == 126) {
            header = 4;
            payload = (size_t)frame[2] << 8 | frame[3];
        }
        if (count - at < header + 4 + payload) break;
        if ((frame[0] & 0x0F) == 8) return forget(socket);
        memcpy(output + out, frame, header);
        output[out + 1] &= 0x7F;
        uint32_t mask;
        memcpy(&mask, frame + header, 4);
        uint64_t wide = (uint64_t)mask << 32 | mask;
        unsigned char *from = frame + header + 4, *to = output + out + header;
        size_t i = 0;
        for (; i + 8 <= payload; i += 8) {
            uint64_t word;
            memcpy(&word, from + i, 8);
            word ^= wide;
            memcpy(to + i, &word, 8);
        }
        for (; i < payload; i++) to[i] = from[i] ^ ((unsigned char *)&mask)[i & 3];
        at += header + 4 + payload;
        out += header + payload;
    }
    if (out && (rest->tls ? SSL_write(rest->tls, output, out) : send(socket, output, out, MSG_NOSIGNAL)) < 0)
        return forget(socket);
    rest->count = count - at;
    if (rest->count) {
        rest->bytes = realloc(rest->bytes, rest->count);
        memcpy(rest->bytes, input + at, rest->count);
    }
}

// Whole frames of a flipping player, all short.
static void flip(int socket, size_t count) {
    for (size_t at = 0; at + 6 <= count; at += 6 + (input[at + 1] & 0x7F)) said[said_count++] = place[socket];
}

static void append(int room, int member) {
    static const char shown[EVENT], hash[32];
    unsigned char id[16] = {0};
    memcpy(id, &room, 4);
    memcpy(id + 4, &version[room], 8);
    memcpy(id + 12, &member, 4);
    sqlite3_bind_int64(insert, 1, room + 1);
    sqlite3_bind_int64(insert, 2, ++version[room]);
    sqlite3_bind_int64(insert, 3, 1700000000000);
    sqlite3_bind_text(insert, 4, "show-card", 9, SQLITE_STATIC);
    sqlite3_bind_blob(insert, 5, id, 16, SQLITE_TRANSIENT);
    sqlite3_bind_blob(insert, 6, shown, EVENT, SQLITE_STATIC);
    sqlite3_bind_blob(insert, 7, hash, 32, SQLITE_STATIC);
    if (sqlite3_step(insert) != SQLITE_DONE) exit(1);
    sqlite3_reset(insert);
}

static void step(sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) exit(1);
    sqlite3_reset(statement);
}

// The messages so far, and the cards that are due to turn back: on disk, then sent.
static void settle(void) {
    double time = now();
    unsigned due = turned;
    while (due != turning_count && turning[due % SOCKETS].due <= time) due++;
    int backs = due - turned, flips = said_count;
    if ((!backs && !flips) || (gathers && backs + flips < ENOUGH && time < rest_end)) return;
    step(begin);
    for (int i = 0; i < 2 * backs; i++) append(turning[(turned + i / 2) % SOCKETS].room, -1 - i % 2);
    for (int i = 0; i < flips; i++) append(said[i] / members, said[i] % members);
    double before = now();
    step(commit);
    double after = now();
    sync_time += (after - before - sync_time) / 8;
    rest_end = after + (sync_time < longest_rest ? sync_time : longest_rest);
    // An event, and another, or the answer to a command.
    memcpy(output, "\x81\x7E\0\x81", 4);
    memcpy(output + EVENT + 4, output, 4);
    for (int i = 0; i < backs; i++) {
        int room = turning[(turned + i) % SOCKETS].room;
        for (int k = room * members; k < (room + 1) * members; k++)
            send(joined[k], output, 2 * (EVENT + 4), MSG_NOSIGNAL);
    }
    output[EVENT + 5] = OK;
    for (int i = 0; i < flips; i++) {
        int room = said[i] / members;
        for (int k = room * members; k < (room + 1) * members; k++)
            send(joined[k], output, k == said[i] ? EVENT + OK + 6 : EVENT + 4, MSG_NOSIGNAL);
        if (!(is_second[room] = !is_second[room])) {
            turning[turning_count % SOCKETS].room = room;
            turning[turning_count++ % SOCKETS].due = after + reveal;
        }
    }
    turned = due;
    said_count = 0;
}

// Until there is something to settle; null without end.
static const struct timespec *wait_time(void) {
    static struct timespec time;
    double until = said_count ? 0 : turned != turning_count ? turning[turned % SOCKETS].due : -1;
    if (until < 0) return NULL;
    // While the disk rests, all of it waits.
    if (gathers && until < rest_end) until = rest_end;
    double left = until - now();
    time.tv_nsec = left > 0 ? left * 1e9 : 0;
    return &time;
}

static void open_database(const char *path) {
    const char *schema =
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384;"
        "CREATE TABLE records (position INTEGER PRIMARY KEY, stream INTEGER NOT NULL, version INTEGER NOT NULL,"
        " time INTEGER NOT NULL, type TEXT NOT NULL, commit_id BLOB NOT NULL, shown BLOB NOT NULL, sealed BLOB,"
        " hash BLOB NOT NULL) STRICT;"
        "CREATE INDEX records_by_version ON records (stream, version, commit_id);";
    if (sqlite3_open(path, &database) || sqlite3_exec(database, schema, NULL, NULL, NULL)) exit(1);
    sqlite3_prepare_v3(database, "BEGIN IMMEDIATE", -1, SQLITE_PREPARE_PERSISTENT, &begin, NULL);
    sqlite3_prepare_v3(database, "COMMIT", -1, SQLITE_PREPARE_PERSISTENT, &commit, NULL);
    sqlite3_prepare_v3(database,
                       "INSERT INTO records (stream, version, time, type, commit_id, shown, hash)"
                       " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", -1, SQLITE_PREPARE_PERSISTENT, &insert, NULL);
}

static void readable(int socket) {
    struct rest *rest = &rests[socket];
    if (rest->count) memcpy(input, rest->bytes, rest->count);
    ssize_t count;
    if (rest->tls) {
        // Until OpenSSL has nothing more: epoll does not know what it buffers.
        while ((count = SSL_read(rest->tls, input + rest->count, BUFFER / 2)) > 0) {
            if (!rest->upgraded) upgrade(socket, (char *)input, count);
            else echo(socket, rest->count + count);
            if (!rest->tls) return;
            if (rest->count) memcpy(input, rest->bytes, rest->count);
        }
        if (SSL_get_error(rest->tls, count) != SSL_ERROR_WANT_READ) forget(socket);
        return;
    }
    count = recv(socket, input + rest->count, BUFFER / 2, 0);
    if (count <= 0) return forget(socket);
    if (!rest->upgraded) upgrade(socket, (char *)input, count);
    else if (database) flip(socket, count);
    else echo(socket, rest->count + count);
}

static int listening(int port) {
    int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(socket_, (struct sockaddr *)&address, sizeof address) || listen(socket_, 4096)) {
        perror("floor");
        exit(1);
    }
    return socket_;
}

int main(int count, char **words) {
    int is_flips = count >= 5 && !strcmp(words[1], "flips");
    if (!is_flips && (count < 3 || strcmp(words[1], "echo"))) {
        fprintf(stderr, "floor echo PORT [CERT KEY] | floor flips PORT MEMBERS DATABASE [gather]\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    if (is_flips) {
        members = atoi(words[3]);
        gathers = count == 6;
        open_database(words[4]);
    } else if (count == 5) {
        context = SSL_CTX_new(TLS_server_method());
        SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
        if (SSL_CTX_use_certificate_chain_file(context, words[3]) != 1
            || SSL_CTX_use_PrivateKey_file(context, words[4], SSL_FILETYPE_PEM) != 1)
            return 1;
    }
    int listener = listening(atoi(words[2])), epoll = epoll_create1(0), one = 1;
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[EVENTS];
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
    puts("ready");
    fflush(stdout);
    for (;;) {
        int ready = epoll_pwait2(epoll, events, EVENTS, wait_time(), NULL);
        if (ready < 0 && errno != EINTR) {
            perror("floor");
            exit(1);
        }
        for (int i = 0; i < ready; i++) {
            if (events[i].data.fd != listener) {
                readable(events[i].data.fd);
                continue;
            }
            int socket;
            while ((socket = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
                if (socket >= SOCKETS) exit(1);
                setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                event = (struct epoll_event){.events = EPOLLIN, .data.fd = socket};
                epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event);
                place[socket] = joined_count;
                if (database) joined[joined_count++] = socket;
                if (context) {
                    rests[socket].tls = SSL_new(context);
                    SSL_set_fd(rests[socket].tls, socket);
                    SSL_set_accept_state(rests[socket].tls);
                }
            }
        }
        settle();
    }
}
