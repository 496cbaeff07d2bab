import type { Command } from 'commander';

/** The commands as the help lists them, by what one comes for; what is needed first is first. */
const GROUPS: readonly (readonly [heading: string, names: readonly string[]])[] = [
  ['Begin:', ['doctor', 'install', 'chains', 'drill', 'demo']],
  ['Look:', ['status', 'headroom', 'watch', 'logs', 'notices', 'phrases', 'panel']],
  ['Act:', ['reset', 'probe', 'hold', 'isolate', 'release', 'pin', 'unpin', 'pause', 'resume', 'answer', 'recall']],
  ['Ask several models:', ['council']],
  ['Learn from what happened:', ['scorecard', 'export', 'what-if', 'rank', 'replay']],
  ['Share with other machines:', ['fleet']],
  ['Settings and files:', ['config', 'settings', 'trust', 'changes', 'undo', 'uninstall']],
  ['Your data:', ['log', 'backup', 'erase', 'bug-report']],
  ['Shell:', ['completion', 'help']],
];

const NAMES = GROUPS.flatMap(([, names]) => names);

/** Gives the help of a program its groups. Called when all commands are in, so that the help of each stays as it is. */
export function groupCommands(program: Command): void {
  for (const [heading, names] of GROUPS)
    for (const command of program.commands) if (names.includes(command.name())) command.helpGroup(heading);
  program.commandsGroup(GROUPS.at(-1)?.[0] ?? '').helpCommand(true);
  const placeOf = (command: Command): number => NAMES.indexOf(command.name());
  const all = program.createHelp().visibleCommands(program);
  program.configureHelp({
    visibleCommands: () => all.toSorted((one, other) => placeOf(one) - placeOf(other)),
    groupItems: (_, visible, groupOf) =>
      new Map(
        [...new Set(visible.map(groupOf))].map((group) => [group, visible.filter((one) => groupOf(one) === group)]),
      ),
  });
}
