import type { Snapshot } from '../contract';
import { buildSnapshot } from '../core/snapshot';
import { entries } from '../engine/table';
import { viewOf } from '../engine/tools';
import type { Brain } from './brain';

/** What this process knows, as every surface shows it: health is everybody's, conversations are its own. */
export function ownSnapshot(brain: Brain, instance: string): Snapshot {
  const state = brain.state();
  const now = brain.now();
  const wall = Date.now();
  const directories = entries(state.scopes).map(([directory]) => directory);
  const own = { instance, pid: process.pid, opencode: '', plugin: '', directories };
  return buildSnapshot(viewOf(state, now), {
    ...{ rev: 0, state, wall, now, app: { version: '', runtime: 'opencode' } },
    connection: { status: 'connected', since: wall },
    instances: [{ ...own, status: 'connected', since: wall }],
    ...{ events: [], config: [], unknownPhrases: 0, usage: brain.usage },
  });
}
