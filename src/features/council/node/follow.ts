import { type CouncilStep, councilStep } from '../rules/run/step';
import type { CouncilEvent } from '../rules/state/events';
import { initialCouncil } from '../rules/state/state';
import { followJournal } from './journal';
import type { Following } from './line-reader';

/** Includes past steps. @param handle gets the number of earlier journal lines. */
export function followRun(
  home: string,
  run: string,
  handle: (step: CouncilStep, event: CouncilEvent, before: number) => void,
): Following {
  let state = initialCouncil;
  let before = 0;
  return followJournal(home, run, {
    handle({ event, at }) {
      const step = councilStep(state, event, at);
      state = step.state;
      handle(step, event, before++);
    },
    restart() {
      [state, before] = [initialCouncil, 0];
    },
  });
}
