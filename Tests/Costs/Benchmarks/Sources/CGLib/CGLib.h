/*
 * GLib, whose folders pkg-config knows.
 */

#include <glib.h>
