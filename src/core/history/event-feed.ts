import { projectOf } from '../base/project';
import type { Projection } from '../base/projection';
import { isLate, plainRow, rowsOf } from './event-rows';
import type { History } from './history';

export function createEventFeed(history: Pick<History, 'note' | 'timeSwitch' | 'forget'>): Projection {
  return {
    hear({ event, result, after, now, wall, wallOf, alert }) {
      // A reset has one row for all models it affects.
      const facts = event.type === 'health.reset' ? result.facts.filter(isLate) : result.facts;
      const moment = { state: after, now, wallOf, isConfigured: event.type === 'scope.configured' };
      for (const row of rowsOf({ ...result, facts }, moment)) history.note(row, wall);
      if (event.type === 'switch.carried' && event.ok) history.timeSwitch(event.turn, event.durationMs);
      if (event.type === 'scope.configured' && event.config.enabled)
        history.note(plainRow('config.loaded', { detail: projectOf(event.directory) }), wall);
      if (alert) history.note(plainRow('failures.many', { until: alert.until }), wall);
    },
    forget: history.forget,
  };
}
