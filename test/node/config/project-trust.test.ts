import { mkdir, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sealTo } from '../../../src/node/base/disk';
import { keepModels } from '../../../src/node/base/kept-models';
import { allowShown, projectTrust, revokeShown } from '../../../src/node/config/project-trust';
import { trustPath } from '../../../src/node/config/trust';
import { tempFolder } from '../temp-folder';

const OWN = { defaults: { policy: 'council', maxFallbackDepth: 2, vendorLock: true } };
const THEIRS = { defaults: { policy: 'swift', maxFallbackDepth: 9, vendorLock: true }, patterns: ['no more credits'] };

/** A user with limits of their own, and a project that OpenCode has open and that would loosen three of them. */
async function world(theirs: unknown = THEIRS) {
  const root = await realpath(await tempFolder());
  const [home, project] = [join(root, 'u'), join(root, 'p')];
  const env = { UNDERSTUDY_HOME: home, XDG_CONFIG_HOME: join(root, 'c'), HOME: root };
  const write = async (path: string, value: unknown) => {
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, JSON.stringify(value));
  };
  const says = (value: unknown) => write(join(project, '.opencode', 'model-fallback.json'), value);
  await write(join(root, 'c', 'opencode', 'model-fallback.json'), OWN);
  await says(theirs);
  const told: string[] = [];
  const place = { env, home, tell: (message: string) => void told.push(message) };
  const look = async (directories: readonly string[] = [project]) => {
    const instances = [{ directories }] as unknown as Parameters<typeof projectTrust>[1]['instances'];
    return (await projectTrust(place, { instances })).projects;
  };
  const idOf = async (key: string) => {
    const [row] = await look();
    return row?.asked.find((each) => each.key === key)?.id ?? row?.allowed.find((each) => each.key === key)?.id ?? '';
  };
  const allow = (ids: readonly string[], directory = project) =>
    allowShown(place, { directory, project, ids: [...ids] });
  return { root, project, place, look, idOf, allow, says, told };
}
const DEPTH = 'defaults.maxFallbackDepth';
const ELSE = expect.stringContaining('changed meanwhile. Nothing was allowed');

describe('given a project that would loosen limits of the user’s own', () => {
  it('when it is looked at, then each key stands with its value, the user’s, and in words', async () => {
    const { look, project } = await world();
    const [row] = await look();
    expect([row?.project, row?.state, row?.allowed, row?.asked.map(({ key }) => key)]).toEqual([
      project,
      'open',
      [],
      [DEPTH, 'patterns', 'defaults.policy'],
    ]);
    expect(row?.asked[0]).toMatchObject({ theirs: { type: 'plain', value: 9 }, own: { type: 'plain', value: 2 } });
    const nothing = { kind: null, provider: null, agent: null };
    expect(row?.asked[1]?.theirs).toEqual({
      ...{ type: 'phrases', count: 1 },
      phrases: [{ phrase: 'no more credits', ...nothing }],
    });
    expect(row?.asked[2]?.theirs).toMatchObject({
      type: 'rows',
      rows: expect.arrayContaining([{ kind: 'quota', steps: [{ step: 'switch' }] }]),
    });
  });

  it('when the same words stand there for two providers, then both are shown, with what they mean, and each once', async () => {
    const said = { phrase: 'spent', kind: 'quota' };
    const { look } = await world({
      patterns: [{ ...said, provider: 'a' }, { ...said, provider: 'b' }, 'busy', 'busy'],
    });
    const [row] = await look();
    expect(row?.asked[0]?.theirs).toEqual({
      type: 'phrases',
      phrases: [
        { ...said, provider: 'a', agent: null },
        { ...said, provider: 'b', agent: null },
        { phrase: 'busy', kind: null, provider: null, agent: null },
      ],
      count: 3,
    });
  });

  it('when it would have another model lead than OpenCode’s, then both are shown, and a yes lets it', async () => {
    const { look, allow, idOf, place, project } = await world({
      agents: { build: { fallbackModels: ['b/dear', 'a/one'] } },
    });
    expect(await look()).toEqual([]);
    const host = { leads: { build: 'a/one' }, defaultModel: null, models: ['a/one', 'b/dear'] };
    await keepModels(place.home, project, host);
    const key = 'agents.build.fallbackModels';
    const theirs = { type: 'models', models: ['b/dear', 'a/one'], count: 2 };
    const id = await idOf(key);
    expect((await look())[0]?.asked).toEqual([{ id, key, theirs, own: { type: 'plain', value: 'a/one' } }]);
    expect(await allow([id])).toEqual({ ok: true });
    expect(await look()).toMatchObject([{ asked: [], allowed: [{ id, key, theirs, isAsked: true }] }]);
  });

  it('when one key is allowed, then that alone is, twice is as good as once, and it can be taken back', async () => {
    const { look, allow, idOf, place, project } = await world();
    const id = await idOf(DEPTH);
    expect([await allow([id]), await allow([id])]).toEqual([{ ok: true }, { ok: true }]);
    const [row] = await look();
    expect(row?.asked.map(({ key }) => key)).toEqual(['patterns', 'defaults.policy']);
    expect(row?.allowed).toEqual([{ id, key: DEPTH, theirs: { type: 'plain', value: 9 }, isAsked: true }]);
    const back = () => revokeShown(place, { project, ids: [id] });
    expect([await back(), await back(), (await look())[0]?.asked.length]).toEqual([{ ok: true }, { ok: true }, 3]);
  });

  it('when two windows allow different keys at once, then both are allowed', async () => {
    const { look, allow, idOf } = await world();
    const ids = await Promise.all([idOf(DEPTH), idOf('patterns')]);
    await Promise.all(ids.map((id) => allow([id])));
    expect((await look())[0]?.allowed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  it('when its value changes between looking and the yes, then nothing is allowed, and why is said', async () => {
    const { look, allow, idOf, says } = await world();
    const ids = [await idOf(DEPTH), await idOf('patterns')];
    await says({ ...THEIRS, defaults: { ...THEIRS.defaults, maxFallbackDepth: 99 } });
    expect(await allow(ids)).toEqual({ ok: false, reason: ELSE });
    expect((await look())[0]?.allowed).toEqual([]);
  });

  it('when a link leads to another project by then, then nothing is allowed', async () => {
    const { root, allow, idOf, project } = await world();
    const linked = join(root, 'linked');
    await symlink(project, linked);
    const id = await idOf(DEPTH);
    await rm(linked);
    await mkdir(join(root, 'other'));
    await symlink(join(root, 'other'), linked);
    expect(await allow([id], linked)).toEqual({ ok: false, reason: ELSE });
  });

  it('when it is gone, then it is shown as that, a yes to more is refused, and what it was allowed can be taken back', async () => {
    const { root, look, allow, idOf, place, project } = await world();
    const [id, other] = [await idOf(DEPTH), await idOf('patterns')];
    await allow([id]);
    await rename(project, join(root, 'away'));
    expect(await look([])).toMatchObject([{ project, directory: null, state: 'gone', asked: [], allowed: [{ id }] }]);
    expect(await allow([other])).toEqual({ ok: false, reason: `${project} no longer exists. Nothing was allowed.` });
    expect([await revokeShown(place, { project, ids: [id] }), await look([])]).toEqual([{ ok: true }, []]);
  });

  it('when what it asks for is longer than is kept, then that is refused, and earlier answers stay', async () => {
    const long = Array.from({ length: 200 }, (_, at) => `${at} ${'x'.repeat(600)}`);
    const { look, allow, idOf } = await world({ ...THEIRS, patterns: long });
    await allow([await idOf(DEPTH)]);
    const id = await idOf('patterns');
    if (id !== '') expect((await allow([id])).ok).toBe(false);
    expect((await look())[0]?.allowed.map(({ key }) => key)).toEqual([DEPTH]);
  });

  it('when the file of what was allowed is damaged, then it is moved aside as it was, and what that costs is told', async () => {
    const { look, allow, idOf, place, told } = await world();
    const path = trustPath(place.home);
    await mkdir(place.home, { mode: 0o700 });
    await writeFile(path, '{ "v": 1, "proj', { mode: 0o600 });
    expect([await allow([await idOf(DEPTH)]), (await look())[0]?.allowed.map(({ key }) => key)]).toEqual([
      { ok: true },
      [DEPTH],
    ]);
    const aside = (await readdir(place.home)).find((name) => name.includes('.corrupt-')) ?? '';
    expect(await readFile(join(place.home, aside), 'utf8')).toBe('{ "v": 1, "proj');
    expect(told).toEqual([
      `${path} could not be read. It was moved to ${join(place.home, aside)}. Earlier approvals for projects no longer apply.`,
    ]);
  });

  it('when the process is sealed to a demo, then a yes is refused', async () => {
    const { root, allow, idOf, place } = await world();
    const id = await idOf(DEPTH);
    await mkdir(join(root, 'demo'));
    onTestFinished(sealTo(join(root, 'demo')));
    expect(await allow([id])).toMatchObject({
      ok: false,
      reason: expect.stringContaining('outside the demo’s folder'),
    });
    expect(trustPath(place.home).startsWith(join(root, 'demo'))).toBe(false);
  });
});
