/*
 * A target of the package has a source file. All that this one gives are headers: those of Apple's
 * systems that stand beside CoreFoundation's in real programs, written from what is documented.
 */

#include <CFNetwork/CFNetwork.h>
#include <CoreServices/CoreServices.h>
