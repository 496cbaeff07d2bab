import { COMMANDS } from '../../user/command-list';
import type { OpenCodeConfig } from '../memory/types';

/** Adds our commands to OpenCode's; one of the user's own keeps its name. */
export function addCommands(config: OpenCodeConfig): void {
  config.command ??= {};
  for (const [name, description] of Object.entries(COMMANDS))
    config.command[name] ??= { description, template: `/${name} $ARGUMENTS` };
}
