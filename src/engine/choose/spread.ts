import { type ModelId, nameOf } from '../base/ids';
import { get } from '../base/table';
import { withChosen, withoutChosen } from '../base/trace';
import { type Shortage, SPREAD } from '../base/window';
import { drainedBy } from '../headroom/drain';
import { shortageFrom } from '../headroom/short';
import { type Filled, fullestOf } from '../headroom/spread';
import { accountFor } from '../state/books';
import type { EngineState, Speaker, Turn } from '../state/state';
import type { Outlook } from './choice';
import { saidOf } from './drain';
import { asksFirst, shortOf } from './headroom';
import type { Spare } from './spare';

/** A move abandons a warm cache, so small differences do not count. */
const CLEARLY = 0.1;
const INEXACT = 1e-9;

type Place = Pick<Turn, 'directory' | 'agent'> & Partial<Pick<Turn, 'session'>>;
/** `at` is the model in use. */
type Asked = Readonly<{ from: ModelId; at: ModelId | undefined; others: readonly ModelId[]; now: number }>;

export type Spread = Readonly<{ model: ModelId; short: Shortage }>;

const isSame = (one: ModelId, other: ModelId): boolean => nameOf(one) === nameOf(other);

const windowsOf = (state: EngineState, { directory }: Place, model: ModelId) =>
  get(state.windows, accountFor(state, directory, model)) ?? [];

const filled = (state: EngineState, place: Place, model: ModelId, now: number): Filled | null =>
  fullestOf(windowsOf(state, place, model), model, now);

/** Less filled account of the same model: clearly less to move there, any less to stay. */
export function emptierFor(state: EngineState, place: Place, request: Asked): Spread | null {
  const { from, at, others, now } = request;
  const scope = get(state.scopes, place.directory);
  const isWanted = scope?.headroom?.act === 'move' && scope.headroom.spread && !asksFirst(scope, place.agent);
  const own = isWanted ? filled(state, place, from, now)?.fullness : undefined;
  if (own === undefined) return null;
  const emptier = others.flatMap((model) => {
    const used = isSame(model, from) ? filled(state, place, model, now)?.fullness : undefined;
    return used === undefined || used >= own || wouldDrain(state, place, model, request) ? [] : [{ model, used }];
  });
  const here = emptier.find(({ model }) => model === at);
  const most = (here?.used ?? own) - CLEARLY + INEXACT;
  const best = emptier.reduce((a, b) => (b.used <= most && b.used < (a?.used ?? own) ? b : a), here);
  const short = best && spreadShort(state, place, { from, to: best.model, now });
  return short ? { model: best.model, short } : null;
}

function wouldDrain(state: EngineState, place: Place, model: ModelId, { from, now }: Asked): boolean {
  const { session = '', directory } = place;
  const consent = saidOf(state, { session, directory }, model, now);
  if (consent === 'yes' || consent === 'no') return consent === 'no';
  const leaving = { windows: windowsOf(state, place, from), model: from };
  return drainedBy(windowsOf(state, place, model), { model, leaving, now, forMs: Number.POSITIVE_INFINITY }) !== null;
}

export function spreadShort(
  state: EngineState,
  place: Place,
  { from, to, now }: Readonly<{ from: ModelId; to: ModelId; now: number }>,
): Shortage | null {
  const [own, other] = [from, to].map((model) => filled(state, place, model, now));
  if (!own || !other) return null;
  const { unit, lengthMs } = other.window;
  const there = { model: to, unit, lengthMs, used: other.level.used };
  return { ...shortageFrom(own.window, SPREAD, { level: own.level, needs: null, until: null }), there };
}

export function spreadNow(
  state: EngineState,
  { lead: from, active, ...place }: Place & Pick<Speaker, 'lead' | 'active'>,
  now: number,
): Shortage | null {
  return emptierFor(state, place, { from, at: active, others: [active], now })?.short ?? null;
}

function stayOf(own: Speaker | undefined, others: readonly ModelId[]): Spread | null {
  const short = own?.why?.short;
  return short?.there && others.includes(short.there.model) ? { model: short.there.model, short } : null;
}

/** For a new turn; one under way stays. */
export function spreadFor(outlook: Outlook, found: Spare, own: Speaker | undefined): Spare | null {
  const { state, turn, now, scope, plan, walk } = outlook;
  if (!scope?.headroom?.spread) return null;
  const { model: from } = found;
  const isFirst = walk.trace.some(({ model, code }) => model === from && code === 'chain.first');
  // The user selected one of the accounts.
  if (!isFirst || (plan?.chain.indexOf(turn.lead) ?? 0) > 0) return null;
  const others = walk.trace.flatMap(({ model, code }) =>
    code === 'chain.later' && isSame(model, from) && shortOf(state, turn, model, now) === null ? [model] : [],
  );
  const spread = turn.isUnderWay
    ? stayOf(own, others)
    : emptierFor(state, turn, { from, at: own?.active, others, now });
  const entry = walk.trace.find(({ model }) => model === spread?.model);
  if (!spread || !entry) return null;
  const { model, position, state: shown } = entry;
  const trace = withChosen(withoutChosen(walk.trace, SPREAD), { model, position, state: shown, code: 'chain.spread' });
  // Otherwise the unavailable primary is the reason.
  return { model, position, trace, ...(from === turn.lead ? { short: spread.short } : {}) };
}
