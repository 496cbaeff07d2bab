import { COMMANDS } from '../../user/command-list';
import type { OpenCodeConfig } from '../memory/types';

/** The user's own commands take precedence. */
export function addCommands(config: OpenCodeConfig): void {
  config.command ??= {};
  for (const [name, description] of Object.entries(COMMANDS))
    config.command[name] ??= { description, template: `/${name} $ARGUMENTS` };
}
