/* CoreRunLoop does not provide this header of CoreFoundation. */

#error "CFCalendarPriv.h is not part of CoreRunLoop: see Docs/Porting.md"
