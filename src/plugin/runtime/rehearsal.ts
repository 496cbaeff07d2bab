import { type DecisionAction, type EngineEvent, type Evidence, type ModelId, step } from '../../engine';
import { get, isOfDrain, speakerKey } from '../../engine/tools';
import type { Brain } from '../base/brain';
import { tokensOf } from '../base/sizes';

/** OpenCode's own requests skip proposed waits. */
const WAITS_MAX = 5;

export type OwnRequest = Readonly<{
  /** Matches no turn. */
  id: string;
  session: string;
  directory: string;
  agent: string;
  model: ModelId;
  chars: number;
}>;

/** Next model after a failure, or without evidence after an unavailable model; null for none. */
export type Rehearse = (model: ModelId, evidence: Evidence | null) => ModelId | null;

/** Decides as for a turn of the user's agent; changes no state. */
export function rehearsal(brain: Brain, { id, model: first, chars, ...where }: OwnRequest): Rehearse {
  const turn = `aside:${id}`;
  const about = { turn, ...where, needs: { contextTokens: tokensOf(chars) } };
  let state = brain.state();
  let attempts = 0;
  /** The user approved the active model if it is not the lead. */
  const agreed = get(state.speakers, speakerKey(where.session, where.agent))?.active;
  const tell = (event: EngineEvent): DecisionAction | undefined => {
    const result = step(state, event, brain.now(), 0);
    state = result.state;
    return result.decisions[0]?.action;
  };
  const settled = (action: DecisionAction | undefined): DecisionAction | undefined => {
    if (action?.kind !== 'hold' || action.task !== 'ask') return action;
    const question = state.questions.find((each) => each.turn === turn);
    // A title uses almost nothing of a plan, so it needs no approval.
    const isAgreed = question !== undefined && (isOfDrain(question) || question.to === agreed);
    if (!isAgreed || question.to === null) return action;
    return tell({ type: 'question.answered', question: question.id, yes: true, actor: 'rehearsal' });
  };
  const decided = { kind: 'keep', to: first, code: 'keep.lead' } as const;
  tell({ type: 'prompt.submitted', ...about, model: first, hostLead: first, isExplicit: true, decided });
  return (model, evidence) => {
    for (let waits = 0; waits < WAITS_MAX; waits++) {
      const attempt = `${turn}:${attempts++}`;
      const action = settled(
        tell({ type: 'attempt.started', ...about, attempt, model, purpose: 'turn' }) ??
          (evidence ? tell({ type: 'attempt.failed', attempt, evidence, durationMs: 0 }) : undefined),
      );
      if (action && 'to' in action && action.to !== model) return action.to;
      // Skips waits, and compaction of a compaction.
      if (action?.kind !== 'hold' && action?.kind !== 'pass') return null;
    }
    return null;
  };
}
