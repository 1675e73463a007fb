/* CoreRunLoop does not provide this header of CoreFoundation. */

#error "CFPropertyList.h is not part of CoreRunLoop: see Docs/Porting.md"
