/* CoreFoundation has this header, and CoreRunLoop has not. */

#error "CFCalendarPriv.h is not part of CoreRunLoop: see Docs/Porting.md"
