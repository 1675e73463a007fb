#!/usr/bin/env bash
# Compiles the GTK example in Swift with the modules of a debug build, and runs it on a display that
# nobody sees. Without GTK or Xvfb it prints a line and does nothing.
#
# usage: Tests/Extras/Clients/Hosts/gtk.sh

set -euo pipefail
cd "$(dirname "$0")/../../../.."

# shellcheck source=.ci/toolchain
source .ci/toolchain

if ! pkg-config --exists gtk4 || ! command -v Xvfb >/dev/null; then
    echo "no GTK 4 or no Xvfb: its example was not tried"
    exit 0
fi

build=$(swift build --show-bin-path)
folder=.build-hosts
flags=(
    -swift-version 6 -warnings-as-errors -parse-as-library
    -I "$build/Modules" -I CSupport/CRunLoop/include -I CSupport/Extras/CRunLoopHosts/include
    -I Sources/Samples/Programs/CGTK
    -Xcc "-fmodule-map-file=CSupport/CRunLoop/include/module.modulemap"
    -Xcc "-fmodule-map-file=$build/CRunLoopConcurrency.build/module.modulemap"
    -Xcc "-fmodule-map-file=$build/CRunLoopHosts.build/module.modulemap"
)
for flag in $(pkg-config --cflags gtk4); do flags+=(-Xcc "$flag"); done
read -ra libraries <<<"$(pkg-config --libs gtk4)"
objects=()
# The engine's lie in the folders of its layers.
objects+=("$build"/CRunLoop{,Values,Streams,Ports}.build/*/*.o "$build"/CRunLoopConcurrency.build/*.o)
for module in CoreRunLoop RunLoopKit CRunLoopHosts RunLoopHosts; do
    objects+=("$build/$module.build"/*.o)
done

mkdir -p "$folder"
swiftc "${flags[@]}" Sources/Samples/Programs/GTKHost.swift "${objects[@]}" "${libraries[@]}" \
    "${engine_libraries[@]}" -o "$folder/gtk-example"

# The server finds a display number that is free, and writes it to descriptor 3.
exec {display}< <(exec Xvfb -displayfd 3 -screen 0 320x240x24 3>&1 2>/dev/null)
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
read -r -t 300 -u "$display" number
output=$(DISPLAY=:$number GDK_BACKEND=x11 GSK_RENDERER=cairo timeout 300 "$folder/gtk-example" \
    2>"$folder/gtk.log") || { cat "$folder/gtk.log"; exit 1; }
echo "GTK: $output"
[[ $output == "GTK's timeout, main actor, main queue, run loop's timer" ]]
