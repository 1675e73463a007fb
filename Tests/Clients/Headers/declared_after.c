/* The real declarations, and then those of a header that was written to go without them. */

#include <CoreFoundation/CoreFoundation.h>

#include "advance.h"

#include "uses.h"
