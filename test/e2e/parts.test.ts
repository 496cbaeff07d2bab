import { randomBytes } from 'node:crypto';
import { appendFile, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isOf, textOf } from '../../src/node/opencode';
import { INCOMPLETE, missingPart } from '../../src/plugin/base/part';
import { tempFolder } from '../node/temp-folder';
import { copyCompanion, partsOf } from '../support/built-companion';
import { opencode2Binary, openRealStage } from '../support/opencode2/real';
import { openStage, type Stage } from '../support/stage';

const ANSWER = { kind: 'text', text: 'THE NEXT MODEL ANSWERS' } as const;
const LEAD = { kind: 'text', text: 'THE LEAD ANSWERS' } as const;
const LIMITED = { kind: 'status', status: 429, headers: { 'retry-after': '840' } } as const;
/** Parts that a generation loads at its start. */
const EAGER = ['opencode1.js', 'opencode2.js', 'runtime.js', 'rolldown-runtime.js'];
const NO_COUNCIL = 'No council was started from this session.';

/** Either OpenCode, which loads no companion but the copies in its projects. */
type Host = Readonly<{
  stage: Pick<Stage, 'makeCase' | 'provider' | 'home' | 'sandbox'> &
    Readonly<{ server: Pick<Stage['server'], 'stdout' | 'stderr'> }>;
  /** Sends a message in a new session. @returns the text of the answer. */
  ask(directory: string, text: string): Promise<string>;
  /** @returns the reply to a command in a new session. */
  command(directory: string, name: string, text: string): Promise<string>;
}>;

async function openHost1(): Promise<Host> {
  const stage = await openStage([]);
  onTestFinished(() => stage.close());
  const ask: Host['ask'] = async (directory, text) =>
    textOf(await stage.server.prompt(await stage.server.createSession(directory), { text }));
  return { stage, ask, command: (directory, name, text) => ask(directory, `/${name} ${text}`) };
}

async function openHost2(): Promise<Host> {
  const stage = await openRealStage(null);
  onTestFinished(() => stage.close());
  return {
    stage,
    async ask(directory, text) {
      const seat = await stage.sitIn(directory);
      await seat.ask(text);
      return (await seat.said()).join();
    },
    async command(directory, name, text) {
      const { id } = await stage.sitIn(directory);
      const answered = stage.events.next((event) => event.type === 'session.inbox.enqueued' && isOf(id)(event));
      await stage.server.request('POST', `/session/${id}/command`, { body: { name, text } });
      return JSON.stringify(await answered);
    },
  };
}

/** A project with a copy of the companion, whose lead answers or is limited. */
async function project({ stage }: Host, lead: typeof LEAD | typeof LIMITED) {
  const { directory, ids } = await stage.makeCase({ defaults: { cooldownMs: 300_000 } });
  for (const [at, id] of ids.entries()) stage.provider.script(id, [at === 0 ? lead : ANSWER]);
  const folder = join(directory, '.opencode', 'plugins');
  return { directory, folder, parts: partsOf(await copyCompanion(folder)) };
}

/** All that OpenCode has logged and printed. */
async function logged({ stage }: Host): Promise<string> {
  const names = await readdir(stage.sandbox.home, { recursive: true });
  const { server } = stage;
  const logs = names.filter((name) => /opencode[\\/]log[\\/].*\.log$/.test(name));
  const texts = await Promise.all(logs.map((name) => readFile(join(stage.sandbox.home, name), 'utf8')));
  return [...texts, server.stdout(), server.stderr()].join('\n');
}

const halve = async (path: string): Promise<void> => truncate(path, Math.floor((await stat(path)).size / 2));

/** Another build of the same version. @returns its entry. */
async function anotherBuild(): Promise<string> {
  const folder = await tempFolder();
  const entry = await copyCompanion(folder);
  const parts = partsOf(entry);
  const other = `understudy-${randomBytes(6).toString('hex')}`;
  for (const name of await readdir(parts)) await appendFile(join(parts, name), '// another build\n');
  await rename(parts, join(folder, other));
  await writeFile(entry, (await readFile(entry, 'utf8')).replaceAll(basename(parts), other));
  return entry;
}

describe.each([
  [1, openHost1, 'opencode1.js'],
  [2, openHost2, 'opencode2.js'],
] as const)('given an OpenCode %s and copies of the companion in its projects', (generation, openHost, own) => {
  const isHere = generation === 1 || opencode2Binary().path !== '';
  it.runIf(isHere)(
    'when a copy lacks its folder or has half of a file, then OpenCode works without it, and its log names the repair',
    async () => {
      const host = await openHost();
      for (const harm of [
        (parts: string) => rm(parts, { recursive: true }),
        (parts: string) => halve(join(parts, 'runtime.js')),
        (parts: string) => rm(join(parts, own)),
      ]) {
        const { directory, parts } = await project(host, LEAD);
        await harm(parts);
        const before = (await logged(host)).split(INCOMPLETE).length;
        expect(await host.ask(directory, 'One')).toBe(LEAD.text);
        await expect.poll(async () => (await logged(host)).split(INCOMPLETE).length).toBeGreaterThan(before);
      }
    },
  );

  it.runIf(isHere)(
    'when each part for one feature is missing, then turns move, and each feature says why it is off',
    async () => {
      const host = await openHost();
      await writeFile(
        join(host.stage.home, 'preferences.json'),
        '{ "fleet": { "url": "redis://127.0.0.1:1", "team": "a" } }',
      );
      const { directory, parts } = await project(host, LIMITED);
      const settings = join(directory, '.opencode', 'model-fallback.json');
      const wanted = { ...JSON.parse(await readFile(settings, 'utf8')), triage: { enabled: true } };
      await writeFile(settings, JSON.stringify(wanted));
      const later = (await readdir(parts)).filter((name) => !EAGER.includes(name));
      expect(later.length).toBeGreaterThan(5);
      for (const name of later) await rm(join(parts, name));
      expect(await host.ask(directory, 'One')).toBe(ANSWER.text);
      expect(await host.command(directory, 'council', 'status')).toContain(missingPart('councils'));
      expect(await host.command(directory, 'fallback-status', '')).toContain(missingPart('status lines'));
      for (const part of ['fleets', 'session reports'] as const)
        await expect.poll(() => logged(host)).toContain(missingPart(part));
    },
  );

  it.runIf(isHere)(
    'when one project has another build, and then all have it, then both move turns, and the old one loads its own parts',
    async () => {
      const host = await openHost();
      const [one, two] = [await project(host, LIMITED), await project(host, LIMITED)];
      const other = await anotherBuild();
      await rm(two.folder, { recursive: true });
      await copyCompanion(two.folder, other);
      for (const { directory } of [one, two]) expect(await host.ask(directory, 'One')).toBe(ANSWER.text);
      await copyCompanion(one.folder, other);
      expect(await host.command(one.directory, 'council', 'status')).toContain(NO_COUNCIL);
      expect(await host.ask(one.directory, 'Two')).toBe(ANSWER.text);
    },
  );
});
