import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answer, type QueryInput, type QueryName } from '../../../src/contract/contract';
import { createClosers } from '../../../src/demo/closers';
import { openPlace } from '../../../src/demo/place';
import { openStage } from '../../../src/demo/stage';
import { tempFolder } from '../../node/temp-folder';
import { nightlyIf } from '../../support/nightly';

/** What a user has, in every place that one of their variables may name. */
const THEIRS = {
  'home/.config/opencode/opencode.json': '{ "model": "a/1" }\n',
  'home/.config/opencode/model-fallback.json': '{ "agents": { "build": { "fallbackModels": ["b/2"] } } }\n',
  'home/.local/share/opencode/opencode.db': 'no database',
  'home/.local/state/understudy/preferences.json': '{}\n',
  'xdg/opencode/opencode.json': '{}\n',
  'named/opencode.json': '{}\n',
  'named.json': '{}\n',
  'state/config-writes/journal.jsonl': '',
  'project/opencode.json': '{}\n',
  'project/.opencode/model-fallback.json': '{}\n',
} as const;

/** Each variable that could lead a write to the user, in every combination that decides another way. */
const LEADING = {
  home: [],
  XDG: ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'],
  OPENCODE_CONFIG_DIR: ['XDG_CONFIG_HOME', 'OPENCODE_CONFIG_DIR'],
  OPENCODE_CONFIG: ['OPENCODE_CONFIG', 'OPENCODE_DB'],
  UNDERSTUDY_HOME: ['UNDERSTUDY_HOME', 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR'],
} as const;

/** Everything below a folder: bytes and the moment of the last change of each file and folder. */
async function printOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder, { recursive: true })).toSorted();
  const prints = ['.', ...names].map(async (name) => {
    const [info, path] = [await stat(join(folder, name)), join(folder, name)];
    const bytes = info.isFile()
      ? createHash('sha256')
          .update(await readFile(path))
          .digest('hex')
      : 'folder';
    return [name, `${bytes} ${info.mtimeMs} ${info.mode}`] as const;
  });
  return Object.fromEntries(await Promise.all(prints));
}

async function withDemo(variables: readonly string[]) {
  const user = await tempFolder();
  for (const [name, text] of Object.entries(THEIRS)) {
    await mkdir(dirname(join(user, name)), { recursive: true });
    await writeFile(join(user, name), text);
  }
  const values: Readonly<Record<string, string>> = {
    ...{ XDG_CONFIG_HOME: join(user, 'xdg'), XDG_DATA_HOME: join(user, 'xdg'), XDG_STATE_HOME: join(user, 'xdg') },
    ...{ OPENCODE_CONFIG_DIR: join(user, 'named'), OPENCODE_CONFIG: join(user, 'named.json') },
    ...{ OPENCODE_DB: join(user, 'home/.local/share/opencode/opencode.db'), UNDERSTUDY_HOME: join(user, 'state') },
  };
  const around = {
    ...{ PATH: '', HOME: join(user, 'home'), USERPROFILE: join(user, 'home') },
    ...Object.fromEntries(variables.map((name) => [name, values[name]])),
  };
  const closers = createClosers();
  onTestFinished(async () => void (await closers.closeAll()));
  const [builtRoot, companion] = [join(user, 'built'), join(user, 'built', 'companion.js')];
  await mkdir(join(builtRoot, 'renderer'), { recursive: true });
  await writeFile(join(builtRoot, 'renderer', 'index.html'), '<html></html>');
  await writeFile(companion, '// @bun opencode-understudy 0.1.0\n');
  const before = await printOf(user);
  const place = await openPlace(closers, around);
  const { signal } = new AbortController();
  const building = { version: '0.1.0', builtRoot, companion, place, port: 0, closers, signal };
  const { core } = await openStage({ ...building, binary: null });
  const ask = async <Q extends QueryName>(name: Q, input: QueryInput<Q>): Promise<Record<string, unknown>> => {
    const reply = await answer(core.host.handlers, name, input);
    return (reply.ok ? reply.value : { refused: reply.reason }) as Record<string, unknown>;
  };
  return { user, place, before, ask, closers };
}

const CHANGE = { directory: null, agent: 'build', models: ['a/1'], scope: null, create: true };
const INSTALL = { directory: null, action: 'install', scope: 'global', create: true, evenIfEdited: true } as const;
const seenIn = (shown: Record<string, unknown>) =>
  (shown.files as readonly { seen: string | null }[]).map(({ seen }) => seen);

/** Everything a panel can have written. @returns each file that was, or is to be, written. */
async function writeEverything({ ask, place }: Awaited<ReturnType<typeof withDemo>>): Promise<readonly unknown[]> {
  const written: unknown[] = [];
  const setting = (path: string[], value: string | number) => ({
    directory: null,
    changes: [{ type: 'set' as const, path, value }],
  });
  const applied = await ask('setup.apply', { ...INSTALL, seen: seenIn(await ask('setup.diff', INSTALL)) });
  written.push(applied);
  const chain = await ask('chains.preview', CHANGE);
  written.push(await ask('chains.apply', { ...CHANGE, seen: chain.seen as string | null }));
  for (const edit of [setting(['defaults', 'cooldownMs'], 5_000), setting(['policies', 'own', 'extends'], 'swift')]) {
    const { seen } = await ask('config.preview', edit);
    written.push(await ask('config.apply', { ...edit, seen: seen as string | null }));
  }
  // Of projects only what OpenCode has opened can be allowed anything, and here it has opened none.
  const project = await realpath(place.root);
  const ids = [createHash('sha256').update('defaults.maxFallbackDepth = 9').digest('hex')];
  expect(await ask('trust.allow', { directory: project, project, ids })).toEqual({
    refused: `OpenCode has not opened ${project}.`,
  });
  written.push(await ask('trust.revoke', { project, ids }));
  const teach = {
    directory: null,
    changes: [{ type: 'teach' as const, phrase: 'come back tomorrow', kind: 'quota' as const, provider: null }],
  };
  written.push(await ask('config.apply', { ...teach, seen: (await ask('config.preview', teach)).seen as string }));
  const choice = await ask('setup.choice', null);
  written.push(await ask('setup.choose', { isWanted: true, seen: choice.seen as string | null }));
  const [latest] = (await ask('setup.receipts', { limit: 1 })) as unknown as { receipt: string }[];
  written.push(await ask('setup.undo', { receipt: latest?.receipt ?? '' }));
  const out = { ...INSTALL, action: 'uninstall' } as const;
  written.push(await ask('setup.apply', { ...out, seen: seenIn(await ask('setup.diff', out)) }));
  written.push(await ask('setup.place', {}));
  const settings = await ask('settings.get', null);
  written.push(await ask('settings.set', { patch: { metrics: { enabled: true } }, rev: String(settings.rev) }));
  written.push(await ask('rank.change', { changes: [{ type: 'role', agent: 'build', role: 'fixer' }] }));
  const values = 'model,benchmark,value,unit\na/1,gpqa,50,percent';
  written.push(await ask('rank.import', { text: values, source: 'Invented for tests', date: '2026-01-31' }));
  const build = { directory: null, agent: 'build' };
  written.push(
    await ask('rank.act', { ...build, act: { type: 'start', role: null, isLive: false, wants: [], key: null } }),
  );
  // No OpenCode has listed models here: there is nothing to propose, and so nothing to write.
  const proposal = { ...build, scope: null, create: true, setsDepth: true };
  expect(await ask('rank.apply', { ...proposal, seen: [], settled: '' })).toMatchObject({ ok: false });
  // No council of the user's is played, led or removed from a demo.
  const run = 'r20261126-113002-a1b2';
  for (const refused of [
    await ask('council.begin', { plan: 'p1' }),
    await ask('council.resume', { run }),
    await ask('council.say', { run, word: { kind: 'stop' } }),
    await ask('council.remove', { run, sessions: true }),
  ])
    expect(refused).toEqual({ ok: false, reason: 'This Understudy cannot run councils.' });
  written.push(await ask('data.backup', null), await ask('data.erase', { confirm: 'erase' }));
  expect(await ask('shell.startAtLogin', { isOn: true })).toMatchObject({ ok: false });
  return written;
}

/** Played by `npm test`: the folders of the system, then the state home beside files of OpenCode. */
const DAILY = ['XDG', 'UNDERSTUDY_HOME'];

for (const [name, variables] of Object.entries(LEADING))
  describe(
    `given the stage of a demo, and a user who has named places by ${name}`,
    nightlyIf(!DAILY.includes(name)),
    () => {
      it('when everything a panel can write is written, then it is written in the demo’s folder, and nothing of the user’s has changed', async () => {
        const demo = await withDemo(variables);
        const written = await writeEverything(demo);
        expect(written.filter((one) => (one as { ok?: boolean }).ok !== true)).toEqual([]);
        const named = JSON.stringify(written).match(/"path":"[^"]*/g) ?? [];
        expect(named.length).toBeGreaterThan(7);
        expect(named.filter((path) => !path.startsWith(`"path":"${demo.place.root}/`))).toEqual([]);
        // What it only reads of the user is their OpenCode's history, and it finds none: theirs is not its own.
        expect(await demo.ask('data.import', null)).toEqual({
          ok: false,
          reason: `OpenCode has no database at ${demo.place.root}/home/.local/share/opencode/opencode.db.`,
        });
        expect(await demo.closers.closeAll()).toEqual([]);
        expect(await printOf(demo.user)).toEqual(demo.before);
      });
    },
  );
