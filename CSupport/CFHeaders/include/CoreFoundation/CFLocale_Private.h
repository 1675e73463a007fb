/* CoreRunLoop does not provide this header of CoreFoundation. */

#error "CFLocale_Private.h is not part of CoreRunLoop: see Docs/Porting.md"
