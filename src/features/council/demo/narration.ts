import { type StoryLine, storyLine, type Tone } from '../../../demo/narration';
import { capitalised, listed, plainLine } from '../rules/base/text';
import type { MemberId } from '../rules/base/types';
import type { CouncilStep } from '../rules/run/step';
import type { CouncilFact, RunSetup } from '../rules/state/events';
import { type CouncilState, setupOf } from '../rules/state/state';
import { factText, type Names, namesOf } from '../rules/told/fact-text';

const LABELS: Partial<Record<CouncilFact['type'], readonly [label: string, tone: Tone]>> = {
  'oracle:decision': ['party', 'plain'],
  'hero:summoned': ['party', 'plain'],
  'hero:dismissed': ['party', 'plain'],
  'hero:lost': ['lost', 'bad'],
  'stage:begun': ['stage', 'plain'],
  'finding:posted': ['found', 'plain'],
  'speaker:retrying': ['failed', 'bad'],
  'speaker:deferred': ['skipped', 'bad'],
  'speaker:reasked': ['after it', 'plain'],
  'speaker:recovered': ['speaks', 'good'],
  'speaker:degraded': ['offline', 'bad'],
  'question:put': ['question', 'plain'],
  'question:nudged': ['question', 'plain'],
  'question:answered': ['answer', 'plain'],
  'fallback:failed': ['failed', 'bad'],
  'retry:told': ['retry', 'plain'],
  'answer:unasked': ['answer', 'plain'],
  'budget:warned': ['retries', 'bad'],
  'budget:spent': ['retries', 'bad'],
  'run:paused': ['paused', 'bad'],
  'run:resumed': ['goes on', 'good'],
  'run:finished': ['finished', 'good'],
  'run:stopped': ['stopped', 'bad'],
};
const IN_REPORT: ReadonlySet<string> = new Set(['synthesis', 'presentation']);

export function factLines(fact: CouncilFact, { state }: Pick<CouncilStep, 'state'>): readonly StoryLine[] {
  const names = namesOf(setupOf(state));
  if (fact.type === 'turn:done') return heardLines(fact, { state, names });
  const text = factText(fact, names);
  const labelAndTone = LABELS[fact.type];
  if (text === null || labelAndTone === undefined) return [];
  const isOracles = fact.type === 'stage:begun' && (fact.stage === 'casting' || fact.stage === 'transition');
  const [label, tone] = isOracles ? (['oracle', 'quiet'] as const) : labelAndTone;
  const before = fact.type === 'finding:posted' ? `${names.hero(fact.by)} ` : '';
  const line = storyLine(label, `${before}${text}`, tone);
  return fact.type === 'oracle:decision' ? [line, voicesLine(state, names)] : [line];
}

function voicesLine({ members }: CouncilState, names: Names): StoryLine {
  const voices = members.map(({ id, speaker }) => `${names.hero(id)} by ${names.speaker(speaker)}`);
  return storyLine('played by', `${listed(voices)}.`);
}

function heardLines(
  { hero, stage }: Readonly<{ hero: MemberId; stage: string }>,
  { state, names }: Readonly<{ state: CouncilState; names: Names }>,
): readonly StoryLine[] {
  const summary = state.summaries.findLast((each) => each.by === hero && each.stage === stage);
  if (summary === undefined || IN_REPORT.has(stage)) return [];
  return [storyLine('heard', `${names.hero(hero)}: “${plainLine(summary.text)}”`, 'quiet')];
}

export function speakerLines({ settings }: Pick<RunSetup, 'settings'>): readonly StoryLine[] {
  return settings.speakers.map(({ name, model, fallback }, at) =>
    storyLine(at === 0 ? 'speakers' : '', `${capitalised(name)}: ${model}, fallback ${fallback ?? 'none'}`),
  );
}

export const requestsLine = (model: string, requests: Readonly<{ answered: number; refused: number }>): StoryLine =>
  storyLine('requests', `${model} answered ${requests.answered} and refused ${requests.refused}`, 'quiet');
