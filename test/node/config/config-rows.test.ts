import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { statusText } from '../../../src/contract/status-text';
import { keepModels } from '../../../src/node/base/kept-models';
import { watchConfig } from '../../../src/node/config/config-rows';
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
  return { root, home, directory, file, look, problems, tell, triageOf: follower.triageOf };
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
