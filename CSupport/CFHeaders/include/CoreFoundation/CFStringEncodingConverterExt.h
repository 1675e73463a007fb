/* CoreFoundation has this header, and CoreRunLoop has not. */

#error "CFStringEncodingConverterExt.h is not part of CoreRunLoop: see Docs/Porting.md"
