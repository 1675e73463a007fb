/* CoreRunLoop does not provide this header of CoreFoundation. */

#error "CFUniChar.h is not part of CoreRunLoop: see Docs/Porting.md"
