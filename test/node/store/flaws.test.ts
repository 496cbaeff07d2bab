import { describe, expect, it } from 'vitest';
import { LogRecord } from '../../../src/core/base/record';
import type { CompanionEvent } from '../../../src/protocol';
import { CHAIN, COMPANION, configured, openTestCore, started, succeeded, virtualClock } from '../../core/virtual-core';
import { newPath, open } from './store-support';

const ABOUT = { session: 's1', turn: 't1', agent: 'build', model: CHAIN[0] } as const;
const FLAWED: readonly CompanionEvent[] = [
  configured(),
  started({ tellsFlaws: true }),
  { type: 'tool.failed', ...ABOUT, reason: 'validation', isRepeated: false },
  { type: 'tool.failed', ...ABOUT, reason: 'validation', isRepeated: true },
  { type: 'answer.continued', ...ABOUT },
  succeeded('a1'),
];
const FIGURES = {
  quality: { continuedPerAnswer: 1, badArgumentsPerAnswer: 2, flawedShare: 1 },
  errors: { tool: 2, toolReasons: { validation: 2, execution: 0 }, toolRepeats: 1 },
};

/** A core on the store at `path`, with the log of an earlier life. */
async function live(path: string, earlier: readonly LogRecord[] = []) {
  const store = await open(path);
  const test = openTestCore(virtualClock(), store);
  test.core.replay(earlier);
  test.core.connected(COMPANION);
  const totals = () => test.core.desk.report({ session: 's1' }).overall;
  const end = async () => {
    test.core.dispose();
    await store.close();
  };
  return { ...test, totals, end };
}

describe('given a companion that tells of tools that failed and answers that were continued', () => {
  it('when the app has stored them, started again and read its log again, then each counts once', async () => {
    const path = await newPath();
    const first = await live(path);
    for (const event of FLAWED) first.tell(event);
    expect(first.totals()).toMatchObject(FIGURES);
    await first.end();
    const records = first.log.map((record) => LogRecord.parse(JSON.parse(JSON.stringify(record))));

    const again = await live(path, records);
    expect(again.totals()).toMatchObject(FIGURES);
    await again.end();
    const anew = await live(await newPath(), records);
    expect(anew.totals()).toMatchObject(FIGURES);
    await anew.end();
  });
});
