import { basename } from 'node:path';
import { asArgument, dayAndMinute, plain, table } from '../../../contract/status-text';
import type { Settings } from '../../../council/base/settings';
import { ACTIVITY_WORDS, capitalised, counted, dollars, listed, plainLine } from '../../../council/base/text';
import { SEVERITIES, type SpeakerName } from '../../../council/base/types';
import { DEFAULT_PARTY, PARTY } from '../../../council/cast/heroes';
import { estimateText } from '../../../council/money/estimate';
import { stagesOf } from '../../../council/process/process';
import { route } from '../../../council/process/route';
import { reportOf } from '../../../council/report/report';
import type { CouncilReport } from '../../../council/report/schema';
import type { CouncilFact } from '../../../council/state/events';
import { type CouncilState, setupOf } from '../../../council/state/state';
import { factText, namesOf } from '../../../council/told/fact-text';
import type { Plan } from '../../../node/council/prepare';
import { type SeenRun, type Standing, standingOf } from './seen';

const speakerName = (name: SpeakerName): string => capitalised(plainLine(name));

/** What a run is about, within a sentence: "code review of shop". */
function aboutText(input: CouncilReport['input'], activity: CouncilReport['activity']): string {
  const what = activity === null ? 'run' : ACTIVITY_WORDS[activity];
  const of = input.repo === null ? '' : ` of ${plainLine(basename(input.repo))}`;
  return `${what}${of}${input.problem === null ? '' : `: ${plainLine(input.problem)}`}`;
}

/** What will happen when a run is begun: who speaks, what it is thought to cost, and where it stops to ask. */
export function planText({ wanted, settings, roster, estimate, resets }: Plan): string {
  const played = route(wanted.input);
  const stages = (played && stagesOf(played.process))?.length ?? 0;
  const party = DEFAULT_PARTY.map((id) => plainLine(roster.find((hero) => hero.id === id)?.name ?? id));
  const about = capitalised(aboutText(wanted.input, played?.activity ?? null));
  const left = Object.entries(resets).map(
    ([name, until]) =>
      `${speakerName(name)} cannot speak before ${dayAndMinute(until)}: its provider has asked to be left alone.`,
  );
  return [
    `${about}, in ${stages} stages, by the Oracle and ${PARTY.least} to ${PARTY.most} heroes, of whom ${settings.parallel} may work at once.`,
    '',
    'Who speaks:',
    ...speakerRows(settings),
    `The Oracle is played by ${speakerName(settings.oracle)}, heroes by ${listed(settings.heroes.map(speakerName))} in turn. The Oracle chooses the heroes; where it cannot: ${listed(party)}.`,
    ...left,
    '',
    estimateText(estimate),
    ...capLines(settings.maxCost, estimate),
    'The models read a copy, without files that hold secrets by their names or that .gitignore leaves out. Nothing in it is run, and nothing of yours is changed.',
  ].join('\n');
}

const speakerRows = ({ speakers }: Settings): readonly string[] =>
  table(
    speakers.map(({ name, model, fallback }) => [
      speakerName(name),
      model,
      fallback === null || fallback === model ? 'no fallback' : `fallback, if you say yes to it: ${fallback}`,
    ]),
  );

function capLines(cap: number | null, { cost, unpriced }: Plan['estimate']): readonly string[] {
  if (cap === null) return ['It has no cap.'];
  const isAbove = cost !== null && cost > cap;
  const above = isAbove ? ' The estimate is above that: expect the run to pause there and ask you.' : '';
  const without = unpriced.length === 0 ? '' : ' What has no known price does not count towards it.';
  return [`At ${dollars(cap)} the run pauses and asks whether to go on.${above}${without}`];
}

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
};

/** A run as a script lists it. */
export type ListedRun = Readonly<{
  run: string;
  /** In UTC; null for one that never began. */
  begunAt: string | null;
  problem: string | null;
  repo: string | null;
  state: Standing;
  isPlayed: boolean;
  findings: number;
  /** US dollars. */
  spent: number;
  cap: number | null;
}>;

export function listedRun(seen: SeenRun): ListedRun {
  const { run, state, isPlayed } = seen;
  const { problem = null, repo = null } = state.setup?.input ?? {};
  const begunAt = state.setup === null ? null : new Date(state.begunAt).toISOString();
  return {
    ...{ run, begunAt, problem, repo, state: standingOf(seen), isPlayed },
    ...{ findings: state.board.length, spent: state.spent.cost ?? 0, cap: state.cap },
  };
}

export function listText(runs: readonly ListedRun[]): string {
  if (runs.length === 0) return 'There is no run yet. Begin one: understudy council start --repo .';
  return table(
    runs.map(({ run, begunAt, problem, repo, state, findings, spent }) => [
      run,
      begunAt === null ? '' : dayAndMinute(Date.parse(begunAt)),
      shortened([repo === null ? '' : basename(repo), problem ?? ''].filter(Boolean).join(': ')),
      STANDING_WORDS[state],
      counted(findings, 'finding'),
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
  const { activity, input, cost, heard, notHeard } = report;
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
    findingsText(report),
    `Spent: ${dollars(cost.spent)} ${cap}${unpriced}.`,
  ];
  return lines.map((line) => line.split('\n').map(plain).join('\n')).join('\n');
}

function standingText(seen: SeenRun): string {
  const { run, state } = seen;
  const standing = standingOf(seen);
  const name = asArgument(run);
  if (standing === 'finished' || standing === 'stopped')
    return `It has ${standing === 'finished' ? 'finished' : 'been stopped'}. Its report: understudy council export ${name}`;
  const resume = standing === 'left' ? ` Nobody plays it now: understudy council resume ${name}` : '';
  return `${capitalised(standing === 'left' ? 'left' : STANDING_WORDS[standing])}. ${stageText(state)}${resume}`;
}

/** "Stage 2 of 6: Deep Analysis." */
function stageText(state: CouncilState): string {
  const { stages } = reportOf(state);
  const now = state.plan[0]?.stage;
  const at = stages.findIndex(({ id }) => id === now);
  if (at >= 0) return `Stage ${at + 1} of ${stages.length}: ${stages[at]?.name}.`;
  const done = stages.filter(({ isCompleted }) => isCompleted).length;
  if (done === 0) return `Before stage 1 of ${stages.length}: the Oracle chooses the party.`;
  return `Stage ${done} of ${stages.length} is done, and the Oracle looks at what it brought.`;
}

function findingsText({ findings, unproved, praise }: CouncilReport): string {
  const counts = SEVERITIES.flatMap((severity) => {
    const count = [...findings, ...praise.findings].filter((each) => each.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  const some = counts.length === 0 ? 'none so far' : listed(counts);
  return `Findings: ${some}${unproved.length === 0 ? '' : `; unproved claims: ${unproved.length}`}.`;
}

/** What a run waits for a person to say, in words; null where it waits for nobody. */
export function openText(state: CouncilState): string | null {
  const fact = openFact(state);
  return fact === null ? null : factText(fact, namesOf(setupOf(state)));
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

/** What nobody plays hears nothing. */
function replyLines({ run, state, isPlayed }: SeenRun): readonly string[] {
  const reply = isPlayed ? replyText(state, run) : null;
  return reply === null ? [] : [reply];
}

/** What had happened when a run began to wait. */
function openFact(state: CouncilState): CouncilFact | null {
  if (state.phase === 'waiting' && state.pause !== null)
    return { type: 'run:paused', reason: state.pause, spent: state.spent.cost ?? 0, cap: state.cap };
  const [ask] = state.phase === 'playing' ? state.asks : [];
  const own = setupOf(state).settings.speakers.find(({ name }) => name === ask?.speaker);
  const now = state.speakers[ask?.speaker ?? ''];
  if (!ask || !now || !own?.fallback) return null;
  return {
    ...{ type: 'question:put', question: ask.id, speaker: ask.speaker, model: now.active, fallback: own.fallback },
    kind: now.fault?.kind ?? 'unknown',
  };
}
