/*
 * GTK for the example in Swift.
 */

#include <gtk/gtk.h>
