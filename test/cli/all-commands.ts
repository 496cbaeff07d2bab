import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CliParts } from '../../src/cli/parts';
import { keepModels } from '../../src/node/base/kept-models';
import { CHAIN, DIRECTORY } from '../core/virtual-core';
import { writeProgram } from '../support/write-program';
import { cliUser } from './real-cli';

const [LEAD, NEXT] = CHAIN;
const FILES = {
  'config/opencode/model-fallback.json': `{ "agents": { "build": { "fallbackModels": ["${LEAD}", "${NEXT}"] } } }`,
  'config/opencode/opencode.json': '{ "plugin": [] }',
};
/** An OpenCode that answers a probe. */
const OPENCODE = `#!/bin/sh
case "$1" in --version) echo 1.18.33;; run) echo '{"type":"step_finish","sessionID":"s","part":{"cost":0}}';; esac
`;

/**
 * All commands by their words: arguments, and the exit codes with a running app and without one. 1 failed,
 * 3 not running, 4 a decision is missing, 5 refused, 6 the doctor found a problem.
 */
export const COMMANDS: Readonly<Record<string, readonly [args: readonly string[], running: number, alone: number]>> = {
  status: [['--json'], 0, 3],
  headroom: [['--json'], 0, 3],
  watch: [['--json'], 0, 3],
  logs: [['--json'], 0, 0],
  phrases: [['--json'], 0, 3],
  notices: [['--json'], 0, 3],
  'what-if': [['--policy', 'steady', '--json'], 0, 3],
  drill: [['build', '--json'], 0, 3],
  reset: [['all', '--json'], 0, 3],
  hold: [[LEAD, 'open', '--json'], 0, 3],
  isolate: [[LEAD, '--json'], 0, 3],
  release: [[LEAD, '--json'], 5, 3],
  pin: [['build', NEXT, '--json'], 0, 3],
  unpin: [['build', '--json'], 5, 3],
  pause: [['--json'], 0, 3],
  resume: [['--json'], 5, 3],
  answer: [['yes', '--json'], 5, 3],
  recall: [['nobody', '--json'], 5, 3],
  probe: [[LEAD, '--json'], 0, 0],
  'chains get': [['--json'], 0, 0],
  'chains set': [['plan', LEAD, '--json'], 0, 0],
  'chains move': [['build', LEAD, 'down', '--json'], 0, 0],
  'chains remove': [['build', '--dry-run', '--json'], 0, 0],
  'chains propose': [['--json'], 0, 0],
  'chains export': [['--json'], 0, 0],
  config: [['--json'], 0, 0],
  'settings get': [['--json'], 0, 0],
  'settings set': [['history.detailDays', '60', '--json'], 0, 0],
  'fleet status': [['--json'], 0, 3],
  'fleet join': [['redis://127.0.0.1:9', '--team', 'acme', '--new', '--json'], 0, 0],
  'fleet leave': [['--json'], 5, 5],
  'fleet doctor': [['--json'], 5, 5],
  'trust list': [['--json'], 0, 0],
  'trust allow': [['--yes', '--json'], 5, 5],
  'trust revoke': [['--json'], 0, 0],
  doctor: [['--json'], 6, 6],
  install: [['--yes', '--json'], 0, 0],
  uninstall: [['--yes', '--json'], 0, 0],
  changes: [['--json'], 0, 0],
  undo: [['--yes', '--json'], 5, 5],
  scorecard: [['--json'], 0, 1],
  export: [['--format', 'json'], 0, 1],
  'log export': [[], 0, 0],
  'log import': [['FILE', '--json'], 1, 1],
  'log import-opencode': [['FILE', '--json'], 1, 1],
  backup: [['FILE.copy', '--json'], 0, 1],
  replay: [['--json'], 0, 0],
  'rank show': [['--json'], 0, 0],
  'rank propose': [['build', '--json'], 4, 4],
  'rank review': [['build', '--json'], 5, 5],
  'rank keep': [['build', LEAD, '1', '--json'], 5, 5],
  'rank apply': [['build', '--yes', '--json'], 5, 5],
  'rank role': [['build', 'fixer', '--json'], 0, 0],
  'rank headroom': [['a', '--week', '50', '--json'], 0, 0],
  'rank measure': [[LEAD, 'gpqa', '--endpoint', 'http://127.0.0.1:9', '--key-env', 'NO_KEY', '--json'], 5, 5],
  'rank research': [['build', '--json'], 0, 0],
  'rank data list': [['--json'], 0, 0],
  'rank data set': [[LEAD, 'gpqa', '0.5', '--source', 'https://made-up.test', '--json'], 0, 0],
  'rank data import': [['FILE', '--json'], 5, 5],
  'rank data refresh': [['--json'], 5, 5],
  'rank data remove': [['import', '--json'], 5, 5],
  'rank data export': [[], 0, 0],
  'rank data match': [[LEAD, 'none', '--json'], 0, 0],
  'rank weights': [['--json'], 0, 0],
  'council start': [['--repo', '.', '--json'], 5, 5],
  'council list': [['--json'], 0, 0],
  'council show': [['--json'], 5, 5],
  'council resume': [['--json'], 5, 5],
  'council stop': [['--json'], 5, 5],
  'council answer': [['yes', '--json'], 5, 5],
  'council retry': [['all', '--json'], 5, 5],
  'council export': [['--json'], 5, 5],
  'council remove': [['r20261126-113002-a1b2', '--yes', '--json'], 5, 5],
  'council import': [['FILE', '--json'], 5, 5],
  'bug-report': [['--out', 'FILE-2', '--json'], 0, 0],
  erase: [['--yes', '--json'], 1, 0],
  completion: [['bash'], 0, 0],
  panel: [[], 0, 0],
  serve: [[], 0, 0],
  demo: [[], 0, 0],
};

/** What is about the project that the companion has told of, which is not on this disk. */
const IN_PROJECT = new Set(['drill', 'pin', 'unpin', 'chains propose']);

/** A user with a chain, a fake OpenCode and files for all commands. `run` runs one of `COMMANDS` in this process. */
export async function userWithEverything() {
  const user = await cliUser(FILES);
  const opencode = join(user.root, 'opencode');
  writeProgram(opencode, OPENCODE);
  await writeFile(join(user.root, 'FILE'), 'no record\n');
  const host = { leads: {}, defaultModel: LEAD, models: [LEAD, NEXT] };
  await keepModels(user.home, DIRECTORY, host);
  const env = { ...user.env, OPENCODE_BIN: opencode, PATH: process.env.PATH };
  const parts: Partial<CliParts> = { env };
  const commandLine = (words: string, args: readonly string[]): readonly string[] => [
    ...words.split(' '),
    ...args.map((arg) => (arg.startsWith('FILE') ? join(user.root, arg) : arg)),
  ];
  const run = (words: string, args: readonly string[]) => {
    const inProject = IN_PROJECT.has(words) ? { directory: DIRECTORY } : {};
    return user.run(commandLine(words, args), { ...parts, ...inProject });
  };
  return { ...user, env, commandLine, run };
}

/** Names of all runnable commands, sorted, as the completion of the command line lists them. */
export async function runnableCommands(): Promise<readonly string[]> {
  const { run } = await cliUser();
  const { said } = await run(['completion', 'fish']);
  const names = [...said.matchAll(/'__understudy_within ([^']+)'/g)].flatMap(([, name]) => name ?? []);
  return [...new Set(names)].toSorted();
}
