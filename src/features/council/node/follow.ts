import { type CouncilStep, councilStep } from '../rules/run/step';
import type { CouncilEvent } from '../rules/state/events';
import { initialCouncil } from '../rules/state/state';
import { followJournal } from './run-folder';

/**
 * Hears what comes of each thing that a run hears, past and future.
 *
 * @param hear is told how many lines of the journal came before.
 * @returns what ends it.
 */
export function followRun(
  home: string,
  run: string,
  hear: (step: CouncilStep, event: CouncilEvent, before: number) => void,
): () => void {
  let state = initialCouncil;
  let before = 0;
  return followJournal(home, run, ({ event, at }) => {
    const step = councilStep(state, event, at);
    state = step.state;
    hear(step, event, before++);
  });
}
