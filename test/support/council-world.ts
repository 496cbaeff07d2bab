import type { Settings, Speaker } from '../../src/features/council/rules/base/settings';
import { RETRIES } from '../../src/features/council/rules/base/settings';
import type { Spent, TurnFault } from '../../src/features/council/rules/base/types';
import { HEROES } from '../../src/features/council/rules/cast/heroes';
import { councilStep } from '../../src/features/council/rules/run/step';
import { type Call, placesIn, readCalls } from '../../src/features/council/rules/said/calls';
import type { Command, CouncilEvent, CouncilFact, RunSetup } from '../../src/features/council/rules/state/events';
import { type CouncilState, initialCouncil } from '../../src/features/council/rules/state/state';
import { ended } from './quote-in';

export type Prompt = Extract<Command, { kind: 'prompt' }>;

/** The response or failure of a scripted model, and its time. */
export type Reply = Readonly<{ afterMs?: number; spent?: Spent }> &
  (Readonly<{ says: string }> | Readonly<{ fails: Partial<TurnFault>; retries?: number }> | Readonly<{ hangs: true }>);

export const fenced = (...calls: readonly object[]): string =>
  calls.map((call) => `\`\`\`json\n${JSON.stringify(call)}\n\`\`\``).join('\n');

export const speaker = (
  name: string,
  vendor: string,
  fallback: string | null = `${vendor}/${name}-small`,
): Speaker => ({
  name,
  model: `${vendor}/${name}`,
  fallback,
  vendor,
});

export const settingsOf = (speakers: readonly Speaker[], more: Partial<Settings> = {}): Settings => ({
  speakers,
  oracle: speakers[0]?.name ?? '',
  heroes: speakers.map(({ name }) => name),
  parallel: 3,
  maxCost: null,
  retries: RETRIES,
  ...more,
});

export const setupFor = (settings: Settings, more: Partial<RunSetup> = {}): RunSetup => ({
  run: 'r1',
  input: { problem: null, repo: '/repo', isDeep: false },
  overview: '',
  settings,
  roster: HEROES,
  resets: {},
  ...more,
});

export const SIX = ['reconnaissance', 'deep_analysis', 'cross_reference', 'oracle_review', 'synthesis', 'presentation'];
export const PARTY_CALL = {
  tool: 'SelectHeroes',
  process: 'CODE_REVIEW',
  heroes: ['architect', 'sentinel', 'healer', 'sage'].map((id) => ({ id, brief: `As ${id}.` })),
};
export const DONE = { tool: 'CompleteStage', summary: 'Done.' };

export function dutiful({ tools, text }: Pick<Prompt, 'tools' | 'text'>): string {
  if (tools.includes('SelectHeroes')) return fenced(partyFor(text));
  if (tools.includes('PresentReport'))
    return fenced({ tool: 'PresentReport', headline: 'All well.', order: [], praise: [] }, DONE);
  if (tools.includes('PresentOptions'))
    return fenced({ tool: 'PresentOptions', headline: 'All well.', nextSteps: [], dissent: [] }, DONE);
  const ids = [...text.matchAll(/^- (i\d+) /gm)].map(([, id]) => id);
  if (tools.includes('RankIdeas') && ids.length > 0) return fenced({ tool: 'RankIdeas', ranking: ids }, DONE);
  return fenced(DONE);
}

/** Casts the first four available heroes for a problem. */
export function partyFor(text: string): object {
  const process = /^The process, (\w+):/m.exec(text)?.[1] ?? PARTY_CALL.process;
  if (process === PARTY_CALL.process) return PARTY_CALL;
  const ids = [...text.matchAll(/^- ([a-z]+): /gm)].map(([, id]) => id);
  return { ...PARTY_CALL, process, heroes: ids.slice(0, 4).map((id) => ({ id, brief: `As ${id}.` })) };
}

/** Facts of a type, also of one that shares its shape with another. */
export type FactOf<Type, Fact = CouncilFact> = Fact extends { type: infer Own }
  ? Type extends Own
    ? Fact
    : never
  : never;

type Due = { at: number; event: CouncilEvent };

/** A run with scripted models in virtual time. Use `tell` for actions of a person. */
export function openWorld(setup: RunSetup, reply: (prompt: Prompt, nth: number) => Reply) {
  let state: CouncilState = initialCouncil;
  let now = 1_000;
  let wakeAt: number | null = null;
  let due: Due[] = [];
  let sessions = 0;
  const facts: CouncilFact[] = [];
  const prompts: Prompt[] = [];
  const log: { event: CouncilEvent; at: number }[] = [];
  const aborted: string[] = [];
  const world = { beforeHearing: (_: CouncilEvent): void => undefined };
  const hear = (event: CouncilEvent): void => {
    log.push({ event, at: now });
    world.beforeHearing(event);
    const step = councilStep(state, event, now);
    state = step.state;
    wakeAt = step.wakeAt;
    facts.push(...step.facts);
    for (const command of step.commands) carryOut(command);
  };
  const later = (afterMs: number, event: CouncilEvent): void => void due.push({ at: now + afterMs, event });
  const carryOut = (command: Command): void => {
    if (command.kind === 'abort') {
      aborted.push(command.session);
      return;
    }
    if (command.kind === 'open') {
      later(1, { type: 'session.opened', command: command.id, session: `s${++sessions}` });
      return;
    }
    prompts.push(command);
    const nth = prompts.filter(({ model }) => model === command.model).length;
    const answer = reply(command, nth);
    const spent = answer.spent ?? { cost: 0.01, input: 100, output: 10 };
    if ('hangs' in answer) return;
    if ('says' in answer) {
      const said = ended(readCalls(answer.says, command.tools));
      later(answer.afterMs ?? 10, {
        ...{ type: 'turn.answered', command: command.id, spent },
        heard: { ...said, checks: said.calls.flatMap(checksOf) },
      });
      return;
    }
    const { retries = 0, fails } = answer;
    const fault: TurnFault = { kind: 'server_error', message: 'Gone.', hintMs: null, isPartial: false, ...fails };
    for (let nth = 0; nth < Math.min(retries, command.attempts - 1); nth++)
      later(nth + 1, {
        type: 'turn.retrying',
        command: command.id,
        attempt: nth + 2,
        waitMs: 1_000,
        durationMs: 5,
        kind: fault.kind,
      });
    later(answer.afterMs ?? 10, { type: 'turn.failed', command: command.id, fault, spent });
  };
  const next = (untilMs: number): boolean => {
    due = due.toSorted((one, other) => one.at - other.at);
    const [first] = due;
    const at = Math.min(first?.at ?? Number.POSITIVE_INFINITY, wakeAt ?? Number.POSITIVE_INFINITY);
    if (at > untilMs || !Number.isFinite(at)) return false;
    now = Math.max(now, at);
    if (first && first.at <= now) {
      due.shift();
      hear(first.event);
    } else hear({ type: 'tick' });
    return true;
  };
  hear({ type: 'run.begun', setup });
  return Object.assign(world, {
    tell: hear,
    /** Advances time until nothing more is scheduled, or by `ms`. */
    play(ms = Number.POSITIVE_INFINITY, max = 5_000) {
      const until = now + ms;
      let steps = 0;
      while (steps++ < max && next(until));
      if (Number.isFinite(until)) now = until;
      return steps;
    },
    state: () => state,
    now: () => now,
    facts,
    prompts,
    log,
    aborted,
    factsOf: <Type extends CouncilFact['type']>(type: Type) =>
      facts.filter(({ type: own }) => own === type) as FactOf<Type>[],
  });
}

/** Hosts find every quote unless configured otherwise. */
const checksOf = (call: Call) =>
  placesIn(call).map((place) => {
    if (place === null) return null;
    return place.quote.startsWith('INVENTED')
      ? ({ check: 'not_found', at: null } as const)
      : ({ check: 'verified', at: place.line } as const);
  });
