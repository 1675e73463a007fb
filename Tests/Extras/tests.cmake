# The tests in C of what is not the core, for Tests/CMakeLists.txt, which includes this file.

set(extras "${CMAKE_CURRENT_LIST_DIR}")

# --- Loops that host run loops -------------------------------------------------------------------

pkg_check_modules(PEERS IMPORTED_TARGET glib-2.0 libuv)
if(PEERS_FOUND)
    file(GLOB adapters CONFIGURE_DEPENDS ${engine}/Extras/CRunLoopHosts/*.c)
    file(GLOB tests CONFIGURE_DEPENDS ${extras}/Clients/Hosts/*.c)
    add_program(hosts ${adapters} ${tests})
    target_include_directories(hosts PRIVATE "${engine}/Extras/CRunLoopHosts/include")
    target_link_libraries(hosts PRIVATE CHarness PkgConfig::PEERS)
    target_link_options(hosts PRIVATE LINKER:--wrap=syscall LINKER:--wrap=write)
    foreach(file IN LISTS tests)
        file(READ "${file}" text)
        string(REGEX MATCHALL "{\"[a-z_]+\", [a-z_]+}" rows "${text}")
        foreach(row IN LISTS rows)
            string(REGEX REPLACE "{\"([a-z_]+)\".*" "\\1" name "${row}")
            add_test(NAME hosts.${name} COMMAND hosts ${name})
        endforeach()
    endforeach()
else()
    message(STATUS "No GLib or no libuv: the adapters go untested")
endif()

# --- Bytes from outside --------------------------------------------------------------------------

if(CRUNLOOP_SANITIZERS MATCHES fuzzer)
    # The inspector's protocol is in Swift, and has examples to begin with.
    set(program "${CMAKE_CURRENT_BINARY_DIR}/inspector_fuzz")
    set(swift "${CMAKE_CURRENT_SOURCE_DIR}/../Sources")
    set(files "${extras}/Attacks/Fuzz/inspector_fuzz.swift"
        "${swift}/Extras/RunLoopDiagnostics/Inspector/InspectorRequest.swift" "${swift}/Extras/runloop/Inspect/Readings.swift"
        "${swift}/Extras/runloop/Inspect/Rates.swift")
    add_custom_command(OUTPUT "${program}" DEPENDS ${files} VERBATIM COMMAND swiftc -O -parse-as-library -sanitize=fuzzer
        -module-cache-path modules ${files} -o "${program}")
    add_custom_target(inspector ALL DEPENDS "${program}")
    add_dependencies(fuzzers inspector)
    add_fuzz_test(inspector "${program}" "${extras}/Attacks/Fuzz/inspector.seeds")
endif()

# --- Requests by libcurl -------------------------------------------------------------------------

pkg_check_modules(CURL libcurl)
pkg_check_modules(TLS IMPORTED_TARGET openssl)
if(CURL_FOUND AND TLS_FOUND)
    file(GLOB networking CONFIGURE_DEPENDS ${engine}/Extras/CRunLoopNetworking/*.c)
    add_program(promises ${networking} ${extras}/Attacks/Transfers/promises.c ${extras}/Attacks/Transfers/clients.c
        ${extras}/Attacks/Transfers/peers.c ${extras}/Attacks/Transfers/shared_ports.c)
    target_link_libraries(promises PRIVATE CHarness PkgConfig::TLS ${CMAKE_DL_LIBS})
    target_link_options(promises PRIVATE LINKER:--export-dynamic-symbol=connect)

    # Its allocations can fail, and libcurl finds the program's functions in place of the C library's.
    add_library(networking_or_fail OBJECT ${networking})
    set_up(networking_or_fail)
    target_compile_definitions(networking_or_fail PRIVATE
        malloc=malloc_or_fail calloc=calloc_or_fail realloc=realloc_or_fail)
    add_program(transfers ${extras}/Attacks/Transfers/transfers.c ${harness}/children.c)
    target_link_libraries(transfers PRIVATE networking_or_fail ${CMAKE_DL_LIBS})
    foreach(call socket connect send recv setsockopt getsockopt getsockname getpeername stat)
        target_link_options(transfers PRIVATE LINKER:--export-dynamic-symbol=${call})
    endforeach()
    foreach(target promises networking_or_fail transfers)
        target_include_directories(${target} PRIVATE "${engine}/Extras/CRunLoopNetworking/include")
    endforeach()
    add_test(NAME transfers COMMAND "${extras}/Attacks/Transfers/run.sh" $<TARGET_FILE:transfers>
        $<TARGET_FILE:promises>)
endif()
