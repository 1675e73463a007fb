/* CoreFoundation has this header, and CoreRunLoop has not. */

#error "CFCalendar.h is not part of CoreRunLoop: see Docs/Porting.md"
