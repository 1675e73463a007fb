/* CoreRunLoop does not provide this header of CoreFoundation. */

#error "CFStringEncodingExt.h is not part of CoreRunLoop: see Docs/Porting.md"
