import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keepModels } from '../../../src/node/base/kept-models';
import { watchConfig } from '../../../src/node/config/config-rows';
import { statusText } from '../../../src/wording/status-text';
import { COMPANION, configured, openTestCore } from '../../core/virtual-core';
import { patiently } from '../../support/eventually';
import { tempFolder } from '../temp-folder';

/** An app that follows the files of a project an OpenCode has open. */
async function followed(own: unknown, theirs: unknown) {
  const root = await realpath(await tempFolder());
  const [home, directory, config] = ['u', 'p', 'c'].map((name) => join(root, name)) as [string, string, string];
  for (const folder of [home, config, join(directory, '.opencode')]) await mkdir(folder, { recursive: true });
  const file = join(directory, '.opencode', 'model-fallback.json');
  await writeFile(join(config, 'model-fallback.json'), JSON.stringify(own));
  await writeFile(file, JSON.stringify(theirs));
  const { core, tell, clock } = openTestCore();
  const follower = watchConfig(core, { OPENCODE_CONFIG_DIR: config, UNDERSTUDY_HOME: home, HOME: root });
  onTestFinished(() => follower.close());
  core.connected(COMPANION);
  tell(configured(directory));
  const look = async () => {
    clock.advance(1_000);
    return core.host.handlers['snapshot.get'](null);
  };
  const problems = async () => (await look()).config.find(({ path }) => path === file)?.problems ?? [];
  const usersFile = join(config, 'model-fallback.json');
  /** What is told of the user's own file. */
  const ofOwn = async () =>
    (await look()).config.filter(({ path }) => path === usersFile).flatMap((row) => row.problems);
  return { root, home, directory, file, look, problems, ofOwn, tell, triageOf: follower.triageOf };
}

describe('given the files of a project that an OpenCode has open', () => {
  it('when they switch Understudy off, then the panel and status say by which file and line', async () => {
    const { problems, look, file } = await followed(
      { agents: { '*': { fallbackModels: ['a/two'] } } },
      { enabled: false },
    );
    await patiently(async () => expect(await problems()).toMatchObject([{ severity: 'warning', line: 1 }]));
    expect(statusText(await look())).toContain(`${file}:1:12: This project switches Understudy off here`);
  });

  it('when OpenCode then tells of a lead that they would replace, then it is asked for as soon as that is known', async () => {
    const theirs = { agents: { build: { fallbackModels: ['b/dear', 'a/one'] } } };
    const { home, directory, file, look, problems } = await followed({ defaults: { maxPriceRatio: 1 } }, theirs);
    await patiently(async () => expect((await look()).config.map(({ path }) => path)).toContain(file));
    expect(await problems()).toEqual([]);
    await keepModels(home, directory, { leads: { build: 'a/one' }, defaultModel: null, models: ['a/one', 'b/dear'] });
    await patiently(async () => expect(await problems()).toMatchObject([{ isAsking: true, line: 1 }]));
  });

  it('when OpenCode closes it, then its files are followed as long as it is among the sixteen closed last', async () => {
    const { root, directory, file, look, tell, problems } = await followed({}, { mistake: 1 });
    await patiently(async () => expect(await problems()).toHaveLength(1));
    tell({ type: 'scope.closed', directory });
    for (let n = 0; n < 16; n++) {
      expect(await problems()).toHaveLength(1);
      const other = join(root, `other-${n}`);
      const told = join(other, '.opencode', 'model-fallback.json');
      await mkdir(join(other, '.opencode'), { recursive: true });
      await writeFile(told, JSON.stringify({ mistake: n }));
      tell(configured(other));
      await patiently(async () => expect((await look()).config.map(({ path }) => path)).toContain(told));
      tell({ type: 'scope.closed', directory: other });
      await look();
    }
    await patiently(async () => expect(await problems()).toEqual([]));
    await writeFile(file, JSON.stringify({ mistake: 1, another: 2 }));
    tell(configured(directory));
    await patiently(async () => expect(await problems()).toHaveLength(2));
  });

  it('when a session of it ends before anybody has looked at it, then what it wants of the report is known all the same', async () => {
    const { directory, triageOf } = await followed({}, { triage: { exportFormat: ['csv'] } });
    expect(await triageOf(directory)).toMatchObject({ isEnabled: true, formats: ['csv'] });
    expect(await triageOf(`${directory}-none`)).toMatchObject({ isEnabled: false, isOff: false });
  });

  it('when a chain keeps to one vendor, then a model is called another vendor’s only where OpenCode’s list says so', async () => {
    const chains = { build: { currentModel: 'anthropic/claude', fallbackModels: ['vertex/claude-2', 'openai/gpt'] } };
    const own = { defaults: { vendorLock: true }, agents: chains };
    const { home, directory, look } = await followed(own, {});
    const told = async () =>
      (await look()).config
        .flatMap(({ problems }) => problems)
        .flatMap(({ message }) => /(\S+) \((\w+)\) is another vendor/.exec(message)?.slice(1, 3).join(' ') ?? []);
    await patiently(async () => expect((await look()).config).not.toEqual([]));
    expect(await told()).toEqual([]);
    const listed = { leads: {}, defaultModel: null, models: ['anthropic/claude', 'vertex/claude-2', 'openai/gpt'] };
    const ofAnthropic = { vendor: 'anthropic' };
    await keepModels(home, directory, {
      ...listed,
      catalogue: { 'anthropic/claude': ofAnthropic, 'openai/gpt': { vendor: 'openai' } },
    });
    await patiently(async () => expect(await told()).toEqual(['vertex/claude-2 vertex', 'openai/gpt openai']));
    // Nothing but what is known of a model has changed.
    await keepModels(home, directory, {
      ...listed,
      catalogue: {
        'anthropic/claude': ofAnthropic,
        'vertex/claude-2': ofAnthropic,
        'openai/gpt': { vendor: 'openai' },
      },
    });
    await patiently(async () => expect(await told()).toEqual(['openai/gpt openai']));
  });
});

describe('given the user’s own file, and what OpenCode has in the projects it has open', () => {
  const chain = (...fallbackModels: string[]) => ({ agents: { build: { fallbackModels } } });
  const listed = (...models: string[]) => ({
    leads: { build: 'a/one' },
    defaultModel: null,
    models: ['a/one', ...models],
  });
  const unknown = (model: string) =>
    `OpenCode lists no model ${model} (unknown, no login, or it cannot be started): it is skipped.`;

  it('when its chain names a model that OpenCode does not have, then the panel and status say so at its line, until it has it', async () => {
    const { home, directory, look, ofOwn } = await followed(chain('b/two', 'b/typo'), {});
    await patiently(async () => expect((await look()).config).toHaveLength(2));
    expect(await ofOwn()).toEqual([]);
    await keepModels(home, directory, listed('b/two'));
    await patiently(async () =>
      expect(await ofOwn()).toEqual([{ severity: 'warning', message: unknown('b/typo'), line: 1, column: 20 }]),
    );
    expect(statusText(await look())).toContain(`model-fallback.json:1:20: ${unknown('b/typo')}`);
    await keepModels(home, directory, listed('b/two', 'b/typo'));
    await patiently(async () => expect(await ofOwn()).toEqual([]));
  });

  it('when a project’s file names one for all agents, then it is told at that file, once', async () => {
    const theirs = { agents: { '*': { fallbackModels: ['b/typo'] } } };
    const { home, directory, problems, ofOwn } = await followed({}, theirs);
    await keepModels(home, directory, { ...listed(), leads: { build: 'a/one', plan: null, scribe: null } });
    await patiently(async () => expect(await problems()).toMatchObject([{ message: unknown('b/typo') }]));
    expect(await ofOwn()).toEqual([]);
  });

  it('when nobody has the project open any more, then nobody says what OpenCode lacks: it may have learned of it', async () => {
    const own = { ...chain('b/typo'), accounts: 'siblings' };
    const { home, directory, tell, ofOwn, problems } = await followed(own, chain('b/three'));
    await keepModels(home, directory, listed());
    await patiently(async () => expect([await ofOwn(), await problems()]).toMatchObject([[{}], [{}]]));
    tell({ type: 'scope.closed', directory });
    await patiently(async () => expect([await ofOwn(), await problems()]).toEqual([[], []]));
    tell(configured(directory));
    await patiently(async () => expect([await ofOwn(), await problems()]).toMatchObject([[{}], [{}]]));
  });

  it('when it is so in one of several projects alone, then that one is named', async () => {
    const { root, home, directory, tell, ofOwn } = await followed(chain('b/two', 'b/typo'), {});
    const other = join(root, 'other');
    await mkdir(other);
    tell(configured(other));
    await keepModels(home, directory, listed('b/two'));
    await keepModels(home, other, listed());
    await patiently(async () =>
      expect((await ofOwn()).map(({ message }) => message)).toEqual([
        unknown('b/typo'),
        `In ${other}: ${unknown('b/two')}`,
      ]),
    );
    tell({ type: 'scope.closed', directory: other });
    await patiently(async () => expect((await ofOwn()).map(({ message }) => message)).toEqual([unknown('b/typo')]));
  });

  it('when a variant or a pattern stands for nothing there, then that is told as well', async () => {
    const { home, directory, ofOwn } = await followed(chain('b/two#max', 'c/*'), {});
    await keepModels(home, directory, { ...listed('b/two'), catalogue: { 'b/two': { variants: ['high'] } } });
    await patiently(async () =>
      expect((await ofOwn()).map(({ message }) => message)).toEqual([
        'b/two has no variant "max" in OpenCode, it has high: its default is used.',
        'No model of OpenCode matches "c/*". The entry is skipped.',
      ]),
    );
  });

  it('when vendorLock leaves a model out because of the lead that OpenCode has, then that is told', async () => {
    const own = { defaults: { vendorLock: true }, ...chain('b/two') };
    const { home, directory, ofOwn } = await followed(own, {});
    await keepModels(home, directory, listed('b/two'));
    await patiently(async () =>
      expect((await ofOwn()).map(({ message }) => message)).toEqual([
        "build uses a/one (a); b/two (b) is another vendor's and skipped: vendorLock is on.",
      ]),
    );
  });

  it('when OpenCode keeps one account of each provider, then what asks for more is told; with several only who is not there', async () => {
    const own = { accounts: 'siblings', ...chain('a@work/one') };
    const { home, directory, ofOwn } = await followed(own, {});
    const told = async () => (await ofOwn()).map(({ message }) => message);
    const UNAVAILABLE =
      'accounts: "siblings" needs an OpenCode with several accounts per provider, such as OpenCode 2. This one supports one.';
    await keepModels(home, directory, listed());
    await patiently(async () =>
      expect(await told()).toEqual([
        'OpenCode has no account "work" of a: this OpenCode supports one account per provider. a@work/one is skipped.',
        UNAVAILABLE,
      ]),
    );
    await keepModels(home, directory, { ...listed(), accounts: { a: ['home', 'lab'] } });
    await patiently(async () =>
      expect(await told()).toEqual(['OpenCode has no account "work" of a: it has home, lab. a@work/one is skipped.']),
    );
    await keepModels(home, directory, { ...listed(), accounts: { a: ['home', 'work'] } });
    await patiently(async () => expect(await told()).toEqual([]));
  });
});

describe('given a project whose own file of OpenCode’s says something of a provider', () => {
  it('when the user’s accounts of it are withheld there, then the user’s file tells it with the project, also where it is the only one', async () => {
    const own = { accounts: 'siblings', agents: { build: { fallbackModels: ['b/two'] } } };
    const { home, directory, ofOwn } = await followed(own, {});
    const provider = { a: { options: { baseURL: 'https://theirs.example' } } };
    await writeFile(join(directory, 'opencode.json'), JSON.stringify({ provider }));
    const listed = { leads: { build: 'a/one' }, defaultModel: null, models: ['a/one', 'b/two'] };
    await keepModels(home, directory, { ...listed, accounts: { a: ['home', 'work'] } });
    await patiently(async () =>
      expect((await ofOwn()).map(({ message }) => message)).toEqual([
        expect.stringContaining(`In ${directory}: A file of this project configures a`),
      ]),
    );
  });
});

describe('given what was kept by an earlier version, which knew nothing of accounts', () => {
  it('when accounts are named, then nobody says that OpenCode keeps one of each', async () => {
    const own = { accounts: 'siblings', agents: { build: { fallbackModels: ['a@work/one', 'b/typo'] } } };
    const { home, directory, ofOwn } = await followed(own, {});
    const list = { directory, at: 1, models: ['a/one'], catalogue: {}, leads: {}, defaultModel: null };
    await writeFile(join(home, 'models.json'), JSON.stringify({ v: 1, lists: [list] }), { mode: 0o600 });
    await patiently(async () =>
      expect((await ofOwn()).map(({ message }) => message)).toEqual([expect.stringContaining('b/typo')]),
    );
  });
});
