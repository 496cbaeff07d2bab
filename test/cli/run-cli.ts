import { type CliParts, runCommandLine } from '../../src/cli/program';

/** Nobody's: what the developer's own Understudy and OpenCode have kept is not read. */
const NOBODYS = { UNDERSTUDY_HOME: '/nowhere/understudy', XDG_CONFIG_HOME: '/nowhere/config' };

/** Parts that reach nothing; change what the test is about. */
export function partsOf(change: Partial<CliParts> = {}): CliParts {
  return {
    version: '0.1.0',
    env: NOBODYS,
    directory: '/nowhere',
    source: '/nowhere/opencode-understudy.js',
    isTerminal: false,
    hasColour: false,
    columns: null,
    signal: AbortSignal.abort(),
    ask: () => Promise.reject(new Error('nobody is there to be asked')),
    hearLines: () => () => undefined,
    attachCore: async () => null,
    runPanel: async () => 0,
    runDemo: async () => 0,
    print: () => undefined,
    printError: () => undefined,
    ...change,
  };
}

/** Runs a command line with such parts. */
export const runCli = (args: readonly string[], change: Partial<CliParts> = {}): Promise<number> =>
  runCommandLine(args, partsOf(change));
