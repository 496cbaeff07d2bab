import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusedPort, type ScriptedProvider, startScriptedProvider } from '../../src/cli/demo/scripted-provider';
import { healthPath } from '../../src/node/health-file';
import { companionFolder, putCompanion } from '../../src/node/install';
import { createSandbox, type Sandbox, startOpencode, startOpencode2, textsIn } from '../../src/node/opencode';
import { readLog } from '../../src/node/own-data';
import { knowOpencode } from '../support/known-opencode';
import { opencodeBinary } from '../support/opencode-binary';
import { opencode2Binary } from '../support/opencode2/real';
import { textOf } from '../support/said';
import { type App, builtPlugin, type Case, lean, makeCase, openApp } from '../support/stage';

const KILLS = 50;
/** Kills come anywhere from the message to well into the understudy's answer. */
const KILL_WITHIN_MS = 2_500;
const DAY = { cooldownMs: 86_400_000, retryOriginalAfterMs: 86_400_000, restMs: 86_400_000 };
const LIMITED = { kind: 'status', status: 429, headers: { 'retry-after': '86400' } } as const;
const ANSWER = 'the understudy answers all the same, and takes some time for it';

/** One OpenCode process, and a session in it. */
type Life = Readonly<{
  /** Sends a first message and waits for nothing. */
  begin(directory: string): Promise<string>;
  /** Sends another one to that session. @returns its answer. */
  goOn(directory: string, session: string): Promise<string>;
  kill(): Promise<unknown>;
  stop(): Promise<unknown>;
}>;

type World = Readonly<{ sandbox: Sandbox; home: string; provider: ScriptedProvider; refused: string; root: string }>;

const killed = async (child: Readonly<{ pid: number; exited: Promise<unknown> }>): Promise<unknown> => {
  process.kill(child.pid, 'SIGKILL');
  return child.exited;
};

const GENERATIONS: Readonly<Record<string, (world: World) => Promise<Life>>> = {
  'OpenCode 1': async ({ sandbox, home }) => {
    const server = await startOpencode({
      binary: await opencodeBinary(),
      sandbox,
      env: { UNDERSTUDY_HOME: home },
    });
    const sessionOf = (directory: string, id: string) => ({ id, directory, title: '' });
    return {
      async begin(directory) {
        const session = await server.createSession(directory);
        await server.promptAsync(session, { text: 'One' });
        return session.id;
      },
      goOn: async (directory, id) => textOf(await server.prompt(sessionOf(directory, id), { text: 'Two' })),
      kill: () => killed(server),
      stop: () => server.stop(),
    };
  },
  'OpenCode 2': async ({ sandbox, home }) => {
    const server = await startOpencode2({ binary: opencode2Binary(), sandbox, env: { UNDERSTUDY_HOME: home } });
    return {
      async begin(directory) {
        const { id } = await server.createSession(directory);
        await server.prompt(id, 'One');
        return id;
      },
      async goOn(_, id) {
        await server.prompt(id, 'Two');
        await server.settled(id);
        return textsIn(await server.messages(id)).at(-1) ?? '';
      },
      kill: () => killed(server),
      stop: () => server.stop(),
    };
  },
};

async function openWorld(key: 'plugin' | 'plugins'): Promise<World> {
  const root = await mkdtemp(join(tmpdir(), 'us-'));
  const home = join(root, 'u');
  const put = await putCompanion({ home, source: builtPlugin(), env: {}, directory: null });
  if (!put.ok) throw new Error(put.reason);
  const config = { [key]: [pathToFileURL(key === 'plugins' ? companionFolder(home) : builtPlugin()).href] };
  const sandbox = await lean(await createSandbox({ root, git: true, config }));
  await knowOpencode(home, await opencodeBinary());
  return { root, home, sandbox, provider: await startScriptedProvider(), refused: await refusedPort() };
}

/** Whether the lead's limit had been found out and told, or written, before the kill. */
async function isKnown({ home }: World, app: App | null, lead: string): Promise<boolean> {
  if (!app) return (await readFile(healthPath(home), 'utf8').catch(() => '')).includes(lead);
  const seen = await app.until(({ instances }) => instances.every(({ status }) => status !== 'connected'));
  return seen.models.some(({ model, state }) => model === lead && state === 'cooling');
}

/** What the user has written in a project, as values: OpenCode itself writes its schema's address into its own file. */
const ownFiles = async ({ directory }: Case): Promise<readonly unknown[]> =>
  Promise.all(
    ['opencode.json', join('.opencode', 'model-fallback.json')].map(async (name) => ({
      ...JSON.parse(await readFile(join(directory, name), 'utf8')),
      $schema: null,
    })),
  );

describe.each(Object.keys(GENERATIONS))(`given %s, killed ${KILLS} times in a turn that is being moved`, (name) => {
  let world: World;
  let app: App | null = null;
  const isMissing = (): boolean => name === 'OpenCode 2' && opencode2Binary().path === '';
  beforeAll(async () => {
    if (!isMissing()) world = await openWorld(name === 'OpenCode 2' ? 'plugins' : 'plugin');
  });
  afterAll(async () => {
    await app?.close();
    await world?.provider.close();
    if (world) await rm(world.root, { recursive: true, force: true, maxRetries: 5 });
  });

  it('when it starts again each time, then the session goes on, a limit that was known is not asked for again, and every file is whole', {
    timeout: 60 * 60_000,
  }, async ({ skip }) => {
    if (isMissing()) skip('no OpenCode 2 for this machine');
    const start = () => (GENERATIONS[name] as (typeof GENERATIONS)[string])(world);
    const { provider, home } = world;
    const counts = { known: 0, withApp: 0, beforeLead: 0, afterSwitch: 0 };
    let life = await start();
    for (let round = 0; round < KILLS; round++) {
      // Half of them without the app: then the file of health is all that is known.
      const hasApp = round >= KILLS / 2;
      if (hasApp) app ??= await openApp(home);
      const place = { sandbox: world.sandbox, providerUrl: provider.url, refused: world.refused, number: round + 1 };
      const project = await makeCase(place, { defaults: DAY });
      const [lead = '', spare = ''] = project.ids;
      provider.script(lead, Array(4).fill(LIMITED));
      provider.script(spare, Array(4).fill({ kind: 'text', text: ANSWER, paceMs: 40 }));
      const before = await ownFiles(project);
      const session = await life.begin(project.directory);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * KILL_WITHIN_MS));
      await life.kill();
      const asked = (id: string): number => provider.requests(id).length;
      const found = await isKnown(world, app, project.chain[0] ?? '');
      const [leadBefore, spareBefore] = [asked(lead), asked(spare)];
      life = await start();
      const answer = await life.goOn(project.directory, session);
      expect([round, answer]).toEqual([round, ANSWER]);
      expect(await ownFiles(project)).toEqual(before);
      expect(asked(lead) - leadBefore, `round ${round}: the lead was known to be out: ${found}`).toBeLessThanOrEqual(
        found ? 0 : 1,
      );
      counts.known += Number(found);
      counts.withApp += Number(hasApp);
      counts.beforeLead += Number(leadBefore === 0);
      counts.afterSwitch += Number(spareBefore > 0);
    }
    await life.stop();
    await app?.close();
    app = null;
    // The kills have met the moment before the switch as well as the one after it.
    expect(counts.known).toBeGreaterThan(0);
    expect(counts.known).toBeLessThan(KILLS);
    const told = (await readLog(home)).flatMap(({ from }) => (from ? [JSON.stringify(from)] : []));
    expect(new Set(told).size).toBe(told.length);
    expect(await readdir(home)).not.toContainEqual(expect.stringMatching(/quarantine|corrupt|\.tmp$/));
    console.log(
      `${name} killed ${KILLS} times, ${counts.withApp} of them beside the app: ${counts.beforeLead} before its lead was asked, ` +
        `${counts.afterSwitch} after the switch; ${counts.known} limits were known and none was asked for again; ` +
        `${KILLS} sessions went on, ${told.length} events in the log, each once`,
    );
  });
});
