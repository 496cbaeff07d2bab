import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliUser } from './real-cli';

const OWN = 'config/opencode/model-fallback.json';
const BEFORE = '{\n  // mine\n  "budget": { "day": 3 }\n}\n';

describe('given a user configuration with a daily budget', () => {
  it.each([
    [['budget.day', '5'], '"day": 5'],
    [['budget.day', '2,50'], '"day": 2.5'],
    [['budget.action', 'stop'], '"action": "stop"'],
    [['headroom.moveAt', '90'], '"moveAt": 90'],
    [['headroom.spread', 'true'], '"spread": true'],
  ])('when limits set %j is run, then %s is written, comments stay, and undo restores the file', async (args, text) => {
    const { run, root } = await cliUser({ [OWN]: BEFORE });
    const written = () => readFile(join(root, OWN), 'utf8');
    const { code, said } = await run(['limits', 'set', ...args]);
    expect([code, said]).toEqual([0, expect.stringContaining(text)]);
    expect(await written()).toMatch(new RegExp(`// mine[^]*${text}`));
    expect((await run(['config', 'undo', '--yes'])).code).toBe(0);
    expect(await written()).toBe(BEFORE);
  });

  it('when a value is "none", then the default applies again', async () => {
    const { run, root } = await cliUser({ [OWN]: BEFORE });
    expect((await run(['limits', 'set', 'budget.day', 'none'])).code).toBe(0);
    expect(await readFile(join(root, OWN), 'utf8')).not.toContain('"day"');
  });

  it('when it is a dry run, then the difference is shown and nothing is written', async () => {
    const { run, root } = await cliUser({ [OWN]: BEFORE });
    expect((await run(['limits', 'set', 'budget.day', '5', '--dry-run'])).said).toContain('"day": 5');
    expect(await readFile(join(root, OWN), 'utf8')).toBe(BEFORE);
  });

  it.each([
    [['budget.day', 'much'], 5],
    [['budget.action', 'panic'], 5],
    [['headroom.moveAt', '200'], 5],
    [['budget.month', '5'], 2],
    [['budget.day'], 2],
  ])('when limits set %j is run, then it ends with %i and writes nothing', async (args, code) => {
    const { run, root } = await cliUser({ [OWN]: BEFORE });
    expect((await run(['limits', 'set', ...args])).code).toBe(code);
    expect(await readFile(join(root, OWN), 'utf8')).toBe(BEFORE);
  });
});
