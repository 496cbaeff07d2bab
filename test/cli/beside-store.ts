import { beforeEach } from 'vitest';
import { tempFolder } from '../node/temp-folder';
import { runCli } from './run-cli';

/** A report command with its own state home for each test, and its output. */
export function besideStore(command: string) {
  const said = { home: '', printed: [] as string[], errors: [] as string[] };
  beforeEach(async () => {
    said.home = await tempFolder();
    said.printed = [];
    said.errors = [];
  });
  const run = (...args: string[]): Promise<number> =>
    runCli(['report', command, ...args], {
      env: { UNDERSTUDY_HOME: said.home },
      print: (text) => said.printed.push(text),
      printError: (text) => said.errors.push(text),
    });
  return { said, run };
}
