/* CoreFoundation has this header, and CoreRunLoop has not. */

#error "CFStorage.h is not part of CoreRunLoop: see Docs/Porting.md"
