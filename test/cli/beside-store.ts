import { beforeEach } from 'vitest';
import { tempFolder } from '../node/temp-folder';
import { runCli } from './run-cli';

/** A command that reads what is kept in a state home of its own for each test, and all that it says. */
export function besideStore(command: string) {
  const said = { home: '', printed: [] as string[], errors: [] as string[] };
  beforeEach(async () => {
    said.home = await tempFolder();
    said.printed = [];
    said.errors = [];
  });
  const run = (...args: string[]): Promise<number> =>
    runCli([command, ...args], {
      env: { UNDERSTUDY_HOME: said.home },
      print: (text) => said.printed.push(text),
      printError: (text) => said.errors.push(text),
    });
  return { said, run };
}
