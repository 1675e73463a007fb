/* CoreRunLoop does not provide this header of CoreFoundation. */

#error "CFDateFormatter.h is not part of CoreRunLoop: see Docs/Porting.md"
