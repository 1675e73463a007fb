/*
 * nginx in a process of its own, with one page.
 */

#define _GNU_SOURCE

#include "../Engines/support.h"
#include "include/Programs.h"

#include <arpa/inet.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

static char folder[] = "/tmp/benchmarks-XXXXXX";

static void remove_folder(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0) fprintf(stderr, "benchmarks: %s stays\n", folder);
}

static FILE *open_file(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "we");
    EXPECT(file);
    return file;
}

static void write_page(size_t byte_count)
{
    FILE *file = open_file("page");
    for (size_t i = 0; i < byte_count; i++) putc('x', file);
    EXPECT(fclose(file) == 0);
}

/* The paths are relative to nginx's prefix, which is the folder. */
static void write_configuration(uint16_t port)
{
    FILE *file = open_file("nginx.conf");
    fprintf(file,
            "daemon off; master_process off; pid pid;\n"
            "worker_rlimit_nofile 8192; events { worker_connections 4096; }\n"
            "http { access_log off; sendfile on; keepalive_requests 1000000;\n"
            "client_body_temp_path 1; proxy_temp_path 2; fastcgi_temp_path 3;\n"
            "uwsgi_temp_path 4; scgi_temp_path 5;\n"
            "server { listen 127.0.0.1:%d backlog=4096; root .; } }\n",
            port);
    EXPECT(fclose(file) == 0);
}

static void become_nginx(void *info)
{
    execl("/usr/sbin/nginx", "nginx", "-p", folder, "-c", "nginx.conf", "-e", "/dev/null", NULL);
}

uint16_t http_server_start(size_t byte_count)
{
    struct sockaddr_in address;
    if (access("/usr/sbin/nginx", X_OK) != 0) return 0;
    int fd = listen_on_loopback(&address);
    close(fd);
    EXPECT(mkdtemp(folder) && atexit(remove_folder) == 0);
    write_page(byte_count);
    write_configuration(ntohs(address.sin_port));
    peer_start(1, become_nginx, NULL);
    do {
        sched_yield();
        fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    } while (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0 && close(fd) == 0);
    close(fd);
    bind_to_processor(0);
    return ntohs(address.sin_port);
}
