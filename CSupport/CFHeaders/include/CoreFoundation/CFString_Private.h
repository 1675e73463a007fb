/* CoreFoundation has this header, and CoreRunLoop has not. */

#error "CFString_Private.h is not part of CoreRunLoop: see Docs/Porting.md"
