/*
 * The umbrella header of the CoreRunLoop engine.
 *
 * C code that used CoreFoundation's run loop includes this file and renames `CF` to `RL` and `kCF`
 * to `kRL`. Like CoreFoundation's umbrella header, this file includes the headers of the C library
 * that such code needs.
 */

#ifndef CRUNLOOP_CRUNLOOP_H
#define CRUNLOOP_CRUNLOOP_H

#include <CRunLoop/RLAllocator.h>
#include <CRunLoop/RLArray.h>
#include <CRunLoop/RLAutoreleasePool.h>
#include <CRunLoop/RLBase.h>
#include <CRunLoop/RLCHeaders.h>
#include <CRunLoop/RLData.h>
#include <CRunLoop/RLDate.h>
#include <CRunLoop/RLDictionary.h>
#include <CRunLoop/RLError.h>
#include <CRunLoop/RLEventSources.h>
#include <CRunLoop/RLFileDescriptor.h>
#include <CRunLoop/RLHost.h>
#include <CRunLoop/RLLogUtilities.h>
#include <CRunLoop/RLMachPort.h>
#include <CRunLoop/RLMessagePort.h>
#include <CRunLoop/RLMutableString.h>
#include <CRunLoop/RLNotificationCenter.h>
#include <CRunLoop/RLNull.h>
#include <CRunLoop/RLNumber.h>
#include <CRunLoop/RLObject.h>
#include <CRunLoop/RLRunLoop.h>
#include <CRunLoop/RLRunLoopHosting.h>
#include <CRunLoop/RLRunLoopObserver.h>
#include <CRunLoop/RLRunLoopSource.h>
#include <CRunLoop/RLRunLoopStatistics.h>
#include <CRunLoop/RLRunLoopTimer.h>
#include <CRunLoop/RLRunLoopTracer.h>
#include <CRunLoop/RLSet.h>
#include <CRunLoop/RLSocket.h>
#include <CRunLoop/RLStream.h>
#include <CRunLoop/RLStreamSecurity.h>
#include <CRunLoop/RLString.h>
#include <CRunLoop/RLStringEncoding.h>
#include <CRunLoop/RLTimeZone.h>
#include <CRunLoop/RLURL.h>

#endif
