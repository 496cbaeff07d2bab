import { type FailureKind, standingIn } from '../engine';
import type { Companion } from './host';

/** A failure known before anything was sent. */
export type Unasked = Readonly<{
  session: string;
  turn: string;
  agent: string;
  model: string;
  kind: FailureKind;
  message: string;
}>;

/** The engine hears of it as of any request that failed; what is out already needs no second word. */
export function tellUnasked(
  { companion, directory }: Readonly<{ companion: Pick<Companion, 'brain' | 'instance'>; directory: string }>,
  { session, turn, agent, model, kind, message }: Unasked,
): void {
  const { brain } = companion;
  if (standingIn(brain.state(), directory, model, brain.now()).use === 'out') return;
  const attempt = `${companion.instance}:${session}:${turn}:unasked`;
  brain.tell({ type: 'attempt.started', attempt, turn, session, directory, agent, model, purpose: 'internal' });
  const evidence = { phase: 'headers', message, mapped: { kind } } as const;
  brain.tell({ type: 'attempt.failed', attempt, evidence, durationMs: 0 });
}
