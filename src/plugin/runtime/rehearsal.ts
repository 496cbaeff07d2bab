import { type DecisionAction, type EngineEvent, type Evidence, type ModelId, step } from '../../engine';
import { get, isOfDrain, speakerKey } from '../../engine/tools';
import type { Brain } from '../base/brain';
import { tokensOf } from '../base/sizes';

/** Waits the engine may propose before it moves on: OpenCode's own requests do not wait. */
const WAITS_MAX = 5;

/** A request that OpenCode makes for itself, beside or between the turns of a session. */
export type OwnRequest = Readonly<{
  /** Named after it, so that it is nobody's turn. */
  id: string;
  session: string;
  directory: string;
  /** The user's agent, whose chain counts. */
  agent: string;
  model: ModelId;
  chars: number;
}>;

/** @returns who is next after a model and its failure; without a failure, after a model that is out. Null for nobody. */
export type Rehearse = (model: ModelId, evidence: Evidence | null) => ModelId | null;

/** The engine's decision as if OpenCode's own request were a turn of the user's agent. It changes no state. */
export function rehearsal(brain: Brain, { id, model: first, chars, ...where }: OwnRequest): Rehearse {
  const turn = `aside:${id}`;
  const about = { turn, ...where, needs: { contextTokens: tokensOf(chars) } };
  let state = brain.state();
  let attempts = 0;
  /** Who speaks for the agent: where that is no lead of its own, somebody has agreed to it. */
  const agreed = get(state.speakers, speakerKey(where.session, where.agent))?.active;
  const tell = (event: EngineEvent): DecisionAction | undefined => {
    const result = step(state, event, brain.now(), 0);
    state = result.state;
    return result.decisions[0]?.action;
  };
  const settled = (action: DecisionAction | undefined): DecisionAction | undefined => {
    if (action?.kind !== 'hold' || action.task !== 'ask') return action;
    const question = state.questions.find((each) => each.turn === turn);
    // A title takes next to nothing of a plan: it waits for no answer about one.
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
      // A wait is skipped, and so is OpenCode's compaction of what is a compaction itself.
      if (action?.kind !== 'hold' && action?.kind !== 'pass') return null;
    }
    return null;
  };
}
