/* Declarations in advance, and then the real ones: they are the same types. */

#include "advance.h"

#include <CoreFoundation/CoreFoundation.h>

#include "uses.h"
