import type { EngineEvent } from '../engine';
import { asEngineEvent, type CompanionEvent } from '../protocol';
import { eventOf } from './acts';
import type { AppEvent, LogRecord } from './record';

/** What the engine heard of a record of the log, in order; nothing for what only concerns figures or the app itself. */
export function engineEvents({ from, event }: LogRecord): readonly EngineEvent[] {
  // Who said it tells which of the two lists it is from.
  return from ? ofCompanion(event as CompanionEvent) : ofApp(event as AppEvent);
}

const ofCompanion = (event: CompanionEvent): readonly EngineEvent[] =>
  event.type === 'usage.recorded' ? [] : [asEngineEvent(event)];

function ofApp(event: AppEvent): readonly EngineEvent[] {
  switch (event.type) {
    case 'instance.connected':
    case 'instance.lost':
    case 'drill.ended':
    case 'probe.ended':
    case 'notice.told':
    case 'notice.read':
      return [];
    case 'person.acted':
      return [eventOf(event)];
    case 'data.erased':
      return event.scopes.map(asEngineEvent);
    default:
      return [event];
  }
}
