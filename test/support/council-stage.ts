import { EventEmitter, on } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ScriptedProvider, type ScriptedStep, startScriptedProvider } from '../../src/demo/scripted-provider';
import { copyRepository, overviewOf } from '../../src/features/council/node/copy';
import { followJournal, openJournal, readJournal } from '../../src/features/council/node/journal';
import { type Launched, launch } from '../../src/features/council/node/launch';
import {
  copyFolder,
  createRun,
  emptyFolder,
  nameRun,
  type Place,
  sendWord,
} from '../../src/features/council/node/run-folder';
import { RETRIES, type Settings, type Speaker } from '../../src/features/council/rules/base/settings';
import { rosterFor } from '../../src/features/council/rules/cast/roster';
import { type Input, route } from '../../src/features/council/rules/process/route';
import { councilStep } from '../../src/features/council/rules/run/step';
import type { CouncilEvent, CouncilFact } from '../../src/features/council/rules/state/events';
import type { JournalLine, PersonWord } from '../../src/features/council/rules/state/schema';
import { type CouncilState, initialCouncil } from '../../src/features/council/rules/state/state';
import {
  createSandbox,
  type OpencodeBinary,
  type OpencodeServer,
  type Sandbox,
  startOpencode,
} from '../../src/node/opencode';
import { builtPlugin } from './built-companion';
import { type FactOf, fenced, partyFor, SIX } from './council-world';
import { PATIENCE_MS } from './eventually';
import { opencodeBinary } from './opencode-binary';
import { lean } from './stage';

export type Asked = Readonly<{ model: string; hero: string; stage: string; text: string; body: unknown }>;
export type Answers = (asked: Asked, nth: number) => ScriptedStep | null;

export const VENDORS = ['alpha', 'beta', 'gamma'] as const;
const modelId = (vendor: string): string => `${vendor}-model`;

export const DONE = { tool: 'CompleteStage', summary: 'Done.' };
export const saying = (...calls: readonly object[]): ScriptedStep => ({ kind: 'text', text: fenced(...calls) });

export function dutiful({ stage, hero, text }: Asked): ScriptedStep {
  if (stage === 'Casting') return saying(partyFor(text));
  if (stage === 'Presentation')
    return text.includes('"PresentOptions"')
      ? saying({ tool: 'PresentOptions', headline: 'All well.', nextSteps: [], dissent: [] }, DONE)
      : saying({ tool: 'PresentReport', headline: 'All well.', order: [], praise: [] }, DONE);
  return hero === '' ? { kind: 'text', text: 'Nobody asked.' } : saying(DONE);
}

export function oneHole({ hero, stage }: Asked): ScriptedStep | null {
  const finding = {
    ...{ severity: 'critical', title: 'Code of a stranger is run', file: 'src/cart.js', line: 8 },
    ...{ quote: 'return eval(code);', evidence: 'The code comes from the customer.' },
  };
  if (hero === 'Sentinel' && stage === 'Deep Analysis')
    return saying({ tool: 'PostFindings', findings: [finding] }, DONE);
  if (stage === 'Presentation')
    return saying({ tool: 'PresentReport', headline: 'One hole.', order: ['f1'], praise: [] }, DONE);
  return null;
}

export const oneHoleWithoutGamma = (asked: Asked): ScriptedStep | null =>
  asked.model === 'gamma-model' && asked.stage !== 'Casting' ? { kind: 'status', status: 401 } : oneHole(asked);

export const FIXTURE: Readonly<Record<string, string>> = {
  'README.md': '# Fixture\n\nA shop.\n',
  'src/cart.js': [
    'export function total(items) {',
    '  let sum = 0;',
    '  for (const item of items) sum += item.price;',
    '  return sum;',
    '}',
    '',
    'export function discount(code) {',
    '  return eval(code);',
    '}',
    '',
  ].join('\n'),
  '.env': 'SHOP_KEY=verysecret\n',
};

export type CouncilStage = Readonly<{
  provider: ScriptedProvider;
  sandbox: Sandbox;
  home: string;
  binary: OpencodeBinary;
  repo: string;
  asked: readonly Asked[];
  answer(answers: Answers): void;
  /** @param input defaults to a review of the repository. */
  begin(more?: Partial<Settings>, input?: Input): Promise<Run>;
  /** Starts an OpenCode with the companion in the repository, as its user does. */
  openInside(): Promise<OpencodeServer>;
  untilAsked(fits: (asked: Asked) => boolean): Promise<Asked>;
  playing(
    answers: Answers,
    settings?: Partial<Settings>,
    env?: Readonly<Record<string, string>>,
    input?: Input,
  ): Promise<{ run: Run; opencode: Launched }>;
  /** Resolves when every OpenCode started so far has exited without a kill. */
  allEnded(): Promise<void>;
  stopAll(): Promise<void>;
  close(): Promise<void>;
}>;

export type Run = Readonly<{
  name: string;
  place: Place;
  play(env?: Readonly<Record<string, string>>): Promise<Launched>;
  tell(word: PersonWord): Promise<void>;
  until<Fact extends CouncilFact>(fits: (fact: CouncilFact) => fact is Fact, limitMs?: number): Promise<Fact>;
  facts(): Promise<readonly CouncilFact[]>;
  state(): Promise<CouncilState>;
  events(): Promise<readonly CouncilEvent[]>;
}>;

export const ofType = <Type extends CouncilFact['type']>(facts: readonly CouncilFact[], type: Type) =>
  facts.filter(isFact(type));

export const sixOf = (completed: readonly string[]): readonly string[] => completed.filter((id) => SIX.includes(id));

export const isFact =
  <Type extends CouncilFact['type']>(type: Type) =>
  (fact: CouncilFact): fact is FactOf<Type> =>
    fact.type === type;

export async function openCouncilStage(
  binaryOf: () => Promise<OpencodeBinary> = opencodeBinary,
  place: Readonly<{ root?: string; home?: string }> = {},
): Promise<CouncilStage> {
  const binary = await binaryOf();
  const provider = await startScriptedProvider();
  const root = place.root ?? (await mkdtemp(join(tmpdir(), 'us-c-')));
  const home = place.home ?? join(root, 'u');
  const providers = Object.fromEntries(
    VENDORS.map((vendor) => [
      vendor,
      {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${provider.url}/v1`, apiKey: 'not-a-real-key' },
        models: Object.fromEntries(
          [modelId(vendor), `${modelId(vendor)}-small`].map((id) => [
            id,
            { name: id, tool_call: true, limit: { context: 128_000, output: 8_000 }, cost: { input: 1, output: 2 } },
          ]),
        ),
      },
    ]),
  );
  const sandbox = await lean(
    await createSandbox({
      root,
      git: true,
      config: { model: 'alpha/alpha-model', provider: providers },
      files: FIXTURE,
    }),
  );
  const asked: Asked[] = [];
  const heard = new EventEmitter();
  let answers: Answers = () => null;
  for (const vendor of VENDORS)
    for (const id of [modelId(vendor), `${modelId(vendor)}-small`])
      provider.script(id, ({ body }) => {
        const request = readAsked(id, body);
        asked.push(request);
        heard.emit('asked', request);
        const nth = asked.filter(({ model }) => model === id).length;
        return answers(request, nth) ?? dutiful(request);
      });
  const runs: Launched[] = [];
  const inside: OpencodeServer[] = [];
  const stage: CouncilStage = {
    ...{ provider, sandbox, home, binary, asked, repo: sandbox.directory },
    answer(given) {
      answers = given;
      asked.length = 0;
    },
    openInside: async () => {
      const content = JSON.stringify({ plugin: [pathToFileURL(builtPlugin()).href] });
      const env = { UNDERSTUDY_HOME: home, OPENCODE_CONFIG_CONTENT: content };
      const server = await startOpencode({ binary, sandbox, env });
      inside.push(server);
      return server;
    },
    async playing(given, settings, env, input) {
      stage.answer(given);
      const run = await stage.begin(settings, input);
      return { run, opencode: await run.play(env) };
    },
    async allEnded() {
      await Promise.all(runs.map(({ child }) => child.exited));
    },
    untilAsked: async (fits) => {
      const found = asked.find(fits);
      if (found) return found;
      for await (const [request] of on(heard, 'asked', { signal: AbortSignal.timeout(PATIENCE_MS) }))
        if (fits(request as Asked)) return request as Asked;
      throw new Error('nobody was asked');
    },
    begin: (more = {}, input = REVIEW) => beginRun({ binary, home, sandbox, runs, input }, more),
    async stopAll() {
      await Promise.all([...runs.splice(0), ...inside.splice(0)].map((each) => each.stop()));
    },
    async close() {
      await stage.stopAll();
      await provider.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return stage;
}

export function readAsked(model: string, body: unknown): Asked {
  const { messages = [] } = body as { messages?: { role: string; content: unknown }[] };
  const words = (content: unknown): string =>
    typeof content === 'string' ? content : (content as { text?: string }[]).map(({ text }) => text ?? '').join('\n');
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => words(content))
    .join('\n');
  const users = messages.filter(({ role }) => role === 'user').map(({ content }) => words(content));
  const text = users.at(-1) ?? '';
  const hero = /You are the (\w+)/.exec(system)?.[1] ?? '';
  const opened = users.findLast((each) => /^(?:Stage: )?[A-Z][\w -]+\. /.test(each)) ?? '';
  const stage = /^(?:Stage: )?([A-Z][\w -]+)\. /.exec(opened)?.[1] ?? '';
  return { model, hero, stage, text, body };
}

const speakers: readonly Speaker[] = VENDORS.map((vendor) => ({
  name: vendor,
  model: `${vendor}/${modelId(vendor)}`,
  fallback: `${vendor}/${modelId(vendor)}-small`,
  vendor,
}));

const REVIEW: Input = { problem: null, repo: 'fixture', isDeep: false };

async function beginRun(
  {
    binary,
    home,
    sandbox,
    runs,
    input,
  }: Readonly<{ binary: OpencodeBinary; home: string; sandbox: Sandbox; runs: Launched[]; input: Input }>,
  more: Partial<Settings>,
): Promise<Run> {
  const name = nameRun(new Date(), Math.random());
  const settings: Settings = {
    ...{ speakers, oracle: 'alpha', heroes: VENDORS, parallel: 3, maxCost: null, retries: RETRIES },
    ...more,
  };
  const repo = input.repo === null ? null : copyFolder(home, name);
  const place: Place = {
    ...{ v: 1, run: name, directory: emptyFolder(home, name), repo, source: input.repo, isOwn: true },
    ...{ askedIn: null, createdAt: Date.now() },
  };
  const made = await createRun(home, place);
  if (!made.ok) throw new Error(made.reason);
  const copied = repo === null ? null : await copyRepository(sandbox.directory, repo);
  if (copied?.ok === false) throw new Error(copied.reason);
  const journal = await openJournal(home, name);
  const setup = {
    ...{ run: name, input, overview: overviewOf(copied?.files ?? []) },
    ...{ settings, roster: rosterFor(route(input)?.cast ?? 'heroes', []), resets: {} },
  };
  await journal.append({ v: 1, at: Date.now(), event: { type: 'run.begun', setup } });
  await journal.close();
  const lines = () => readJournal(home, name);
  const played = async () => {
    const all: CouncilFact[] = [];
    const state = (await lines()).reduce((before, { event, at }) => {
      const step = councilStep(before, event, at);
      all.push(...step.facts);
      return step.state;
    }, initialCouncil);
    return { all, state };
  };
  return {
    name,
    place,
    async play(env = {}) {
      const given = { ...sandbox.env, ...env };
      const launched = await launch({ binary, place, home, env: given, companion: builtPlugin() });
      runs.push(launched);
      return launched;
    },
    async tell(word) {
      const told = await sendWord(home, name, word);
      if (!told.ok) throw new Error(told.reason);
    },
    until: (fits, limitMs = 120_000) => untilFact({ home, name }, fits, limitMs),
    facts: async () => (await played()).all,
    state: async () => (await played()).state,
    events: async () => (await lines()).map(({ event }) => event),
  };
}

function untilFact<Fact extends CouncilFact>(
  { home, name }: Readonly<{ home: string; name: string }>,
  fits: (fact: CouncilFact) => fact is Fact,
  limitMs: number,
): Promise<Fact> {
  return new Promise((resolve, reject) => {
    let state: CouncilState = initialCouncil;
    const seen: CouncilFact[] = [];
    const handle = ({ event, at }: JournalLine): void => {
      const step = councilStep(state, event, at);
      state = step.state;
      seen.push(...step.facts);
      const found = step.facts.find(fits);
      if (found === undefined) return;
      following.end();
      clearTimeout(timer);
      resolve(found);
    };
    const restart = (): void => {
      state = initialCouncil;
    };
    const following = followJournal(home, name, { handle, restart });
    const timer = setTimeout(() => {
      following.end();
      reject(new Error(`no such fact within ${limitMs} ms: ${JSON.stringify(seen).slice(-2_000)}`));
    }, limitMs);
  });
}

export const writeIn = async (folder: string, path: string, text: string): Promise<void> => {
  const { mkdir } = await import('node:fs/promises');
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};
