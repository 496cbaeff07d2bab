import { basename } from 'node:path';
import { asArgument, dayAndMinute, plain, table } from '../../../wording/status-text';
import { aboutText, findingsText, openFact, openText, speakerName, stageText } from '../core/texts';
import { capitalised, counted, dollars, listed, plainLine } from '../rules/base/text';
import { isProved } from '../rules/findings/board';
import { reportOf } from '../rules/report/report';
import type { CouncilState } from '../rules/state/state';
import { type SeenRun, type Standing, standingOf } from './seen';

/** How a run is doing, in a few words. */
const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  idle: 'not begun',
  ai_generating: 'under way',
  awaiting_fallback_decision: 'asks you',
  paused_for_user: 'paused at its cap',
  paused: 'paused, everybody is offline',
  finished: 'finished',
  stopped: 'stopped',
  left: 'left: resume it',
  not_begun: 'never begun: remove it',
  fetching: 'its repository is being fetched',
};

export type ListedRun = Readonly<{
  run: string;
  /** In UTC; null for one that never began. */
  begunAt: string | null;
  problem: string | null;
  repo: string | null;
  state: Standing;
  isPlayed: boolean;
  findings: number;
  ideas: number;
  /** US dollars. */
  spent: number;
  cap: number | null;
}>;

export function listedRun(seen: SeenRun): ListedRun {
  const { run, state, isPlayed } = seen;
  const { problem = null, repo = null } = state.setup?.input ?? {};
  const begunAt = state.setup === null ? null : new Date(state.begunAt).toISOString();
  return {
    run,
    begunAt,
    problem,
    repo,
    state: standingOf(seen),
    isPlayed,
    findings: state.board.filter(isProved).length,
    ideas: state.ideas.length,
    spent: state.spent.cost ?? 0,
    cap: state.cap,
  };
}

export function listText(runs: readonly ListedRun[]): string {
  if (runs.length === 0) return 'There is no run yet. Begin one: understudy council start --repo .';
  return table(
    runs.map(({ run, begunAt, problem, repo, state, findings, ideas, spent }) => [
      run,
      begunAt === null ? '' : dayAndMinute(Date.parse(begunAt)),
      shortened([repo === null ? '' : basename(repo), problem ?? ''].filter(Boolean).join(': ')),
      STANDING_WORDS[state],
      problem === null ? counted(findings, 'finding') : counted(ideas, 'idea'),
      dollars(spent),
    ]),
  ).join('\n');
}

/** As much of a problem as a row has room for, in characters. */
const SHORT = 40;

function shortened(text: string): string {
  const line = [...plainLine(text)];
  return line.length <= SHORT ? line.join('') : `${line.slice(0, SHORT - 1).join('')}…`;
}

/** A run in words: how far it is, who was heard, what it asks, what it found and what it has spent. */
export function runText(seen: SeenRun): string {
  const { run, state } = seen;
  const report = reportOf(state);
  const { activity, input, cost, heard, notHeard, secrets = [] } = report;
  const begun = dayAndMinute(Date.parse(report.begunAt));
  const missing = notHeard.map(({ who, why, kind }) => `  ${kind === 'speaker' ? speakerName(who) : who}: ${why}`);
  const open = openText(state);
  const cap = cost.cap === null ? 'without a cap' : `of ${dollars(cost.cap)}`;
  const unpriced =
    cost.unpricedTurns === 0 ? '' : `, without ${counted(cost.unpricedTurns, 'turn')} whose price is not known`;
  const lines = [
    `${run}: ${aboutText(input, activity)}, begun ${begun}`,
    standingText(seen),
    ...(open === null ? [] : [open, ...replyLines(seen)]),
    heard.length === 0
      ? 'Nobody has been heard yet.'
      : `Heard: ${listed(heard.map(({ name, speaker }) => `${name} (${speakerName(speaker)})`))}.`,
    ...(missing.length === 0 ? [] : ['Not heard, or not to the end:', ...missing]),
    ...(secrets.length === 0 ? [] : [`Not read, because they may hold secrets: ${listed(secrets)}.`]),
    findingsText(report),
    `Spent: ${dollars(cost.spent)} ${cap}${unpriced}.`,
  ];
  return lines.map((line) => line.split('\n').map(plain).join('\n')).join('\n');
}

/** Why there is nothing of a run yet. */
export const unbegunText = ({ run, isPlayed }: SeenRun): string =>
  isPlayed ? `Run ${run} has not begun yet: its repository is being fetched.` : `Run ${run} never began.`;

/** Why nothing more comes of a run that is over. */
export const overText = (run: string, { phase }: CouncilState): string =>
  `Run ${run} ${phase === 'finished' ? 'has finished' : 'was stopped'}. Its report: understudy council export ${asArgument(run)}`;

function standingText(seen: SeenRun): string {
  const { run, state } = seen;
  const standing = standingOf(seen);
  const name = asArgument(run);
  if (standing === 'finished' || standing === 'stopped')
    return `It has ${standing === 'finished' ? 'finished' : 'been stopped'}. Its report: understudy council export ${name}`;
  const resume = standing === 'left' ? ` Nobody plays it now: understudy council resume ${name}` : '';
  return `${capitalised(standing === 'left' ? 'left' : STANDING_WORDS[standing])}. ${stageText(state)}${resume}`;
}

/** The command that says it, where nobody can type it below the run itself; null where it waits for nobody. */
export function replyText(state: CouncilState, run: string): string | null {
  const name = asArgument(run);
  switch (openFact(state)?.type) {
    case 'question:put':
      return `To answer: understudy council answer yes ${name}, or no in place of yes`;
    case 'run:paused':
      return state.pause === 'cap'
        ? `To go on: understudy council answer yes ${name}. To end it with a report: understudy council answer no ${name}`
        : `To go on: understudy council retry all ${name}. To end it with a report: understudy council stop ${name}`;
    default:
      return null;
  }
}

function replyLines({ run, state, isPlayed }: SeenRun): readonly string[] {
  const reply = isPlayed ? replyText(state, run) : null;
  return reply === null ? [] : [reply];
}
