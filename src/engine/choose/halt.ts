import type { ModelId } from '../base/ids';
import { DRAIN_SKIP_MS } from '../state/ask';
import type { EngineState, Turn } from '../state/state';
import { type Choice, choose } from './choice';
import type { Drain } from './drain';
import { spentOf } from './money';

/** At a spent budget, asks the user or ends the request; null lets it go. */
export function haltFor(
  state: EngineState,
  turn: Turn,
  { model, now, canAsk, askMs }: Readonly<{ model: ModelId; now: number; canAsk: boolean; askMs: number }>,
): Choice | null {
  const found = spentOf(state, turn, model, now);
  if (found === null || found.level.action === 'degrade') return null;
  const { level, short } = found;
  const used = `money|${level.id}`;
  if (level.action === 'ask' && canAsk && (turn.used?.[used] ?? 0) === 0)
    return { ...choose({ kind: 'hold', to: model, waitMs: askMs, task: 'ask' }, 'ask.money'), used, short };
  return { ...choose({ kind: 'exhausted', soonest: null }, 'exhausted.money'), short };
}

export const asksOfDrain = (from: ModelId, { short }: Drain): Choice => ({
  ...choose({ kind: 'hold', to: from, waitMs: DRAIN_SKIP_MS, task: 'ask' }, 'ask.drain'),
  short,
});
