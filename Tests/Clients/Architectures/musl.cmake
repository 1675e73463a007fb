# This processor with musl, linked statically.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_HOST_SYSTEM_PROCESSOR})

set(triplet ${CMAKE_SYSTEM_PROCESSOR}-linux-musl)
set(library /usr/lib/${triplet})
if(NOT EXISTS ${library}/libc.a)
    message(FATAL_ERROR "No musl: CSupport/bootstrap.sh --architectures")
endif()

# Headers that are the same for every C library.
set(headers "${CMAKE_BINARY_DIR}/headers")
file(MAKE_DIRECTORY "${headers}")
foreach(folder IN ITEMS bsd linux asm-generic ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu/asm)
    get_filename_component(name ${folder} NAME)
    file(CREATE_LINK /usr/include/${folder} "${headers}/${name}" SYMBOLIC)
endforeach()

set(CMAKE_C_COMPILER_TARGET ${triplet})
set(CMAKE_C_FLAGS_INIT "-nostdlibinc -isystem /usr/include/${triplet} -isystem ${headers}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fuse-ld=lld -nostdlib -static ${library}/crt1.o ${library}/crti.o ${library}/crtn.o \
-L${library} -lc")

# The C library lacks what musl.h has, and a static program loads none, so that it has no TLS and finds no names in
# libraries. Its realloc(3) keeps no alignment, which is there for speed.
set(CRUNLOOP_TEST_OPTIONS "SHELL:-include ${CMAKE_CURRENT_LIST_DIR}/musl.h")
set(CRUNLOOP_SCENARIOS_WITHOUT has_openssl knows_calls name_in_replaced_file message_bytes_in_lines)
