import type { EngineEvent } from '../../engine';
import { asEngineEvent, asEngineHealth, asHeardEvent, type CompanionEvent, isNoted } from '../../protocol';
import { eventOf } from '../acts/acts';
import type { AppEvent, LogRecord } from '../base/record';

export function engineEvents({ from, event, heard: report }: Omit<LogRecord, 'v' | 'n'>): readonly EngineEvent[] {
  // The sender decides which of the two lists applies.
  const own = from ? ofCompanion(event as CompanionEvent) : ofApp(event as AppEvent);
  return report ? [asHeardEvent(report), ...own] : own;
}

const ofCompanion = (event: CompanionEvent): readonly EngineEvent[] => (isNoted(event) ? [] : [asEngineEvent(event)]);

function ofApp(event: AppEvent): readonly EngineEvent[] {
  switch (event.type) {
    case 'clock.read':
    case 'instance.connected':
    case 'instance.lost':
    case 'drill.ended':
    case 'probe.ended':
    case 'notice.told':
    case 'notice.read':
      return [];
    case 'person.acted':
      return [eventOf(event)];
    case 'health.learned':
      return [{ type: 'health.synced', health: asEngineHealth(event.health) }];
    case 'data.erased':
      return event.scopes.map(asEngineEvent);
    case 'headroom.counted':
      return [asEngineEvent(event)];
    case 'fleet.heard':
      return [asHeardEvent(event)];
    default:
      return [event];
  }
}
