/*
 * Macros of other libraries, with the values that those give them. A program may include a public
 * header after all of them, so no header uses one of these words.
 */

/* Qt: qtmetamacros.h, qforeach.h, qtdeprecationdefinitions.h. */
#ifdef __cplusplus
#define signals public
#define Q_SIGNALS public
#else
#define signals
#define Q_SIGNALS
#endif
#define slots
#define emit
#define foreach(variable, container) for (variable = container; 0;)
#define forever for (;;)
#define Q_SLOTS
#define Q_EMIT
#define Q_FOREACH(variable, container) foreach(variable, container)
#define Q_FOREVER for (;;)
#define Q_OBJECT
#define Q_GADGET
#define Q_INVOKABLE
#define Q_DECL_EXPORT __attribute__((visibility("default")))
#define Q_UNUSED(x) (void)x

/* X11: X.h, Xlib.h. */
#define Bool int
#define Status int
#define True 1
#define False 0
#define None 0L
#define ParentRelative 1L
#define CopyFromParent 0L
#define PointerWindow 0L
#define InputFocus 1L
#define PointerRoot 1L
#define AnyKey 0L
#define AnyButton 0L
#define AllTemporary 0L
#define CurrentTime 0L
#define NoSymbol 0L
#define KeyPress 2
#define KeyRelease 3
#define ButtonPress 4
#define EnterNotify 7
#define FocusIn 9
#define FocusOut 10
#define Expose 12
#define Unsorted 0
#define YSorted 1
#define Success 0
#define BadRequest 1
#define BadValue 2
#define BadAccess 10
#define BadAlloc 11
#define Above 0
#define Below 1
#define TopIf 2
#define BottomIf 3
#define Opposite 4
#define Always 2
#define NotUseful 0
#define WhenMapped 1
#define Complex 0
#define Nonconvex 1
#define Convex 2
#define RaiseLowest 0
#define LowerHighest 1
#define QueuedAlready 0
#define QueuedAfterReading 1
#define QueuedAfterFlush 2
#define AllValues 0x000F
#define NoValue 0x0000

/* GLib: gmacros.h. */
#define TRUE (!FALSE)
#define FALSE (0)
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#define ABS(a) (((a) < 0) ? -(a) : (a))
#define CLAMP(x, low, high) (((x) > (high)) ? (high) : (((x) < (low)) ? (low) : (x)))

/* Windows: windef.h, rpcndr.h, combaseapi.h, wingdi.h, as in Wine and MinGW. */
#define interface struct
#define near
#define far
#define small char
#define hyper long long
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define IN
#define OUT
#define OPTIONAL
#define CONST const
#define VOID void
#define ERROR 0
#define DELETE 0x00010000L
#define NO_ERROR 0L
#define IGNORE 0
#define INFINITE 0xFFFFFFFF

/* The C library: older modes of compilers, sys/sysmacros.h, complex.h. */
#undef unix
#undef linux
#define unix 1
#define linux 1
#define major(device) gnu_dev_major(device)
#define minor(device) gnu_dev_minor(device)
#define makedev(major_number, minor_number) gnu_dev_makedev(major_number, minor_number)
#define I (1.0fi)
