import type { Command } from 'commander';
import type { QueryOutput } from '../../contract/contract';
import { parseJson } from '../../contract/parse-json';
import { DEFAULT_PREFERENCES, PreferencesPatch } from '../../contract/preferences';
import { leavesOf } from '../../core/config';
import type { PreferencesPort } from '../../core/ports/preferences';
import { stateHome } from '../../node/base/state-home';
import { readConfigured } from '../../node/config/chains';
import { openPreferences } from '../../node/config/preferences';
import { plain, table } from '../../wording/status-text';
import { command } from '../command';
import { type CliParts, EXIT, type Finish, type JsonOption, refuse, show, showLines } from '../parts';

type Settings = QueryOutput<'settings.get'>;

/** They work with and without a running core. */
export function addSettings(config: Command, parts: CliParts, finish: Finish): void {
  command(config, 'list', 'list the values of model-fallback.json in effect, with file and line', {
    isDefault: true,
  }).action(async (options: JsonOption) => finish(await list(parts, options)));
  command(config, 'get', 'show the settings of the app, and their file').action(async (options: JsonOption) =>
    finish(await get(parts, options)),
  );
  command(config, 'set', 'change a setting of the app')
    .argument('<key>', 'as "config get" lists it')
    .argument('<value>', 'as JSON: a number, true, false, null, or a text')
    .addHelpText('after', '\nExample:\n  understudy config set history.detailDays 90')
    .action(async (key: string, value: string, options: JsonOption) =>
      finish(await set(parts, { key, value }, options)),
    );
}

/** A running core writes, so that the change applies at once; else this process writes. */
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

async function list(parts: CliParts, options: JsonOption): Promise<number> {
  const { values } = await readConfigured(parts.directory, parts.env);
  showLines(parts, options, values, (rows) =>
    table(
      rows.map(({ key, value, path, line }) => [
        key,
        JSON.stringify(value),
        path === null ? 'default' : `${path}${line === null ? '' : `:${line}`}`,
      ]),
    ).join('\n'),
  );
  return EXIT.done;
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
  return [...(problem === null ? [] : [plain(problem), '']), ...table(rows), '', `Stored in ${plain(path)}.`].join(
    '\n',
  );
}

type Wanted = Readonly<{ key: string; value: string }>;

async function set(parts: CliParts, { key, value }: Wanted, options: JsonOption): Promise<number> {
  const keys = entriesOf(DEFAULT_PREFERENCES).map(([name]) => name);
  if (!keys.includes(key))
    return refuse(parts, options, `There is no setting '${key}'. Settings: ${keys.join(', ')}.`, EXIT.notUnderstood);
  const nested = key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), readValue(value));
  const patch = PreferencesPatch.safeParse(nested);
  if (!patch.success) return refuse(parts, options, `${key}: ${patch.error.issues[0]?.message}.`, EXIT.notUnderstood);
  return await withSettings(parts, async (settings) => {
    const changed = await settings.change(patch.data, (await settings.read()).rev);
    if (!changed.ok) return refuse(parts, options, changed.reason);
    show(parts, options, changed.now, () => `${key} is now ${JSON.stringify(readValue(value))}.`);
    return EXIT.done;
  });
}

function readValue(text: string): unknown {
  return parseJson(text) ?? (text.trim() === 'null' ? null : text);
}
