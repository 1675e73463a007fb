# Another processor, with the C library that Debian has for it: CMAKE_SYSTEM_PROCESSOR is aarch64, armhf or i386. It
# has no compiler of its own, so that what gcc brings to a program is named here.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CMAKE_SYSTEM_PROCESSOR)

if(CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
    set(triplet aarch64-linux-gnu)
    set(loader ld-linux-aarch64.so.1)
    set(emulator qemu-aarch64)
    # The functions that outlined atomics stand for are in the compiler's own library.
    set(options -mno-outline-atomics)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL armhf)
    set(triplet arm-linux-gnueabihf)
    set(loader ld-linux-armhf.so.3)
    set(emulator qemu-arm)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL i386)
    set(triplet i686-linux-gnu)
    set(loader ld-linux.so.2)
    set(emulator qemu-i386)
endif()

set(root "/usr/${triplet}")
foreach(file IN ITEMS lib/Scrt1.o lib/libgcc_s.so.1)
    if(NOT EXISTS "${root}/${file}")
        message(FATAL_ERROR "No C library for ${triplet}: CSupport/bootstrap.sh --architectures")
    endif()
endforeach()

# This machine runs its own programs, and those of i386 where it is an x86-64.
set(here "${CMAKE_HOST_SYSTEM_PROCESSOR}-${CMAKE_SYSTEM_PROCESSOR}")
if(NOT here MATCHES "^(aarch64-aarch64|x86_64-i386)$")
    find_program(CRUNLOOP_EMULATOR ${emulator} REQUIRED)
    set(CMAKE_CROSSCOMPILING_EMULATOR "${CRUNLOOP_EMULATOR}")
endif()

# Headers that are the same for every processor.
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/headers")
file(CREATE_LINK /usr/include/bsd "${CMAKE_BINARY_DIR}/headers/bsd" SYMBOLIC)

set(CMAKE_C_COMPILER_TARGET ${triplet})
set(CMAKE_C_FLAGS_INIT "${options} -nostdlibinc -isystem ${CMAKE_BINARY_DIR}/headers -isystem ${root}/include")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fuse-ld=lld -nostdlib -pie ${root}/lib/Scrt1.o ${root}/lib/crti.o ${root}/lib/crtn.o \
-L${root}/lib -lm -lc ${root}/lib/libgcc_s.so.1 -Wl,--dynamic-linker=${root}/lib/${loader},-rpath,${root}/lib")

# The kernel's newer calls for time and sizes, which the engine does not need. Only the engine is worth optimizing.
set(CRUNLOOP_TEST_OPTIONS -D_TIME_BITS=64 -D_FILE_OFFSET_BITS=64 -O0)

# Debian has no OpenSSL for them, and the tests that answer a call themselves do not know how every C library makes it.
set(CRUNLOOP_SCENARIOS_WITHOUT has_openssl knows_calls)

# QEMU 7.2 takes no filters, dies in a fork beside other threads, and writes a line when a program dies. It starts no
# program that another program names, gives names of its own to the files of a program, does not know all options of
# sockets, and leaves a descriptor open that comes with a message and finds no room.
if(CMAKE_CROSSCOMPILING_EMULATOR)
    list(APPEND CRUNLOOP_SCENARIOS_WITHOUT has_filter host_forked host_forked_in_queue foreign_environment
        name_in_replaced_file foreign_mode_of_block foreign_mode_of_loop foreign_mode_of_stream mach_port_hostile
        kernel_readiness malformed_requests)
endif()
# It has only the old time-outs of sockets for 32-bit ARM, and an answer to the new question.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL armhf)
    list(APPEND CRUNLOOP_SCENARIOS_WITHOUT socket_invalidation_ends_sending socket_sends_as_handle)
endif()
