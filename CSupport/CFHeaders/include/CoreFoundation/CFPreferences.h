/* CoreRunLoop does not provide this header of CoreFoundation. */

#error "CFPreferences.h is not part of CoreRunLoop: see Docs/Porting.md"
