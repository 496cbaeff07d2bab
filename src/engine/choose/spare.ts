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

/** Longest hold of an exhausted turn, in ms. Source: docs/failures.md, budgets. */
const SOON_MS = 30_000;

export type Spare = Readonly<{
  model: ModelId;
  position: number;
  trace: readonly Considered[];
  /** Set if it is called although unavailable. */
  early?: 'panic' | 'estimate';
  drain?: Drain | undefined;
  short?: Shortage | undefined;
}>;

export const isNative = ({ scope }: Outlook): boolean => scope?.onExhausted === 'native';

/** Otherwise OpenCode handles failures. */
export function hasUnderstudy({ chain, scope, turn }: Outlook): boolean {
  const spare = scope?.backupModel ?? null;
  return chain.length > 1 || (spare !== null && spare !== turn.lead);
}

/** The walk's model, else the backup, else a model that the turn has left. */
export function nextSpeaker(outlook: Outlook): Spare | null {
  const { chosen, again, trace, shorts, drains } = outlook.walk;
  const last = chosen === null || shorts.has(chosen.model) || drains.has(chosen.model) ? backup(outlook) : null;
  if (chosen && (last === null || isNear(outlook, last.model)))
    return { model: chosen.model, position: chosen.position, trace, drain: drains.get(chosen.model) };
  return last ?? (again ? spare(outlook.walk, { ...again, code: 'chain.again' }) : null);
}

const isNear = ({ state, turn, now }: Outlook, model: ModelId): boolean => shortOf(state, turn, model, now) !== null;

function backup({ state, turn, now, scope, chain, tried, walk }: Outlook): Spare | null {
  const model = scope?.backupModel ?? null;
  if (!scope || model === null || chain.includes(model) || tried.some((entry) => entry.model === model)) return null;
  const { use, state: shown } = standingOf(state, keyBy(scope, model), now);
  if (use === 'out' || unfitFor(model, { lead: turn.lead, needs: turn.needs, boundaries: scope })) return null;
  const drain = drainsFor(state, turn, now)(model) ?? undefined;
  const isNoBetter = walk.chosen !== null && walk.drains.has(walk.chosen.model);
  if (drain && (drain.mode === 'never' || isNoBetter)) return null;
  return { ...spare(walk, { model, position: chain.length, state: shown, code: 'chain.backup' }), drain };
}

/** Once per turn, if the directory allows it. */
export function panicFor({ turn, scope, tried, walk }: Outlook): Spare | null {
  if (!scope?.panicProbe || (turn.used?.panic ?? 0) > 0) return null;
  const outs = walk.trace.filter(
    ({ model, state }) => (state === 'cooling' || state === 'open') && !tried.some((entry) => entry.model === model),
  );
  const first = firstBack(outs);
  return first && { ...spare(walk, { ...first, code: 'chain.panic' }), early: 'panic' };
}

/** Ignores only estimates; a provider's times and a user's hold apply. */
export function guessedFor(outlook: Outlook): Spare | null {
  const { state, scope, now, tried, walk } = outlook;
  const models = walk.trace
    .filter(({ model, backInMs }) => backInMs !== null && !tried.some((entry) => entry.model === model))
    .map(({ model }) => ({ model, standing: standingOf(state, keyBy(scope, model), now) }));
  const due = dueFirst(outlook, models);
  const found = walk.trace.find(({ model }) => model === due);
  return found ? { ...spare(walk, { ...found, code: 'chain.estimate' }), early: 'estimate' } : null;
}

/** Quicker messages may be a loop's, in ms. Source: docs/failures.md, budgets. */
const QUICK_MS = 5_000;
/** More quick messages in a row are a loop. */
const QUICK_MAX = 2;
export const LOOP_WAIT_MS = 15_000;

export const quickAfter = (old: Session | undefined, now: number): number =>
  old?.isIdle && now - old.at < QUICK_MS ? (old.quick ?? 0) + 1 : 0;

const hasWaited = ({ used = {} }: Outlook['turn']): boolean =>
  Object.keys(used).some((step) => step.startsWith('soonest|'));

export const isLoop = ({ state, turn, scope }: Pick<Outlook, 'state' | 'turn' | 'scope'>): boolean =>
  (get(state.sessions, turn.session)?.quick ?? 0) > QUICK_MAX &&
  (turn.used?.estimate ?? 0) > 0 &&
  !hasWaited(turn) &&
  can({ scope }, 'hold.start');

function spare(walk: Walk, entry: Pick<Considered, 'model' | 'position' | 'state' | 'code'>): Spare {
  return { model: entry.model, position: entry.position, trace: withChosen(walk.trace, entry) };
}

export function exhausted(outlook: Outlook, code?: string): Choice {
  const soonest = firstFor(outlook);
  const reason = code ?? (soonest ? 'exhausted.cooling' : 'exhausted.out');
  return choose({ kind: 'exhausted', soonest }, reason, outlook.walk.trace);
}

/** In 0 ms if the next message may use it at once: it failed only in this turn, or only an estimate excludes it. */
export function firstFor(outlook: Outlook): Walk['soonest'] {
  const { state, chain, now } = outlook;
  const turn = { ...outlook.turn, left: undefined };
  const free = { ...outlook, turn, tried: [], walk: walkChain(state, chain, { now, tried: [], turn }) };
  const next = nextSpeaker(free) ?? guessedFor(free);
  return next && !free.walk.shorts.has(next.model) ? { model: next.model, inMs: 0 } : outlook.walk.soonest;
}

export function soonestFor({ turn, walk }: Outlook): Walk['soonest'] {
  const { soonest } = walk;
  return soonest && soonest.inMs <= SOON_MS && !hasWaited(turn) ? soonest : null;
}

export const soonestBeforeStart = (outlook: Outlook): Walk['soonest'] =>
  can(outlook, 'hold.start') ? soonestFor(outlook) : null;
