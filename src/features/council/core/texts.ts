import { dayAndMinute, table } from '../../../wording/status-text';
import type { Settings, Speaker } from '../rules/base/settings';
import { ACTIVITY_WORDS, capitalised, dollars, listed, megabytes, plainLine } from '../rules/base/text';
import { SEVERITIES, type SpeakerName } from '../rules/base/types';
import { type Hero, PARTY } from '../rules/cast/heroes';
import { defaultPartyOf } from '../rules/cast/roster';
import { type Estimate, estimateText } from '../rules/money/estimate';
import { type Address, FETCHED_MAX_BYTES } from '../rules/process/address';
import { stagesOf } from '../rules/process/process';
import { type Input, route } from '../rules/process/route';
import { reportOf } from '../rules/report/report';
import type { CouncilReport } from '../rules/report/schema';
import { pausedFact } from '../rules/run/passes';
import { questionFact } from '../rules/run/speakers';
import type { CouncilFact, RunSetup } from '../rules/state/events';
import { type CouncilState, setupOf } from '../rules/state/state';
import { factText, namesOf } from '../rules/told/fact-text';

export type Planned = Readonly<{
  wanted: Readonly<{ input: Input }>;
  address: Address | null;
  settings: Settings;
  roster: readonly Hero[];
  estimate: Estimate;
  resets: RunSetup['resets'];
  leftOut: readonly Speaker[];
}>;

export const lastOf = (path: string): string =>
  path
    .replace(/[\\/]+$/, '')
    .split(/[\\/]/)
    .at(-1) ?? path;

export const speakerName = (name: SpeakerName): string => capitalised(plainLine(name));

/** "code review of shop" */
export function aboutText(input: CouncilReport['input'], activity: CouncilReport['activity']): string {
  const what = activity === null ? 'run' : ACTIVITY_WORDS[activity];
  const of = input.repo === null ? '' : ` of ${plainLine(lastOf(input.repo))}`;
  return `${what}${of}${input.problem === null ? '' : `: ${plainLine(input.problem)}`}`;
}

export function planText({ wanted, address, settings, roster, estimate, resets, leftOut }: Planned): string {
  const played = route(wanted.input);
  const { process = 'CODE_REVIEW', cast = 'heroes' } = played ?? {};
  const stages = stagesOf(process).length;
  const party = defaultPartyOf(cast).map((id) => plainLine(roster.find((hero) => hero.id === id)?.name ?? id));
  const input = address === null ? wanted.input : { ...wanted.input, repo: address.name };
  const about = capitalised(aboutText(input, played?.activity ?? null));
  const left = Object.entries(resets).map(
    ([name, until]) =>
      `${speakerName(name)} is unavailable until ${dayAndMinute(until)}: its provider requested a pause.`,
  );
  return [
    `${about}, in ${stages} stages, by the Oracle and ${PARTY.least} to ${PARTY.most} ${cast}, at most ${settings.parallel} at once.`,
    '',
    'Speakers:',
    ...speakerRows(settings),
    `${speakerName(settings.oracle)} acts as the Oracle. The ${cast} are assigned to ${listed(settings.heroes.map(speakerName))} in turn. The Oracle chooses the ${cast}; the default party is ${listed(party)}.`,
    ...left,
    ...leftOut.map(({ name, model }) => `${speakerName(name)} does not take part: ${model} is on hold.`),
    '',
    estimateText(estimate),
    ...capLines(settings.maxCost, estimate),
    ...(address === null ? [] : [fetchText(address)]),
    wanted.input.repo === null
      ? 'The models have no tools: they read, run and change nothing on this machine.'
      : READS_A_COPY,
  ].join('\n');
}

const READS_A_COPY =
  'The models read a copy without links, files over 2 MB, files with names that suggest secrets, and files that .gitignore excludes. Nothing in it is run, and your files are not changed.';

const fetchText = ({ url }: Address): string =>
  `Your git fetches it from ${plainLine(url)}: only its latest commit, without submodules, at most ${megabytes(FETCHED_MAX_BYTES)} (depth 1). The fetched files are deleted after they are copied, and the copy when the run ends.`;

const speakerRows = ({ speakers }: Settings): readonly string[] =>
  table(
    speakers.map(({ name, model, fallback }) => [
      speakerName(name),
      model,
      fallback === null || fallback === model ? 'no fallback' : `fallback, if you approve it: ${fallback}`,
    ]),
  );

function capLines(cap: number | null, { cost, unpriced }: Planned['estimate']): readonly string[] {
  if (cap === null) return ['It has no cap.'];
  const isAbove = cost !== null && cost > cap;
  const above = isAbove ? ' The estimate is higher, so expect the run to pause and ask you.' : '';
  const without = unpriced.length === 0 ? '' : ' Models without a known price do not count towards it.';
  return [`At ${dollars(cap)} the run pauses and asks you whether to continue.${above}${without}`];
}

export function stageText(state: CouncilState): string {
  const { stages } = reportOf(state);
  const now = state.plan[0]?.stage;
  const at = stages.findIndex(({ id }) => id === now);
  if (at >= 0) return `Stage ${at + 1} of ${stages.length}: ${stages[at]?.name}.`;
  const done = stages.filter(({ isCompleted }) => isCompleted).length;
  if (done === 0) return `Before stage 1 of ${stages.length}: the Oracle chooses the party.`;
  return `Stage ${done} of ${stages.length} is complete, and the Oracle reviews it.`;
}

export function findingsText({ findings, unproved, praise, brainstorm }: CouncilReport): string {
  if (brainstorm !== null) return ideasText(brainstorm);
  const counts = SEVERITIES.flatMap((severity) => {
    const count = [...findings, ...praise.findings].filter((each) => each.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  const some = counts.length === 0 ? 'none so far' : listed(counts);
  return `Findings: ${some}${unproved.length === 0 ? '' : `; unproved claims: ${unproved.length}`}.`;
}

function ideasText({ options }: NonNullable<CouncilReport['brainstorm']>): string {
  const [first] = options;
  if (first === undefined) return 'Ideas: none so far.';
  const best = first.rank === null ? ', not ranked yet' : `; first: ${first.title}`;
  return `Ideas: ${options.length}${best}.`;
}

/** Null if the run does not wait. */
export function openText(state: CouncilState): string | null {
  const fact = openFact(state);
  return fact === null ? null : factText(fact, namesOf(setupOf(state)));
}

export function openFact(state: CouncilState): CouncilFact | null {
  if (state.phase === 'waiting' && state.pause !== null) return pausedFact(state, state.pause);
  const [ask] = state.phase === 'playing' ? state.asks : [];
  return ask ? questionFact(state, ask, 'question:put') : null;
}
