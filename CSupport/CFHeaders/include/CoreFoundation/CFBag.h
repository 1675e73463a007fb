/* CoreFoundation has this header, and CoreRunLoop has not. */

#error "CFBag.h is not part of CoreRunLoop: see Docs/Porting.md"
