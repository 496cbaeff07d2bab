import type { ScriptedStep } from '../../../src/demo/scripted-provider';
import { isGood, outFor, wordOf } from './faults';

export type Asked = Readonly<{
  at: number;
  model: string;
  turn: string;
  process: number;
  step: ScriptedStep;
}>;

export type Ended = Readonly<{
  turn: string;
  session: number;
  how: 'answered' | 'failed' | 'stopped' | 'stuck' | 'silent';
  error: string | null;
  /** Time at which OpenCode confirmed the user's stop; null without one. */
  stoppedAt: number | null;
}>;

export type Surroundings = Readonly<{
  /** Times at which a person reset all models. */
  resets: readonly number[];
  /** Times of chain edits, each of which unblocks models. */
  edits: readonly number[];
}>;

/** Time until a limit is applied to a request being prepared, in any process, in ms. */
const NEWS_MS = 600;
/** An edit is read with the next message of its project, ms. */
const EDIT_LAG_MS = 5_000;
/** Difference between provider and companion clocks for one response, ms. */
const GRACE_MS = 50;
/** A successful response that began before a limit may end that limit, ms. */
const UNDER_WAY_MS = 10_000;
/** More requests in a turn mean a loop: 4 models, each with some tool calls and a continuation. */
const REQUESTS_MAX = 25;

export function broken(asked: readonly Asked[], ended: readonly Ended[], around: Surroundings): readonly string[] {
  return [...ended.flatMap(endOf), ...loops(asked), ...afterStops(asked, ended), ...whileOut(asked, around)];
}

function endOf({ turn, how, error }: Ended): readonly string[] {
  if (how === 'stuck' || how === 'silent') return [`turn ${turn} is ${how}`];
  return how === 'failed' && !error ? [`turn ${turn} failed without a word`] : [];
}

function loops(asked: readonly Asked[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { turn } of asked) counts.set(turn, (counts.get(turn) ?? 0) + 1);
  return [...counts].flatMap(([turn, count]) => (count > REQUESTS_MAX ? [`turn ${turn} made ${count} requests`] : []));
}

function afterStops(asked: readonly Asked[], ended: readonly Ended[]): readonly string[] {
  return ended.flatMap(({ turn, stoppedAt }) => {
    const own = asked.filter((request) => request.turn === turn);
    // OpenCode ignores a stop before it has begun with a message.
    if (stoppedAt === null || !own.some(({ at }) => at < stoppedAt)) return [];
    const late = own.filter(({ at }) => at > stoppedAt + NEWS_MS);
    return late.map(({ model, at }) => `turn ${turn} asked ${model} ${Math.round(at - stoppedAt)} ms after its stop`);
  });
}

function whileOut(asked: readonly Asked[], around: Surroundings): readonly string[] {
  return asked.flatMap((later) => {
    const cause = asked.find((earlier) => isKeptOut(earlier, later, asked, around));
    if (!cause) return [];
    const agoMs = Math.round(later.at - cause.at);
    const where = cause.process === later.process ? 'the same process' : 'another process';
    return [`turn ${later.turn} asked ${later.model} ${agoMs} ms after its ${wordOf(cause.step)} in ${where}`];
  });
}

function isKeptOut(earlier: Asked, later: Asked, asked: readonly Asked[], { resets, edits }: Surroundings): boolean {
  const outMs = outFor(earlier.step);
  if (outMs === null || earlier.model !== later.model) return false;
  const sinceMs = later.at - earlier.at;
  if (sinceMs < NEWS_MS || sinceMs > outMs - GRACE_MS) return false;
  const ends = Number.isFinite(outMs) ? resets : [...resets, ...edits];
  // An edit applies from the next decision, so it may become visible late.
  if (ends.some((at) => at > earlier.at - EDIT_LAG_MS && at < later.at + NEWS_MS)) return false;
  const isHealed = ({ model, step, at }: Asked): boolean =>
    model === later.model && isGood(step) && at > earlier.at - UNDER_WAY_MS && at < later.at;
  return !asked.some(isHealed);
}
