import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answer, queries } from '../../src/contract/contract';
import { failureText } from '../../src/contract/failure-text';
import { look, newHome, open, toldTurn } from '../node/core-support';
import { userWithEverything } from './all-commands';

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
/** What a bug or a schema says, and no sentence for people. */
const RAW = /is not a function|Cannot (?:read|convert)|is not iterable|\[\n|\[object |native code|Invalid time value/;
/** Begins programs, or waits for people and other processes. */
const SLOW = /^(?:council\.begin|demo\.|drill\.|probe\.|rank\.(?:research|models)|shell\.)/;

/** A question that fits as many schemas as one can: these drop what they do not have. */
const questionOf = (root: string, name: string, at: number) => ({
  ...{ directory: join(root, name), path: join(root, name) },
  ...{ agent: name, model: name, session: name, project: name, provider: name, account: name },
  ...{ models: [name], agents: [name], ids: ['a'.repeat(64)], id: name, run: name, name, key: name, search: name },
  ...{ sinceMs: at, untilMs: at, range: { sinceMs: at, untilMs: at }, offset: 0, limit: 10, rev: 1, actor: 'test' },
  ...{ target: { model: name }, act: { type: 'unpin', agent: name, session: null }, chain: [name], format: 'json' },
});

describe('given a running app', () => {
  it('when each question has a name that every object inherits, or a time at an edge, then it is answered or refused by one line', async () => {
    const place = await newHome();
    const core = await open(place);
    await toldTurn(place);
    const names = Object.keys(queries).filter((name) => !SLOW.test(name));
    for (const name of names)
      for (const key of NAMES)
        for (const at of [0, 8.64e15, Number.MAX_VALUE]) {
          const answered = await answer(core.host.handlers, name, questionOf(place.home, key, at));
          const text = answered.ok ? '' : answered.reason;
          expect(text, `${name} ${key}`).not.toMatch(RAW);
          expect(text, `${name} ${key}`).not.toContain('\n');
        }
    expect(names.length).toBeGreaterThan(50);
    expect((await look(core)).models.length).toBeGreaterThan(0);
  });

  it('when a scorecard is to begin in the year 275760, then the refusal names the field and the reason', async () => {
    const core = await open(await newHome());
    expect(await answer(core.host.handlers, 'scorecard.get', { sinceMs: 8.64e15 })).toEqual({
      ...{ ok: false, code: 'invalid' },
      reason: 'Invalid value for "sinceMs": Too big: expected number to be <=253402300799999.',
    });
    const handlers = { ...core.host.handlers, 'scorecard.get': () => ({ schema: 'other' }) } as never;
    const { reason } = (await answer(handlers, 'scorecard.get', {})) as { reason: string };
    expect(reason).toMatch(/^Invalid value for "schema": .*\.$/);
    expect(failureText('plain')).toBe('plain');
  });
});

describe('given commands about a project or an agent', () => {
  it.each(NAMES)('when it is called %s, then each says so by a sentence', async (name) => {
    const user = await userWithEverything();
    const commands = ['chains remove', 'chains get', 'chains move', 'config trust', 'chains suggest', 'config'];
    for (const words of commands)
      for (const args of [[name], [name, 'a/1'], [name, '--dry-run']]) {
        const { said } = await user.run(words, args);
        expect(said, `${words} ${args.join(' ')}`).not.toMatch(RAW);
      }
  });
});
