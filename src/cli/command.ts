import { type Command, type CommandOptions, Option } from 'commander';
import { parseWhen } from './when';

export const command = (parent: Command, name: string, description: string, options: CommandOptions = {}): Command =>
  parent.command(name, options).description(description).option('--json', 'answer as JSON');

/** For commands that show their difference and ask before a write. */
export const asking = (parent: Command, name: string, description: string): Command =>
  command(parent, name, description)
    .option('--dry-run', 'show the exact difference and change nothing')
    .option('-y, --yes', 'do not ask');

export const sinceOption = (): Option =>
  new Option('--since <when>', 'start: 30m, 24h, 7d, or a date such as 2026-11-01').argParser(parseWhen);

export const ranged = (to: Command): Command =>
  to
    .option('--session <id>', 'one session and its sub-agents')
    .addOption(sinceOption())
    .option('--until <when>', 'end of the time', parseWhen);
