/* CoreFoundation has this header, and CoreRunLoop has not. */

#error "CFLocale_Private.h is not part of CoreRunLoop: see Docs/Porting.md"
