import type { Snapshot } from '../../contract/snapshot';
import { buildSnapshot } from '../../core/snapshot';
import { entries } from '../../engine/tools';
import { momentOf } from '../base/moment';
import type { Companion } from './host';

/** Health is shared; sessions and usage are those of this process. */
export function ownSnapshot(
  { brain, instance, usage }: Pick<Companion, 'brain' | 'instance' | 'usage'>,
  wall = Date.now(),
): Snapshot {
  const { state, now, wallOf } = momentOf(brain, wall);
  const directories = entries(state.scopes).map(([directory]) => directory);
  const own = { instance, pid: process.pid, opencode: '', plugin: '', directories };
  return buildSnapshot({
    rev: 0,
    state,
    wall,
    now,
    wallOf,
    app: { version: '', runtime: 'opencode' },
    connection: { status: 'connected', since: wall },
    instances: [{ ...own, status: 'connected', since: wall }],
    tellerOf: () => null,
    titleOf: () => null,
    // No terminal shows calls per minute.
    events: [],
    lastDrill: null,
    config: [],
    councils: [],
    unknownPhrases: 0,
    unknownHeaders: [],
    requests: new Map(),
    budgets: state.money
      .filter(({ until }) => until === null || now < until)
      .map(({ until, maxPrice: _, allowsUnpriced: __, ...level }) => ({
        ...level,
        pricedShare: 1,
        endsAt: until === null ? null : wallOf(until),
      })),
    settings: 0,
    unreadNotices: 0,
    urgentNotices: 0,
    usage,
    pulse: { recent: () => [], since: () => null },
  });
}
