/* CoreRunLoop does not provide this header of CoreFoundation. */

#error "CFNumber_Private.h is not part of CoreRunLoop: see Docs/Porting.md"
