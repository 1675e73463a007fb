/* Stands in for CoreFoundation's CFCalendar.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
