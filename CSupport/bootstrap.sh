#!/bin/sh
# Installs what the system lacks to build this package, through the distribution's package
# manager. Installs nothing, asks nothing and prints nothing when all of it is there.

set -eu

usage() {
    cat <<'TEXT'
usage: CSupport/bootstrap.sh [--tests] [--ci] [--hosts] [--architectures] [--packaging]
                             [--benchmarks] [--help]

Installs what is missing for building, libbsd with its headers, and for requests by HTTP, libcurl. The
Swift toolchain itself is not installed; get it from https://www.swift.org/install.

  --tests        also what the tests need: Python, socat, OpenSSL and GnuTLS, the peers of streams; nginx
                 and tinyproxy, those of requests by HTTP; the headers of libcurl, and libcurl with
                 GnuTLS, where the distribution has it; and binutils, one of the symbolizers of reports
  --ci           also what .ci/run needs: Python with venv, ShellCheck, Valgrind, gcc, gdb, and the model
                 checker Spin, the headers for static probes, clang 14 and its debugger and Chromium
                 where the distribution has them
  --hosts        also the loops that host run loops in tests: GLib, libuv, GTK 4 and Xvfb, where the
                 distribution has them
  --architectures
                 also the C libraries of other processors, an emulator of these, musl, and
                 clang 14 with a blocks runtime, where the distribution has them: Debian and those that
                 come of it
  --packaging    also what builds and tries the library for C projects: CMake, pkg-config, and, where the
                 distribution has them, its own clang with a blocks runtime, and Lintian
  --benchmarks   also what the benchmarks compare with: GLib, libuv, libev, libevent, sd-event
                 and OpenSSL, where the distribution has them, and strace
  --help         prints this text

Knows apt-get, dnf, pacman, zypper and apk. Installs as root or through sudo; where it may do
neither, it prints the command to run.
TEXT
}

say() {
    echo "bootstrap: $*" >&2
}

fail() {
    say "$*"
    exit 1
}

# --- What is there -------------------------------------------------------------------------------

# The compiler knows every folder it searches. Without one, the usual folders must do.
has_header() {
    if [ -n "$compiler" ]; then
        printf '#if !__has_include(<%s>)\n#error missing\n#endif\n' "$1" |
            "$compiler" -E -x c - >/dev/null 2>&1
    else
        for folder in /usr/include /usr/local/include /usr/include/*-linux-*; do
            if [ -e "$folder/$1" ]; then return 0; fi
        done
        return 1
    fi
}

# Whether a C library that Debian has for another processor is there, to be linked with.
has_cross_library() {
    [ -e "/usr/$1/lib/Scrt1.o" ] && [ -e "/usr/$1/lib/libgcc_s.so.1" ]
}

is_there() {
    case $1 in
    bsd) has_header bsd/sys/queue.h ;;
    python) python3 -c 'import ensurepip, venv' >/dev/null 2>&1 ;;
    gcc) command -v gcc >/dev/null && command -v g++ >/dev/null ;;
    cmake | gdb | lintian | openssl | python3 | shellcheck | socat | spin | strace | valgrind) command -v "$1" >/dev/null ;;
    curl)
        [ -n "$(find /usr/lib /usr/lib64 /lib -maxdepth 2 -name 'libcurl*.so.4' 2>/dev/null)" ]
        ;;
    curlgnutls) python3 -c 'import ctypes; ctypes.CDLL("libcurl-gnutls.so.4")' >/dev/null 2>&1 ;;
    curlheaders) has_header curl/curl.h ;;
    binutils) command -v addr2line >/dev/null ;;
    nginx | tinyproxy) command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ] ;;
    gnutls) python3 -c 'import ctypes; ctypes.CDLL("libgnutls.so.30")' >/dev/null 2>&1 ;;
    chromium) command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || command -v chromium-browser >/dev/null ;;
    clang14) command -v clang-14 >/dev/null ;;
    lldb14) [ -n "$(find /usr/lib/llvm-14/lib/python3* -path '*/lldb/__init__.py' 2>/dev/null)" ] ;;
    blocks) [ -n "$(find /usr/lib -maxdepth 2 -name libBlocksRuntime.so)" ] ;;
    pkgconfig) command -v pkg-config >/dev/null ;;
    xvfb) command -v Xvfb >/dev/null ;;
    arm64) has_cross_library aarch64-linux-gnu ;;
    armhf) has_cross_library arm-linux-gnueabihf ;;
    i386) has_cross_library i686-linux-gnu ;;
    musl) [ -e "/usr/lib/$(uname -m)-linux-musl/libc.a" ] ;;
    qemu) command -v qemu-aarch64 >/dev/null && command -v qemu-arm >/dev/null ;;
    probes) has_header sys/sdt.h ;;
    glib) has_header glib-2.0/glib.h ;;
    gtk) has_header gtk-4.0/gtk/gtk.h ;;
    uv) has_header uv.h ;;
    ev) has_header ev.h || has_header libev/ev.h ;;
    event) has_header event2/event.h ;;
    systemd) has_header systemd/sd-event.h ;;
    ssl) has_header openssl/ssl.h ;;
    esac
}

# --- What it is called ---------------------------------------------------------------------------

# Prints nothing for what the distribution does not have.
package_of() {
    case $manager:$1 in
    apt-get:bsd | apk:bsd) echo libbsd-dev ;;
    dnf:bsd | zypper:bsd) echo libbsd-devel ;;
    pacman:bsd) echo libbsd ;;

    apt-get:python) echo python3-venv ;;
    pacman:python) echo python ;;
    *:python) echo python3 ;;

    dnf:shellcheck | zypper:shellcheck) echo ShellCheck ;;
    *:shellcheck) echo shellcheck ;;

    pacman:python3) echo python ;;
    *:python3) echo python3 ;;
    *:socat) echo socat ;;
    *:openssl) echo openssl ;;
    apt-get:curl) echo libcurl4 ;;
    dnf:curl | apk:curl) echo libcurl ;;
    pacman:curl | pacman:curlheaders) echo curl ;;
    zypper:curl) echo libcurl4 ;;
    apt-get:curlgnutls) echo libcurl3-gnutls ;;
    pacman:curlgnutls) echo libcurl-gnutls ;;
    apt-get:curlheaders) echo libcurl4-openssl-dev ;;
    dnf:curlheaders | zypper:curlheaders) echo libcurl-devel ;;
    apk:curlheaders) echo curl-dev ;;
    *:binutils) echo binutils ;;
    apt-get:nginx) echo nginx-light ;;
    *:nginx) echo nginx ;;
    *:tinyproxy) echo tinyproxy ;;
    apt-get:gnutls) echo libgnutls30 ;;
    *:gnutls) echo gnutls ;;
    *:valgrind) echo valgrind ;;
    *:gdb) echo gdb ;;
    *:cmake) echo cmake ;;
    apt-get:lintian) echo lintian ;;
    apt-get:blocks) echo libblocksruntime-dev ;;
    apt-get:pkgconfig) echo pkg-config ;;
    dnf:pkgconfig | zypper:pkgconfig) echo pkgconf-pkg-config ;;
    pacman:pkgconfig | apk:pkgconfig) echo pkgconf ;;
    *:strace) echo strace ;;
    apt-get:spin) echo spin ;;
    apt-get:clang14) echo clang-14 ;;
    apt-get:chromium) echo "chromium-headless-shell fonts-dejavu-core" ;;
    dnf:chromium | pacman:chromium | zypper:chromium | apk:chromium) echo chromium ;;
    apt-get:lldb14) echo "lldb-14 python3-lldb-14" ;;
    apt-get:gcc | apk:gcc) echo "gcc g++" ;;
    dnf:gcc | zypper:gcc) echo "gcc gcc-c++" ;;
    pacman:gcc) echo gcc ;;

    apt-get:probes) echo systemtap-sdt-dev ;;
    dnf:probes | zypper:probes) echo systemtap-sdt-devel ;;

    apt-get:glib) echo libglib2.0-dev ;;
    dnf:glib | zypper:glib) echo glib2-devel ;;
    pacman:glib) echo glib2 ;;
    apk:glib) echo glib-dev ;;

    apt-get:gtk) echo libgtk-4-dev ;;
    dnf:gtk | zypper:gtk) echo gtk4-devel ;;
    pacman:gtk) echo gtk4 ;;
    apk:gtk) echo gtk4.0-dev ;;

    apt-get:xvfb | apk:xvfb) echo xvfb ;;
    dnf:xvfb | zypper:xvfb) echo xorg-x11-server-Xvfb ;;
    pacman:xvfb) echo xorg-server-xvfb ;;

    apt-get:uv) echo libuv1-dev ;;
    dnf:uv | zypper:uv) echo libuv-devel ;;
    pacman:uv) echo libuv ;;
    apk:uv) echo libuv-dev ;;

    apt-get:ev | apk:ev) echo libev-dev ;;
    dnf:ev | zypper:ev) echo libev-devel ;;
    pacman:ev) echo libev ;;

    apt-get:event | apk:event) echo libevent-dev ;;
    dnf:event | zypper:event) echo libevent-devel ;;
    pacman:event) echo libevent ;;

    apt-get:arm64 | apt-get:armhf | apt-get:i386)
        echo "libc6-dev-$1-cross libgcc-s1-$1-cross"
        ;;
    apt-get:musl) echo musl-dev ;;
    apt-get:qemu) echo qemu-user ;;

    apt-get:systemd) echo libsystemd-dev ;;
    dnf:systemd | zypper:systemd) echo systemd-devel ;;
    pacman:systemd) echo systemd-libs ;;

    apt-get:ssl) echo libssl-dev ;;
    dnf:ssl) echo openssl-devel ;;
    zypper:ssl) echo libopenssl-devel ;;
    pacman:ssl) echo openssl ;;
    apk:ssl) echo openssl-dev ;;
    esac
}

find_manager() {
    for manager in apt-get dnf pacman zypper apk; do
        if command -v "$manager" >/dev/null; then return 0; fi
    done
    fail "missing: $*. No known package manager here; install them by hand (--help)."
}

# --- Installing ----------------------------------------------------------------------------------

install_command() {
    case $manager in
    apt-get) echo "apt-get install -y --no-install-recommends" ;;
    dnf) echo "dnf install -y" ;;
    pacman) echo "pacman -S --needed --noconfirm" ;;
    zypper) echo "zypper --non-interactive install" ;;
    apk) echo "apk add" ;;
    esac
}

update_command() {
    case $manager in
    apt-get) echo "apt-get update" ;;
    dnf) echo "dnf makecache" ;;
    pacman) echo "pacman -Sy" ;;
    zypper) echo "zypper --non-interactive refresh" ;;
    apk) echo "apk update" ;;
    esac
}

# Sets `become`, which goes before a command that needs root. A sudo that would ask for a password
# can do so only on a terminal.
become_root() {
    become=
    if [ "$(id -u)" -eq 0 ]; then return 0; fi

    become=sudo
    if ! command -v sudo >/dev/null; then return 1; fi
    sudo -n true 2>/dev/null || [ -t 0 ]
}

# Runs a command line as root. What it prints is shown only if it fails in the end.
run() {
    # shellcheck disable=SC2086 # The words of $become and of the command line are to be split.
    set -- $become env DEBIAN_FRONTEND=noninteractive $1
    output=$("$@" 2>&1)
}

install() {
    # Lists of packages may be missing or out of date, above all in containers: then once more.
    if run "$(install_command) $*"; then return 0; fi
    run "$(update_command)" && run "$(install_command) $*"
}

# --- The program ---------------------------------------------------------------------------------

wanted="bsd curl"
for option; do
    case $option in
    --tests) wanted="$wanted python3 socat openssl gnutls nginx tinyproxy curlheaders curlgnutls ssl binutils" ;;
    --ci) wanted="$wanted python shellcheck spin strace valgrind gdb probes gcc clang14 lldb14 chromium" ;;
    --hosts) wanted="$wanted glib uv gtk xvfb" ;;
    --architectures) wanted="$wanted arm64 armhf i386 musl qemu clang14 blocks" ;;
    --packaging) wanted="$wanted cmake pkgconfig gcc clang14 blocks lintian" ;;
    --benchmarks) wanted="$wanted glib uv ev event systemd ssl strace" ;;
    --help | -h)
        usage
        exit 0
        ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
done

compiler=
for candidate in ${CC:-} clang cc gcc; do
    if compiler=$(command -v "$candidate"); then break; fi
done

missing=
for thing in $wanted; do
    is_there "$thing" || missing="$missing $thing"
done
if [ -z "$missing" ]; then exit 0; fi

# shellcheck disable=SC2086 # A list of words.
find_manager $missing

packages=
for thing in $missing; do
    package=$(package_of "$thing")
    if [ -n "$package" ]; then
        packages="$packages $package"
    else
        say "going without $thing, which has no package for $manager"
    fi
done
if [ -z "$packages" ]; then exit 0; fi
packages=${packages# }

if ! become_root; then
    fail "may not install here; run as root: $(update_command) && $(install_command) $packages"
fi

say "installing $packages"
# shellcheck disable=SC2086 # A list of words.
if ! install $packages; then
    echo "$output" >&2
    fail "could not install; try as root: $(update_command) && $(install_command) $packages"
fi

for thing in $missing; do
    if [ -n "$(package_of "$thing")" ] && ! is_there "$thing"; then
        fail "$(package_of "$thing") is installed, but $thing is still not found"
    fi
done
