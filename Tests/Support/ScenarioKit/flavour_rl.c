/*
 * The scenarios of our engine.
 */

#include "flavour.h"
