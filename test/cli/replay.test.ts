import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { COMPANION, configured, openTestCore, SWITCHED_TURN } from '../core/virtual-core';
import { tempFolder } from '../node/temp-folder';
import { runCli } from './run-cli';

let home = '';
let said: string[] = [];

beforeEach(async () => {
  home = join(await tempFolder(), 'u');
  said = [];
});

const run = (...args: string[]): Promise<number> =>
  runCli(['report', 'replay', ...args], {
    env: { UNDERSTUDY_HOME: home },
    print: (text) => said.push(text),
    printError: (text) => said.push(text),
  });

/** The log of a turn; its failure was decided as told. */
function logged(decided: Readonly<Record<string, unknown>>): string {
  const { core, log, tell } = openTestCore();
  core.connected(COMPANION);
  for (const event of [configured(), ...SWITCHED_TURN])
    tell(event.type === 'attempt.failed' ? { ...event, decided: decided as never } : event);
  return log.map((record) => `${JSON.stringify(record)}\n`).join('');
}

const RIGHT = { kind: 'switch', to: 'spare/two', code: 'switch.rate_limit' };

describe('given a log', () => {
  it('when it is replayed, from a file or as one’s own, then all decisions are the same and the state has a sum', async () => {
    const file = join(await tempFolder(), 'log.jsonl');
    await writeFile(file, logged(RIGHT));
    await mkdir(home);
    await writeFile(join(home, 'events.jsonl'), logged(RIGHT));
    expect([await run(file), await run()]).toEqual([0, 0]);
    expect(said[0]).toMatch(/^8 records read; all 1 decisions are the same\.\nThe state at the end is [\da-f]{64}\.$/);
    expect(said[1]).toBe(said[0]);
  });

  it('when a decision of it was another, then the first difference is told and it ends with 1', async () => {
    const file = join(await tempFolder(), 'log.jsonl');
    await writeFile(file, logged({ ...RIGHT, to: 'last/three' }));
    expect(await run(file)).toBe(1);
    expect(said[0]).toMatch(
      /^8 records read; 1 of 1 decisions differ\. The first is record 5,\n.*attempt\.failed of turn t1:/,
    );
    expect(said[0]).toContain(
      'then: switch to last/three (switch.rate_limit)\n  now:  switch to spare/two (switch.rate_limit)',
    );
    said = [];
    expect(await run(file, '--json')).toBe(1);
    expect(JSON.parse(said[0] ?? '')).toMatchObject({ records: 8, differences: 1, difference: { record: 5 } });
  });

  it('when a line is no record, or there is no file, then it is refused with the place', async () => {
    const file = join(await tempFolder(), 'log.jsonl');
    await writeFile(file, `${logged(RIGHT)}{"v":1}\n`);
    expect([await run(file), await run(`${file}.none`)]).toEqual([1, 1]);
    expect(said).toEqual([`${file}:9 is not a log record of Understudy.`, expect.stringContaining('ENOENT')]);
  });
});
