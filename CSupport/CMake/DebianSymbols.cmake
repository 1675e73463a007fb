# Writes the symbols file of the package (deb-symbols(5)) with the symbols that the library exports.

execute_process(COMMAND ${NM} -D --defined-only --extern-only --format=posix ${LIBRARY}
    OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[A-Za-z_0-9]+" names "${listing}")
string(REPLACE "\n" "" names "${names}")
# Excludes the symbols that the linker adds.
list(FILTER names EXCLUDE REGEX "^(__bss_start|_edata|_end)$")
list(SORT names)
set(text "${SONAME} ${PACKAGE} #MINVER#\n")
string(REPLACE "#MINVER#" "(>= ${VERSION})" text "${text}")
foreach(name IN LISTS names)
    string(APPEND text " ${name}@Base ${VERSION}\n")
endforeach()
file(WRITE "${OUT}" "${text}")
