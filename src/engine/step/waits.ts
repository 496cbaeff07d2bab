import type { DecisionAction, Failure } from '../base/decision';
import type { ModelId } from '../base/ids';
import { get, set } from '../base/table';
import type { Shortage } from '../base/window';
import { kindOfShort } from '../choose/headroom';
import { keyIn } from '../state/books';
import { lastFailureOf, standingIn } from '../state/read';
import { type Draft, speakerKey, type Turn } from '../state/state';
import type { Wait } from '../state/wait';
import type { Work } from '../state/work';

export function setWait(state: Draft, { session, agent }: Turn, waits: Wait | undefined): void {
  const key = speakerKey(session, agent);
  const speaker = get(state.speakers, key);
  if (speaker && speaker.waits !== waits) state.speakers = set(state.speakers, key, { ...speaker, waits });
}

type Failed = Readonly<{
  choice: Readonly<{ action: DecisionAction }>;
  model: ModelId;
  failure: Failure;
  /** Null if unknown; a host reads no messages. */
  againMs: number | null;
}>;

export function waitAfter(
  now: number,
  { hostSince = now }: Turn,
  { choice: { action }, model, failure, againMs }: Failed,
): Wait | undefined {
  const about = { model, kind: failure.kind, status: failure.status, since: now } as const;
  if (action.kind === 'hold')
    return action.task === 'ask'
      ? undefined
      : { by: 'hold', ...about, until: now + action.waitMs, ...(failure.hintMs ? { isGiven: true } : {}) };
  // A host retries failures that neither the request nor the user must fix.
  if (action.kind !== 'pass' || failure.scope === 'request' || failure.lane === 'blocked') return undefined;
  return { by: 'host', ...about, since: hostSince, at: now, until: againMs === null ? null : now + againMs };
}

export function waitBefore(work: Work, turn: Turn, { to, waitMs, short, code }: Waiting): Wait {
  const own = standingIn(work.state, turn.directory, to, work.now).kind;
  const kind = own ?? (short ? kindOfShort(short) : 'unknown');
  const wait = { by: 'hold', model: to, kind, ...waitFields(work, turn, to), until: work.now + waitMs } as const;
  if (code === 'hold.loop') return { ...wait, isLoop: true };
  return short ? { ...wait, status: null, short } : wait;
}

type Waiting = Readonly<{ to: ModelId; waitMs: number; code: string; short?: Shortage | undefined }>;

/** Its failure went to the host after all. */
export function waitStayed(work: Work, turn: Turn, from: ModelId): Wait {
  const kind = turn.tried.filter(({ model }) => model === from).at(-1)?.kind ?? 'unknown';
  return { by: 'host', model: from, kind, ...waitFields(work, turn, from), until: null };
}

const waitFields = ({ state, now }: Work, { directory }: Turn, model: ModelId) => ({
  status: lastFailureOf(state, keyIn(state, directory, model))?.status ?? null,
  since: now,
});
