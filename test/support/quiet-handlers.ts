import type { Handlers } from '../../src/contract/contract';
import type { Snapshot } from '../../src/contract/snapshot';
import { councilHandlers } from '../../src/core/ports/council';
import { preferencesHandlers } from '../../src/core/ports/preferences';
import { setupHandlers } from '../../src/core/ports/setup';
import { browserShell } from '../../src/core/ports/shell';
import { NO_FLEET } from '../../src/features/fleet/contract/no-fleet';
import { noEvents } from './no-events';
import { sampleData } from './sample-data';
import { sampleRanking } from './sample-ranking';
import { sampleScorecard, sampleWhatIf } from './sample-scorecard';
import { sampleSessions, sampleTimeline } from './sample-sessions';
import { sampleUses } from './sample-uses';
import { noUsage } from './usage-story';

/** Responses of a new core, with the snapshot at the time of the request. */
export const quietHandlers = (present: () => Snapshot): Handlers => ({
  'snapshot.get': present,
  'phrases.unknown': () => ({ entries: [], total: 0 }),
  ...preferencesHandlers(null, () => {}),
  'notices.list': () => ({ rows: [], total: 0, unread: 0 }),
  'notices.read': () => ({ unread: 0 }),
  'phrases.preview': () => ({ entries: [], total: 0 }),
  'scorecard.get': () => sampleScorecard(),
  'usage.get': noUsage,
  'fleet.get': () => NO_FLEET,
  'headroom.course': ({ back: _, ...limit }) => ({ ...limit, course: null }),
  'usage.models': (question) => ({ question, range: null, models: sampleUses(present()) }),
  'usage.agents': (question) => ({ question, agents: [], sinceMs: null }),
  'usage.export': () => ({ name: 'usage.csv', text: 'at\r\n' }),
  'what-if.play': () => sampleWhatIf,
  'scorecard.agents': () => [],
  'scorecard.export': () => ({ name: 'scorecard.md', text: '# Scorecard\n' }),
  'sessions.list': () => sampleSessions,
  'sessions.timeline': () => sampleTimeline,
  'model.history': () => ({ failures: [], states: [], firstWordMs: null }),
  'models.states': () => [],
  ...noEvents,
  'decision.explain': () => null,
  'health.reset': () => ({ accepted: true, rev: present().rev }),
  'drill.run': () => ({ ok: false, reason: 'no OpenCode runs' }),
  'model.probe': () => ({ accepted: false, reason: 'no OpenCode runs' }),
  'models.latency': () => [],
  ...councilHandlers(null),
  'demo.status': () => ({ state: 'off' }),
  'demo.start': () => ({ state: 'off' }),
  'demo.stop': () => ({ state: 'off' }),
  'person.act': () => ({ accepted: true, rev: present().rev }),
  ...sampleData,
  ...sampleRanking().handlers,
  ...browserShell(),
  ...setupHandlers(null, present),
});
