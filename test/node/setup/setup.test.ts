import { execFile } from 'node:child_process';
import { readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { answer, type QueryInput, type QueryName } from '../../../src/contract/contract';
import type { ProposedChains } from '../../../src/contract/proposal';
import { attachCore } from '../../../src/node/attach-core';
import { keepModels } from '../../../src/node/base/kept-models';
import { type ChainChange, planChain } from '../../../src/node/config/chains';
import { companionPath } from '../../../src/node/setup/companion-files';
import { cliUser, startApp } from '../../cli/real-cli';
import { DIRECTORY } from '../../core/virtual-core';

const OWN = 'config/opencode/model-fallback.json';
const THEIRS = 'config/opencode/opencode.json';
const CHAINS = '{ "agents": { "build": { "fallbackModels": ["a/1", "b/2"] } } }';
const CHANGE = { directory: null, agent: 'build', models: ['b/2', 'a/1'], scope: null, create: false };
const INSTALL = { directory: null, action: 'install', scope: 'global', create: true, evenIfEdited: false } as const;

/** A user whose app runs; `ask` goes over the socket, as a second panel's questions do. */
async function withPanel(files: Readonly<Record<string, string>>) {
  const user = await cliUser(files);
  const core = await startApp(user);
  const viewer = await attachCore({ runtime: 'test', env: user.env });
  if (viewer === null) throw new Error('no core runs');
  const ask = async <Q extends QueryName>(name: Q, input: QueryInput<Q>): Promise<Record<string, unknown>> => {
    const reply = await answer(viewer.host.handlers, name, input);
    return (reply.ok ? reply.value : { refused: reply.reason }) as Record<string, unknown>;
  };
  const close = async (): Promise<void> => {
    await viewer.close();
    await core.close();
  };
  return { ...user, ask, close, read: (name: string) => readFile(join(user.root, name), 'utf8') };
}

describe('given a panel that edits chains', () => {
  it('when a change is shown, made and taken back, then each answers exactly, and the file is what it was', async () => {
    const { ask, read, root, close } = await withPanel({ [OWN]: CHAINS });
    expect(await ask('chains.get', { directory: null })).toMatchObject({
      chains: [{ agent: 'build', models: ['a/1', 'b/2'], chain: 'own', path: join(root, OWN), line: 1 }],
      problems: [],
    });
    const preview = await ask('chains.preview', CHANGE);
    expect(preview).toMatchObject({ ok: true, path: join(root, OWN), diff: expect.stringContaining('["b/2", "a/1"]') });
    expect(await read(OWN)).toBe(CHAINS);
    const applied = await ask('chains.apply', { ...CHANGE, seen: preview.seen as string });
    expect([applied.ok, await read(OWN)]).toEqual([true, CHAINS.replace('"a/1", "b/2"', '"b/2", "a/1"')]);
    expect(await ask('setup.undo', { receipt: String(applied.receipt) })).toMatchObject({ ok: true });
    expect(await read(OWN)).toBe(CHAINS);
    await close();
  });

  it('when the file is half written, then it is told that its chains are not known, and a change is refused', async () => {
    const { ask, root, close } = await withPanel({ [OWN]: CHAINS });
    expect(await ask('chains.get', { directory: null })).toMatchObject({ isUnread: false });
    for (const half of ['', CHAINS.slice(0, 40)]) {
      await writeFile(join(root, OWN), half);
      expect(await ask('chains.get', { directory: null })).toMatchObject({
        ...{ chains: [], isUnread: true },
        problems: [{ severity: 'error', path: join(root, OWN) }],
      });
      expect(await ask('chains.preview', CHANGE)).toMatchObject({ ok: false });
    }
    await close();
  });

  it('when a chain gets tiers, then they are written, and told as they stand', async () => {
    const { ask, close } = await withPanel({ [OWN]: CHAINS });
    const tiers = [{ from: null, name: 'standard', size: 1 }];
    const { seen } = await ask('chains.preview', { ...CHANGE, tiers });
    expect(await ask('chains.apply', { ...CHANGE, tiers, seen: seen as string })).toMatchObject({ ok: true });
    expect(await ask('chains.get', { directory: null })).toMatchObject({
      chains: [{ agent: 'build', models: ['b/2', 'a/1'], tiers: [{ name: 'standard', size: 1 }] }],
    });
    await close();
  });

  it.each([
    ['nobody', {}, { by: 'nobody', models: [] }],
    ['the chain for all others', { '*': { fallbackModels: ['c/3'] } }, { by: 'rest', models: ['c/3'] }],
  ])('when a chain is taken out, then it is said that %s stands in from then on', async (_, others, remaining) => {
    const config = JSON.stringify({ agents: { build: { fallbackModels: ['a/1', 'b/2'] }, ...others } });
    const { ask, read, close } = await withPanel({ [OWN]: config });
    const change = { ...CHANGE, models: [], isRemoval: true };
    const preview = await ask('chains.preview', change);
    expect(preview).toMatchObject({ ok: true, leads: [], remaining });
    const applied = await ask('chains.apply', { ...change, seen: preview.seen as string });
    expect(JSON.parse(await read(OWN))).toEqual({ agents: others });
    await ask('setup.undo', { receipt: String(applied.receipt) });
    expect(await read(OWN)).toBe(config);
    await close();
  });

  it('when a project says other things of an agent, then its chain is changed and taken out where it stands', async () => {
    const { root, close, env } = await withPanel({
      [OWN]: '{ "agents": { "build": { "tiers": [{ "models": ["a/1", "b/2"] }] } } }',
      'project/.opencode/model-fallback.json': '{ "agents": { "build": { "policy": "patient" } } }',
    });
    const own = join(root, OWN);
    const directory = join(root, 'project');
    const tiers = [{ from: 0, name: null, size: 2 }];
    const of = (change: Omit<ChainChange, 'actor'>) => planChain(directory, env, { ...change, actor: 'panel' });
    expect(await of({ ...CHANGE, tiers })).toMatchObject({ ok: true, plan: { path: own } });
    expect(await of({ ...CHANGE, models: [], isRemoval: true })).toMatchObject({ ok: true, plan: { path: own } });
    await close();
  });

  it('when the chain of an agent without one is taken out, then that is refused', async () => {
    const { ask, root, close } = await withPanel({ [OWN]: CHAINS });
    expect(await ask('chains.preview', { ...CHANGE, agent: 'plan', models: [], isRemoval: true })).toEqual({
      ok: false,
      reason: `${join(root, OWN)}: plan has no chain in this file. Nothing was changed.`,
    });
    await close();
  });

  it('when OpenCode has listed models, then those may be chosen, with vendor, price and context; without a list, none', async () => {
    const { ask, home, close } = await withPanel({ [OWN]: CHAINS });
    expect(await ask('chains.offers', { directory: null })).toEqual({ at: null, models: [] });
    const catalogue = { 'a/1': { vendor: 'anthropic', context: 200_000, priceIn: 3, priceOut: 15 } };
    await keepModels(home, '/p', { models: ['a/1', 'l/2'], catalogue, leads: {}, defaultModel: null }, 5);
    const none = { context: null, vision: null, tools: null, priceIn: null, priceOut: null };
    expect(await ask('chains.offers', { directory: null })).toEqual({
      at: 5,
      models: [
        {
          model: 'a/1',
          vendor: 'anthropic',
          isLocal: false,
          abilities: { ...none, ...{ context: 200_000, priceIn: 3, priceOut: 15 } },
        },
        { model: 'l/2', vendor: null, isLocal: false, abilities: none },
      ],
    });
    await close();
  });

  it('when the file has changed since it was shown, then nothing is written', async () => {
    const { ask, read, root, close } = await withPanel({ [OWN]: CHAINS });
    const { seen } = await ask('chains.preview', CHANGE);
    await writeFile(join(root, OWN), `${CHAINS}\n`);
    expect(await ask('chains.apply', { ...CHANGE, seen: seen as string })).toEqual({
      ok: false,
      reason: `${join(root, OWN)} changed meanwhile, so nothing was written; review it again.`,
    });
    expect(await read(OWN)).toBe(`${CHAINS}\n`);
    await close();
  });

  it('when a folder is asked for that OpenCode has not opened, then it is refused', async () => {
    const { ask, root, close } = await withPanel({ 'secret/opencode.json': '{}' });
    const directory = join(root, 'secret');
    const refused = { refused: `OpenCode has not opened ${directory}.` };
    expect(await ask('chains.get', { directory })).toEqual(refused);
    expect(await ask('chains.preview', { ...CHANGE, directory, create: true })).toEqual(refused);
    expect(await ask('setup.diff', { ...INSTALL, directory, scope: 'project' })).toEqual(refused);
    await close();
  });
});

describe('given a project that puts something else where its chain was written', () => {
  it.each([
    ['a pipe that nobody writes into', (path: string) => promisify(execFile)('mkfifo', [path])],
    ['a link to a device without an end', (path: string) => symlink('/dev/zero', path)],
    [
      'a link to the same text',
      (path: string) => writeFile(`${path}.other`, CHAINS).then(() => symlink(`${path}.other`, path)),
    ],
    ['a file of 2 GiB', (path: string) => writeFile(path, '').then(() => truncate(path, 2 ** 31))],
    ['nothing', () => undefined],
  ])('when it is %s, then the change is no longer the latest, and the panel is answered', async (_, put) => {
    const { ask, root, close } = await withPanel({ [OWN]: CHAINS });
    const { seen } = await ask('chains.preview', CHANGE);
    await ask('chains.apply', { ...CHANGE, seen: seen as string });
    const changes = async () => (await ask('setup.receipts', { limit: 5 })) as unknown as { isLatest: boolean }[];
    const before = await changes();
    const path = join(root, OWN);
    await rm(path);
    await put(path);
    expect([before, await changes()].map(([row]) => row?.isLatest)).toEqual([true, false]);
    await close();
  });
});

describe('given a panel that asks which behaviour is wanted', () => {
  it('when the answer is no, then nothing is written for that, and it is asked no more', async () => {
    const { ask, read, root, close } = await withPanel({ [OWN]: CHAINS });
    const { path, diff, seen } = await ask('setup.choice', null);
    expect([path, diff]).toEqual([join(root, OWN), expect.stringContaining('"onExhausted": "native"')]);
    expect(await ask('setup.choose', { isWanted: false, seen: seen as string })).toEqual({ ok: true, files: [] });
    expect([await read(OWN), await ask('setup.choice', null)]).toEqual([CHAINS, null]);
    await close();
  });

  it('when it is yes, then exactly what was shown is written, with a way back, and it is asked no more after that either', async () => {
    const { ask, read, root, close } = await withPanel({ [OWN]: CHAINS });
    const { seen } = await ask('setup.choice', null);
    const chosen = await ask('setup.choose', { isWanted: true, seen: seen as string });
    expect(chosen).toEqual({ ok: true, files: [{ path: join(root, OWN), receipt: expect.any(String) }] });
    expect(await read(OWN)).toContain('"policy": "published"');
    const [{ receipt }] = chosen.files as [{ receipt: string }];
    expect(await ask('setup.undo', { receipt })).toMatchObject({ ok: true });
    expect([await read(OWN), await ask('setup.choice', null)]).toEqual([CHAINS, null]);
    await close();
  });

  it('when the file says something else by then, or the other window has answered, then nothing is written', async () => {
    const { ask, read, root, close } = await withPanel({ [OWN]: CHAINS });
    const { seen } = await ask('setup.choice', null);
    await writeFile(join(root, OWN), `${CHAINS}\n`);
    const late = { isWanted: true, seen: seen as string };
    expect(await ask('setup.choose', late)).toEqual({
      ok: false,
      reason: `${join(root, OWN)} changed meanwhile, so nothing was written; review it again.`,
    });
    await ask('setup.choose', { ...late, isWanted: false });
    expect(await ask('setup.choose', late)).toEqual({
      ok: false,
      reason: 'This was answered meanwhile. Nothing was changed.',
    });
    expect(await read(OWN)).toBe(`${CHAINS}\n`);
    await close();
  });
});

describe('given a panel that proposes first chains', () => {
  const priced = { tools: true, context: 200_000, priceIn: 3, priceOut: 15 };
  const host = {
    models: ['a/1', 'b/2', 'local/3'],
    catalogue: { 'a/1': priced, 'b/2': priced, 'local/3': { isLocal: true } },
    leads: { build: null, review: 'b/2', title: 'a/1' },
    defaultModel: 'a/1',
  };

  it('when OpenCode has never listed its models, then it says so and proposes nothing', async () => {
    const { ask, close } = await withPanel({});
    expect(await ask('setup.propose', { directory: null })).toEqual({
      listed: null,
      proposals: [],
      problems: [{ code: 'models.unlisted', agent: null, model: null }],
    });
    await close();
  });

  it('when it has, then each agent with a model or a chain has a proposal, and one change writes several', async () => {
    const { ask, read, home, close } = await withPanel({ [OWN]: CHAINS });
    await keepModels(home, DIRECTORY, host, 7);
    const proposed = (await ask('setup.propose', { directory: DIRECTORY })) as unknown as ProposedChains;
    const rows = proposed.proposals.map((row) => [row.agent, row.models.map(({ model }) => model), row.existing]);
    expect([proposed.listed, rows, proposed.problems]).toEqual([
      { at: 7, directory: DIRECTORY },
      [
        // It was seen with a model that is not on offer.
        ['build', ['a/1', 'b/2', 'local/3'], ['a/1', 'b/2']],
        ['plan', ['a/1', 'b/2', 'local/3'], null],
        ['review', ['b/2', 'a/1', 'local/3'], null],
        ['*', ['a/1', 'b/2', 'local/3'], null],
      ],
      [{ code: 'lead.unlisted', agent: 'build', model: expect.any(String) }],
    ]);
    const change = { ...CHANGE, agent: 'plan', models: ['a/1', 'b/2'], others: [{ agent: '*', models: ['b/2'] }] };
    const { seen } = await ask('chains.preview', change);
    expect(await ask('chains.apply', { ...change, seen: seen as string })).toMatchObject({ ok: true });
    expect(JSON.parse(await read(OWN)).agents).toEqual({
      build: { fallbackModels: ['a/1', 'b/2'] },
      plan: { fallbackModels: ['a/1', 'b/2'] },
      '*': { fallbackModels: ['b/2'] },
    });
    await close();
  });

  it('when chains for all projects are proposed, then primaries are those that every project has, and none where they differ', async () => {
    const { ask, home, close } = await withPanel({});
    const reviewOf = async () => {
      const { proposals } = (await ask('setup.propose', { directory: null })) as unknown as ProposedChains;
      return proposals.map(({ agent, models }) => [agent, models[0]?.model, models[0]?.code]);
    };
    await keepModels(home, DIRECTORY, host, 7);
    await keepModels(home, `${DIRECTORY}-2`, { ...host, leads: { ...host.leads, docs: 'b/2' } }, 8);
    expect(await reviewOf()).toContainEqual(['review', 'b/2', 'present']);
    expect((await reviewOf()).map(([agent]) => agent)).not.toContain('docs');
    await keepModels(home, `${DIRECTORY}-3`, { ...host, leads: { build: 'b/2', review: 'a/1', title: 'a/1' } }, 9);
    const differing = await reviewOf();
    expect(differing.map(([agent]) => agent)).not.toContain('review');
    const build = differing.find(([agent]) => agent === 'build');
    expect(build).toEqual(['build', expect.any(String), expect.not.stringMatching('present')]);
    await close();
  });
});

describe('given a panel that installs the companion', () => {
  it('when it is detected, shown, made and taken out, then OpenCode’s file is what it was', async () => {
    const before = '{\n  "plugin": ["other"]\n}\n';
    const { ask, read, root, env, close } = await withPanel({ [THEIRS]: before });
    const found = await ask('setup.detect', { directory: null });
    expect(found).toMatchObject({
      companion: 'absent',
      files: [{ path: join(root, THEIRS), companions: [], problem: null }],
    });
    const shown = (await ask('setup.diff', INSTALL)) as { files: { seen: string; diff: string }[] };
    const url = pathToFileURL(companionPath(String(env.UNDERSTUDY_HOME))).href;
    expect([shown.files[0]?.diff.includes(url), found.line]).toEqual([true, `"plugin": ["${url}"]`]);
    const seen = shown.files.map((file) => file.seen);
    expect(await ask('setup.apply', { ...INSTALL, seen: ['0'.repeat(64)] })).toMatchObject({ ok: false });
    expect(await ask('setup.apply', { ...INSTALL, seen })).toMatchObject({ ok: true });
    expect(await ask('setup.detect', { directory: null })).toMatchObject({ companion: 'current' });
    const out = { ...INSTALL, action: 'uninstall' } as const;
    const taking = (await ask('setup.diff', out)) as { files: { seen: string }[] };
    expect(await ask('setup.apply', { ...out, seen: taking.files.map((file) => file.seen) })).toMatchObject({
      ok: true,
    });
    expect([await read(THEIRS), env.UNDERSTUDY_HOME]).toEqual([before, join(root, 'u')]);
    await close();
  });

  it('when it stands in two files and one has changed since it was shown, then it is taken out of neither', async () => {
    const beside = 'config/opencode/opencode.jsonc';
    const { ask, read, root, close } = await withPanel({ [THEIRS]: '{ "plugin": [] }', [beside]: '{ "plugin": [] }' });
    const { line } = await ask('setup.detect', { directory: null });
    const installed = `{ ${line} }`;
    for (const name of [THEIRS, beside]) await writeFile(join(root, name), installed);
    const out = { ...INSTALL, action: 'uninstall' } as const;
    const { files } = (await ask('setup.diff', out)) as { files: { seen: string }[] };
    const seen = files.map((file) => file.seen);
    await writeFile(join(root, beside), `${installed}\n`);
    expect([seen.length, await ask('setup.apply', { ...out, seen })]).toEqual([
      2,
      { ok: false, reason: expect.stringContaining('opencode.jsonc changed meanwhile') },
    ]);
    expect([await read(THEIRS), await read(beside)]).toEqual([installed, `${installed}\n`]);
    expect(await ask('setup.apply', { ...out, seen: seen.slice(0, 1) })).toMatchObject({ ok: false });
    await writeFile(join(root, beside), installed);
    expect(await ask('setup.apply', { ...out, seen })).toMatchObject({ ok: true });
    expect([await read(THEIRS), await read(beside)]).toEqual(['{}', '{}']);
    await close();
  });

  it('when tui.json cannot be edited, then the companion goes all the same, and what stays is shown before', async () => {
    const line = 'config/opencode/tui.json';
    const broken = '{ "plugin": ["opencode-understudy-tui.js"';
    const { ask, read, root, close } = await withPanel({
      [THEIRS]: '{ "plugin": ["opencode-understudy"], "model": "a/1" }',
      [line]: broken,
    });
    const out = { ...INSTALL, action: 'uninstall', evenIfEdited: true } as const;
    const { files, left } = (await ask('setup.diff', out)) as { files: { seen: string }[]; left: string[] };
    expect(left).toEqual([expect.stringContaining(`${join(root, line)}:1:`)]);
    const seen = files.map((file) => file.seen);
    expect(await ask('setup.apply', { ...out, seen })).toMatchObject({ ok: true });
    expect([await read(THEIRS), await read(line)]).toEqual(['{ "model": "a/1" }', broken]);
    await close();
  });

  it('when the doctor is asked, then it tells of the running app', async () => {
    const { ask, close } = await withPanel({ [OWN]: CHAINS });
    const findings = (await ask('doctor.run', { directory: null })) as unknown as { check: string; verdict: string }[];
    expect(findings.filter(({ check }) => /running|connected|chains/.test(check))).toMatchObject([
      { check: 'app.running', verdict: 'ok' },
      { check: 'companion.connected', verdict: 'ok' },
      { check: 'chains.set', verdict: 'ok' },
    ]);
    await close();
  });
});
