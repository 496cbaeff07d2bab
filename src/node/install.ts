import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addCompanion, findPlugins, type PluginFinding, removeCompanion } from '../core/edits';
import { isNewerVersion } from '../core/versions';
import { writeFileAtomic } from './atomic-file';
import { openCodeConfigFolder } from './config-files';
import { planWrite, readForEdit, type WritePlan } from './config-write';
import type { Outcome } from './failure';
import { failureText } from './failure';
import { ensurePrivateFolder } from './private-folder';
import { MAX_OPENCODE_BYTES } from './read-text';
import type { Environment } from './state-home';

/** A file that is made starts as OpenCode makes its own. */
const FIRST_FILE = '{\n  "$schema": "https://opencode.ai/config.json"\n}\n';
/** The names OpenCode reads in a folder, in its order: later ones win, lists of plugins are joined. */
const NAMES = ['opencode.json', 'opencode.jsonc'] as const;

/** Where a setup is looked at. */
export type SetupPlace = Readonly<{
  env: Environment;
  home: string;
  /** The project, whose own configuration is only read unless it is asked for; null for the user's own alone. */
  directory: string | null;
  /** The built companion that comes with this program. */
  source: string;
}>;

export type SetupScope = 'global' | 'project';

/** One configuration file of OpenCode's, and what it says of plugins; `problem` when nobody could edit it. */
export type SetupFile = Readonly<{ path: string; scope: SetupScope }> &
  (Readonly<{ found: PluginFinding; hasList: boolean }> | Readonly<{ problem: string }>);

/** What stands between OpenCode and the companion. */
export type Setup = Readonly<{
  /** The address OpenCode loads the companion from. */
  url: string;
  /** The files there are, in OpenCode's order. */
  files: readonly SetupFile[];
  /** Copies of the companion in folders whose files OpenCode loads by themselves. */
  loose: readonly string[];
  /** The companion in the state home: absent, of another version, or the one that comes with this program. */
  companion: 'absent' | 'other' | 'current';
}>;

const COMPANION_FILE = 'opencode-understudy.js';
const FIRST_LINE_CHARS = 100;

/** Where the companion lies for OpenCode: a path in an app that is packed or moved cannot be loaded. */
export const companionPath = (home: string): string => join(home, 'plugin', COMPANION_FILE);

/** Looks at OpenCode's configuration files and at the companion; writes nothing. */
export async function detectSetup(place: SetupPlace): Promise<Setup> {
  const places = filePlaces(place).filter(({ path }) => existsSync(path));
  const files = await Promise.all(places.map(readSetupFile));
  const [ours, shipped] = await Promise.all(
    [companionPath(place.home), place.source].map((path) => readFile(path).catch(() => null)),
  );
  const isCurrent = ours && shipped && ours.equals(shipped);
  return {
    url: pathToFileURL(companionPath(place.home)).href,
    files,
    loose: pluginFolders(place)
      .map((folder) => join(folder, COMPANION_FILE))
      .filter((path) => existsSync(path)),
    companion: ours == null ? 'absent' : isCurrent ? 'current' : 'other',
  };
}

/** Copies the companion to where OpenCode loads it from; an equal one is left alone. */
export async function putCompanion(place: SetupPlace): Promise<Outcome> {
  const path = companionPath(place.home);
  try {
    const shipped = await readFile(place.source);
    const there = await readFile(path).catch(() => null);
    if (there?.equals(shipped)) return { ok: true };
    for (const folder of [place.home, join(place.home, 'plugin')]) {
      const made = await ensurePrivateFolder(folder);
      if (!made.ok) return made;
    }
    return await writeFileAtomic(path, shipped);
  } catch (error) {
    return { ok: false, reason: `The companion cannot be copied: ${failureText(error)}.` };
  }
}

/**
 * Brings the companion that a user had installed up to the one that comes with this program; a newer one stays, and where
 * there is none, none comes. OpenCode's own files are not looked at. OpenCode loads it at its next start.
 */
export async function updateCompanion(place: SetupPlace): Promise<Outcome> {
  const [there, shipped] = await Promise.all(
    [companionPath(place.home), place.source].map((path) => readFile(path, 'utf8').catch(() => null)),
  );
  const version = versionOf(shipped);
  if (there == null || version === null || isNewerVersion(versionOf(there) ?? '', version)) return { ok: true };
  return await putCompanion(place);
}

/** What a built companion says of itself in its first line. */
const versionOf = (text: string | null | undefined): string | null =>
  /^\/\/ opencode-understudy (\S+)\n/.exec(text?.slice(0, FIRST_LINE_CHARS) ?? '')?.[1] ?? null;

/** What installing asks for. */
export type InstallOptions = Readonly<{ scope: SetupScope; create: boolean; actor: string }>;

/** Plans the one element in OpenCode's list of plugins; a plan without a difference when it is there already. */
export async function planInstall(
  place: SetupPlace,
  { scope, create, actor }: InstallOptions,
): Promise<Outcome<{ plan: WritePlan }>> {
  const { files, url, loose } = await detectSetup(place);
  const [copy] = loose;
  if (copy !== undefined)
    return { ok: false, reason: `OpenCode loads the companion from ${copy} already. Nothing was changed.` };
  const request = {
    path: targetOf(files, scope) ?? newFile(place, scope),
    edit: (text: string) => addCompanion(text, url),
    actor,
    deed: 'install the companion',
    maxBytes: MAX_OPENCODE_BYTES,
  };
  return await planWrite(create ? { ...request, create: FIRST_FILE } : request);
}

/** What taking the companion out asks for. */
export type UninstallOptions = Readonly<{ scope: SetupScope; evenIfEdited: boolean; actor: string }>;

/** Plans to take the companion out of each file of a scope that lists it; the element goes and nothing else. */
export async function planUninstall(
  place: SetupPlace,
  { scope, evenIfEdited, actor }: UninstallOptions,
): Promise<Outcome<{ plans: readonly WritePlan[] }>> {
  const { files, url } = await detectSetup(place);
  const plans: WritePlan[] = [];
  for (const file of files.filter((one) => one.scope === scope)) {
    if ('problem' in file) return { ok: false, reason: file.problem };
    if (file.found.companions.length === 0) continue;
    const planned = await planWrite({
      path: file.path,
      edit: (text) => removeCompanion(text, url, evenIfEdited),
      actor,
      deed: 'uninstall the companion',
      maxBytes: MAX_OPENCODE_BYTES,
    });
    if (!planned.ok) return planned;
    plans.push(planned.plan);
  }
  return { ok: true, plans };
}

function filePlaces({ env, directory }: SetupPlace): { path: string; scope: SetupScope }[] {
  const inFolder = (scope: SetupScope, folder: string) => NAMES.map((name) => ({ path: join(folder, name), scope }));
  const globalFolder = openCodeConfigFolder(env);
  const named = env.OPENCODE_CONFIG;
  const inProject = directory === null ? [] : [directory, join(directory, '.opencode')];
  return [
    ...inFolder('global', globalFolder),
    ...(named === undefined || named === '' ? [] : [{ path: resolve(named), scope: 'global' as const }]),
    // `OPENCODE_CONFIG_DIR` may point at the project's own folder.
    ...inProject.filter((folder) => resolve(folder) !== globalFolder).flatMap((folder) => inFolder('project', folder)),
  ];
}

/** OpenCode loads each file that lies in one of these. */
function pluginFolders({ env, directory }: SetupPlace): readonly string[] {
  const homes = [openCodeConfigFolder(env), ...(directory === null ? [] : [join(directory, '.opencode')])];
  return [...new Set(homes)].flatMap((folder) => [join(folder, 'plugin'), join(folder, 'plugins')]);
}

async function readSetupFile(place: Readonly<{ path: string; scope: SetupScope }>): Promise<SetupFile> {
  const read = await readForEdit(place.path, MAX_OPENCODE_BYTES);
  if (!read.ok) return { ...place, problem: `${place.path}: ${read.reason}.` };
  const found = findPlugins(read.text ?? '{}');
  if (found.ok) return { ...place, found: found.finding, hasList: found.hasList };
  return { ...place, problem: `${place.path}:${found.line ?? 1}:${found.column ?? 1}: ${found.message}.` };
}

/** Where the element belongs: where it is, else beside other plugins, else in the file that has the last word. */
function targetOf(files: readonly SetupFile[], scope: SetupScope): string | null {
  const here = files.filter((file) => file.scope === scope);
  const withCompanion = here.find((file) => 'found' in file && file.found.companions.length > 0);
  const withList = here.find((file) => 'found' in file && file.hasList);
  return (withCompanion ?? withList ?? here.at(-1))?.path ?? null;
}

function newFile(place: SetupPlace, scope: SetupScope): string {
  const folder = scope === 'project' ? place.directory : null;
  return join(folder ?? openCodeConfigFolder(place.env), NAMES[0]);
}
