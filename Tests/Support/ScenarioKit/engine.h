/*
 * The engine for which a file is compiled: CF if ENGINE_IS_CF is defined, RL otherwise.
 */

#ifndef SCENARIOKIT_ENGINE_H
#define SCENARIOKIT_ENGINE_H

#if defined(ENGINE_IS_CF)
#include "cf_oracle.h"
/** A function or type of the engine by its name without prefix. */
#define E(name) CF##name
/** A constant of the engine by its name without prefix. */
#define K(name) kCF##name
#else
#include <CRunLoop/CRunLoop.h>
/** A function or type of the engine by its name without prefix. */
#define E(name) RL##name
/** A constant of the engine by its name without prefix. */
#define K(name) kRL##name
#endif

/** A loop. */
typedef E(RunLoopRef) loop_ref;
/** A source of any version. */
typedef E(RunLoopSourceRef) source_ref;
/** A timer. */
typedef E(RunLoopTimerRef) timer_ref;
/** An observer. */
typedef E(RunLoopObserverRef) observer_ref;
/** The name of a mode. */
typedef E(StringRef) mode_ref;

#endif
