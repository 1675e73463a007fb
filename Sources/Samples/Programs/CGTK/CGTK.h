/* GTK, for the Swift example. */

#include <gtk/gtk.h>
