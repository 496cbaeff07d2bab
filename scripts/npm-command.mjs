import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * How to start npm without a shell, so that no path with a space needs quoting on any system.
 *
 * The npm that runs us comes first: it is the one whose registry and settings the user meant.
 * @returns {{ command: string, args: string[] }} Put npm's own arguments after `args`.
 */
export function npmCommand() {
  const nodeFolder = dirname(process.execPath);
  const candidates = [
    process.env.npm_execpath ?? '',
    join(nodeFolder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(nodeFolder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  // npm_execpath may as well be another package manager, which knows neither our flags nor our lock file.
  const npm = candidates.find((path) => basename(path) === 'npm-cli.js' && existsSync(path));
  return npm === undefined ? { command: 'npm', args: [] } : { command: process.execPath, args: [npm] };
}
