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
 * All commands and their uses by words: arguments, and the exit codes with a running app and without one. 1 failed,
 * 3 not running, 4 a decision is missing, 5 refused, 6 the doctor found a problem.
 */
export const COMMANDS: Readonly<Record<string, readonly [args: readonly string[], running: number, alone: number]>> = {
  status: [['--json'], 0, 3],
  'limits show': [['--json'], 0, 3],
  'limits set': [['budget.day', '5', '--json'], 0, 0],
  watch: [['--json'], 0, 3],
  logs: [['--json'], 0, 0],
  'logs -n': [['5', '--agent', 'build', '--json'], 0, 0],
  'config phrases': [['--json'], 0, 3],
  'data notices': [['--json'], 0, 3],
  'report what-if': [['--policy', 'steady', '--json'], 0, 3],
  drill: [['build', '--json'], 0, 3],
  'model reset': [['all', '--json'], 0, 3],
  'model hold': [[LEAD, 'open', '--json'], 0, 3],
  'model isolate': [[LEAD, '--json'], 0, 3],
  'model release': [[LEAD, '--json'], 5, 3],
  'agent pin': [['build', NEXT, '--json'], 0, 3],
  'agent unpin': [['build', '--json'], 5, 3],
  pause: [['--json'], 0, 3],
  resume: [['--json'], 5, 3],
  answer: [['yes', '--json'], 5, 3],
  'agent return': [['nobody', '--json'], 5, 3],
  'model probe': [[LEAD, '--json'], 0, 0],
  'chains get': [['--json'], 0, 0],
  'chains set': [['plan', LEAD, '--json'], 0, 0],
  'chains move': [['build', LEAD, 'down', '--json'], 0, 0],
  'chains remove': [['build', '--dry-run', '--json'], 0, 0],
  'chains suggest': [['--json'], 0, 0],
  'chains get --format': [['opencode', '--json'], 0, 0],
  'config list': [['--json'], 0, 0],
  'config get': [['--json'], 0, 0],
  'config set': [['history.detailDays', '60', '--json'], 0, 0],
  'fleet status': [['--json'], 0, 3],
  'fleet join': [['redis://127.0.0.1:9', '--team', 'acme', '--new', '--json'], 0, 0],
  'fleet leave': [['--json'], 5, 5],
  'fleet status --check': [['--json'], 5, 5],
  'config trust': [['--json'], 0, 0],
  'config trust --allow': [['--yes', '--json'], 5, 5],
  'config trust --revoke': [['--json'], 0, 0],
  doctor: [['--json'], 6, 6],
  install: [['--yes', '--json'], 0, 0],
  uninstall: [['--yes', '--json'], 0, 0],
  'config changes': [['--json'], 0, 0],
  'config undo': [['--yes', '--json'], 5, 5],
  'report scorecard': [['--json'], 0, 1],
  'report export': [['--format', 'json'], 0, 1],
  'data log': [[], 0, 0],
  'data import': [['FILE', '--json'], 1, 1],
  'data import --opencode': [['FILE', '--json'], 1, 1],
  'data backup': [['FILE.copy', '--json'], 0, 1],
  'report replay': [['--json'], 0, 0],
  'chains suggest --ranking': [['--json'], 0, 0],
  'chains suggest --tiers': [['build', '--json'], 4, 4],
  'chains suggest --review': [['build', '--json'], 5, 5],
  'chains suggest --position': [['1', 'build', LEAD, '--json'], 5, 5],
  'chains suggest --tiers --apply': [['build', '--yes', '--json'], 5, 5],
  'chains suggest --set-role': [['fixer', 'build', '--json'], 0, 0],
  'chains suggest --plan-left': [['a', '--week', '50', '--json'], 0, 0],
  'chains data measure': [[LEAD, 'gpqa', '--endpoint', 'http://127.0.0.1:9', '--key-env', 'NO_KEY', '--json'], 5, 5],
  'chains suggest --research': [['build', '--json'], 0, 0],
  'chains data list': [['--json'], 0, 0],
  'chains data set': [[LEAD, 'gpqa', '0.5', '--source', 'https://made-up.test', '--json'], 0, 0],
  'chains data import': [['FILE', '--json'], 5, 5],
  'chains data refresh': [['--json'], 5, 5],
  'chains data remove': [['import', '--yes', '--json'], 5, 5],
  'chains data export': [[], 0, 0],
  'chains data match': [[LEAD, 'none', '--json'], 0, 0],
  'chains suggest --weights': [['--json'], 0, 0],
  'council start': [['--repo', '.', '--json'], 5, 5],
  'council show': [['--json'], 0, 0],
  'council show latest': [['--json'], 5, 5],
  'council resume': [['--json'], 5, 5],
  'council stop': [['--json'], 5, 5],
  'answer yes --council': [['--json'], 5, 5],
  'council resume --retry': [['all', '--json'], 5, 5],
  'council show --format': [['json', '--json'], 5, 5],
  'council remove': [['r20261126-113002-a1b2', '--yes', '--json'], 5, 5],
  'data import --council': [['FILE', '--json'], 5, 5],
  'data bug-report': [['--out', 'FILE-2', '--json'], 0, 0],
  'data erase': [['--yes', '--json'], 1, 0],
  completion: [['bash'], 0, 0],
  panel: [[], 0, 0],
  demo: [[], 0, 0],
  version: [[], 0, 0],
};

/** What is about the project that the companion has told of, which is not on this disk. */
const IN_PROJECT = new Set(['drill', 'agent pin', 'agent unpin', 'chains suggest']);

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
