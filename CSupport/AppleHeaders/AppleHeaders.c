/*
 * A target of the package needs a source file. This target consists of headers: those of Apple's
 * systems that programs use beside CoreFoundation's, written from public documentation.
 */

#include <CFNetwork/CFNetwork.h>
#include <CoreServices/CoreServices.h>
