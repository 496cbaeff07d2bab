import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onPush } from '../../src/contract/contract';
import type { Snapshot } from '../../src/contract/snapshot';
import { type ScriptedProvider, type ScriptedStep, startScriptedProvider } from '../../src/demo/scripted-provider';
import type { OpenedCore } from '../../src/node/attach-core';
import { openCore } from '../../src/node/open-core';
import { createSandbox, type OpencodeServer, type Sandbox, startOpencode, textOf } from '../../src/node/opencode';
import { builtPlugin } from '../support/built-companion';
import { eventually } from '../support/eventually';
import { knowOpencode } from '../support/known-opencode';
import { opencodeBinary } from '../support/opencode-binary';
import { providerConfig, type TestModels } from '../support/opencode-provider-config';
import { lean } from '../support/stage';

const text = (said: string): ScriptedStep => ({ kind: 'text', text: said });
const status = (code: number): ScriptedStep => ({ kind: 'status', status: code });
const NO_KEY = status(401);
/** Dollars for a million tokens. */
const [CHEAP, DEAR] = [1, 5];

type Row = Readonly<{
  key: string;
  /** What the user's own file says of it, and what the project would have. */
  own: Readonly<Record<string, unknown>>;
  theirs: Readonly<Record<string, unknown>>;
  /** The project's agents; absent: all have the chain after its first. */
  agents?: Readonly<Record<string, unknown>>;
  /** The chain; each row has models of its own. */
  chain: readonly `${keyof TestModels}/${string}`[];
  /** What they answer in a turn, in order. */
  steps: readonly (readonly ScriptedStep[])[];
  /** What the turn says without the user's yes, and with it. */
  without: string;
  withYes: string;
  /** True where `npm test` plays it; the nightly run plays all. */
  isPerMerge?: boolean;
}>;

const ROWS: readonly Row[] = [
  {
    key: 'defaults.vendorLock',
    isPerMerge: true,
    own: { vendorLock: true },
    theirs: { vendorLock: false },
    chain: ['alpha/vendor-lead', 'beta/vendor-spare'],
    steps: [[NO_KEY], [text('SPARE')]],
    ...{ without: '', withYes: 'SPARE' },
  },
  {
    key: 'defaults.maxPriceRatio',
    own: { maxPriceRatio: 2 },
    theirs: { maxPriceRatio: 9 },
    chain: ['alpha/price-lead', 'beta/price-dear'],
    steps: [[NO_KEY], [text('DEAR')]],
    ...{ without: '', withYes: 'DEAR' },
  },
  {
    key: 'defaults.maxFallbackDepth',
    own: { maxFallbackDepth: 1 },
    theirs: { maxFallbackDepth: 2 },
    chain: ['alpha/depth-lead', 'beta/depth-second', 'alpha/depth-third'],
    steps: [[status(500)], [status(500)], [text('THIRD')]],
    ...{ without: '', withYes: 'THIRD' },
  },
  {
    key: 'defaults.retryBudget.perSession',
    own: { policy: 'steady', retryBudget: { perSession: 0 } },
    theirs: { retryBudget: { perSession: 5 } },
    chain: ['alpha/retry-lead', 'beta/retry-spare'],
    steps: [[status(502), text('LEAD')], [text('SPARE')]],
    ...{ without: 'SPARE', withYes: 'LEAD' },
  },
  {
    key: 'agents.build.fallbackModels',
    isPerMerge: true,
    own: { maxPriceRatio: 2 },
    theirs: {},
    agents: { build: { fallbackModels: ['beta/first-dear', 'alpha/first-lead'] } },
    chain: ['alpha/first-lead', 'beta/first-dear'],
    steps: [[text('LEAD')], [text('DEAR')]],
    ...{ without: 'LEAD', withYes: 'DEAR' },
  },
  {
    key: 'defaults.policy',
    own: { policy: 'council', vendorLock: false },
    theirs: { policy: 'swift' },
    chain: ['alpha/policy-lead', 'beta/policy-spare'],
    steps: [[NO_KEY], [text('SPARE')]],
    ...{ without: '', withYes: 'SPARE' },
  },
];

/** The providers of all rows, as the user's own file defines them: what a project defines has no price. */
function providersAt(url: string): Record<string, unknown> {
  const ids = ROWS.flatMap(({ chain }) => chain).map((model) => model.split('/') as [keyof TestModels, string]);
  const idsOf = (provider: string) => ids.flatMap(([of, id]) => (of === provider ? [id] : []));
  const made = providerConfig(url, { alpha: idsOf('alpha'), beta: idsOf('beta') });
  for (const provider of Object.values(made) as { models: Record<string, object> }[])
    for (const [id, model] of Object.entries(provider.models)) {
      const price = id.endsWith('-dear') ? DEAR : CHEAP;
      provider.models[id] = { ...model, cost: { input: price, output: price } };
    }
  return made;
}

describe('given a project that would loosen one limit of the user’s own, on a real OpenCode', () => {
  let provider: ScriptedProvider;
  let sandbox: Sandbox;
  let server: OpencodeServer;
  let core: OpenedCore;

  beforeAll(async () => {
    provider = await startScriptedProvider();
    const root = await mkdtemp(join(tmpdir(), 'us-'));
    const config = { plugin: [pathToFileURL(builtPlugin()).href], provider: providersAt(provider.url) };
    sandbox = await lean(await createSandbox({ root, git: true, config }));
    const home = join(root, 'u');
    const binary = await opencodeBinary();
    await knowOpencode(home, binary);
    const env = { ...sandbox.env, UNDERSTUDY_HOME: home };
    core = await openCore({ version: '0.1.0', runtime: 'test', env });
    server = await startOpencode({ binary, sandbox, env });
  });
  afterAll(async () => {
    await server?.stop();
    await core?.close();
    await provider?.close();
    await rm(sandbox.root, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Nobody would answer a question for a minute. */
  const refuse = ({ questions: [question], rev }: Snapshot): void => {
    const act = { type: 'question.answered', question: question?.id ?? '', yes: false } as const;
    if (question) void core.host.handlers['person.act']({ act, rev, actor: 'test' });
  };

  for (const { key, own, theirs, agents, chain, steps, without, withYes, isPerMerge } of ROWS)
    it(`when it is ${key}, then the user’s counts, and the project’s after a yes to this one, without a restart`, {
      tags: isPerMerge ? [] : ['nightly'],
    }, async () => {
      const { handlers } = core.host;
      await mkdir(sandbox.configDirectory, { recursive: true });
      await writeFile(join(sandbox.configDirectory, 'model-fallback.json'), JSON.stringify({ defaults: own }));
      const wanted = JSON.stringify({
        defaults: theirs,
        agents: agents ?? { '*': { fallbackModels: chain.slice(1) } },
      });
      const files = { '.opencode/model-fallback.json': wanted };
      const directory = await sandbox.addProject(key, { git: true, config: { model: chain[0] }, files });
      const turn = async (): Promise<string> => {
        await handlers['health.reset']({ target: { all: true }, rev: Number.MAX_SAFE_INTEGER, actor: 'test' });
        for (const [at, model] of chain.entries()) provider.script(model.split('/')[1] ?? '', [...(steps[at] ?? [])]);
        const stop = onPush(core.host, 'snapshot', refuse);
        return textOf(await server.prompt(await server.createSession(directory), { text: 'One' }).finally(stop));
      };
      expect(await turn()).toBe(without);
      const asked = await eventually(async () => {
        const { projects } = await handlers['trust.get'](null);
        return projects.find((each) => each.directory === directory && each.asked.length > 0);
      });
      expect(asked?.asked.map((each) => each.key)).toEqual([key]);
      const [{ id = '' } = {}] = asked?.asked ?? [];
      const { project = '' } = asked ?? {};
      expect(await handlers['trust.allow']({ directory, project, ids: [id] })).toEqual({ ok: true });
      expect(await turn()).toBe(withYes);
    });
});
