import * as fc from 'fast-check';
import { PersonAct } from '../../src/contract/acts';
import type { Snapshot } from '../../src/contract/snapshot';
import type { Evidence, ScopeConfig } from '../../src/engine';
import { entries, PRESETS } from '../../src/engine/tools';
import { COMPANION, openTestCore, scopeOf, type TestCore } from '../core/virtual-core';

export type Story = readonly Deed[];

const [LEAD, SPARE, LAST, LOCAL] = ['lead/one', 'spare/two', 'last/three', 'local/four'] as const;
const MODELS = [LEAD, SPARE, LAST, LOCAL] as const;
const DIRECTORIES = ['/home/u/shop', '/home/u/blog'] as const;
const AGENTS = ['build', 'plan', 'explore'] as const;
/** Each session belongs to one project. */
const SESSIONS = { s1: DIRECTORIES[0], s2: DIRECTORIES[0], s3: DIRECTORIES[1] } as const;
/** A permanent OpenCode, and an `opencode run` that ends. */
const INSTANCES = ['i1', 'run'] as const;

const plan = (chain: readonly string[], policy: keyof typeof PRESETS = 'swift') => ({ chain, policy: PRESETS[policy] });
const withAgents = (agents: ScopeConfig['agents'], more: Partial<ScopeConfig> = {}): ScopeConfig => ({
  ...scopeOf(),
  ...{ agents, abilities: ['ask', 'hold.other', 'hold.start', 'defer'] },
  ...more,
});
const unplanned = { plan: LEAD, explore: SPARE, docs: null };

const SETUPS: Readonly<Record<string, ScopeConfig>> = {
  'one chain for all': withAgents({ '*': plan([LEAD, SPARE, LAST]) }, { unplanned: { ...unplanned, build: LEAD } }),
  'build alone': withAgents({ build: plan([LEAD, SPARE]) }, { unplanned }),
  'all of them': withAgents({
    build: plan([LEAD, SPARE, LAST, LOCAL]),
    plan: plan([SPARE, LEAD]),
    explore: plan([LOCAL, LAST], 'patient'),
  }),
  'one model each': withAgents({ build: plan([LEAD]), plan: plan([SPARE]) }, { unplanned: { explore: LEAD } }),
  'a last resort': withAgents(
    { build: plan([LEAD]), plan: plan([LAST]), explore: plan([SPARE]) },
    { backupModel: LAST },
  ),
  'it asks': withAgents({ '*': plan([LEAD, SPARE, LAST], 'council') }, { unplanned }),
  nothing: withAgents({}, { unplanned: { ...unplanned, build: null } }),
  off: withAgents({ build: plan([LEAD, SPARE]) }, { enabled: false, unplanned }),
};

const FAILURES: Readonly<Record<string, Evidence>> = {
  limited: { phase: 'body', status: 429, message: 'Rate limit reached' },
  'limited for long': { phase: 'body', status: 429, headers: { 'retry-after': '840' } },
  'limited for a moment': { phase: 'body', status: 429, headers: { 'retry-after': '9' } },
  'limited for days': { phase: 'body', status: 429, headers: { 'retry-after': '250000' } },
  refused: { phase: 'body', status: 401, message: 'Incorrect API key provided' },
  spent: { phase: 'body', status: 402, code: 'insufficient_quota' },
  failing: { phase: 'body', status: 500, message: 'The server had an error' },
  overloaded: { phase: 'body', status: 529, message: 'Overloaded' },
  unknown: { phase: 'body', status: 404, message: 'model not found' },
  unreachable: { phase: 'headers', code: 'ECONNREFUSED' },
  silent: { phase: 'watchdog', observed: 'timeout' },
  malformed: { phase: 'body', status: 400, message: 'invalid request' },
};

const nameOf = <T extends object>(names: T): fc.Arbitrary<keyof T & string> =>
  fc.constantFrom(...(Object.keys(names) as (keyof T & string)[]));
const directory = fc.constantFrom(...DIRECTORIES);
const agent = fc.constantFrom(...AGENTS);
const session = fc.constantFrom(...(Object.keys(SESSIONS) as (keyof typeof SESSIONS)[]));
const model = fc.constantFrom(...MODELS);
const forMs = fc.constantFrom(null, 60_000, 3_600_000);

type Deed =
  | Readonly<{ kind: 'configure'; directory: string; setup: string; instance: string }>
  | Readonly<{
      kind: 'turn';
      instance: string;
      session: keyof typeof SESSIONS;
      agent: string;
      by: string;
      failures: readonly string[];
      end: 'answered' | 'open' | 'passed on' | 'stopped';
    }>
  | Readonly<{ kind: 'rest' | 'end'; session: string; instance: string }>
  | Readonly<{ kind: 'wait'; ms: number }>
  | Readonly<{ kind: 'prompts'; session: string; what: 'permission' | 'answer' | null; instance: string }>
  | Readonly<{ kind: 'hang'; isSilent: boolean; instance: string }>
  | Readonly<{ kind: 'person'; act: PersonAct }>
  | Readonly<{ kind: 'answer'; yes: boolean }>
  | Readonly<{ kind: 'reset'; model: string | null }>
  | Readonly<{ kind: 'gone' | 'back' | 'close' | 'knock'; instance: string }>;

const instance = fc.constantFrom('i1', 'i1', 'i1', 'run');
const turn: fc.Arbitrary<Deed> = fc.record({
  ...{ kind: fc.constant('turn' as const), instance, session, agent },
  by: fc.oneof({ weight: 4, arbitrary: fc.constant('lead') }, { weight: 1, arbitrary: model }),
  failures: fc.array(nameOf(FAILURES), { maxLength: 5 }),
  end: fc.constantFrom(
    'answered' as const,
    'answered' as const,
    'open' as const,
    'passed on' as const,
    'stopped' as const,
  ),
});
const person: fc.Arbitrary<PersonAct> = fc.oneof(
  fc.record({ type: fc.constantFrom('health.isolated' as const, 'health.released' as const), model }),
  fc.record({
    type: fc.constant('health.held' as const),
    model,
    state: fc.constantFrom('open' as const, 'closed' as const, null),
    forMs,
  }),
  fc.record({ type: fc.constant('agent.pinned' as const), directory, agent, model: fc.option(model), forMs }),
  fc.record({ type: fc.constant('switching.paused' as const), forMs }),
  fc.constant({ type: 'switching.resumed' as const }),
  fc.record({ type: fc.constant('speaker.retried' as const), session, agent: fc.option(agent) }),
);
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 9, arbitrary: turn },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('configure' as const), directory, setup: nameOf(SETUPS), instance }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1_000, 11_000, 61_000, 400_000, 3_700_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ kind: fc.constant('prompts' as const), session, instance },
      what: fc.constantFrom('permission' as const, 'answer' as const, null),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('hang' as const), isSilent: fc.boolean(), instance }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('rest' as const, 'end' as const), session, instance }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('person' as const), act: person }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('answer' as const), yes: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), model: fc.option(model) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('gone' as const, 'back' as const, 'close' as const, 'knock' as const),
      instance,
    }),
  },
);

export const anyStory = (maxLength = 14): fc.Arbitrary<Story> =>
  fc
    .tuple(nameOf(SETUPS), fc.option(nameOf(SETUPS)), fc.array(deed, { maxLength }))
    .map(([first, second, deeds]) => [
      { kind: 'configure', directory: DIRECTORIES[0], setup: first, instance: 'i1' },
      ...(second === null
        ? []
        : [{ kind: 'configure' as const, directory: DIRECTORIES[1], setup: second, instance: 'i1' }]),
      ...deeds,
    ]);

const passedOn = (agent: (typeof AGENTS)[number]): Deed => ({
  ...{ kind: 'turn', instance: 'i1', session: 's1', agent, by: 'lead' },
  ...{ failures: ['limited for long'], end: 'passed on' },
});
/** Two agents without a fallback, and providers that name a time: OpenCode waits with both. */
export const TWO_STUCK: Story = [
  { kind: 'configure', directory: DIRECTORIES[0], setup: 'one model each', instance: 'i1' },
  passedOn('build'),
  passedOn('plan'),
  { kind: 'wait', ms: 3_000 },
];

export const pictureOf = ({ core }: Pick<TestCore, 'core'>): Snapshot =>
  core.host.handlers['snapshot.get'](null) as Snapshot;

export function tellStory(story: Story, seen: (test: TestCore) => void = () => {}): TestCore {
  const test = openTestCore();
  seen(test);
  for (const name of INSTANCES) test.core.connected({ ...COMPANION, instance: name });
  let count = 0;
  for (const one of story) {
    doDeed(test, one, ++count);
  }
  return test;
}

function doDeed(test: TestCore, one: Deed, count: number): void {
  const { core, clock, tell } = test;
  const { handlers } = core.host;
  switch (one.kind) {
    case 'configure': {
      const config = SETUPS[one.setup] as never;
      tell({ type: 'scope.configured', directory: one.directory, config }, one.instance);
      break;
    }
    case 'turn':
      doTurn(test, one, count);
      break;
    case 'rest':
      tell({ type: 'session.idle', session: one.session }, one.instance);
      break;
    case 'end':
      tell({ type: 'session.closed', session: one.session }, one.instance);
      break;
    case 'wait':
      clock.advance(one.ms);
      break;
    case 'prompts':
      tell({ type: 'session.waiting', session: one.session, for: one.what }, one.instance);
      break;
    case 'hang': {
      const type = one.isSilent ? 'attempt.silent' : 'attempt.answering';
      for (const [attempt] of entries(core.state().attempts)) tell({ type, attempt }, one.instance);
      break;
    }
    case 'person':
      handlers['person.act']({ act: PersonAct.parse(one.act), rev: pictureOf(test).rev, actor: 'panel' });
      break;
    case 'answer': {
      const [question] = pictureOf(test).questions;
      const act = { type: 'question.answered', question: question?.id ?? 'none', yes: one.yes } as const;
      handlers['person.act']({ act, rev: pictureOf(test).rev, actor: 'panel' });
      break;
    }
    case 'reset': {
      const target = one.model === null ? { all: true as const } : { model: one.model };
      handlers['health.reset']({ target, rev: pictureOf(test).rev, actor: 'panel' });
      break;
    }
    case 'gone':
      core.lost(one.instance);
      break;
    case 'back':
      core.connected({ ...COMPANION, instance: one.instance });
      break;
    case 'close':
      tell({ type: 'scope.closed', directory: DIRECTORIES[1] });
      break;
    case 'knock':
      core.incompatible({ ...COMPANION, instance: 'other', plugin: '9.9.9' });
      break;
  }
}

/** A turn as its companion reports it: requests go to the model that the engine selects. */
function doTurn({ core, clock, tell }: TestCore, deed: Extract<Deed, { kind: 'turn' }>, count: number): void {
  const { instance, session, agent, by, failures, end } = deed;
  const directory = SESSIONS[session];
  const turn = `t${count}`;
  const of = { session, turn, agent, directory };
  const own = pictureOf({ core }).chains.find((row) => row.directory === directory && row.agent === agent)?.chain[0]
    ?.model;
  const lead = by === 'lead' ? (own ?? LEAD) : by;
  tell({ type: 'prompt.submitted', ...of, model: lead, hostLead: own ?? LEAD, isExplicit: by !== 'lead' }, instance);
  const row = () =>
    pictureOf({ core })
      .sessions.flatMap(({ agents }) => agents)
      .find((one) => one.session === session && one.agent === agent);
  // A turn that has ended or waits for a person calls no model.
  const isOver = (): boolean =>
    row()?.status === 'exhausted' ||
    row()?.isLeftOut === true ||
    core.state().questions.some((one) => one.turn === turn);
  const ask = (number: number): string => {
    const attempt = `${turn}.${number}`;
    tell({ type: 'attempt.started', attempt, ...of, model: row()?.active ?? lead, purpose: 'turn' }, instance);
    clock.advance(40);
    return attempt;
  };
  for (const [index, failure] of failures.entries()) {
    if (isOver()) return;
    const evidence = { ...FAILURES[failure], seenAt: clock.wall() } as never;
    tell({ type: 'attempt.failed', attempt: ask(index), evidence, durationMs: 40 }, instance);
  }
  if (end === 'passed on') tell({ type: 'host.retrying', turn }, instance);
  if (end === 'passed on' || end === 'stopped' || isOver()) return;
  const attempt = ask(failures.length);
  if (end === 'open') return;
  tell({ type: 'attempt.succeeded', attempt, durationMs: 90, firstTokenMs: 20, outputChars: 12 }, instance);
}
