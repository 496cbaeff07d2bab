import { beforeEach, describe, expect, it } from 'vitest';
import { FORMER_COMMANDS } from '../../src/cli/former';
import { FORMER } from '../recorded/former';
import { runnableCommands } from './all-commands';
import { usageError } from './command-tree';
import { runCli } from './run-cli';

/** A template without its arguments. */
const placeOf = (template: string): string => template.replaceAll(/ \$\d(?:=\w+)?/g, '');
const moved = Object.entries(FORMER.commands).filter(([former, now]) => former !== now);

describe('given the commands and options of version 0.1.0', () => {
  let said: string[];
  beforeEach(() => {
    said = [];
  });
  const run = (args: readonly string[]) =>
    runCli(args, { print: (text) => said.push(text), printError: (text) => said.push(text) });

  it('when the table is read, then it holds 80 commands, and each new place exists', async () => {
    expect(Object.keys(FORMER.commands).length).toBe(80);
    const places = [...Object.values(FORMER.commands).map(placeOf), ...Object.values(FORMER.options)];
    const problems = await Promise.all(places.map(async (place) => [place, await usageError(place)]));
    expect(problems.filter(([, problem]) => problem !== null)).toEqual([]);
    expect(
      Object.keys(FORMER.options).filter((option) => FORMER.commands[option.split(' --')[0] ?? ''] === undefined),
    ).toEqual([]);
  });

  // Both still run: `config` lists values, and `council show` lists runs.
  it.each(moved.filter(([former]) => former !== 'config' && former !== 'council show'))(
    'when %s is run, then it names %s and ends with 2',
    async (former, now) => {
      expect([await run([...former.split(' '), '--json']), said.length]).toEqual([2, 1]);
      const [, name = '', place = ''] = /^`understudy (.*)` is now `understudy (.*)`\.$/.exec(said[0] ?? '') ?? [];
      expect(former.startsWith(name)).toBe(true);
      expect(placeOf(now).split(' ').slice(0, 2).join(' ')).toContain(place.split(' ').slice(0, 2).join(' '));
      expect(await usageError(place)).toBeNull();
    },
  );

  it('when a command of today has the name of a former one, then it is run', async () => {
    const runnable = await runnableCommands();
    expect(runnable.filter((name) => FORMER_COMMANDS.has(name))).toEqual([]);
    expect([await run(['chains', 'get', 'rank', '--json']), await run(['data', 'log', '--help'])]).toEqual([5, 0]);
  });
});

describe('given the command tree', () => {
  it('when it is counted, then it has 23 top-level commands and 55 runnable ones', async () => {
    const runnable = await runnableCommands();
    expect(new Set(runnable.map((name) => name.split(' ')[0])).size).toBe(23);
    expect(runnable.length).toBe(55);
  });
});
