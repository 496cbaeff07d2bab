import { basename } from 'node:path';
import { asArgument, dayAndMinute, plain, table } from '../../../wording/status-text';
import { aboutText, findingsText, openFact, openText, speakerName, stageText } from '../core/texts';
import { capitalised, counted, dollars, listed, plainLine } from '../rules/base/text';
import { isProved } from '../rules/findings/board';
import { reportOf } from '../rules/report/report';
import type { CouncilState } from '../rules/state/state';
import { type SeenRun, type Standing, standingOf } from './seen';

const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  idle: 'not started',
  ai_generating: 'running',
  awaiting_fallback_decision: 'waits for your answer',
  paused_for_user: 'paused at its cap',
  paused: 'paused, all speakers are offline',
  finished: 'finished',
  stopped: 'stopped',
  left: 'interrupted: resume it',
  not_begun: 'never started: remove it',
  fetching: 'fetching its repository',
};

export type ListedRun = Readonly<{
  run: string;
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
  if (runs.length === 0) return 'There is no run yet. Start one: understudy council start --repo .';
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

const SHORT = 40;

function shortened(text: string): string {
  const line = [...plainLine(text)];
  return line.length <= SHORT ? line.join('') : `${line.slice(0, SHORT - 1).join('')}…`;
}

export function runText(seen: SeenRun): string {
  const { run, state } = seen;
  const report = reportOf(state);
  const { activity, input, cost, heard: contributors, notHeard, secrets = [] } = report;
  const begun = dayAndMinute(Date.parse(report.begunAt));
  const missing = notHeard.map(({ who, why, kind }) => `  ${kind === 'speaker' ? speakerName(who) : who}: ${why}`);
  const open = openText(state);
  const cap = cost.cap === null ? 'without a cap' : `of ${dollars(cost.cap)}`;
  const unpriced = cost.unpricedTurns === 0 ? '' : `, without ${counted(cost.unpricedTurns, 'turn')} of unknown price`;
  const lines = [
    `${run}: ${aboutText(input, activity)}, begun ${begun}`,
    standingText(seen),
    ...(open === null ? [] : [open, ...replyLines(seen)]),
    contributors.length === 0
      ? 'No participant has answered yet.'
      : `Answered: ${listed(contributors.map(({ name, speaker }) => `${name} (${speakerName(speaker)})`))}.`,
    ...(missing.length === 0 ? [] : ['Not answered, or not completely:', ...missing]),
    ...(secrets.length === 0 ? [] : [`Not read because of possible secrets: ${listed(secrets)}.`]),
    findingsText(report),
    `Spent: ${dollars(cost.spent)} ${cap}${unpriced}.`,
  ];
  return lines.map((line) => line.split('\n').map(plain).join('\n')).join('\n');
}

export const unbegunText = ({ run, isPlayed }: SeenRun): string =>
  isPlayed ? `Run ${run} is fetching its repository.` : `Run ${run} never began.`;

export const overText = (run: string, { phase }: CouncilState): string =>
  `Run ${run} ${phase === 'finished' ? 'has finished' : 'was stopped'}. Its report: understudy council show ${asArgument(run)} --format md`;

function standingText(seen: SeenRun): string {
  const { run, state } = seen;
  const standing = standingOf(seen);
  const name = asArgument(run);
  if (standing === 'finished' || standing === 'stopped')
    return `It has ${standing === 'finished' ? 'finished' : 'been stopped'}. Its report: understudy council show ${name} --format md`;
  const resume = standing === 'left' ? ` To continue: understudy council resume ${name}` : '';
  return `${capitalised(standing === 'left' ? 'interrupted' : STANDING_WORDS[standing])}. ${stageText(state)}${resume}`;
}

export function replyText(state: CouncilState, run: string): string | null {
  const name = asArgument(run);
  switch (openFact(state)?.type) {
    case 'question:put':
      return `To answer: understudy answer yes --council ${name}, or no instead of yes`;
    case 'run:paused':
      return state.pause === 'cap'
        ? `To continue: understudy answer yes --council ${name}. To end with a report: understudy answer no --council ${name}`
        : `To continue: understudy council resume ${name} --retry all. To end with a report: understudy council stop ${name}`;
    default:
      return null;
  }
}

function replyLines({ run, state, isPlayed }: SeenRun): readonly string[] {
  const reply = isPlayed ? replyText(state, run) : null;
  return reply === null ? [] : [reply];
}
