import { describe, expect, it } from 'vitest';
import {
  countAs,
  countError,
  countTogether,
  createInternalErrors,
  ERROR_PLACES_MAX,
  internalErrors,
} from '../../../src/core/base/internal-errors';

const FOLDER = '/home/jo/.local/state/understudy/plugin/';

/** Errors on a clock that a test sets, whose own files lie in a folder. */
function open() {
  const clock = { at: 1_000 };
  return { clock, errors: createInternalErrors(() => clock.at, FOLDER) };
}

/** An error with the stack that V8 would give it. */
function errorWith(message: string, ...frames: readonly string[]): TypeError {
  const error = new TypeError(message);
  error.stack = [`TypeError: ${message}`, ...frames.map((frame) => `    at run (${frame})`)].join('\n');
  return error;
}

describe('given errors of our own code', () => {
  it('when one occurs again at the same place, then one row counts both and has the newest position', () => {
    const { clock, errors } = open();
    errors.count('brain.step', errorWith('a', `file://${FOLDER}opencode-understudy.js:12:3`));
    clock.at = 2_000;
    errors.count('brain.step', errorWith('b', 'node:fs:1:1', `${FOLDER}opencode-understudy.js:40:5`));
    expect(errors.rows()).toEqual([
      {
        ...{ place: 'brain.step', kind: 'TypeError', where: 'opencode-understudy.js:40:5' },
        ...{ count: 2, first: 1_000, last: 2_000 },
      },
    ]);
  });

  it('when more places than the bound have errors, then the rest is only counted', () => {
    const { errors } = open();
    for (let at = 0; at < ERROR_PLACES_MAX + 5; at++) errors.count(`place ${at}`, new Error('a'));
    expect([errors.rows().length, errors.others()]).toEqual([ERROR_PLACES_MAX, 5]);
  });

  it.each([
    ['the system', Object.assign(new Error('no space for /home/jo/secret'), { code: 'ENOSPC' }), 'Error ENOSPC'],
    ['a code that is text', Object.assign(new Error('a'), { code: 'E my secret' }), 'Error'],
    ['a name that is text', Object.assign(new Error('a'), { name: 'my secret prompt' }), 'Error'],
    ['a text', 'my secret prompt', 'no Error'],
    ['nothing', undefined, 'no Error'],
  ])('when it is of %s, then its kind has no text of it', (_, error, kind) => {
    const { errors } = open();
    errors.count('a', error);
    expect(errors.rows()).toMatchObject([{ kind, where: null }]);
  });

  it('when a getter of it throws, then it is counted', () => {
    const { errors } = open();
    const hostile = new Proxy(new Error('a'), {
      get() {
        throw new Error('b');
      },
    });
    errors.count('a', hostile);
    expect(errors.rows()).toMatchObject([{ place: 'a', kind: 'no Error', count: 1 }]);
  });

  it.each([
    ['its message looks like a position of ours', errorWith(`x\n    at a (${FOLDER}sk-secret.js:1:2)`, 'node:fs:1:1')],
    ['its stack begins otherwise', Object.assign(errorWith('sk-1'), { stack: `Odd: sk-1\n at ${FOLDER}sk-1.js:1:2` })],
    ['it was thrown by code of others', errorWith('x', '/home/jo/acme-secrets/plugin.ts:1:2')],
  ])('when %s, then no position is stored', (_, error) => {
    const { errors } = open();
    errors.count('a', error);
    expect(errors.rows()[0]?.where).toBeNull();
  });

  it('when a place is no constant of ours, then it has no name', () => {
    const { errors } = open();
    errors.count('key: sk-123\n', new Error('a'));
    expect(errors.rows()[0]?.place).toBe('unnamed');
  });

  it('when copies of the module count together, then all rows are in one count', () => {
    const { errors } = open();
    countTogether(errors);
    const heard: number[] = [];
    const stop = internalErrors().onCount(() => heard.push(errors.rows().length));
    countError('a', new Error('a'));
    stop();
    expect(countAs('b')(new Error('b'))).toBeUndefined();
    expect([errors.rows().map(({ place }) => place), heard]).toEqual([['a', 'b'], [1]]);
  });
});
