import type { CouncilTranscriptEntry } from '../contract/council';
import { plainLine, plainText } from '../rules/base/text';
import type { MemberId } from '../rules/base/types';
import { type CouncilStep, councilStep } from '../rules/run/step';
import type { Call } from '../rules/said/calls';
import type { CouncilEvent, CouncilFact } from '../rules/state/events';
import type { JournalLine } from '../rules/state/schema';
import { initialCouncil } from '../rules/state/state';

type Entry = CouncilTranscriptEntry;
type Said = Entry extends infer Each ? (Each extends Entry ? Omit<Each, 'at'> : never) : never;

export function journalEntries(lines: readonly JournalLine[], member: MemberId): readonly Entry[] {
  let state = initialCouncil;
  return lines.flatMap(({ event, at }) => {
    const command = 'command' in event ? state.pending[event.command] : undefined;
    const step = councilStep(state, event, at);
    state = step.state;
    const own = command !== undefined && command.kind !== 'abort' && command.member === member ? command : null;
    const attempts = own?.kind === 'prompt' ? own.attempts : 1;
    const entries = own === null ? [] : entriesOf(event, { step, member, attempts });
    return [...entries, ...turnsOf(step, member)].map((each) => ({ at, ...each }) as Entry);
  });
}

function turnsOf({ state, commands }: CouncilStep, member: MemberId): readonly Said[] {
  const stage = state.plan[0]?.stage;
  const prompts = commands.filter((command) => command.kind === 'prompt' && command.member === member);
  return stage === undefined ? [] : prompts.map(() => ({ kind: 'turn', stage }) as const);
}

type Heard = Readonly<{ step: CouncilStep; member: MemberId; attempts: number }>;

function entriesOf(event: CouncilEvent, context: Heard): readonly Said[] {
  switch (event.type) {
    case 'turn.answered': {
      const { calls, problems } = event.heard;
      const posted = context.step.facts;
      const problem = (text: string): Said => ({ kind: 'problem', text: plainText(text) });
      return [...calls.flatMap((call) => doneBy(call, posted)).filter(isFirst), ...problems.map(problem)];
    }
    case 'turn.retrying': {
      const { attempt, waitMs, kind } = event;
      return [{ kind: 'retry', attempt, of: context.attempts, waitMs, failure: plainLine(kind) }];
    }
    case 'turn.failed':
      return [{ kind: 'failed', failure: plainLine(event.fault.kind), message: plainText(event.fault.message) }];
    default:
      return [];
  }
}

/** Two identical posts in one answer are one finding. */
const isFirst = (each: Said, at: number, all: readonly Said[]): boolean =>
  each.kind !== 'finding' || all.findIndex((other) => other.kind === 'finding' && other.id === each.id) === at;

type Place = Readonly<{ title: string; file: string; line: number }>;
type Posted = Extract<CouncilFact, { type: 'finding:posted' }>;

function doneBy(call: Call, posted: readonly CouncilFact[]): readonly Said[] {
  switch (call.tool) {
    case 'PostFindings':
      return call.findings.flatMap((each) => ('title' in each ? foundAs(each, posted) : [remarkOf(each)]));
    case 'PostIdeas':
      return call.ideas.flatMap((each) => ('title' in each ? ideaAs(each, posted) : [remarkOf(each)]));
    case 'RankIdeas':
      return [{ kind: 'ranking', ids: [...call.ranking] }];
    case 'FrameProblem':
      return [oracle('frames', [call.question, ...call.criteria, ...call.constraints].join('\n'))];
    case 'NameGaps':
      return [oracle('gaps', call.gaps.join('\n'))];
    case 'UpdateKnowledge':
      return [{ kind: 'knowledge', key: plainLine(call.key), text: plainText(call.text) }];
    case 'CompleteStage':
      return [summary(call.summary)];
    case 'AnalyzeInput':
      return [oracle('looks', call.summary)];
    case 'SelectHeroes':
      return [oracle('chooses', call.heroes.map(({ id, brief }) => `${id}: ${brief}`).join('\n'))];
    case 'SummonReinforcement':
      return [oracle('summons', `${call.hero}: ${call.brief}`)];
    case 'DismissHero':
      return [oracle('dismisses', `${call.hero}: ${call.because}`)];
    case 'PresentReport':
      return [oracle('presents', [call.headline, ...call.praise].join('\n'))];
    case 'PresentOptions':
      return [oracle('presents', [call.headline, ...call.nextSteps, ...call.dissent].join('\n'))];
  }
}

const summary = (text: string): Said => ({ kind: 'summary', text: plainText(text) });

type Decided = Extract<Said, { kind: 'oracle' }>['what'];
const oracle = (what: Decided, text: string): Said => ({ kind: 'oracle', what, text: plainText(text) });

function foundAs({ title, file, line }: Place, posted: readonly CouncilFact[]): readonly Said[] {
  const fact = posted.find(
    (each): each is Posted =>
      each.type === 'finding:posted' && each.title === title && each.file === file && each.line === line,
  );
  if (!fact) return [];
  const { id, severity, check } = fact;
  return [{ kind: 'finding', id, severity, title: plainLine(title), file: plainLine(file), line, check }];
}

function ideaAs({ title }: Pick<Place, 'title'>, posted: readonly CouncilFact[]): readonly Said[] {
  const fact = posted.find((each) => each.type === 'idea:posted' && each.title === title);
  return fact?.type === 'idea:posted' ? [{ kind: 'idea', id: fact.id, title: plainLine(title) }] : [];
}

const REMARKS = ['confirms', 'supports', 'challenges', 'buildsOn'] as const;

function remarkOf(posted: Readonly<{ why: string }> & Partial<Record<(typeof REMARKS)[number], string>>): Said {
  const remark = REMARKS.find((each) => posted[each] !== undefined) ?? 'confirms';
  return { kind: 'remark', remark, about: plainLine(posted[remark] ?? ''), why: plainText(posted.why) };
}

export const inOrderOfTime = (
  journal: readonly Entry[],
  live: readonly Entry[],
  most: number,
): readonly CouncilTranscriptEntry[] => [...live, ...journal].toSorted((one, other) => one.at - other.at).slice(-most);
