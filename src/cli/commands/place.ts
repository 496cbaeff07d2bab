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

export type ScopeFlags = Readonly<{ global?: boolean; project?: boolean }>;

export const addScope = (command: Command): Command =>
  command
    .option('--global', 'write your user configuration')
    .addOption(new Option('--project', 'write the configuration of this project').conflicts('global'));

/** Null chooses the file with the chains. */
export const fileScope = ({ global, project }: ScopeFlags): ConfigScope | null =>
  global ? 'global' : project ? 'project' : null;

export const editedHint = (reason: string): string =>
  reason.includes('as it was installed') ? ' To remove it anyway, add --edited.' : '';
