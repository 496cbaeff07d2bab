import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliUser } from './real-cli';

const OWN = 'config/opencode/model-fallback.json';
const THEIRS = 'config/opencode/opencode.json';
const QUESTION = `Write this to ~/${OWN}? No keeps Understudy’s behaviour.`;
const CHAINS = '{\n  "agents": {\n    "build": { "fallbackModels": ["a/1", "b/2"] } // mine\n  }\n}\n';
/** The four rows, the policy they stand in, and what is done when nobody is left. */
const WRITTEN = {
  defaults: { policy: 'published', onExhausted: 'native' },
  policies: {
    published: {
      extends: 'swift',
      rows: {
        rate_limit: ['retry:3', 'switch'],
        network_transient: ['retry:3', 'switch'],
        permission: ['return'],
        unknown: ['switch'],
      },
    },
  },
};

/** A user at a terminal who installs, and answers the question of the behaviour with `yes`. */
async function personWith(files: Readonly<Record<string, string>> = {}) {
  const user = await cliUser({ [THEIRS]: '{}\n', ...files });
  const own = () => readFile(join(user.root, OWN), 'utf8').catch(() => null);
  /** @returns how it ended, what was said, and what was asked after the element of OpenCode's file. */
  const install = async (yes: boolean, ...words: readonly string[]) => {
    const asked: string[] = [];
    const { code, said } = await user.run(['install', ...words], {
      isTerminal: true,
      ask: async (question) => {
        const shown = question.replaceAll(user.root, '~');
        if (shown === `Change ~/${THEIRS}?`) return true;
        asked.push(shown);
        return yes;
      },
    });
    return { code, said, asked };
  };
  return { ...user, own, install };
}

describe('given a person who sets Understudy up in a terminal', () => {
  it('when they keep the defaults, then nothing is written for that, and a second install asks nothing', async () => {
    const { install, own } = await personWith();
    const first = await install(false);
    expect([first.code, first.asked, await own()]).toEqual([0, [QUESTION], null]);
    expect(first.said).toContain('Understudy’s behaviour stays. You will not be asked again.');
    expect(first.said).toContain('To load it: restart OpenCode.');
    expect(await install(false)).toMatchObject({ code: 0, asked: [] });
  });

  it('when they take the published behaviour, then it was shown first, is written whole, and undo takes it back for good', async () => {
    const { install, own, run } = await personWith();
    const { code, said, asked } = await install(true);
    expect([code, asked, JSON.parse(String(await own()))]).toEqual([0, [QUESTION], WRITTEN]);
    // Once: what was seen before the question is not told again after it.
    expect(said.split('"onExhausted": "native"')).toHaveLength(2);
    expect(said).toMatch(new RegExp(`Changed ~/${OWN}. To undo: understudy config undo \\S+`));
    expect((await run(['config', 'undo', '--yes'])).code).toBe(0);
    expect([await own(), (await install(true)).asked]).toEqual([null, []]);
  });

  it('when they have a file with chains and comments, then all of it stays, and undo gives it back byte by byte', async () => {
    const { install, own, run } = await personWith({ [OWN]: CHAINS });
    expect((await install(true)).asked).toEqual([QUESTION]);
    expect(await own()).toContain('"build": { "fallbackModels": ["a/1", "b/2"] } // mine');
    expect(await own()).toContain('"published"');
    await run(['config', 'undo', '--yes']);
    expect(await own()).toBe(CHAINS);
  });

  it.each([
    ['a policy', '{ "defaults": { "policy": "steady" } }'],
    ['what is done when nobody is left', '{ "defaults": { "onExhausted": "error" } }'],
    ['a policy of that name', '{ "policies": { "published": { "extends": "patient" } } }'],
    [
      'other rows of a policy of that name',
      '{ "policies": { "published": { "rows": { "overloaded": ["wait:1000"] } } } }',
    ],
    ['a policy of one agent', '{ "agents": { "build": { "policy": "council" } } }'],
    ['something that is broken', '{ "defaults": '],
  ])('when their file says %s already, then nothing is asked and it stays as it is', async (_, text) => {
    const { install, own } = await personWith({ [OWN]: text });
    expect(await install(true)).toMatchObject({ code: 0, asked: [] });
    expect(await own()).toBe(text);
  });

  it('when nobody can be asked, or has said --yes, --json or --dry-run, then nothing is asked, and it still can be later', async () => {
    const { install, own, run } = await personWith();
    expect((await install(true, '--dry-run')).asked).toEqual([]);
    expect((await install(true, '--json', '--yes')).asked).toEqual([]);
    expect((await install(true, '--yes')).asked).toEqual([]);
    expect((await run(['install'])).code).toBe(0);
    expect(await own()).toBeNull();
    expect((await install(true)).asked).toEqual([QUESTION]);
  });

  it('when their answer could not be kept, then nothing is asked; once it can, the setting asks again', async () => {
    const { install, home, run } = await personWith({ 'u/preferences.json': '{' });
    expect((await install(false)).asked).toEqual([]);
    await writeFile(join(home, 'preferences.json'), '{}');
    expect((await install(false)).asked).toEqual([QUESTION]);
    expect((await run(['config', 'get'])).said).toMatch(/setup\.asks +false\n/);
    expect((await run(['config', 'set', 'setup.asks', 'true'])).code).toBe(0);
    expect((await install(false)).asked).toEqual([QUESTION]);
  });

  it('when another program changes the file while they think, then it is not written, they are told, and may be asked again', async () => {
    const { install, own, root, run } = await personWith({ [OWN]: CHAINS });
    const { code, said } = await run(['install'], {
      isTerminal: true,
      ask: async (question) => {
        if (question.startsWith('Write this')) await writeFile(join(root, OWN), `${CHAINS}\n`);
        return true;
      },
    });
    expect([code, said]).toEqual([5, expect.stringContaining('was changed by another program meanwhile')]);
    expect(await own()).toBe(`${CHAINS}\n`);
    expect((await install(false)).asked).toEqual([QUESTION]);
  });
});
