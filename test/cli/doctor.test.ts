import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countError, countTogether, createInternalErrors } from '../../src/core/base/internal-errors';
import { keepModels } from '../../src/node/base/kept-models';
import { tokenPath } from '../../src/node/base/token';
import { storeErrors } from '../../src/node/data/internal-errors-file';
import type { Finding } from '../../src/node/setup/finding';
import { type BrokenFact, keepVerdict } from '../../src/node/setup/host-abilities';
import { tempFolder } from '../node/temp-folder';
import { writeProgram } from '../support/write-program';
import { cliUser, startApp } from './real-cli';

const OWN = 'config/opencode/model-fallback.json';
const LISTED_AT = new Date(2026, 0, 5, 14, 32).getTime();

/** What the doctor finds in a project, by check. */
async function findings(run: Awaited<ReturnType<typeof cliUser>>['run'], check: RegExp): Promise<string[]> {
  const all = JSON.parse((await run(['doctor', '--json'])).said) as Finding[];
  expect(all.filter(({ verdict, fix }) => (verdict === 'ok') !== (fix === null))).toEqual([]);
  return all.filter((row) => check.test(row.check)).map((row) => `${row.verdict} ${row.check} ${row.says}`);
}

/** A user with a chain, whose OpenCode has listed models and agents. */
async function userWith(
  agents: Readonly<Record<string, readonly string[]>>,
  models: readonly string[],
  defaultModel: string | null,
) {
  const chains = Object.entries(agents).map(([agent, fallbackModels]) => [agent, { fallbackModels }]);
  const user = await cliUser({ [OWN]: JSON.stringify({ agents: Object.fromEntries(chains) }) });
  const host = { models, leads: { build: null }, defaultModel };
  await keepModels(user.home, join(user.root, 'project'), host, LISTED_AT);
  return user;
}

describe('given an agent under council', () => {
  it.each([
    [
      'nothing said',
      { policy: 'council' },
      ['b/2'],
      [
        'warn build asks you first (council), and its chain has models of other vendors than its primary’s: b/2. The configuration does not decide whether they may take over: new chains under council keep to one vendor.',
      ],
    ],
    [
      'vendorLock false',
      { policy: 'council', vendorLock: false },
      ['b/2'],
      [
        'ok build asks you first (council), and its chain has models of other vendors than its primary’s: b/2. vendorLock is false.',
      ],
    ],
    ['vendorLock true', { policy: 'council', vendorLock: true, backupModel: 'b/2' }, ['a/2'], []],
    ['one vendor', { policy: 'council' }, ['a/2'], []],
    ['another policy', { policy: 'steady' }, ['b/2'], []],
  ])(
    'when there is %s, then the doctor says who else may take over, and what to do',
    async (_, defaults, chain, says) => {
      const file = JSON.stringify({ defaults, agents: { build: { fallbackModels: chain } } });
      const user = await cliUser({ [OWN]: file });
      const host = { models: ['a/1', 'a/2', 'b/2'], leads: { build: null }, defaultModel: 'a/1' };
      await keepModels(user.home, join(user.root, 'project'), host, LISTED_AT);
      const found = await findings(user.run, /^chains\.vendor$/);
      expect(found).toEqual(says.map((line) => line.replace(' ', ' chains.vendor ')));
    },
  );

  it('when a chain is proposed for it, then of its lead’s vendor alone, unless vendorLock is false', async () => {
    const proposed = async (defaults: object) => {
      const user = await cliUser({ [OWN]: JSON.stringify({ defaults }) });
      const models = ['a/1', 'a/2', 'b/2'];
      await keepModels(user.home, join(user.root, 'project'), { models, leads: {}, defaultModel: 'a/1' }, LISTED_AT);
      const { said } = await user.run(['chains', 'suggest', 'build', '--json']);
      return JSON.parse(said).proposals[0].models.map(({ model }: { model: string }) => model);
    };
    expect(await proposed({ policy: 'council' })).toEqual(['a/1', 'a/2']);
    expect(await proposed({ vendorLock: true })).toEqual(['a/1', 'a/2']);
    expect(await proposed({ policy: 'council', vendorLock: false })).toEqual(['a/1', 'b/2', 'a/2']);
  });
});

describe('given chains that are switched off', () => {
  const chains = { agents: { build: { fallbackModels: ['b/2'] } } };
  it.each([
    ['project/.opencode/model-fallback.json', { enabled: false }, chains],
    [OWN, {}, { enabled: false, ...chains }],
  ])(
    'when %s says so, then that is what is amiss, with its place, and no chain is well',
    async (path, project, own) => {
      const files = { 'project/.opencode/model-fallback.json': JSON.stringify(project), [OWN]: JSON.stringify(own) };
      const { run } = await cliUser(files);
      expect(await findings(run, /^chains\.|^config\./)).toEqual([
        `fail chains.off Understudy is disabled here by ~/${path}:1: it moves no turn and protects nothing.`,
      ]);
    },
  );
});

describe('given chains and the models OpenCode has', () => {
  it.each([
    [
      ['a/2'],
      'a/1',
      ['a/1', 'a/2'],
      'warn chains.shared_fate build: a/1 → a/2 (~/config/opencode/model-fallback.json:1). Shared fate: all 2 models use a.',
    ],
    [['b/2'], 'a/1', ['a/1', 'b/2'], 'ok chains.set build: a/1 → b/2 (~/config/opencode/model-fallback.json:1)'],
    [
      ['b/2'],
      'a/1',
      ['a/1', 'b/9'],
      'fail chains.alone build: a/1 (~/config/opencode/model-fallback.json:1). The chain has no fallback model.',
    ],
    [['b/2'], null, ['b/2'], 'ok chains.set build: b/2 (~/config/opencode/model-fallback.json:1)'],
    [
      ['zai/1', 'zai-coding-plan/1'],
      null,
      ['zai/1', 'zai-coding-plan/1'],
      'warn chains.shared_fate build: zai/1 → zai-coding-plan/1 (~/config/opencode/model-fallback.json:1). Shared fate: all 2 models use zai.',
    ],
    [
      ['google/1', 'google-vertex/1'],
      null,
      ['google/1', 'google-vertex/1'],
      'ok chains.set build: google/1 → google-vertex/1 (~/config/opencode/model-fallback.json:1)',
    ],
  ])('when a chain is %j, the lead %s and the models %j, then it says: %4$s', async (chain, lead, models, says) => {
    const { run } = await userWith({ build: chain }, models, lead);
    expect(await findings(run, /^chains\.(?!models)/)).toEqual([says]);
  });

  it.each([
    [
      'a/9',
      'ok chains.set oracle: a/9 → a/1 → b/2 (~/config/opencode/opencode.json:3)',
      'warn chains.lead oracle uses a/9 from OpenCode’s configuration; currentModel b/2 (~/config/opencode/opencode.json:2) is ignored.',
    ],
    [
      'b/2',
      'ok chains.set oracle: a/1 → b/2 (~/config/opencode/opencode.json:3)',
      'ok chains.lead 1 becomes oracle’s primary instead of 2. Its own chain sets it (~/config/opencode/opencode.json:3).',
    ],
    [null, 'ok chains.set oracle: b/2 → a/1 (~/config/opencode/opencode.json:3)'],
  ])('when OpenCode leads with %s and currentModel is another, then both are shown', async (lead, ...says) => {
    const text = '{ "agents": { "oracle": {\n"currentModel": "b/2",\n"models": ["a/1", "b/2"] } } }';
    const user = await cliUser({ 'config/opencode/opencode.json': text });
    const host = { models: ['a/1', 'b/2', 'a/9'], leads: { oracle: lead }, defaultModel: 'a/9' };
    await keepModels(user.home, join(user.root, 'project'), host, LISTED_AT);
    expect(await findings(user.run, /^chains\.(?!models)/)).toEqual(says);
  });
});

describe('given a user of several accounts', () => {
  const HOST = {
    ...{ models: ['openai/gpt', 'xai/grok'], leads: { build: null }, defaultModel: 'xai/grok' },
    catalogue: { 'openai/gpt': { variants: ['high'], priceIn: 3, priceOut: 15 } },
  };
  async function user(config: object, accounts?: Readonly<Record<string, readonly string[]>>) {
    const made = await cliUser({ [OWN]: JSON.stringify(config) });
    const host = accounts === undefined ? HOST : { ...HOST, accounts };
    await keepModels(made.home, join(made.root, 'project'), host, LISTED_AT);
    return made;
  }
  const chain = (...fallbackModels: string[]) => ({ agents: { build: { fallbackModels } } });
  const when = '(as listed 2026-01-05 14:32)';

  it('when a chain names one of them, then somebody takes over, and every model is there', async () => {
    const { run } = await user(chain('openai@work/gpt#high'), { openai: ['home', 'work'] });
    expect(await findings(run, /^chains|^config/)).toEqual([
      `ok chains.set build: xai/grok → openai@work/gpt (~/${OWN}:1)`,
      `ok chains.models OpenCode has every model of the chains ${when}.`,
    ]);
  });

  it('when it names one that is not there, then that is said once, with those that are', async () => {
    const { run } = await user(chain('openai/gpt', 'openai@lab/gpt'), { openai: ['home', 'work'] });
    expect(await findings(run, /^chains|^config/)).toEqual([
      `ok chains.set build: xai/grok → openai/gpt (~/${OWN}:1)`,
      `warn chains.models build: OpenCode has no account "lab" of openai, it has home, work: openai@lab/gpt is skipped ${when}.`,
    ]);
  });

  it('when a chain has one model by all of them, then one failure of its provider takes all', async () => {
    const config = { accounts: 'siblings', ...chain('openai/gpt'), defaults: {} };
    const made = await cliUser({ [OWN]: JSON.stringify(config) });
    const host = { ...HOST, leads: { build: 'openai/gpt' }, accounts: { openai: ['home', 'work'] } };
    await keepModels(made.home, join(made.root, 'project'), host, LISTED_AT);
    expect(await findings(made.run, /^chains\.(?!models)|^config/)).toEqual([
      `warn chains.shared_fate build: openai/gpt → openai@work/gpt (~/${OWN}:1). Shared fate: all 2 models use openai.`,
    ]);
  });

  it('when a chain is about to put one of them first, then nothing is doubted, and its price is that of the model', async () => {
    const { run } = await user(chain('openai/gpt'), { openai: ['home', 'work'] });
    const { code, said } = await run(['chains', 'set', 'build', 'openai@work/gpt', 'xai/grok', '--dry-run']);
    // Doubts would stand before it.
    expect([code, said.split('\n')[0]]).toEqual([
      ...[0, 'New primary. gpt (work) ($3 / $15) becomes build’s primary instead of grok.'],
    ]);
  });

  it('when OpenCode keeps one account of each, then what asks for siblings is told to have no effect', async () => {
    const config = { accounts: 'siblings', ...chain('openai/gpt') };
    const { run } = await user(config);
    expect(await findings(run, /^config/)).toEqual([
      `warn config.problem ~/${OWN}:1:13: accounts: "siblings" needs an OpenCode with several accounts per provider, such as OpenCode 2. This one supports one.`,
    ]);
    expect(await findings((await user(config, {})).run, /^config/)).toEqual([]);
  });

  it('when an earlier version kept what OpenCode has, then nobody says which accounts there are', async () => {
    const made = await user({ accounts: 'siblings', ...chain('openai/gpt', 'openai@work/gpt') });
    const path = join(made.home, 'models.json');
    const kept = JSON.parse(await readFile(path, 'utf8'));
    delete kept.lists[0].accounts;
    await writeFile(path, JSON.stringify(kept));
    expect(await findings(made.run, /^chains\.models|^config/)).toEqual([
      `ok chains.models OpenCode has every model of the chains ${when}.`,
    ]);
  });
});

describe('given an agent whose OpenCode has another model for it than its chain begins with', () => {
  const SONNET = 'anthropic/claude-sonnet-4-5';
  const DEVSTRAL = 'mistral/devstral-medium';
  const priced = (priceIn: number, priceOut: number) => ({ tools: true, priceIn, priceOut });
  async function user(agents: Readonly<Record<string, readonly string[]>>, lead: string) {
    const made = await userWith(agents, [SONNET, DEVSTRAL], null);
    const catalogue = { [SONNET]: priced(3, 15), [DEVSTRAL]: priced(0.4, 2) };
    const host = { models: [SONNET, DEVSTRAL], catalogue, leads: { build: lead }, defaultModel: null };
    await keepModels(made.home, join(made.root, 'project'), host, LISTED_AT);
    return made;
  }

  it('when its own chain puts a dearer one first, then the doctor says so with both prices, and how to have it back', async () => {
    const { run } = await user({ build: [SONNET, DEVSTRAL] }, DEVSTRAL);
    const says = 'claude-sonnet-4-5 ($3 / $15) becomes build’s primary instead of devstral-medium ($0.4 / $2).';
    expect(await findings(run, /^chains\.lead/)).toEqual([
      `warn chains.lead ${says} Its own chain sets it (~/config/opencode/model-fallback.json:1).`,
    ]);
    expect((await run(['chains', 'move', 'build', DEVSTRAL, '1'])).code).toBe(0);
    expect(await findings(run, /^chains\.lead/)).toEqual([]);
  });

  it('when a project’s chain or currentModel does, then it leads and is told of without a limit, and neither with one', async () => {
    const project = 'project/.opencode/model-fallback.json';
    const says = 'claude-sonnet-4-5 ($3 / $15) becomes build’s primary instead of devstral-medium ($0.4 / $2).';
    const found = async (own: object, agents: object, leads: Readonly<Record<string, string | null>>) => {
      const made = await cliUser({ [OWN]: JSON.stringify(own), [project]: JSON.stringify({ agents }) });
      const catalogue = { [SONNET]: priced(3, 15), [DEVSTRAL]: priced(0.4, 2) };
      const host = { models: [SONNET, DEVSTRAL], catalogue, leads, defaultModel: DEVSTRAL };
      await keepModels(made.home, join(made.root, 'project'), host, LISTED_AT);
      return await findings(made.run, /^chains\.lead|^config\.problem/);
    };
    const dear = { build: { fallbackModels: [SONNET, DEVSTRAL] } };
    const named = { build: { currentModel: SONNET, fallbackModels: [DEVSTRAL] } };
    const limit = { defaults: { maxPriceRatio: 1 } };
    expect(await found({}, dear, { build: DEVSTRAL })).toEqual([
      `warn chains.lead ${says} Its own chain sets it (~/${project}:1).`,
    ]);
    expect(await found({}, named, {})).toEqual([
      `warn chains.lead ${says} This project’s currentModel sets it (~/${project}:1).`,
    ]);
    expect(await found(limit, dear, { build: DEVSTRAL })).toEqual([
      expect.stringContaining('agents.build.fallbackModels: This project asks for'),
    ]);
    expect(await found(limit, named, {})).toEqual([
      expect.stringContaining('agents.build.currentModel: This project asks for'),
    ]);
  });

  it('when it is a cheaper one, then it is told, and nothing is amiss', async () => {
    const { run } = await user({ build: [DEVSTRAL, SONNET] }, SONNET);
    expect(await findings(run, /^chains\.lead/)).toEqual([expect.stringMatching(/^ok chains\.lead devstral-medium /)]);
  });

  it('when the chain of all others names its model last, then it leads, and there is nothing to say', async () => {
    const { run } = await user({ '*': [SONNET, DEVSTRAL] }, DEVSTRAL);
    expect(await findings(run, /^chains\.lead/)).toEqual([]);
  });

  it('when a chain is about to give it another lead, then the difference comes with a word, and with none when it does not', async () => {
    const { run } = await user({}, DEVSTRAL);
    const word =
      'New primary. claude-sonnet-4-5 ($3 / $15) becomes build’s primary instead of devstral-medium ($0.4 / $2).';
    const shown = await run(['chains', 'set', 'build', SONNET, DEVSTRAL, '--dry-run']);
    expect([shown.code, shown.said.split('\n')[0]]).toEqual([0, word]);
    for (const quiet of [[DEVSTRAL, SONNET], [SONNET]])
      expect((await run(['chains', 'set', 'build', ...quiet, '--dry-run'])).said).not.toContain('New primary');
    expect((await run(['chains', 'set', '*', SONNET, DEVSTRAL, '--dry-run'])).said).not.toContain('New primary');
  });
});

describe('given an agent without a model in OpenCode whose currentModel is not what its chain begins with', () => {
  /** The agent’s entry says more than its chain, and OpenCode has a default model. */
  async function user(entry: Readonly<Record<string, unknown>>, others: Readonly<Record<string, unknown>> = {}) {
    const made = await cliUser({ [OWN]: JSON.stringify({ agents: { build: entry, ...others } }) });
    const host = { models: ['a/1', 'b/2'], leads: { build: null }, defaultModel: 'b/2' };
    await keepModels(made.home, join(made.root, 'project'), host, LISTED_AT);
    const saidOf = async (...models: string[]) =>
      (await made.run(['chains', 'set', 'build', ...models, '--dry-run'])).said;
    return { ...made, saidOf };
  }

  it('when the chain is in force, then currentModel leads, and no other is told', async () => {
    const { run } = await user({ currentModel: 'b/2', fallbackModels: ['a/1', 'b/2'] });
    expect(await findings(run, /^chains\.(?:lead|set)/)).toEqual([expect.stringContaining('build: b/2 → a/1 ')]);
  });

  it('when another chain is about to be written, then currentModel leads before and after, and no other is told', async () => {
    const { saidOf } = await user({ currentModel: 'b/2', fallbackModels: ['b/2', 'a/1'] });
    expect(await saidOf('a/1', 'b/2')).not.toContain('New primary');
  });

  it('when OpenCode does not have that model, then it leads nobody, and the chain’s first is told', async () => {
    const { run, saidOf } = await user({ currentModel: 'c/3', fallbackModels: ['a/1', 'b/2'] });
    expect(await findings(run, /^chains\.lead/)).toEqual([
      expect.stringContaining('1 becomes build’s primary instead of 2.'),
    ]);
    expect(await saidOf('b/2', 'a/1')).toContain('New primary. 2 becomes build’s primary instead of 1.');
  });

  it('when its chain is that of all others, then its lead stays who it is, and nothing is told', async () => {
    const { run } = await user({ policy: 'council' }, { '*': { fallbackModels: ['a/1', 'b/2'] } });
    expect(await findings(run, /^chains\.lead/)).toEqual([]);
  });
});

describe('given what lies between app and companion', () => {
  it('when the app is away, then it says when OpenCode last ran with the companion', async () => {
    const { run } = await userWith({ build: ['a/1', 'b/2'] }, ['a/1', 'b/2'], null);
    expect(await findings(run, /^(?:app|companion\.seen)/)).toEqual([
      'warn app.running Understudy is not running. The companion works alone, without a panel.',
      'ok companion.seen OpenCode last ran here with the companion 2026-01-05 14:32.',
    ]);
  });

  it('when others can read the token, or it is none, then turns are unprotected until the app starts anew', async () => {
    const user = await cliUser();
    const core = await startApp(user);
    expect(await findings(user.run, /^app/)).toEqual([
      'ok app.token Only you can read the token between app and companion.',
      'ok app.running Understudy 0.1.0 is running and responds on its socket.',
    ]);
    await core.close();
    await writeFile(tokenPath(user.home), 'short');
    expect(await findings(user.run, /^app\.token/)).toEqual([`fail app.token ~/u/token contains no token.`]);
    await chmod(tokenPath(user.home), 0o644);
    const exposed = process.platform === 'win32' ? 'contains no token' : 'can be read by other users';
    expect(await findings(user.run, /^app\.token/)).toEqual([`fail app.token ~/u/token ${exposed}.`]);
  });

  it('when the app cannot be spoken to, then it says why', async () => {
    const { run } = await cliUser();
    const attachCore = () => Promise.reject(new Error('It speaks another protocol.'));
    const all = JSON.parse((await run(['doctor', '--json'], { attachCore })).said) as Finding[];
    expect(all.find(({ check }) => check === 'app.socket')).toEqual({
      check: 'app.socket',
      verdict: 'fail',
      says: 'Understudy cannot be reached: It speaks another protocol.',
      fix: 'Restart it.',
    });
  });
});

describe('given the ways to install the companion', () => {
  const THEIRS = 'config/opencode/opencode.json';
  const BUILT = { 'built/opencode-understudy.js': '// @bun opencode-understudy 0.2.0\n' };
  const [ONE, TWO] = ['packages/opencode-understudy@latest', 'npm/opencode-understudy@latest/1796'].map(
    (folder) => `cache/opencode/${folder}/node_modules/opencode-understudy`,
  );
  const packed = (folder = '', version: string) => ({ [`${folder}/package.json`]: JSON.stringify({ version }) });

  /** What is said of the files, where the OpenCode on the PATH has this version. */
  async function file(opencode: string, files: Readonly<Record<string, string>>) {
    const { run, root, env } = await cliUser({ ...BUILT, ...files });
    writeProgram(join(root, 'opencode'), `#!/bin/sh\necho ${opencode}\n`);
    const around = { ...env, OPENCODE_BIN: join(root, 'opencode'), XDG_CACHE_HOME: join(root, 'cache') };
    const all = JSON.parse((await run(['doctor', '--json'], { env: around })).said) as Finding[];
    return all.filter(({ check }) => check === 'companion.file').map((row) => [row.verdict, row.says, row.fix]);
  }

  it.each([
    [
      'OpenCode 1 fetched the package in this version',
      ...[
        '1.18.34',
        packed(ONE, '0.2.0'),
        'ok',
        `The companion 0.2.0 in ~/${ONE} was installed by OpenCode, as a package. To update it: opencode plugin opencode-understudy@<version> --force, with --global for all projects.`,
      ],
      null,
    ],
    [
      'OpenCode 2 fetched it twice',
      ...[
        '2.0.15',
        { ...packed(TWO, '0.2.0'), ...packed(TWO?.replace('1796', '999'), '0.1.0') },
        'ok',
        `The companion 0.2.0 in ~/${TWO} was installed by OpenCode, as a package. To update it: opencode plugin update.`,
      ],
      null,
    ],
    [
      'OpenCode 1 fetched an older one',
      ...[
        '1.18.34',
        packed(ONE, '0.1.9'),
        'warn',
        `The companion 0.1.9 in ~/${ONE} was installed by OpenCode, as a package; this Understudy is newer.`,
      ],
      'understudy install, then restart OpenCode',
    ],
    [
      'it has not fetched it yet',
      '1.18.34',
      {},
      'ok',
      'OpenCode 1 fetches the package opencode-understudy at its next start.',
      null,
    ],
  ] as const)('when %s, then version, folder and the way to update are told', async (_, opencode, files, ...row) => {
    expect(await file(opencode, { [THEIRS]: '{ "plugin": ["opencode-understudy"] }', ...files })).toEqual([row]);
  });

  it('when a person copied it, then its version and folder are told', async () => {
    const copy = 'config/opencode/plugins/opencode-understudy.js';
    expect(await file('1.18.34', { [THEIRS]: '{}', [copy]: '// @bun opencode-understudy 0.2.0\n' })).toEqual([
      [
        'ok',
        'The companion 0.2.0 in ~/config/opencode/plugins was installed by hand. To update it, replace its files.',
        null,
      ],
    ]);
  });

  it('when Understudy installed it, then its own folder is told', async () => {
    const { run } = await cliUser({ ...BUILT, [THEIRS]: '{}' });
    await run(['install']);
    const all = JSON.parse((await run(['doctor', '--json'])).said) as Finding[];
    expect(all.find(({ check }) => check === 'companion.file')).toMatchObject({
      verdict: 'ok',
      says: 'The companion 0.2.0 in ~/u/plugin was installed by Understudy. To update it, start a newer app or run "understudy install" of a newer version.',
    });
  });
});

describe('given the generations of OpenCode on a machine', () => {
  const THEIRS = 'config/opencode/opencode.json';
  const FOLDER = 'file://~/u/plugin/opencode-understudy';

  /** What is found where these OpenCodes lie on the PATH, and OpenCode's configuration says `text`. */
  async function found(binaries: Readonly<Record<string, string>>, text: string) {
    const user = await cliUser();
    const folders = Object.keys(binaries).map((path) => join(user.root, path, '..'));
    for (const [at, [path, version]] of Object.entries(binaries).entries()) {
      await mkdir(folders[at] ?? '', { recursive: true });
      writeProgram(join(user.root, path), `#!/bin/sh\necho ${version}\n`);
    }
    await mkdir(join(user.root, THEIRS, '..'), { recursive: true });
    await writeFile(join(user.root, THEIRS), text.replaceAll('~', user.root));
    user.env.PATH = folders.join(delimiter);
    const all = JSON.parse((await user.run(['doctor', '--json'])).said) as Finding[];
    return all.filter(({ check }) => /^opencode|listed/.test(check)).map((row) => [row.verdict, row.says, row.fix]);
  }

  it.each<[string, string, readonly BrokenFact[] | null, string, string]>([
    [
      'is older than plugins of our form',
      '1.3.2',
      null,
      'warn',
      ' is too old to load the companion and runs without it.',
    ],
    ['is one nobody has tried', '1.99.0', null, 'ok', '. Understudy measures at its start how turns can be moved.'],
    ['was proved', '1.99.0', [], 'ok', '. It lets Understudy move a failing turn while it runs.'],
    [
      'lets no running turn be moved',
      '1.99.0',
      ['moves'],
      'warn',
      ': OpenCode 1.99.0 cannot change the model of a running turn: if a model fails before any output or action, the turn ends and the next model answers the same message; otherwise the error stays, and your next message goes to an available model.',
    ],
  ])('when it %s, then the doctor says what it does, not its number', async (_, version, broken, verdict, says) => {
    const user = await cliUser();
    const folder = join(user.root, 'a');
    await mkdir(folder, { recursive: true });
    writeProgram(join(folder, 'opencode'), `#!/bin/sh\necho ${version}\n`);
    user.env.PATH = folder;
    if (broken !== null)
      await keepVerdict(user.home, { opencode: version, plugin: '0.1.0', broken: [...broken], at: LISTED_AT });
    expect(await findings(user.run, /^opencode/)).toEqual([
      expect.stringMatching(new RegExp(`^${verdict} opencode\\.\\w+ OpenCode `)),
    ]);
    expect((await findings(user.run, /^opencode/))[0]?.endsWith(`(~/a/opencode)${says}`)).toBe(true);
  });

  it('when both are there and one entry serves both, then each is told, and the entry is right', async () => {
    expect(
      await found(
        { 'a/opencode': '1.18.33', 'b/opencode2': 'opencode2 v0.0.0-beta-18050' },
        `{"plugin":["${FOLDER}"]}`,
      ),
    ).toEqual([
      ['ok', 'OpenCode 1.18.33 (~/a/opencode).', null],
      [
        'warn',
        'OpenCode 0.0.0-beta-18050 (~/b/opencode2) is not proven.',
        'Proven versions: 2.0.15. Watch the first switch.',
      ],
      ['ok', '~/config/opencode/opencode.json names the companion.', null],
    ]);
  });

  const ONE = { 'a/opencode': '1.18.33' };
  const TWO = { 'a/opencode': '2.2.0' };
  it.each([
    [
      'OpenCode 1 alone, and the list of OpenCode 2',
      ONE,
      `{"plugins":["${FOLDER}"]}`,
      '~/config/opencode/opencode.json names the companion in "plugins", which OpenCode 1 does not read.',
      'understudy install',
    ],
    [
      'OpenCode 2, and the file of the companion',
      TWO,
      `{"plugin":["${FOLDER}.js"]}`,
      '~/config/opencode/opencode.json names the companion by its file; OpenCode 2 loads only a folder.',
      'understudy install',
    ],
  ])('when there is %s, then what is wrong is told with one step', async (_, binaries, text, says, fix) => {
    expect((await found(binaries, text)).at(-1)).toEqual(['fail', says, fix]);
  });

  it('when OpenCode 2 finds the companion in both lists, then it is told that one is enough', async () => {
    const text = `{"plugin":["${FOLDER}"],"plugins":[{"package":"${FOLDER}"}]}`;
    expect((await found(TWO, text)).at(-1)).toEqual([
      'warn',
      'The companion is listed 2 times; one is enough: "plugin" in ~/config/opencode/opencode.json, "plugins" in ~/config/opencode/opencode.json.',
      'Remove all but one.',
    ]);
  });

  it('when OpenCode 1 alone names the file, as before, then nothing is wrong', async () => {
    expect((await found(ONE, `{"plugin":["${FOLDER}.js"]}`)).at(-1)?.[0]).toBe('ok');
  });

  it('when a third generation is there, then it is said that nobody knows it', async () => {
    expect((await found({ 'a/opencode': '3.0.0' }, '{}'))[0]).toEqual([
      'fail',
      'OpenCode 3.0.0 (~/a/opencode) is an unsupported generation.',
      'Use a proven version: 1.17.19 to 1.18.34 and 2.0.15.',
    ]);
  });
});

describe('given plugins that OpenCode’s configuration names by their paths', () => {
  const THEIRS = 'config/opencode/opencode.json';
  /** A demo’s folder when the demo is over. */
  const DEMOS = 'file:///tmp/understudy-a1B2c3/u/plugin/opencode-understudy.js';
  const listing = (...plugin: string[]) => ({ [THEIRS]: JSON.stringify({ plugin }) });

  it('when the companion is not there any more, then it fails with the way out, and installing and taking out both mend it', async () => {
    const { run, root } = await cliUser(listing(DEMOS));
    expect(await findings(run, /^(?:companion\.listed|plugin)/)).toEqual([
      `fail companion.listed ~/${THEIRS} names ${DEMOS}, which does not exist: OpenCode starts without it.`,
    ]);
    const shown = await run(['install', '--dry-run']);
    expect(shown.said).toContain(`+{"plugin":["file://~/u/plugin/opencode-understudy.js"]}`);
    expect((await run(['uninstall', '--yes'])).code).toBe(0);
    expect(await readFile(join(root, THEIRS), 'utf8')).toBe('{}');
  });

  it('when the companion lies in a temporary folder of somebody, then that is a warning', async () => {
    const demo = await tempFolder();
    await writeFile(join(demo, 'opencode-understudy.js'), '');
    const address = `file://${demo}/opencode-understudy.js`;
    const { run } = await cliUser(listing(address));
    expect(await findings(run, /^(?:companion\.listed|plugin)/)).toEqual([
      `warn companion.listed ~/${THEIRS} names ${address}, which is in a temporary folder, such as a demo’s, and will be deleted with it.`,
    ]);
  });

  it('when other plugins are packages, are there, or are not, then the last alone are told', async () => {
    const own = { 'config/opencode/own.js': '', 'config/opencode/bare.ts': '' };
    const paths = ['some-package@1.2.3', './own.js', './bare', './lost.js', '/nowhere/lost.js', 'file:%%'];
    const { run } = await cliUser({ ...listing(...paths), ...own });
    expect(
      (await findings(run, /^plugin/)).map((row) => row.replace('~/config/opencode/opencode.json', 'FILE')),
    ).toEqual(
      ['./own.js', './bare']
        .map(
          (address) =>
            `warn plugin.path FILE names ${address}, which is in a temporary folder, such as a demo’s, and will be deleted with it.`,
        )
        .concat(
          ['./lost.js', '/nowhere/lost.js'].map(
            (address) => `warn plugin.path FILE names ${address}, which does not exist: OpenCode starts without it.`,
          ),
        ),
    );
  });
});

describe('given models beside a chain that OpenCode does not have', () => {
  it.each([
    [
      { defaults: { backupModel: 'b/9' }, agents: { build: { fallbackModels: ['b/2'] } } },
      'warn chains.models defaults.backupModel: OpenCode has no b/9, unknown or retired: it is skipped (as listed 2026-01-05 14:32).',
    ],
    [
      { agents: { build: { currentModel: 'b/9', fallbackModels: ['b/2'] } } },
      'warn chains.models build: OpenCode has no b/9, unknown or retired: it is skipped (as listed 2026-01-05 14:32).',
    ],
  ])('when it is one of %j, then it is told once', async (config, says) => {
    const { home, root, run } = await cliUser({ [OWN]: JSON.stringify(config) });
    const host = { models: ['a/1', 'b/2'], leads: { build: null }, defaultModel: 'a/1' };
    await keepModels(home, join(root, 'project'), host, LISTED_AT);
    expect(await findings(run, /^chains\.models|^config/)).toEqual([says]);
  });
});

describe('given a process of OpenCode in which Understudy itself has failed', () => {
  async function failedUser(isOpen: boolean) {
    const user = await cliUser();
    countTogether(createInternalErrors());
    const stored = storeErrors(user.home, { role: 'companion', version: '1.2.3' });
    for (let at = 0; at < 7; at++) countError(`place ${at}`, new TypeError('sk-secret-123'));
    countError('place 3', new RangeError('sk-secret-123'));
    if (isOpen) stored.passesThrough('brain.step');
    await stored.flush();
    return user;
  }
  const PID = process.pid;

  it('when its breaker is closed, then the doctor warns with the most frequent places', async () => {
    const { run } = await failedUser(false);
    expect(await findings(run, /^internal|^companion.stopped/)).toEqual([
      expect.stringMatching(
        `^warn internal\\.errors Internal errors in the companion 1\\.2\\.3 \\(process ${PID}\\): place 3: RangeError[^;]*, 2×; place 0: TypeError[^;]*, 1×; .*; …\\.$`,
      ),
    ]);
  });

  it('when its breaker is open, then the doctor says why, and ends with 6', async () => {
    const { run } = await failedUser(true);
    expect(await findings(run, /^internal|^companion.stopped/)).toEqual([
      expect.stringMatching(
        `^fail companion\\.stopped The companion 1\\.2\\.3 \\(process ${PID}\\) passes everything through since .*, after an error in brain\\.step: place 3: `,
      ),
    ]);
    expect((await run(['doctor'])).code).toBe(6);
  });

  it('when a bug report is written, then it has the counts, and no text of an error', async () => {
    const { run } = await failedUser(true);
    const { said } = await run(['data', 'bug-report', '--out', '-']);
    const report = JSON.parse(said) as { errors: { errors: unknown[]; passesThrough: unknown }[] };
    expect(report.errors).toMatchObject([{ role: 'companion', passesThrough: { place: 'brain.step' } }]);
    expect(report.errors[0]?.errors).toHaveLength(7);
    expect(said).not.toContain('sk-secret');
  });
});
