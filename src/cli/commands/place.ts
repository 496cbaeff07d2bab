import { type Command, Option } from 'commander';
import { stateHome } from '../../node/base/state-home';
import type { ConfigScope } from '../../node/config/config-files';
import type { SetupPlace } from '../../node/setup/install';
import type { CliParts } from '../parts';

export const setupPlace = (parts: CliParts): SetupPlace => ({
  env: parts.env,
  home: stateHome(parts.env),
  directory: parts.directory,
  source: parts.source,
});

/** Which file of ours a command shall write. */
export type ScopeFlags = Readonly<{ global?: boolean; project?: boolean }>;

/** Lets a command be told which file of ours it shall write; one at a time. */
export const addScope = (command: Command): Command =>
  command
    .option('--global', 'write the user’s own file')
    .addOption(new Option('--project', 'write the file of this project').conflicts('global'));

/** The file that was asked for; null leaves it to where chains stand. */
export const fileScope = ({ global, project }: ScopeFlags): ConfigScope | null =>
  global ? 'global' : project ? 'project' : null;

/** The option that takes a changed entry out, behind a refusal that is about one. */
export const editedHint = (reason: string): string =>
  reason.includes('as it was installed') ? ' To take it out all the same, say --edited.' : '';
