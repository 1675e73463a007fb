/* CoreRunLoop does not provide this header of CoreFoundation. */

#error "CFStringEncodingConverterExt.h is not part of CoreRunLoop: see Docs/Porting.md"
