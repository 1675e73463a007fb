#!/usr/bin/env bash
# Runs the C part of RunLoopNetworking against nginx and servers of its own, under the sanitizers of memory.
#
# usage: Tests/Extras/Attacks/Transfers/run.sh TRANSFERS PROMISES       the two programs, as CMake builds them

set -euo pipefail
transfers=$1
promises=$2

nginx=$(PATH=$PATH:/usr/sbin command -v nginx) || {
    echo "transfers: nginx is not here: CSupport/bootstrap.sh --tests installs it" >&2
    exit 1
}
folder=$(mktemp -d)
mkdir "$folder/files"

head -c 1024 /dev/zero >"$folder/files/small"
head -c 1048576 /dev/zero >"$folder/files/large"
for name in server other; do
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$name" -keyout "$folder/$name.key" \
        -out "$folder/$name.crt" 2>"$folder/openssl" || { cat "$folder/openssl"; exit 1; }
done
cat >"$folder/template" <<CONFIGURATION
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
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$folder"' EXIT
# Another process may take a port first: nginx ends then.
for _ in {1..10}; do
    read -r port secured < <(python3 -c 'import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(each.getsockname()[1] for each in sockets))')
    sed -e "s/PORT/$port/" -e "s/SECURED/$secured/" "$folder/template" >"$folder/nginx.conf"
    "$nginx" -p "$folder" -c "$folder/nginx.conf" -e "$folder/errors" >/dev/null 2>&1 &
    server=$!
    # It writes the file when it has its ports.
    while kill -0 $server 2>/dev/null && [[ ! -s $folder/pid ]]; do sleep 0.01; done
    if [[ -s $folder/pid ]]; then break; fi
done
[[ -s $folder/pid ]] || { cat "$folder/errors"; exit 1; }

"$transfers" "http://127.0.0.1:$port/small" "http://127.0.0.1:$port/large" \
    "https://127.0.0.1:$secured/small" "$folder/other.crt"
"$promises" "$folder/server.crt" "$folder/server.key"

namespace=(unshare --net --map-root-user)
if "${namespace[@]}" sh -c 'echo 40000 40001 >/proc/sys/net/ipv4/ip_local_port_range' 2>"$folder/refusal"; then
    "${namespace[@]}" "$promises" "$folder/server.crt" "$folder/server.key" ports
else
    echo "transfers: skipped: two local ports in a network namespace: $(cat "$folder/refusal")"
fi
