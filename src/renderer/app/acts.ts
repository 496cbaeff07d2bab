import { useMemo } from 'react';
import type { PersonAct } from '../../contract/acts';
import type { QueryInput, QueryOutput } from '../../contract/contract';
import { shellTexts } from '../../texts';
import type { ResetTarget } from '../../wording/act-words';
import { reasonOf } from './asked';
import { type Panel, usePanel } from './panel';
import { undoOf } from './undo';

/** `undo` reverts the act. */
export type ActReport = Readonly<{ text: string; undo?: PersonAct }>;

/** Acts report their result as a notice and never reject. */
export type Acts = Readonly<{
  /** @param rev the revision that the user saw; by default the displayed one. */
  act(act: PersonAct, report: ActReport, rev?: number): Promise<boolean>;
  reset(target: ResetTarget, report: ActReport, rev?: number): Promise<boolean>;
  say(word: QueryInput<'council.say'>, report: ActReport): Promise<boolean>;
}>;

export function useActs(): Acts {
  const panel = usePanel();
  return useMemo(() => actsOf(panel), [panel]);
}

function actsOf({ api, store, notices }: Panel): Acts {
  const revOnScreen = (): number => store.getState().snapshot?.rev ?? 0;
  const run = async (ask: Promise<QueryOutput<'person.act'>>, report: ActReport): Promise<boolean> => {
    const answer = await ask.catch((error: unknown) => ({
      accepted: false as const,
      reason: reasonOf(error),
    }));
    const { text, undo } = report;
    if (!answer.accepted) {
      notices.tell({ text: shellTexts().notice.refused(answer.reason), isRefusal: true, undo: null });
      return false;
    }
    const takeBack = undo && (() => void act(undo, { text: shellTexts().notice.undone }, answer.rev));
    const { unwritten } = answer;
    const whole = unwritten === undefined ? text : `${text} ${shellTexts().notice.unwritten(unwritten)}`;
    notices.tell({ text: whole, isRefusal: unwritten !== undefined, undo: takeBack ?? null });
    return true;
  };
  const act: Acts['act'] = (input, report, rev = revOnScreen()) => {
    const { snapshot } = store.getState();
    const undo = report.undo ?? (snapshot && undoOf(input, snapshot));
    return run(api.ask('person.act', { act: input, rev }), undo ? { ...report, undo } : report);
  };
  return {
    act,
    reset: (target, report, rev = revOnScreen()) => run(api.ask('health.reset', { target, rev }), report),
    say: (word, report) => run(toActAnswer(api.ask('council.say', word), revOnScreen()), report),
  };
}

const toActAnswer = async (
  request: Promise<QueryOutput<'council.say'>>,
  rev: number,
): Promise<QueryOutput<'person.act'>> => {
  const answer = await request;
  return answer.ok ? { accepted: true, rev } : { accepted: false, reason: answer.reason };
};
