import { unfitFor } from '../base/catalogue';
import type { Considered } from '../base/decision';
import type { ModelId } from '../base/ids';
import { get } from '../base/table';
import { withChosen } from '../base/trace';
import type { Shortage } from '../base/window';
import { keyBy } from '../state/books';
import { dueFirst } from '../state/estimated';
import { standingOf } from '../state/read';
import type { Session } from '../state/state';
import { firstBack, type Walk, walkChain } from './chain';
import { type Choice, choose, type Outlook } from './choice';
import { type Drain, drainsFor } from './drain';
import { shortOf } from './headroom';
import { can } from './steps';

/** An exhausted turn holds for a model that is back this soon, in ms. Source: docs/failures.md, budgets. */
const SOON_MS = 30_000;

/** A model that may take over, as the walk would have told it. */
export type Spare = Readonly<{
  model: ModelId;
  position: number;
  trace: readonly Considered[];
  /** Asked although it is out: once a turn where a directory allows it, or because nothing but our estimate says so. */
  early?: 'panic' | 'estimate';
  /** Its plan would be used up. */
  drain?: Drain | undefined;
  /** It is asked by an emptier account than the lead's. */
  short?: Shortage | undefined;
}>;

/** Whether OpenCode's own retry takes over where the chain ends. */
export const isNative = ({ scope }: Outlook): boolean => scope?.onExhausted === 'native';

/** Whether anybody could stand in for the lead of this turn; alone, a model's failures are OpenCode's business. */
export function hasUnderstudy({ chain, scope, turn }: Outlook): boolean {
  const spare = scope?.backupModel ?? null;
  return chain.length > 1 || (spare !== null && spare !== turn.lead);
}

/** Whom a walk chose, else the model of last resort, else one that the turn has left before; null when nobody is left. */
export function nextSpeaker(outlook: Outlook): Spare | null {
  const { chosen, again, trace, shorts, drains } = outlook.walk;
  // Who is well comes before who would be refused, or whose plan would be used up, be it the model of last resort.
  const last = chosen === null || shorts.has(chosen.model) || drains.has(chosen.model) ? backup(outlook) : null;
  if (chosen && (last === null || isNear(outlook, last.model)))
    return { model: chosen.model, position: chosen.position, trace, drain: drains.get(chosen.model) };
  return last ?? (again ? spare(outlook.walk, { ...again, code: 'chain.again' }) : null);
}

const isNear = ({ state, turn, now }: Outlook, model: ModelId): boolean => shortOf(state, turn, model, now) !== null;

/** The model of last resort, when it has not failed in this turn, is not out itself and may take the request. */
function backup({ state, turn, now, scope, chain, tried, walk }: Outlook): Spare | null {
  const model = scope?.backupModel ?? null;
  if (!scope || model === null || chain.includes(model) || tried.some((entry) => entry.model === model)) return null;
  const { use, state: shown } = standingOf(state, keyBy(scope, model), now);
  if (use === 'out' || unfitFor(model, { lead: turn.lead, needs: turn.needs, boundaries: scope })) return null;
  const drain = drainsFor(state, turn, now)(model) ?? undefined;
  // One that would be used up as well is no better than who is in the chain.
  const isNoBetter = walk.chosen !== null && walk.drains.has(walk.chosen.model);
  if (drain && (drain.mode === 'never' || isNoBetter)) return null;
  return { ...spare(walk, { model, position: chain.length, state: shown, code: 'chain.backup' }), drain };
}

/** The least bad model that is out, where a directory allows one such request a turn: the one that is back first. */
export function panicFor({ turn, scope, tried, walk }: Outlook): Spare | null {
  if (!scope?.panicProbe || (turn.used?.panic ?? 0) > 0) return null;
  const outs = walk.trace.filter(
    ({ model, state }) => (state === 'cooling' || state === 'open') && !tried.some((entry) => entry.model === model),
  );
  const first = firstBack(outs);
  return first && { ...spare(walk, { ...first, code: 'chain.panic' }), early: 'panic' };
}

/**
 * An estimate refuses no message: of the models that only our own estimates keep out, the one that is due first. The time that a
 * provider gave and a hold of a person stand.
 */
export function guessedFor(outlook: Outlook): Spare | null {
  const { state, scope, now, tried, walk } = outlook;
  const models = walk.trace
    .filter(({ model, backInMs }) => backInMs !== null && !tried.some((entry) => entry.model === model))
    .map(({ model }) => ({ model, standing: standingOf(state, keyBy(scope, model), now) }));
  const due = dueFirst(outlook, models);
  const found = walk.trace.find(({ model }) => model === due);
  return found ? { ...spare(walk, { ...found, code: 'chain.estimate' }), early: 'estimate' } : null;
}

/** A message that comes so soon after the end of the one before may be a loop's, in ms. Source: docs/failures.md, budgets. */
const QUICK_MS = 5_000;
/** So many of them in a row are no loop yet. */
const QUICK_MAX = 2;
/** How long the message of a loop waits, in ms. */
export const LOOP_WAIT_MS = 15_000;

/** Messages in a row that came right after the end of the one before, where only estimates keep all models out. */
export const quickAfter = (old: Session | undefined, now: number): number =>
  old?.isIdle && now - old.at < QUICK_MS ? (old.quick ?? 0) + 1 : 0;

/** Whether a turn has waited for a model that is back soon, which it does once. */
const hasWaited = ({ used = {} }: Outlook['turn']): boolean =>
  Object.keys(used).some((step) => step.startsWith('soonest|'));

/** Whether the message of a turn looks like one of a loop, and has not been held for it. */
export const isLoop = ({ state, turn, scope }: Pick<Outlook, 'state' | 'turn' | 'scope'>): boolean =>
  (get(state.sessions, turn.session)?.quick ?? 0) > QUICK_MAX &&
  (turn.used?.estimate ?? 0) > 0 &&
  !hasWaited(turn) &&
  can({ scope }, 'hold.start');

function spare(walk: Walk, entry: Pick<Considered, 'model' | 'position' | 'state' | 'code'>): Spare {
  return { model: entry.model, position: entry.position, trace: withChosen(walk.trace, entry) };
}

/** Nobody may be asked: the clock brings one back (`exhausted.cooling`), or nobody can say when (`exhausted.out`). */
export function exhausted(outlook: Outlook, code?: string): Choice {
  const soonest = firstFor(outlook);
  const reason = code ?? (soonest ? 'exhausted.cooling' : 'exhausted.out');
  return choose({ kind: 'exhausted', soonest }, reason, outlook.walk.trace);
}

/** The model that is back first: in 0 ms one that takes the next message at once, as it only failed in this turn or is out by an estimate. */
export function firstFor(outlook: Outlook): Walk['soonest'] {
  const { state, chain, now } = outlook;
  const turn = { ...outlook.turn, left: undefined };
  const free = { ...outlook, turn, tried: [], walk: walkChain(state, chain, { now, tried: [], turn }) };
  const next = nextSpeaker(free) ?? guessedFor(free);
  return next && !free.walk.shorts.has(next.model) ? { model: next.model, inMs: 0 } : outlook.walk.soonest;
}

/** The model that is back within 30 s, which is worth one wait a turn. */
export function soonestFor({ turn, walk }: Outlook): Walk['soonest'] {
  const { soonest } = walk;
  return soonest && soonest.inMs <= SOON_MS && !hasWaited(turn) ? soonest : null;
}

/** The model a request may wait for before it is sent, where the host can do that. */
export const soonestBeforeStart = (outlook: Outlook): Walk['soonest'] =>
  can(outlook, 'hold.start') ? soonestFor(outlook) : null;
