/* Stands in for CoreFoundation's umbrella header; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
