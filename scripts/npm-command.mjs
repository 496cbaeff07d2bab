import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Command for npm without a shell, so that paths with spaces need no quotes. Prefers the npm that runs us, whose
 * registry and settings the user chose.
 * @returns {{ command: string, args: string[] }} Append npm's arguments to `args`.
 */
export function npmCommand() {
  const nodeFolder = dirname(process.execPath);
  const candidates = [
    process.env.npm_execpath ?? '',
    join(nodeFolder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(nodeFolder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  // npm_execpath may be another package manager, with other flags and another lock file.
  const npm = candidates.find((path) => basename(path) === 'npm-cli.js' && existsSync(path));
  return npm === undefined ? { command: 'npm', args: [] } : { command: process.execPath, args: [npm] };
}
