import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MAX_OPENCODE_VALUES } from '../../core/config/foreign';
import {
  addCompanion,
  addTerminalPart,
  findPlugins,
  isBlank,
  isCompanionPackage,
  type PluginFinding,
  type PluginKey,
  removeCompanion,
  removeTerminalPart,
} from '../../core/edits';
import type { Outcome } from '../base/failure';
import { isInside, realInside } from '../base/inside';
import { MAX_CONFIG_BYTES, MAX_OPENCODE_BYTES, readText } from '../base/read-text';
import type { Environment } from '../base/state-home';
import { inTime } from '../base/within';
import { openCodeConfigFolder } from '../config/config-files';
import { listReceipts, type Receipt } from '../config/config-journal';
import { planWrite, type WritePlan, type WriteRequest } from '../config/config-write';
import { findOpencodes, hasGeneration, type OpencodeBinary, restartText } from '../opencode/binary';
import {
  COMPANION_FILE,
  COMPANION_NAME,
  type CompanionPlace,
  companionFolder,
  companionPath,
  lookAtCompanion,
  TUI_FILE,
} from './companion-files';
import { type PathTrouble, pathTroubles } from './plugin-paths';

/** Equal to OpenCode's own. */
const FIRST_FILE = '{\n  "$schema": "https://opencode.ai/config.json"\n}\n';
/** In OpenCode's order: later ones win, lists of plugins are joined. */
const NAMES = ['opencode.json', 'opencode.jsonc'] as const;

export type SetupPlace = CompanionPlace &
  Readonly<{
    env: Environment;
    /** Null for the user's own configuration. */
    directory: string | null;
  }>;

export type SetupScope = 'global' | 'project';

export type SetupFile = Readonly<{ path: string; scope: SetupScope }> &
  (Readonly<{ found: PluginFinding; troubles: readonly PathTrouble[] }> | Readonly<{ problem: string }>);

export const goneIn = (file: SetupFile): readonly string[] =>
  'found' in file ? file.troubles.flatMap(({ address, trouble }) => (trouble === 'gone' ? [address] : [])) : [];

export type Setup = Readonly<{
  opencodes: readonly OpencodeBinary[];
  /** OpenCode 1 accepts both, OpenCode 2 only the folder. */
  urls: Readonly<{ file: string; folder: string }>;
  files: readonly SetupFile[];
  loose: readonly string[];
  companion: 'absent' | 'other' | 'current';
}>;

export async function detectSetup(place: SetupPlace): Promise<Setup> {
  const urls = {
    file: pathToFileURL(companionPath(place.home)).href,
    folder: pathToFileURL(companionFolder(place.home)).href,
  };
  const [opencodes, companion, files, loose] = await Promise.all([
    findOpencodes(place.env),
    lookAtCompanion(place),
    Promise.all(filePlaces(place).map((one) => readSetupFile(place, one, Object.values(urls)))),
    looseIn(place),
  ]);
  return {
    opencodes,
    urls,
    files: files.filter((file) => file !== null),
    loose,
    companion,
  };
}

/** OpenCode 1 reads only `plugin`, OpenCode 2 both. */
export function listFor(opencodes: readonly OpencodeBinary[], lists: readonly PluginKey[]): PluginKey {
  if (hasGeneration(opencodes, 1)) return 'plugin';
  if (lists.length > 0) return lists.includes('plugins') ? 'plugins' : 'plugin';
  return opencodes.length > 0 ? 'plugins' : 'plugin';
}

/** OpenCode 2 needs the folder. */
export function addressFor({ opencodes, files, urls }: Setup, key: PluginKey): string {
  const isListed = files.some((file) => 'found' in file && file.found.companions.includes(urls.folder));
  return key === 'plugins' || isListed || hasGeneration(opencodes, 2) ? urls.folder : urls.file;
}

export type InstallOptions = Readonly<{ scope: SetupScope; actor: string }>;

/**
 * Without a difference if the entry exists. Replaces a package in `tui.json` that OpenCode's own command added.
 * `restart` is a phrase for people.
 */
export async function planInstall(
  place: SetupPlace,
  { scope, actor }: InstallOptions,
): Promise<Outcome<{ plans: readonly WritePlan[]; restart: string }>> {
  const setup = await detectSetup(place);
  const { opencodes, files, loose } = setup;
  const [copy] = loose;
  if (copy !== undefined)
    return { ok: false, reason: `OpenCode already loads the companion from ${copy}. Nothing was changed.` };
  const file = targetOf(files, scope);
  const other = files.find((one) => one !== file && 'found' in one && one.found.companions.length > 0);
  if (other !== undefined && hasGeneration(opencodes, 2))
    return {
      ok: false,
      reason: `${other.path} already names the companion. One entry is enough. Nothing was changed.`,
    };
  const key = listFor(opencodes, file !== null && 'found' in file ? file.found.lists : []);
  const planned = await planWrite({
    path: file?.path ?? newFile(place, scope),
    ...boundsIn(place, scope),
    edit: (text: string) => addCompanion(text, addressFor(setup, key), key),
    create: FIRST_FILE,
    actor,
    deed: 'install the companion',
    maxBytes: maxBytesIn(scope),
  });
  if (!planned.ok) return planned;
  const line = scope === 'global' && (await namesPackage(lineFile(place))) ? await planLine(place, actor) : null;
  return { ok: true, plans: [planned.plan, ...(line?.ok ? [line.plan] : [])], restart: restartText(opencodes) };
}

const lineFile = (place: SetupPlace): string => join(openCodeConfigFolder(place.env), 'tui.json');
const lineUrl = (place: SetupPlace): string => pathToFileURL(join(place.home, 'plugin', TUI_FILE)).href;
const FIRST_LINE_FILE = '{\n  "$schema": "https://opencode.ai/tui.json"\n}\n';

async function namesPackage(path: string): Promise<boolean> {
  const read = await readText(path, MAX_OPENCODE_BYTES);
  const found = read.kind === 'text' ? findPlugins(read.text) : null;
  return found?.ok === true && found.finding.addresses.some(isCompanionPackage);
}

/** OpenCode 2 loads that part with the companion. */
export async function planLine(place: SetupPlace, actor: string): Promise<Outcome<{ plan: WritePlan }>> {
  if (!hasGeneration(await findOpencodes(place.env), 1))
    return {
      ok: false,
      reason: 'OpenCode 1 is not installed, and OpenCode 2 shows the line without an entry. Nothing was changed.',
    };
  return await planWrite({
    path: lineFile(place),
    edit: (text) => addTerminalPart(text, lineUrl(place)),
    create: FIRST_LINE_FILE,
    actor,
    deed: 'show each agent’s model in OpenCode’s terminal',
    maxBytes: MAX_OPENCODE_BYTES,
  });
}

/** An uneditable file must not block other changes. */
const STAYS = `It stays unchanged: remove ${COMPANION_NAME} from it by hand.`;

async function planLineRemoval(place: SetupPlace, actor: string, receipts: readonly Receipt[]): Promise<Removal> {
  const path = lineFile(place);
  if (!existsSync(path)) return { plans: [], left: [] };
  const planned = await planWrite({
    path,
    // A file without our name stays untouched.
    edit: (text) => (text.includes(COMPANION_NAME) ? removeTerminalPart(text) : { ok: true, text }),
    isNothing: emptyFor(isMade(path, receipts), await namesPackage(path)),
    actor,
    deed: 'no longer show each agent’s model in OpenCode’s terminal',
    maxBytes: MAX_OPENCODE_BYTES,
  });
  if (!planned.ok) return { plans: [], left: [planned.reason.replace(/Nothing was changed\.$/, STAYS)] };
  return { plans: planned.plan.diff === '' ? [] : [planned.plan], left: [] };
}

/** OpenCode's own command may have created the file. */
function emptyFor(isOurs: boolean, hasPackage: boolean): (text: string) => boolean {
  return (text) => (isOurs && isBlank(text)) || (hasPackage && text.trim() === '{}');
}

/** @param receipts latest first. */
function isMade(path: string, receipts: readonly Receipt[]): boolean {
  const own = receipts.filter((receipt) => receipt.path === path);
  // A deleted file that came back is not ours.
  const first = own.find(({ before }, at) => before === null || (own[at + 1]?.after ?? null) === null);
  return first?.before === null;
}

const boundsIn = ({ directory }: SetupPlace, scope: SetupScope): Pick<WriteRequest, 'within'> =>
  scope === 'project' && directory !== null ? { within: directory } : {};

export type UninstallOptions = Readonly<{ scope: SetupScope; evenIfEdited: boolean; actor: string }>;

/** `left`: why a file stays. */
type Removal = Readonly<{ plans: readonly WritePlan[]; left: readonly string[] }>;

export async function planUninstall(
  place: SetupPlace,
  { scope, evenIfEdited, actor }: UninstallOptions,
): Promise<Outcome<Removal>> {
  const { files, urls } = await detectSetup(place);
  const receipts = await listReceipts(place.home);
  const plans: WritePlan[] = [];
  for (const file of files.filter((one) => one.scope === scope)) {
    if ('problem' in file) return { ok: false, reason: file.problem };
    const isOurs = isMade(file.path, receipts);
    if (file.found.companions.length === 0 && !isOurs) continue;
    const planned = await planWrite({
      path: file.path,
      ...boundsIn(place, scope),
      // OpenCode's own command leaves an empty list.
      edit: (text) => removeCompanion(text, [...Object.values(urls), ...goneIn(file)], evenIfEdited),
      isNothing: emptyFor(isOurs, file.found.companions.some(isCompanionPackage)),
      actor,
      deed: 'uninstall the companion',
      maxBytes: maxBytesIn(scope),
    });
    if (!planned.ok) return planned;
    if (planned.plan.diff !== '') plans.push(planned.plan);
  }
  const line = scope === 'global' ? await planLineRemoval(place, actor, receipts) : null;
  return { ok: true, plans: [...plans, ...(line?.plans ?? [])], left: line?.left ?? [] };
}

export const openCodeFiles = (place: SetupPlace): readonly string[] => [
  ...filePlaces({ ...place, directory: null }).map(({ path }) => path),
  lineFile(place),
];

function filePlaces({ env, directory }: SetupPlace): FilePlace[] {
  const inFolder = (scope: SetupScope, folder: string) => NAMES.map((name) => ({ path: join(folder, name), scope }));
  const globalFolder = openCodeConfigFolder(env);
  const named = env.OPENCODE_CONFIG;
  const inProject = directory === null ? [] : [directory, join(directory, '.opencode')];
  return [
    ...inFolder('global', globalFolder),
    ...(named === undefined || named === '' ? [] : [{ path: resolve(named), scope: 'global' as const }]),
    // `OPENCODE_CONFIG_DIR` may be the project's own folder.
    ...inProject.filter((folder) => resolve(folder) !== globalFolder).flatMap((folder) => inFolder('project', folder)),
  ];
}

async function looseIn({ env, directory }: SetupPlace): Promise<readonly string[]> {
  const copiesIn = (folder: string) => ['plugin', 'plugins'].map((name) => join(folder, name, COMPANION_FILE));
  const found = copiesIn(openCodeConfigFolder(env)).filter((path) => existsSync(path));
  if (directory === null) return found;
  const theirs = copiesIn(join(directory, '.opencode')).filter((path) => !found.includes(path));
  // An unavailable project disk must not hide the user's own results.
  const isThere = await Promise.all(theirs.map((path) => inTime(liesIn(directory, path), LATE_MS, false)));
  return [...found, ...theirs.filter((_, at) => isThere[at])];
}

/** Follows no link that leads out of the project. */
async function liesIn(directory: string, path: string): Promise<boolean> {
  // silent: OpenCode cannot see a file that cannot be checked either
  const real = await realInside(directory, path).catch(() => undefined);
  // OpenCode loads the link's target.
  // silent: a folder that cannot be checked is not the project's
  return real === null ? await isInside(directory, dirname(path)).catch(() => false) : existsSync(real ?? '');
}

type FilePlace = Readonly<{ path: string; scope: SetupScope }>;

/** A project's file is untrusted. */
async function readSetupFile(place: SetupPlace, file: FilePlace, ours: readonly string[]): Promise<SetupFile | null> {
  const { path, scope } = file;
  const { within } = boundsIn(place, scope);
  const reading = foundIn(file, { ours, within });
  if (within === undefined) return await reading;
  return await inTime(reading, LATE_MS, {
    ...file,
    problem: `${path}: the disk did not respond within ${LATE_MS / 1_000} s.`,
  });
}

async function foundIn(file: FilePlace, about: Parameters<typeof pathTroubles>[2]): Promise<SetupFile | null> {
  const { path, scope } = file;
  const read = await readText(path, maxBytesIn(scope), about.within);
  if (read.kind === 'missing') return null;
  if (read.kind === 'unreadable') return { ...file, problem: `${path}: ${read.reason}.` };
  const found = findPlugins(read.text, scope === 'project' ? MAX_OPENCODE_VALUES : Number.POSITIVE_INFINITY);
  if (!found.ok) return { ...file, problem: `${path}:${found.line ?? 1}:${found.column ?? 1}: ${found.message}.` };
  return { ...file, found: found.finding, troubles: await pathTroubles(path, found.finding.addresses, about) };
}

/** A person waits for the result. */
const LATE_MS = 2_000;

const maxBytesIn = (scope: SetupScope): number => (scope === 'project' ? MAX_CONFIG_BYTES : MAX_OPENCODE_BYTES);

function targetOf(files: readonly SetupFile[], scope: SetupScope): SetupFile | null {
  const here = files.filter((file) => file.scope === scope);
  const withCompanion = here.find((file) => 'found' in file && file.found.companions.length > 0);
  const withList = here.find((file) => 'found' in file && file.found.lists.length > 0);
  return withCompanion ?? withList ?? here.at(-1) ?? null;
}

function newFile(place: SetupPlace, scope: SetupScope): string {
  const folder = scope === 'project' ? place.directory : null;
  return join(folder ?? openCodeConfigFolder(place.env), NAMES[0]);
}
