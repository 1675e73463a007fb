#!/usr/bin/env bash
# Prints a Swift file as the line of the guide makes it.
#
# usage: Tests/SampleTests/Fixtures/rename_foundation.sh FILE

set -euo pipefail
cd "$(dirname "$0")/../../.."
line=$(grep -m 1 '^sed ' Sources/RunLoopKit/RunLoopKit.docc/FromFoundation.md)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$1" "$folder/file.swift"
cd "$folder"
bash -c "$line"
cat file.swift
