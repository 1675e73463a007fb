/* CoreRunLoop does not provide this header of CoreFoundation. */

#error "CFBundle_BinaryTypes.h is not part of CoreRunLoop: see Docs/Porting.md"
