import { parseArgs } from 'node:util';
import { DEFAULT_PORT } from './run-panel';

export type PanelArguments =
  | Readonly<{ kind: 'serve'; port: number | null; open: boolean }>
  | Readonly<{ kind: 'help' | 'version' }>
  | Readonly<{ kind: 'wrong'; reason: string }>;

export const PANEL_HELP = `Serves the Understudy panel to a browser on this machine.

Usage: understudy panel [options]

Options:
  --port <number>  Port on 127.0.0.1; 0 takes any free one (default: ${DEFAULT_PORT},
                   or the next one that is free)
  --no-open        Only print the address
  --version        Print the version
  --help           Print this text

Over SSH, forward the same port number: ssh -L ${DEFAULT_PORT}:127.0.0.1:${DEFAULT_PORT} host`;

export function readPort(text: string): number | null {
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port <= 65_535 ? port : null;
}

export function readPanelArguments(args: readonly string[]): PanelArguments {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        'no-open': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', short: 'V', default: false },
      },
    });
    if (values.help) return { kind: 'help' };
    if (values.version) return { kind: 'version' };
    if (values.port === undefined) return { kind: 'serve', port: null, open: !values['no-open'] };
    const port = readPort(values.port);
    if (port === null) return { kind: 'wrong', reason: `"${values.port}" is not a port: expected 0 to 65535.` };
    return { kind: 'serve', port, open: !values['no-open'] };
  } catch (error) {
    return { kind: 'wrong', reason: error instanceof Error ? error.message : String(error) };
  }
}
