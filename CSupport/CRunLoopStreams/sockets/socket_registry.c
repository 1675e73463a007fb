/* CF's name registry of sockets. The functions fail, because no system has a registry server. */

#include <CRunLoop/RLSocket.h>

#include <stdatomic.h>

RLStringRef const kRLSocketCommandKey = RLSTR("Command");
RLStringRef const kRLSocketNameKey = RLSTR("Name");
RLStringRef const kRLSocketValueKey = RLSTR("Value");
RLStringRef const kRLSocketResultKey = RLSTR("Result");
RLStringRef const kRLSocketErrorKey = RLSTR("Error");
RLStringRef const kRLSocketRegisterCommand = RLSTR("Register");
RLStringRef const kRLSocketRetrieveCommand = RLSTR("Retrieve");

static atomic_ushort port_number = 2454;

RLSocketError RLSocketRegisterValue(const RLSocketSignature *nameServerSignature,
                                    RLTimeInterval timeout, RLStringRef name, RLTypeRef value)
{
    (void)nameServerSignature, (void)timeout, (void)name, (void)value;
    return kRLSocketError;
}

RLSocketError RLSocketCopyRegisteredValue(const RLSocketSignature *nameServerSignature,
                                          RLTimeInterval timeout, RLStringRef name,
                                          RLTypeRef *value, RLDataRef *nameServerAddress)
{
    (void)nameServerSignature, (void)timeout, (void)name, (void)value, (void)nameServerAddress;
    return kRLSocketError;
}

RLSocketError RLSocketRegisterSocketSignature(const RLSocketSignature *nameServerSignature,
                                              RLTimeInterval timeout, RLStringRef name,
                                              const RLSocketSignature *signature)
{
    (void)nameServerSignature, (void)timeout, (void)name, (void)signature;
    return kRLSocketError;
}

RLSocketError RLSocketCopyRegisteredSocketSignature(const RLSocketSignature *nameServerSignature,
                                                    RLTimeInterval timeout, RLStringRef name,
                                                    RLSocketSignature *signature,
                                                    RLDataRef *nameServerAddress)
{
    (void)nameServerSignature, (void)timeout, (void)name, (void)signature, (void)nameServerAddress;
    return kRLSocketError;
}

RLSocketError RLSocketUnregister(const RLSocketSignature *nameServerSignature,
                                 RLTimeInterval timeout, RLStringRef name)
{
    (void)nameServerSignature, (void)timeout, (void)name;
    return kRLSocketError;
}

void RLSocketSetDefaultNameRegistryPortNumber(UInt16 port)
{
    atomic_store(&port_number, port);
}

UInt16 RLSocketGetDefaultNameRegistryPortNumber(void)
{
    return atomic_load(&port_number);
}
