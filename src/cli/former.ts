export const FORMER_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['reset', 'model reset'],
  ['probe', 'model probe'],
  ['hold', 'model hold'],
  ['release', 'model release'],
  ['isolate', 'model isolate'],
  ['pin', 'agent pin'],
  ['unpin', 'agent unpin'],
  ['recall', 'agent return'],
  ['scorecard', 'report scorecard'],
  ['export', 'report export'],
  ['what-if', 'report what-if'],
  ['replay', 'report replay'],
  ['trust', 'config trust'],
  ['changes', 'config changes'],
  ['undo', 'config undo'],
  ['phrases', 'config phrases'],
  ['settings', 'config get'],
  ['log', 'data log'],
  ['backup', 'data backup'],
  ['erase', 'data erase'],
  ['bug-report', 'data bug-report'],
  ['notices', 'data notices'],
  ['headroom', 'limits'],
  ['serve', 'panel'],
  ['settings get', 'config get'],
  ['settings set', 'config set'],
  ['trust list', 'config trust'],
  ['trust allow', 'config trust --allow'],
  ['trust revoke', 'config trust --revoke'],
  ['log export', 'data log'],
  ['log import', 'data import'],
  ['log import-opencode', 'data import --opencode'],
  ['chains propose', 'chains suggest'],
  ['chains export', 'chains get --format opencode'],
  ['rank', 'chains suggest --ranking'],
  ['rank show', 'chains suggest --ranking'],
  ['rank propose', 'chains suggest --tiers'],
  ['rank apply', 'chains suggest --tiers --apply'],
  ['rank review', 'chains suggest --review'],
  ['rank keep', 'chains suggest --position'],
  ['rank role', 'chains suggest --set-role'],
  ['rank headroom', 'chains suggest --plan-left'],
  ['rank weights', 'chains suggest --weights'],
  ['rank research', 'chains suggest --research'],
  ['rank measure', 'chains data measure'],
  ['rank data', 'chains data'],
  ['council list', 'council show'],
  ['council export', 'council show --format'],
  ['council answer', 'answer --council'],
  ['council retry', 'council resume --retry'],
  ['council import', 'data import --council'],
  ['fleet doctor', 'fleet status --check'],
]);

/** Null for command lines without a former command. */
export function formerCommandText(args: readonly string[]): string | null {
  for (const count of [2, 1]) {
    const name = args.slice(0, count).join(' ');
    const now = FORMER_COMMANDS.get(name);
    if (now !== undefined) return `\`understudy ${name}\` is now \`understudy ${now}\`.`;
  }
  return null;
}
