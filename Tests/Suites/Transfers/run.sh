#!/usr/bin/env bash
# Runs the C part of RunLoopNetworking against nginx and servers of its own, under the sanitizers of memory.
#
# usage: Tests/Suites/Transfers/run.sh

set -euo pipefail
cd "$(dirname "$0")/../../.."

# shellcheck source=.ci/toolchain
source .ci/toolchain

nginx=$(PATH=$PATH:/usr/sbin command -v nginx) || {
    echo "transfers: nginx is not here: CSupport/bootstrap.sh --tests installs it" >&2
    exit 1
}
folder=$PWD/.build-transfers
rm -rf "$folder"
mkdir -p "$folder/files"

part=CSupport/CRunLoopNetworking
choose_sanitizers address,undefined
compile() {
    in_background "$compiler" "${engine_flags[@]}" "${debug_flags[@]}" "${warnings[@]}" -g -I$part/include \
        "${sanitizing[@]}" "$@"
}
objects=()
for file in "${engine_sources[@]}" "$part"/*.c Tests/Suites/Transfers/transfers.c; do
    object=$folder/${file//\//-}.o
    objects+=("$object")
    # Those of the part itself are allocations that can fail.
    allocations=()
    [[ $file != "$part"/* ]] || allocations=(-D{malloc=malloc,calloc=calloc,realloc=realloc}_or_fail)
    compile "${allocations[@]}" -c "$file" -o "$object"
done
promises=()
for file in "$part"/*.c Tests/Suites/Transfers/{promises,peers}.c; do
    promises+=("$folder/promises-${file##*/}.o")
    compile -c "$file" -o "${promises[-1]}"
done
wait
for file in "${engine_sources[@]}"; do promises+=("$folder/${file//\//-}.o"); done
"$compiler" "${sanitizing[@]}" "${promises[@]}" "${engine_libraries[@]}" -lssl -lcrypto -ldl -pthread -o "$folder/promises"
# Libcurl finds the program's functions in place of the C library's.
"$compiler" "${sanitizing[@]}" -Wl,--export-dynamic-symbol={socket,connect,send,recv,setsockopt,getsockopt,getsockname,stat} \
    "${objects[@]}" "${engine_libraries[@]}" -ldl -pthread -o "$folder/transfers"

head -c 1024 /dev/zero >"$folder/files/small"
head -c 1048576 /dev/zero >"$folder/files/large"
for name in server other; do
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$name" -keyout "$folder/$name.key" \
        -out "$folder/$name.crt" 2>"$folder/openssl" || { cat "$folder/openssl"; exit 1; }
done
cat >"$folder/nginx.conf" <<CONFIGURATION
daemon off;
master_process off;
pid $folder/pid;
events { worker_connections 4096; }
http {
    access_log off;
    client_body_temp_path $folder/body;
    proxy_temp_path $folder/proxy;
    fastcgi_temp_path $folder/fastcgi;
    uwsgi_temp_path $folder/uwsgi;
    scgi_temp_path $folder/scgi;
    server { listen 127.0.0.1:PORT; root $folder/files; }
    server {
        listen 127.0.0.1:SECURED ssl;
        ssl_certificate $folder/server.crt;
        ssl_certificate_key $folder/server.key;
        root $folder/files;
    }
}
CONFIGURATION
read -r port secured < <(python3 -c 'import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(each.getsockname()[1] for each in sockets))')
sed -i -e "s/PORT/$port/" -e "s/SECURED/$secured/" "$folder/nginx.conf"
"$nginx" -p "$folder" -c "$folder/nginx.conf" -e "$folder/errors" &
server=$!
trap 'kill $server' EXIT
until python3 -c "import socket; socket.create_connection(('127.0.0.1', $port))" 2>/dev/null; do
    kill -0 $server
done

"$folder/transfers" "http://127.0.0.1:$port/small" "http://127.0.0.1:$port/large" \
    "https://127.0.0.1:$secured/small" "$folder/other.crt"
"$folder/promises" "$folder/server.crt" "$folder/server.key"
echo "2 passed, 0 failed"
