import { unfitFor } from './catalogue';
import type { Considered, Failure } from './decision';
import { type ModelId, providerOf } from './ids';
import { boundariesOf, type EngineState, standingOf, type Turn } from './state';

export type Walk = Readonly<{
  chosen: Readonly<{ model: ModelId; position: number }> | null;
  trace: readonly Considered[];
  /** The first model back by the clock alone, when none is usable. */
  soonest: Readonly<{ model: ModelId; inMs: number }> | null;
}>;

/**
 * Walks a chain in order and chooses who speaks next.
 *
 * Skipped: models that failed in this turn, all models of a provider whose failure speaks for all of them, and models
 * whose health says out or that may not or cannot take the request. A resting model is chosen only when no other is usable. Every model gets its reason.
 */
export function walkChain(
  state: EngineState,
  chain: readonly ModelId[],
  question: Readonly<{
    now: number;
    tried: readonly Readonly<{ model: ModelId }>[];
    failure?: Failure | undefined;
    from?: ModelId | undefined;
    /** Whose request it is: its needs and its lead's vendor and price set limits. */
    turn?: Pick<Turn, 'directory' | 'lead' | 'needs'>;
  }>,
): Walk {
  const { now, tried, failure, from, turn } = question;
  const boundaries = turn && boundariesOf(state, turn.directory);
  const deadProvider = failure?.scope === 'provider' && from ? providerOf(from) : null;
  let first = -1;
  let last = -1;
  const seen = chain.map((model, position): Considered => {
    const { state: shown, use, until, code } = standingOf(state, model, now);
    const backInMs = until === null ? null : Math.max(0, until - now);
    if (tried.some((entry) => entry.model === model))
      return { model, position, verdict: 'failed', code: 'chain.tried', state: shown, backInMs };
    if (use === 'out')
      return { model, position, verdict: 'skipped', code: code ?? 'model.out', state: shown, backInMs };
    const unfit = turn && boundaries && unfitFor(model, { lead: turn.lead, needs: turn.needs, boundaries });
    if (unfit) return { model, position, verdict: 'skipped', code: unfit, state: shown, backInMs: null };
    if (providerOf(model) === deadProvider)
      return { model, position, verdict: 'skipped', code: 'provider.failed', state: shown, backInMs };
    if (use === 'first' && first < 0) first = position;
    if (use === 'last' && last < 0) last = position;
    return { model, position, verdict: 'skipped', code: code ?? 'chain.later', state: shown, backInMs: null };
  });
  const position = first >= 0 ? first : last;
  const model = chain[position];
  if (model === undefined) return { chosen: null, trace: seen, soonest: soonestOf(seen) };
  const trace = seen.slice();
  const { state: shown, backInMs } = seen[position] as Considered;
  const code = shown === 'resting' ? 'chain.last' : 'chain.first';
  trace[position] = { model, position, verdict: 'chosen', code, state: shown, backInMs };
  return { chosen: { model, position }, trace, soonest: null };
}

function soonestOf(trace: readonly Considered[]): Walk['soonest'] {
  const timed = trace.filter((entry) => entry.backInMs !== null && entry.state !== 'degraded');
  if (timed.length === 0) return null;
  const best = timed.reduce((a, b) => ((b.backInMs ?? 0) < (a.backInMs ?? 0) ? b : a));
  return { model: best.model, inMs: best.backInMs ?? 0 };
}
