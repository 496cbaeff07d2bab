import type { MemberId } from '../base/types';
import { isProved, post, remark } from '../findings/board';
import type { Stage } from '../process/process';
import type { Call } from '../said/calls';
import type { Heard } from '../state/events';
import { change, type Work } from '../state/state';
import { dismiss, summon, takeParty } from './oracle';

/** What an answer came to. */
export type Taken = Readonly<{
  /** In words for whoever said it. */
  remarks: readonly string[];
  /** It has said that it is done. */
  isDone: boolean;
}>;

/** Takes in what a participant did in its answer. */
export function take(work: Work, heard: Heard, { by, stage }: Readonly<{ by: MemberId; stage: Stage }>): Taken {
  const remarks: string[] = [...heard.problems];
  let isDone = false;
  let found = 0;
  for (const call of heard.calls) {
    if (call.tool === 'PostFindings') {
      const checks = heard.checks.slice(found, found + call.findings.length);
      found += call.findings.length;
      remarks.push(...takeFindings(work, call, { checks, by, stage }));
    } else {
      const { problems, ends } = takeCall(work, call, { by, stage });
      remarks.push(...problems);
      isDone ||= ends;
    }
  }
  return { remarks: remarks.slice(0, REMARKS_MAX), isDone };
}

const REMARKS_MAX = 20;

const fine = (ends = false) => ({ problems: [] as readonly string[], ends });

function takeCall(
  work: Work,
  call: Exclude<Call, { tool: 'PostFindings' }>,
  { by, stage }: Readonly<{ by: MemberId; stage: Stage }>,
) {
  switch (call.tool) {
    case 'UpdateKnowledge':
      if (Object.keys(work.state.knowledge).length < KNOWN_MAX || Object.hasOwn(work.state.knowledge, call.key))
        change(work, { knowledge: { ...work.state.knowledge, [call.key]: { by, text: call.text } } });
      return fine();
    case 'CompleteStage':
      change(work, { summaries: [...work.state.summaries, { by, stage: stage.id, text: call.summary }] });
      // The report is what the last stage is for.
      return fine(stage.id !== 'presentation' || work.state.presented !== null);
    case 'AnalyzeInput':
      change(work, { analysis: call });
      return fine();
    case 'SelectHeroes': {
      const isChosen = work.state.members.length > 1;
      const problems = isChosen ? [] : takeParty(work, call);
      return { problems, ends: problems.length === 0 };
    }
    case 'SummonReinforcement':
      return { problems: summon(work, call), ends: false };
    case 'DismissHero':
      return { problems: dismiss(work, call), ends: false };
    case 'PresentReport': {
      const { headline, order, praise } = call;
      const known = new Set<string>(work.state.board.map(({ id }) => id));
      const wrong = order.filter((id) => !known.has(id));
      change(work, { presented: { headline, order: [...new Set(order.filter((id) => known.has(id)))], praise } });
      return {
        problems: wrong.length === 0 ? [] : [`PresentReport: there is no finding ${wrong.join(', ')}.`],
        ends: false,
      };
    }
  }
}

/** Entries kept in what the party knows. */
const KNOWN_MAX = 100;

function takeFindings(
  work: Work,
  { findings }: Extract<Call, { tool: 'PostFindings' }>,
  { checks, by, stage }: Readonly<{ checks: Heard['checks']; by: MemberId; stage: Stage }>,
): readonly string[] {
  const problems: string[] = [];
  findings.forEach((each, at) => {
    const isFinding = 'title' in each;
    const found = isFinding ? { ...each, ...(checks[at] ?? {}) } : null;
    const posted = found
      ? post(work.state.board, found, { by, stage: stage.id })
      : remark(work.state.board, each as never, by);
    change(work, { board: posted.board });
    problems.push(...posted.problems);
    for (const { id, severity, title, file, line, check } of posted.added)
      work.facts.push({ type: 'finding:posted', id, by, severity, title, file, line, check });
    const own = isFinding ? posted.added[0] : undefined;
    if (own && !isProved(own))
      problems.push(
        own.check === 'unread'
          ? `${own.id}: ${own.file} could not be read. Post it again with the right file, under the same title.`
          : `${own.id}: what it quotes was not found in ${own.file}. Post it again with the very text and its line, under the same title.`,
      );
  });
  return problems;
}
