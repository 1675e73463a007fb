#!/usr/bin/env bash
# Exchanges messages with mosquitto, a server of MQTT, over TLS with certificates on both sides.
#
# usage: Tests/Clients/ByHand/mqtt.sh [COUNT]
#
# Needs mosquitto, mosquitto-clients and openssl.

set -euo pipefail
cd "$(dirname "$0")/../../.."
count=${1:-200}
port=${MQTT_PORT:-18883}

# shellcheck source=.ci/toolchain
source .ci/toolchain

folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT

link_program "$folder/mqtt" "${test_flags[@]}" -O1 Tests/Clients/ByHand/mqtt.c "${engine_sources[@]}" \
    "${engine_libraries[@]}"

# NAME EXTENSIONS [REQUEST-OPTIONS]: a key and a certificate
make_certificate() {
    openssl ecparam -name prime256v1 -genkey -noout -out "$folder/$1.key"
    openssl req -new -key "$folder/$1.key" -subj "/CN=$1" -out "$folder/request"
    openssl x509 -req -in "$folder/request" -days 2 -extfile <(echo "$2") -out "$folder/$1.crt" \
        "${@:3}" 2>/dev/null
}
by_authority=(-CA "$folder/authority.crt" -CAkey "$folder/authority.key" -CAcreateserial)
make_certificate authority basicConstraints=critical,CA:TRUE -signkey "$folder/authority.key"
make_certificate server subjectAltName=DNS:localhost "${by_authority[@]}"
make_certificate client subjectAltName=DNS:client.example "${by_authority[@]}"
cat "$folder/client.crt" "$folder/client.key" >"$folder/client.pem"
chmod -R a+rX "$folder"

cat >"$folder/mosquitto.conf" <<CONF
listener $port localhost
cafile $folder/authority.crt
certfile $folder/server.crt
keyfile $folder/server.key
require_certificate true
allow_anonymous true
log_dest file $folder/log
max_queued_messages 100000
user $(id -un)
CONF
PATH=$PATH:/usr/sbin mosquitto -c "$folder/mosquitto.conf" &
until grep -q running "$folder/log" 2>/dev/null; do sleep 0.1; done

to_server=(-h localhost -p "$port" --cafile "$folder/authority.crt"
    --cert "$folder/client.crt" --key "$folder/client.key")
mosquitto_sub "${to_server[@]}" -t loop/me -C "$count" -N >"$folder/seen" &
subscriber=$!
until grep -q 'SUBSCRIBE\|loop/me\|as auto-' "$folder/log"; do sleep 0.1; done

"$folder/mqtt" "$port" "$folder/authority.crt" "$folder/client.pem" "$count" >"$folder/output" &
client=$!
until grep -q subscribed "$folder/output"; do sleep 0.1; done
mosquitto_pub "${to_server[@]}" -t loop/other -m "hello from mosquitto_pub"
wait "$client"
wait "$subscriber"
cat "$folder/output"
echo "mosquitto_sub has seen $(stat -c %s "$folder/seen") bytes in $count messages"
