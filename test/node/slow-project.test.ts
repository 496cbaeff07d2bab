import { createHash } from 'node:crypto';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { NO_HOST, resolveScope } from '../../src/core/config';
import { readConfigured } from '../../src/node/config/chains';
import { configPaths } from '../../src/node/config/config-files';
import { type ConfigReader, openConfig } from '../../src/node/config/config-reader';
import { watchConfig } from '../../src/node/config/config-rows';
import { COMPANION, configured, openTestCore, virtualClock } from '../core/virtual-core';
import { eventually } from '../support/eventually';
import { slowDisk } from '../support/slow-disk';
import { tempFolder } from './temp-folder';

const chain = (model: string) => JSON.stringify({ agents: { build: { fallbackModels: [model] } } });
/** A chain, and words of its own: health is kept apart. */
const THEIRS = JSON.stringify({ agents: { build: { fallbackModels: ['project/1'] } }, patterns: ['busy'] });
const bookOf = (place: string): string => createHash('sha256').update(place).digest('hex').slice(0, 12);
const MAP = JSON.stringify({ version: 1, provider: 'openai', codes: { tea_break: 'quota' } });

/** A project with a chain, an agent and a map of its own, and a user with a chain. */
async function placed() {
  const root = await tempFolder();
  const env = { OPENCODE_CONFIG_DIR: join(root, 'config'), UNDERSTUDY_HOME: join(root, 'u') };
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  await put('config/model-fallback.json', chain('own/1'));
  await put('project/.opencode/model-fallback.json', chain('project/1'));
  await put('project/.opencode/agent/x.md', '---\nfallback_models: [project/2]\n---\n');
  await put('project/.opencode/providers/openai.json', MAP);
  const directory = join(root, 'project');
  return { put, env, directory, paths: configPaths(directory, env) };
}

/** What counts of a build's chain, of agents and maps, and which problems are said of which place. */
function seenIn(reader: ConfigReader) {
  const { sources, maps } = reader.loaded();
  const { config, problems } = resolveScope(sources, NO_HOST);
  const late = problems.filter(({ code }) => code === 'project.late');
  return {
    chain: config.agents.build?.chain,
    others: Object.keys(config.agents).length - 1 + maps.maps.length,
    late: late.map(({ path, message }) => `${path}: ${message}`),
  };
}
const OWN = { chain: ['own/1'], others: 0 };
const WHOLE = { chain: ['project/1'], others: 2, late: [] };
const lateText = (directory: string, stands: string): string =>
  `${directory}: The files of this project are slow to read. Until they are read, ${stands}.`;

/** Everything that can happen without a tick of the clock has happened. */
async function settled(): Promise<void> {
  for (let at = 0; at < 50; at++) await turn();
}

describe('given a project on a disk that does not answer', () => {
  it('when it is opened, then after 200 ms the user’s own counts without it, and it is said; read, the project counts', async () => {
    const { directory, paths } = await placed();
    const disk = slowDisk(directory);
    const clock = virtualClock();
    let reader: ConfigReader | null = null;
    const opening = openConfig(paths, clock).then((opened) => (reader = opened));
    await eventually(() => clock.waiting() > 0);
    clock.advance(199);
    await settled();
    expect(reader).toBeNull();
    clock.advance(1);
    const opened = await opening;
    expect(seenIn(opened)).toEqual({ ...OWN, late: [lateText(directory, 'only your own configuration applies')] });
    const later = vi.fn();
    opened.onLater(later);
    disk.answer();
    await eventually(() => later.mock.calls.length > 0);
    expect([seenIn(opened), await opened.refresh(), later.mock.calls.length]).toEqual([WHOLE, false, 1]);
  });

  it('when it was read before, then what it said last counts, nobody waits twice, and the disk is asked one thing', async () => {
    const { directory, paths, put } = await placed();
    const clock = virtualClock();
    const reader = await openConfig(paths, clock);
    await put('project/.opencode/model-fallback.json', chain('project/9'));
    const disk = slowDisk(directory);
    const first = reader.refresh();
    await eventually(() => clock.waiting() > 0);
    clock.advance(200);
    const late = [lateText(directory, 'their last content applies')];
    expect([await first, seenIn(reader)]).toEqual([true, { ...WHOLE, late }]);
    // The clock stands still: whoever waited now would wait for ever.
    await put('config/model-fallback.json', '{"enabled":false}');
    expect([await reader.refresh(), await reader.refresh(), disk.waiting()]).toEqual([true, false, 1]);
    expect(reader.loaded().sources.global?.config?.enabled).toBe(false);
    disk.answer();
    await eventually(() => reader.loaded().sources.late === undefined);
    expect(seenIn(reader)).toEqual({ ...WHOLE, chain: ['project/9'] });
  });

  it('when several wait at once, then all go on after 200 ms, and one reading is under way', async () => {
    const { directory, paths } = await placed();
    const clock = virtualClock();
    const reader = await openConfig(paths, clock);
    const disk = slowDisk(directory);
    const waiting = Array.from({ length: 20 }, () => reader.refresh());
    await eventually(() => clock.waiting() === 20);
    clock.advance(200);
    await Promise.all(waiting);
    expect(disk.waiting()).toBe(1);
  });

  it('when it answers within 200 ms, then nothing is said and the project counts', async () => {
    const { directory, paths } = await placed();
    const disk = slowDisk(directory);
    const clock = virtualClock();
    const opening = openConfig(paths, clock);
    await eventually(() => clock.waiting() > 0);
    clock.advance(199);
    disk.answer();
    expect(seenIn(await opening)).toEqual(WHOLE);
    expect(clock.waiting()).toBe(0);
  });

  it.each([
    [40, 400],
    [1_000, 2_000],
  ])(
    'when the machine is so busy that the user’s own took %i ms, then the project is waited for %i ms',
    async (ownMs, limitMs) => {
      const { directory, paths } = await placed();
      slowDisk(directory);
      const clock = virtualClock();
      let reader: ConfigReader | null = null;
      const opening = openConfig(paths, clock).then((opened) => (reader = opened));
      clock.advance(ownMs);
      await eventually(() => clock.waiting() > 0);
      clock.advance(limitMs - 1);
      await settled();
      expect(reader).toBeNull();
      clock.advance(1);
      expect(seenIn(await opening).chain).toEqual(OWN.chain);
    },
  );

  it('when this process itself was held up for longer, then that is not the project’s time', async () => {
    const { directory, paths } = await placed();
    const disk = slowDisk(directory);
    const ticks: (() => void)[] = [];
    const schedule = (_: number, tick: () => void) => {
      ticks.push(tick);
      return () => undefined;
    };
    const opening = openConfig(paths, { schedule, now: () => 0 });
    await eventually(() => ticks.length > 0);
    for (const end = performance.now() + 400; performance.now() < end; );
    // However late: it hears of one tick, not of twenty.
    ticks[0]?.();
    disk.answer();
    expect(seenIn(await opening)).toEqual(WHOLE);
  });

  it('when the app shows it, then its row names the project, until it is read', async () => {
    const { directory, env } = await placed();
    const disk = slowDisk(directory);
    const { core, clock, tell } = openTestCore();
    const follower = watchConfig(core, env, { clock });
    onTestFinished(() => follower.close());
    core.connected(COMPANION);
    tell(configured(directory));
    const rows = async () => (await core.host.handlers['snapshot.get'](null)).config;
    await eventually(() => disk.waiting() > 0);
    await eventually(async () => {
      clock.advance(20);
      return (await rows()).some(({ path }) => path === directory);
    });
    const row = (await rows()).find(({ path }) => path === directory);
    expect([row?.directory, row?.problems.map(({ severity }) => severity)]).toEqual([directory, ['warning']]);
    disk.answer();
    await eventually(async () => !(await rows()).some(({ path }) => path === directory));
    expect((await rows()).some(({ path }) => path.startsWith(directory))).toBe(true);
  });

  it('when the command line or the doctor reads it, then they say so and go on', async () => {
    const { directory, env } = await placed();
    slowDisk(directory);
    const { chains, problems } = await readConfigured(directory, env);
    expect([chains.map(({ models }) => models), problems.map(({ code, path }) => [code, path])]).toEqual([
      [['own/1']],
      [['project.late', directory]],
    ]);
  });

  it('when OpenCode opens it, then the companion serves it with the user’s own, says so, and takes the project in later', async () => {
    const { directory: real, env } = await placed();
    const directory = `${real}-link`;
    await symlink(real, directory);
    await writeFile(join(real, '.opencode/model-fallback.json'), THEIRS);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.resetModules();
    const { openCompanion } = await import('../../src/plugin/runtime/companion');
    const disk = slowDisk(directory);
    const warned: string[] = [];
    const companion = await openCompanion({
      directory,
      warn: (message) => warned.push(message),
      notify: () => undefined,
      version: async () => '1.18.33',
    });
    const told: unknown[] = [];
    const books: unknown[] = [];
    companion.brain.onEntry(({ event }) => {
      if (event.type !== 'scope.configured') return;
      told.push(event.config.agents.build?.chain);
      books.push(event.config.books?.['*']);
    });
    companion.configure({ leads: { build: 'lead/1' }, defaultModel: null });
    expect([companion.isArmed(), told, warned]).toEqual([
      true,
      [['lead/1', 'own/1']],
      [lateText(directory, 'only your own configuration applies')],
    ]);
    disk.answer();
    await eventually(() => told.length > 1);
    expect(told.at(-1)).toEqual(['lead/1', 'project/1']);
    // Where it really lies is asked of its disk as everything is: until then the book has the name it was opened by.
    expect([books[0], books.at(-1)]).toEqual([bookOf(directory), bookOf(await realpath(directory))]);
    await companion.close();
  });
});
