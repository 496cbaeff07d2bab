import type { ModelId } from '../../../../engine';
import { NUDGE_MS, SKIP_MS } from '../base/settings';
import { ACTIVITY_WORDS, CHECK_WORDS, capitalised, dollars, LESS_GROUNDED, listed, plainLine } from '../base/text';
import { type MemberId, ORACLE, type ProcessId, type SpeakerName } from '../base/types';
import { type StageId, stageIn, stagesOf } from '../process/process';
import { route } from '../process/route';
import type { CouncilFact, RunSetup } from '../state/events';

export type Names = Readonly<{
  speaker(name: SpeakerName): string;
  hero(id: MemberId): string;
  stage(id: StageId): string;
  place(id: StageId): string;
  model(name: SpeakerName): ModelId | null;
}>;

export function namesOf({ roster, settings, input }: Pick<RunSetup, 'roster' | 'settings' | 'input'>): Names {
  const process = route(input)?.process ?? 'CODE_REVIEW';
  return {
    speaker: capitalised,
    hero: (id) => (id === ORACLE ? 'The Oracle' : (roster.find((hero) => hero.id === id)?.name ?? id)),
    stage: (id) => stageIn(process, id).name,
    place: (id) => placeOf(process, id),
    model: (name) => settings.speakers.find((speaker) => speaker.name === name)?.model ?? null,
  };
}

/**
 * Null for facts without news. One line, except for a pause with all speakers off. Source of the sentences:
 * docs/council.md, when a model fails.
 */
export function factText(fact: CouncilFact, names: Names): string | null {
  const shown: Names = {
    speaker: (name) => capitalised(plainLine(names.speaker(name))),
    hero: (id) => capitalised(plainLine(names.hero(id))),
    stage: (id) => plainLine(names.stage(id)),
    place: names.place,
    model: names.model,
  };
  // The compiler cannot follow the type through the table.
  return TEXTS[fact.type](plainFact(fact) as never, shown);
}

type FactOf<Type, Fact = CouncilFact> = Fact extends { type: infer Types }
  ? Type extends Types
    ? Fact
    : never
  : never;
type Texts = { readonly [Type in CouncilFact['type']]: (fact: FactOf<Type>, names: Names) => string | null };

const SECOND_MS = 1_000;

const TEXTS: Texts = {
  'oracle:decision': ({ activityType, heroes, isDefault }, { hero }) => {
    const party = listed(heroes.map(hero));
    return isDefault
      ? `The Oracle could not choose. This is the default party: ${party}.`
      : `The Oracle has chosen for this ${ACTIVITY_WORDS[activityType]}: ${party}.`;
  },
  'hero:summoned': ({ hero: id, speaker: name, because }, { hero, speaker }) =>
    `${hero(id)} joins the party, played by ${speaker(name)}${because.length === 0 ? '' : `, because of ${listed(because)}`}.`,
  'hero:dismissed': ({ hero: id, because }, { hero }) => `The Oracle has dismissed ${hero(id)}: ${because}`,
  'hero:lost': ({ hero: id, because }, { hero }) => `${hero(id)} left the run. ${because}.`,
  'stage:begun': ({ stage: id }, { stage, place }) => {
    if (id === 'casting') return 'The Oracle reads the input and chooses the party.';
    if (id === 'transition') return 'The Oracle reviews the stage.';
    return `${place(id)}: ${stage(id)}`;
  },
  'stage:completed': ({ stage: id, heard: contributions }, { stage, place }) => {
    if (id === 'casting' || id === 'transition') return null;
    return contributions > 0
      ? `${place(id)} completed: ${stage(id)}`
      : `${place(id)} is over without a contribution: ${stage(id)}`;
  },
  'turn:done': ({ hero: id, isHeard }, { hero }) => (isHeard ? null : `${hero(id)} gave no readable output.`),
  'finding:posted': ({ by, severity, title, file, line, check }, { hero }) =>
    `${hero(by)}: [${severity}] ${title} — ${file}:${line} (${CHECK_WORDS[check]})`,
  'idea:posted': ({ id, by, title }, { hero }) => `${hero(by)}: ${id} ${title}`,
  'gaps:named': ({ gaps }) => `The Oracle sees gaps: ${gaps.map(plainLine).join('; ')}`,
  'ballot:cast': ({ by, first }, { hero }) => `${hero(by)} has ranked the ideas, ${first} first.`,
  'speaker:retrying': ({ speaker: name, attempt, of, waitMs }, { speaker }) =>
    `${speaker(name)} error, retrying in ${Math.ceil(waitMs / SECOND_MS)}s... (attempt ${attempt - 1}/${of})`,
  'speaker:deferred': ({ speaker: name }, { speaker }) =>
    `(${speaker(name)} skipped due to error, will retry after round)`,
  'speaker:reasked': () => 'Retrying failed speakers…',
  'speaker:recovered': ({ speaker: name, model: active }, { speaker, model }) =>
    active === model(name)
      ? `${speaker(name)} rejoined the Council – welcome back!`
      : `${active} speaks for ${speaker(name)} now.`,
  'speaker:degraded': ({ speaker: name, reason, left, of }, { speaker }) =>
    `${speaker(name)} offline (${reason}). ${left === 0 ? 'No Council member is left.' : `Continuing with ${left}/${of} Council members.`}`,
  'question:put': ({ speaker: name, model, fallback, kind }, { speaker }) =>
    `${speaker(name)} (${model}) cannot answer: ${kind.replaceAll('_', ' ')}. Let ${fallback} speak for it? /yes or /no`,
  'question:nudged': ({ speaker: name }, { speaker }) =>
    `Still deciding on ${speaker(name)} fallback? (auto-skip in ${(SKIP_MS - NUDGE_MS) / SECOND_MS}s)`,
  'question:answered': ({ speaker: name, how, to }, { speaker }) => {
    if (how === 'yes') return `Routing ${speaker(name)} to ${to}`;
    return how === 'no'
      ? `Skipping ${speaker(name)} for this session`
      : `No response after ${SKIP_MS / SECOND_MS}s. Auto-skipping ${speaker(name)}. Type \`/retry ${name}\` to re-enable.`;
  },
  'fallback:failed': ({ model, message }) => `${model} also failed: ${message}`,
  'retry:told': ({ name, how, message }, { speaker }) => {
    switch (how) {
      case 'trying':
        return `Retrying ${speaker(name)}…`;
      case 'later':
        return `${speaker(name)} is enabled again and answers at its next turn.`;
      case 'unavailable':
        return `${speaker(name)} still unavailable: ${message}`;
      case 'not_disabled':
        return name === 'all' ? 'No speaker is disabled.' : `${speaker(name)} is not disabled.`;
      case 'unknown':
        return `There is no speaker called ${name}. There are: ${message}.`;
    }
  },
  'answer:unasked': () => 'No question is open. Nothing has changed.',
  'budget:warned': ({ retries }) => `High failure rate (${retries} retries). Check network/API health.`,
  'budget:spent': ({ retries }) =>
    `All ${retries} retries of this run are used. From now on the Council asks you about each failing speaker.`,
  'knowledge:missed': () => LESS_GROUNDED,
  'run:paused': ({ reason, spent, cap, raised }) =>
    reason === 'all_off'
      ? ALL_OFF
      : `Paused at the cap: ${dollars(spent)} of ${dollars(cap ?? spent)} spent. /yes raises the cap${raised === null ? '' : ` to ${dollars(raised)}`} and continues, /no stops and keeps the results.`,
  'run:resumed': () => 'The Council continues.',
  'run:finished': () => 'The Council has finished. Its report is ready.',
  'run:stopped': () => 'The Council was stopped. Its report contains the findings until then.',
};

const ALL_OFF = [
  'All Council members are offline. The run is paused, and nothing is lost.',
  'Possible causes: no network, an outage at the provider, rejected API keys.',
  'Next steps: `/retry all` retries all speakers, `/council export` saves the results so far, `/council stop` ends the run with a report.',
  'The Council waits for you and then continues where it stopped.',
].join('\n');

function placeOf(process: ProcessId, id: StageId): string {
  const stages = stagesOf(process);
  const at = stages.findIndex((stage) => stage.id === id);
  return at < 0 ? 'Stage' : `Stage ${at + 1} of ${stages.length}`;
}

const plainFact = (fact: CouncilFact): object =>
  Object.fromEntries(
    Object.entries(fact).map(([key, value]) => [key, typeof value === 'string' ? plainLine(value) : value]),
  );
