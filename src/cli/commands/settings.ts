import type { Command } from 'commander';
import type { QueryOutput } from '../../contract/contract';
import { parseJson } from '../../contract/parse-json';
import { DEFAULT_PREFERENCES, PreferencesPatch } from '../../contract/preferences';
import { leavesOf } from '../../core/config';
import type { PreferencesPort } from '../../core/ports/preferences';
import { stateHome } from '../../node/base/state-home';
import { openPreferences } from '../../node/config/preferences';
import { plain, table } from '../../wording/status-text';
import { type CliParts, EXIT, type JsonOption, refuse, show } from '../parts';

type Finish = (code: number) => void;
type Settings = QueryOutput<'settings.get'>;

/** Adds `understudy settings`; it works with and without a running core. */
export function addSettings(program: Command, parts: CliParts, finish: Finish): void {
  const settings = program.command('settings').description('show and change what you have chosen for the app');
  settings
    .command('get', { isDefault: true })
    .description('show every setting, and the file they lie in')
    .option('--json', 'answer as JSON')
    .action(async (options: JsonOption) => finish(await get(parts, options)));
  settings
    .command('set')
    .description('change one setting')
    .argument('<key>', 'as "settings get" names it')
    .argument('<value>', 'as JSON: a number, true, false, null, or a text')
    .option('--json', 'answer as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  understudy settings set history.detailDays 90\n  understudy settings set notices.quietHours.from 23:00',
    )
    .action(async (key: string, value: string, options: JsonOption) =>
      finish(await set(parts, { key, value }, options)),
    );
}

/** Whoever runs the core writes, so that it counts at once; else this process does. */
export async function withSettings(
  parts: CliParts,
  use: (settings: PreferencesPort) => Promise<number>,
): Promise<number> {
  const core = await parts.attachCore();
  if (core === null) return await use(openPreferences(stateHome(parts.env)));
  const { handlers } = core.host;
  try {
    return await use({
      read: async () => await handlers['settings.get'](null),
      async change(patch, rev) {
        const changed = await handlers['settings.set']({ patch, rev });
        return changed.ok ? { ok: true, now: changed } : changed;
      },
    });
  } finally {
    await core.close();
  }
}

const entriesOf = (settings: unknown): (readonly [string, unknown])[] =>
  leavesOf(settings, []).map(([path, value]) => [path.join('.'), value]);

async function get(parts: CliParts, options: JsonOption): Promise<number> {
  return await withSettings(parts, async (settings) => {
    const found = await settings.read();
    show(parts, options, found, settingsText);
    return found.problem === null ? EXIT.done : EXIT.unwell;
  });
}

function settingsText({ preferences, path, problem }: Settings): string {
  const rows = entriesOf(preferences).map(([key, value]) => [key, plain(JSON.stringify(value))]);
  return [...(problem === null ? [] : [plain(problem), '']), ...table(rows), '', `These lie in ${plain(path)}.`].join(
    '\n',
  );
}

type Wanted = Readonly<{ key: string; value: string }>;

async function set(parts: CliParts, { key, value }: Wanted, options: JsonOption): Promise<number> {
  const known = entriesOf(DEFAULT_PREFERENCES).map(([name]) => name);
  if (!known.includes(key))
    return refuse(parts, options, `There is no setting ${key}. Settings are ${known.join(', ')}.`, EXIT.notUnderstood);
  const nested = key.split('.').reduceRight<unknown>((held, name) => ({ [name]: held }), readValue(value));
  const patch = PreferencesPatch.safeParse(nested);
  if (!patch.success) return refuse(parts, options, `${key}: ${patch.error.issues[0]?.message}.`, EXIT.notUnderstood);
  return await withSettings(parts, async (settings) => {
    const changed = await settings.change(patch.data, (await settings.read()).rev);
    if (!changed.ok) return refuse(parts, options, changed.reason);
    show(parts, options, changed.now, () => `${key} is ${JSON.stringify(readValue(value))} from now on.`);
    return EXIT.done;
  });
}

/** As JSON where it is some, else the text itself. */
function readValue(text: string): unknown {
  return parseJson(text) ?? (text.trim() === 'null' ? null : text);
}
