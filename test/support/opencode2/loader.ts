import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse } from 'jsonc-parser';
import type { PluginContext } from '../../../src/plugin/opencode2/session/types';

export type Plugin = Readonly<{ id: string; setup(context: PluginContext): unknown }>;

/** The plugin of a module. @throws Error like OpenCode 2 for another default export. */
export function decode(module: unknown): Plugin {
  const { default: exported } = (module ?? {}) as { default?: Partial<Plugin> & { tui?: unknown } };
  if (typeof exported !== 'object' || typeof exported?.id !== 'string' || typeof exported.setup !== 'function')
    throw new Error('PluginModule.LoadError: the default export has no id and setup');
  if (exported.tui !== undefined) throw new Error('PluginModule.LoadError: invalid tui export');
  return exported as Plugin;
}

/** @throws Error if two plugins have one id: then none is loaded. */
export function refuseDoubles(plugins: readonly Plugin[]): void {
  const ids = plugins.map(({ id }) => id);
  const double = ids.find((id, at) => ids.indexOf(id) !== at);
  if (double !== undefined) throw new Error(`duplicate plugin id ${double}`);
}

/** Plugins in both lists of a configuration. @throws Error if OpenCode 2 would not load one. */
export async function pluginsOf(configPath: string): Promise<readonly Plugin[]> {
  const config = parse(await readFile(configPath, 'utf8')) as Record<string, readonly unknown[] | undefined>;
  const entries = [...(config.plugin ?? []), ...(config.plugins ?? [])];
  const plugins: Plugin[] = [];
  for (const entry of entries)
    plugins.push(decode(await import(pathToFileURL(await entryFile(addressOf(entry))).href)));
  refuseDoubles(plugins);
  return plugins;
}

function addressOf(entry: unknown): string {
  const address = Array.isArray(entry) ? entry[0] : ((entry as { package?: unknown }).package ?? entry);
  return String(address);
}

/** A local entry is a folder with `server.*` or `index.*`; its manifest is not read. */
async function entryFile(address: string): Promise<string> {
  const path = address.startsWith('file:') ? fileURLToPath(address) : address;
  if (!(await stat(path)).isDirectory()) throw new Error(`${path} is no folder`);
  const names = await readdir(path);
  const found = ['server', 'index'].flatMap((stem) =>
    names.filter((name) => new RegExp(`^${stem}\\.[cm]?[jt]s$`).test(name)),
  );
  if (found[0] === undefined) throw new Error(`${path} has neither server nor index`);
  return join(path, found[0]);
}
