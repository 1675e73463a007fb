#!/usr/bin/env bash
# Makes tls_certificates.h and ServerKit/Certificates.swift anew: certificates and keys for tests of
# TLS. Nothing else may trust them, as their keys are there for everybody to read. Needs openssl.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
output=$root/Tests/Scenarios/tls/tls_certificates.h
swift_output=$root/Tests/Suites/Support/ServerKit/Certificates.swift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

begin=20200101000000Z end=21200101000000Z

cat >authority.conf <<'CONF'
[ca]
default_ca = default
[default]
database = index
new_certs_dir = .
serial = serial
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
[req]
distinguished_name = name
prompt = no
[name]
CN = unused
CONF
touch index
echo 01 >serial

make_key() { openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out "$1.key"; }

# NAME COMMON-NAME: an authority
make_authority() {
  make_key "$1"
  printf 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\nsubjectKeyIdentifier=hash\n' >extensions
  openssl req -new -key "$1.key" -subj "/CN=$2" -config authority.conf -out request
  openssl ca -batch -config authority.conf -selfsign -keyfile "$1.key" -in request -out "$1.crt" \
    -startdate $begin -enddate $end -extfile extensions -notext 2>/dev/null
}

# NAME AUTHORITY SUBJECT-ALTERNATIVES [BEGIN END]: a certificate of an authority
make_certificate() {
  make_key "$1"
  printf 'subjectAltName=%s\nauthorityKeyIdentifier=keyid\n' "$3" >extensions
  openssl req -new -key "$1.key" -subj "/CN=$1" -config authority.conf -out request
  openssl ca -batch -config authority.conf -keyfile "$2.key" -cert "$2.crt" -in request \
    -out "$1.crt" -startdate "${4-$begin}" -enddate "${5-$end}" -extfile extensions -notext \
    2>/dev/null
}

here=DNS:localhost,IP:127.0.0.1
make_authority authority "Authority of scenarios"
make_authority stranger "Another authority"
make_certificate server authority $here
make_certificate elsewhere authority DNS:elsewhere.example
make_certificate expired authority $here 20200101000000Z 20200102000000Z
make_certificate future authority $here 21190101000000Z 21190102000000Z
make_certificate unknown stranger $here
make_certificate client authority DNS:client.example
make_key alone
openssl req -new -key alone.key -subj /CN=alone -config authority.conf -out request
printf 'subjectAltName=%s\n' $here >extensions
openssl ca -batch -config authority.conf -selfsign -keyfile alone.key -in request -out alone.crt \
  -startdate $begin -enddate $end -extfile extensions -notext 2>/dev/null

{
  cat <<'HEAD'
/*
 * Certificates in PEM, each with its key, which is no secret. Made by make_certificates.sh.
 */

HEAD
  for name in authority server elsewhere expired future unknown alone client; do
    echo "__attribute__((unused)) static const char pem_of_${name}[] ="
    files=("$name.crt")
    [[ $name == authority ]] || files+=("$name.key")
    cat "${files[@]}" | sed 's/.*/    "&\\n"/' | sed '$ s/$/;/'
    echo
  done
} >"$output"

{
  printf '/// Certificates in PEM, each with its key, which is no secret.\n///\n'
  printf '/// Made by make_certificates.sh.\npublic enum Certificates {\n'
  separator=
  for name in authority server elsewhere; do
    files=("$name.crt")
    [[ $name == authority ]] || files+=("$name.key")
    # shellcheck disable=SC2016 # The ticks are those of a comment.
    printf '%s    /// The certificate `%s`.\n    public static let %s = """\n' "$separator" "$name" "$name"
    cat "${files[@]}" | sed 's/^/        /'
    printf '        """\n'
    separator=$'\n'
  done
  echo "}"
} >"$swift_output"
