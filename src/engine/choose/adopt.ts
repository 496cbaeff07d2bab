import type { DecisionAction } from '../base/decision';
import type { ModelId } from '../base/ids';
import { withChosen, withoutChosen } from '../base/trace';
import { SPREAD } from '../base/window';
import type { DecidedAction } from '../state/events';
import { standingIn } from '../state/read';
import type { Choice, Outlook } from './choice';
import { drainsFor } from './drain';
import { shortOf } from './headroom';
import { spreadShort } from './spread';

/** Applies another host's decision, with this host's view as the trace. */
export function adopt(
  decided: DecidedAction,
  from: ModelId,
  { state, turn, chain, now }: Pick<Outlook, 'state' | 'turn' | 'chain' | 'now'>,
  own: Choice,
): Choice {
  const { kind, code, to = from } = decided;
  const position = chain.includes(to) ? chain.indexOf(to) : chain.length;
  const used = usedBy(decided, from, own);
  const isNear = /^(?:hold\.)?headroom\b|\bmoney\b/.test(code);
  // A redirect before a limit leaves the primary.
  const left = isNear && kind === 'redirect' ? turn.lead : from;
  const drainAt = drainsFor(state, turn, now);
  const candidates = code === 'ask.drain' ? chain.filter((model) => !isTried(turn, model)) : [];
  // Hosts do not exchange numbers; this one has the same window.
  const short = isNear
    ? ((code === SPREAD ? spreadShort(state, turn, { from: turn.lead, to, now }) : shortOf(state, turn, left, now)) ??
      undefined)
    : candidates.map((model) => drainAt(model)?.short).find((shortage) => shortage !== undefined);
  const action = actionOf(decided, { from: left, to, position }, own);
  const isMove = kind === 'switch' || kind === 'redirect' || kind === 'home' || kind === 'keep';
  if (!isMove || own.trace.length === 0) return { action, code, trace: withoutChosen(own.trace), used, short };
  const shown = standingIn(state, turn.directory, to, now).state;
  const trace = withChosen(own.trace, { model: to, position, state: shown, code: 'chain.decided' });
  return { action, code, trace, used, short, drain: drainAt(to)?.short };
}

const isTried = ({ tried }: Outlook['turn'], model: ModelId): boolean => tried.some((each) => each.model === model);

function usedBy({ kind, task, code, to }: DecidedAction, from: ModelId, own: Choice): string | undefined {
  if (code === 'ask.drain') return undefined;
  if (code === 'hold.headroom') return `refill|${to ?? from}`;
  if (kind === 'hold')
    return task === 'compact' ? task : `${task ?? 'hint'}|${task === 'soonest' ? (to ?? from) : from}`;
  for (const early of ['panic', 'estimate']) if (code.endsWith(`.${early}`)) return early;
  return own.action.kind === kind ? own.used : undefined;
}

function actionOf(
  { kind, waitMs = 0, task }: DecidedAction,
  { from, to, position }: Readonly<{ from: ModelId; to: ModelId; position: number }>,
  own: Choice,
): DecisionAction {
  switch (kind) {
    case 'switch':
    case 'redirect':
      return { kind, from, to, position };
    case 'home':
    case 'keep':
      return { kind, to };
    case 'hold':
      return { kind, to, waitMs, ...(task ? { task } : {}) };
    case 'pass':
      return { kind };
    case 'exhausted':
      return { kind, soonest: own.action.kind === kind ? own.action.soonest : null };
  }
}
