/*
 * The availability macros of Apple's headers, and the version numbers of Apple's systems. Here,
 * every declaration is always available. __MAC_OS_X_VERSION_MIN_REQUIRED and
 * __MAC_OS_X_VERSION_MAX_ALLOWED are not defined, as on all systems except macOS.
 */

#ifndef CRUNLOOP_APPLE_AVAILABILITY_H
#define CRUNLOOP_APPLE_AVAILABILITY_H
#define __AVAILABILITY__

/* CRunLoop/CFCompatibility.h defines the same macros. */
#define API_AVAILABLE(...)
#define API_DEPRECATED(...)
#define API_UNAVAILABLE(...)
#ifndef API_DEPRECATED_WITH_REPLACEMENT
#define API_DEPRECATED_WITH_REPLACEMENT(...)
#endif
#define API_TO_BE_DEPRECATED 100000

#define __API_AVAILABLE(...)
#define __API_DEPRECATED(...)
#define __API_DEPRECATED_WITH_REPLACEMENT(...)
#define __API_UNAVAILABLE(...)
#define __AVAILABILITY_INTERNAL_DEPRECATED
#define __AVAILABILITY_INTERNAL_UNAVAILABLE
#define __AVAILABILITY_INTERNAL_WEAK_IMPORT
#define __IOS_AVAILABLE(version)
#define __IOS_DEPRECATED(from, until, message)
#define __IOS_PROHIBITED
#define __IOS_UNAVAILABLE
#define __OSX_AVAILABLE(version)
#define __OSX_AVAILABLE_BUT_DEPRECATED(mac_from, mac_until, ios_from, ios_until)
#define __OSX_AVAILABLE_BUT_DEPRECATED_MSG(mac_from, mac_until, ios_from, ios_until, message)
#define __OSX_AVAILABLE_STARTING(mac, ios)
#define __OSX_DEPRECATED(from, until, message)
#define __OSX_UNAVAILABLE
#define __SWIFT_UNAVAILABLE
#define __SWIFT_UNAVAILABLE_MSG(message)
#define __TVOS_AVAILABLE(version)
#define __TVOS_DEPRECATED(from, until, message)
#define __TVOS_PROHIBITED
#define __TVOS_UNAVAILABLE
#define __WATCHOS_AVAILABLE(version)
#define __WATCHOS_DEPRECATED(from, until, message)
#define __WATCHOS_PROHIBITED
#define __WATCHOS_UNAVAILABLE

#define __MAC_10_0 1000
#define __MAC_10_1 1010
#define __MAC_10_2 1020
#define __MAC_10_3 1030
#define __MAC_10_4 1040
#define __MAC_10_5 1050
#define __MAC_10_6 1060
#define __MAC_10_7 1070
#define __MAC_10_8 1080
#define __MAC_10_9 1090
#define __MAC_10_10 101000
#define __MAC_10_11 101100
#define __MAC_10_12 101200
#define __MAC_10_13 101300
#define __MAC_10_14 101400
#define __MAC_10_15 101500
#define __MAC_11_0 110000
#define __MAC_12_0 120000
#define __MAC_13_0 130000
#define __MAC_14_0 140000
#define __MAC_15_0 150000
#define __MAC_NA 9999

#define __IPHONE_2_0 20000
#define __IPHONE_2_1 20100
#define __IPHONE_2_2 20200
#define __IPHONE_3_0 30000
#define __IPHONE_3_1 30100
#define __IPHONE_3_2 30200
#define __IPHONE_4_0 40000
#define __IPHONE_4_1 40100
#define __IPHONE_4_2 40200
#define __IPHONE_4_3 40300
#define __IPHONE_5_0 50000
#define __IPHONE_5_1 50100
#define __IPHONE_6_0 60000
#define __IPHONE_6_1 60100
#define __IPHONE_7_0 70000
#define __IPHONE_7_1 70100
#define __IPHONE_8_0 80000
#define __IPHONE_8_1 80100
#define __IPHONE_8_2 80200
#define __IPHONE_8_3 80300
#define __IPHONE_8_4 80400
#define __IPHONE_9_0 90000
#define __IPHONE_9_1 90100
#define __IPHONE_9_2 90200
#define __IPHONE_9_3 90300
#define __IPHONE_10_0 100000
#define __IPHONE_10_1 100100
#define __IPHONE_10_2 100200
#define __IPHONE_10_3 100300
#define __IPHONE_11_0 110000
#define __IPHONE_11_1 110100
#define __IPHONE_11_2 110200
#define __IPHONE_11_3 110300
#define __IPHONE_11_4 110400
#define __IPHONE_12_0 120000
#define __IPHONE_12_1 120100
#define __IPHONE_12_2 120200
#define __IPHONE_12_3 120300
#define __IPHONE_12_4 120400
#define __IPHONE_13_0 130000
#define __IPHONE_13_1 130100
#define __IPHONE_13_2 130200
#define __IPHONE_13_3 130300
#define __IPHONE_13_4 130400
#define __IPHONE_13_5 130500
#define __IPHONE_13_6 130600
#define __IPHONE_13_7 130700
#define __IPHONE_14_0 140000
#define __IPHONE_14_1 140100
#define __IPHONE_14_2 140200
#define __IPHONE_14_3 140300
#define __IPHONE_14_4 140400
#define __IPHONE_14_5 140500
#define __IPHONE_14_6 140600
#define __IPHONE_14_7 140700
#define __IPHONE_14_8 140800
#define __IPHONE_15_0 150000
#define __IPHONE_15_1 150100
#define __IPHONE_15_2 150200
#define __IPHONE_15_3 150300
#define __IPHONE_15_4 150400
#define __IPHONE_15_5 150500
#define __IPHONE_15_6 150600
#define __IPHONE_15_7 150700
#define __IPHONE_15_8 150800
#define __IPHONE_16_0 160000
#define __IPHONE_16_1 160100
#define __IPHONE_16_2 160200
#define __IPHONE_16_3 160300
#define __IPHONE_16_4 160400
#define __IPHONE_16_5 160500
#define __IPHONE_16_6 160600
#define __IPHONE_16_7 160700
#define __IPHONE_17_0 170000
#define __IPHONE_17_1 170100
#define __IPHONE_17_2 170200
#define __IPHONE_17_3 170300
#define __IPHONE_17_4 170400
#define __IPHONE_17_5 170500
#define __IPHONE_17_6 170600
#define __IPHONE_17_7 170700
#define __IPHONE_18_0 180000
#define __IPHONE_18_1 180100
#define __IPHONE_18_2 180200
#define __IPHONE_18_3 180300
#define __IPHONE_18_4 180400
#define __IPHONE_18_5 180500
#define __IPHONE_NA 9999

#endif
