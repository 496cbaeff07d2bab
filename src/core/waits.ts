import type { AgentRow, InstanceRow } from '../contract/snapshot';
import type { EngineState } from '../engine';
import { type EngineView, each } from '../engine/tools';
import type { Projection, TakenStep } from './base/projection';
import { nearOf } from './headroom/rows';
import type { Clock } from './ports/ports';

type Wait = NonNullable<EngineView['speakers'][number]['waits']>;

const LONG_MS = 5_000;
/** In ms: OpenCode pauses a moment after a failure that it does not retry. */
export const STILL_MS = 2_000;
/** A wait of unknown length is displayed after this time, in ms. */
const LASTING_MS = 10_000;
/** Maximum time until a host without a reported time retries, in ms. */
const UNSAID_MS = 300_000;
/** A request may be this late, in ms; after that its host may no longer wait. */
const LATE_MS = 60_000;

function toldIn({ by, since, at = since, until }: Wait): Readonly<{ from: number; to: number }> | null {
  if (until === null) return { from: since + LASTING_MS, to: at + UNSAID_MS + LATE_MS };
  const from = by === 'host' ? since + STILL_MS : since;
  return until - since < LONG_MS ? null : { from, to: until + LATE_MS };
}

export function shownWait(
  { waits, directory }: Readonly<{ waits?: Wait | undefined; directory: string }>,
  at: Readonly<{ now: number; wallOf(engineMs: number): number; instances: readonly InstanceRow[] }>,
): AgentRow['waits'] {
  const span = waits && toldIn(waits);
  if (!span || at.now < span.from || at.now > span.to) return undefined;
  const since = at.wallOf(waits.since);
  const instances = at.instances.filter(({ directories }) => directories.includes(directory));
  const { short, at: last = waits.since, ...fields } = waits;
  if (hasLeft(instances, at.wallOf(last))) return undefined;
  const until = waits.until === null || waits.until - last < LONG_MS ? null : at.wallOf(waits.until);
  return { ...fields, since, until, ...(short ? { near: nearOf(short) } : {}) };
}

/** One OpenCode has left the directory since, and the others came after the wait began. */
function hasLeft(instances: readonly InstanceRow[], since: number): boolean {
  const isThere = instances.some((row) => row.status === 'connected' && row.since <= since);
  return !isThere && instances.some((row) => row.status !== 'connected' && row.since >= since);
}

/** For waits that become visible, or end, without an event. */
export function createWaitClock(
  clock: Clock,
  changed: () => void,
): Projection<Pick<TakenStep, 'after' | 'isReplayed'>> {
  let cancel: (() => void) | null = null;
  const plan = (state: EngineState): void => {
    cancel?.();
    cancel = null;
    const next = nextOf(state, clock.now());
    if (next === null) return;
    cancel = clock.schedule(Math.max(1, next - clock.now() + 1), () => {
      changed();
      plan(state);
    });
  };
  return {
    hear({ after, isReplayed }) {
      if (!isReplayed) plan(after);
    },
    forget() {
      cancel?.();
      cancel = null;
    },
  };
}

function nextOf({ speakers }: EngineState, now: number): number | null {
  let next: number | null = null;
  each(speakers, ({ waits }) => {
    const span = waits && toldIn(waits);
    for (const at of span ? [span.from, span.to] : []) if (at >= now && (next === null || at < next)) next = at;
  });
  return next;
}
