import { existsSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type DemoMachine, playSealed } from '../../../src/demo/machine';

/** Plays a demo. @returns its exit code, its errors and its folder. */
async function played(play: (stop: () => void) => Promise<number>, once = true) {
  const stopping = new AbortController();
  const [errors, printed]: [string[], string[]] = [[], []];
  const machine: DemoMachine = {
    ...{ version: '1', builtRoot: '', companion: '', env: { PATH: '' }, style: { isColored: false, columns: 80 } },
    ...{ input: new PassThrough(), openBrowser: null, tellParent: null, stop: stopping.signal },
    print: (text) => printed.push(text),
    printError: (text) => errors.push(text),
  };
  let root = '';
  const code = await playSealed({ once, story: 'run' }, machine, async ({ building }) => {
    root = building.place.root;
    return await play(() => stopping.abort());
  });
  expect([root !== '', existsSync(root)]).toEqual([true, false]);
  return { code, errors, printed };
}

describe('given a demo that is played in a folder of its own', () => {
  it('when it is stopped in the middle, then it ends with 1, says so and leaves no folder', async () => {
    const { code, errors } = await played(async (stop) => {
      stop();
      throw new Error('OpenCode has ended.');
    });
    expect([code, errors]).toEqual([1, ['The demo failed: it was stopped before the end of its run.']]);
  });

  it('when it fails, then it ends with 1 and the reason', async () => {
    const { code, errors } = await played(() => Promise.reject(new Error('no OpenCode')));
    expect([code, errors]).toEqual([1, ['The demo failed: no OpenCode']]);
  });

  it('when a person has ended it, then it ends with 0 and says that nothing is left', async () => {
    const { code, errors, printed } = await played(async () => 0, false);
    expect([code, errors, printed]).toEqual([0, [], ['\nDemo ended: OpenCode is stopped, and its folder is deleted.']]);
  });
});
