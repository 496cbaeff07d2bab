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

/** A file that is made starts as OpenCode makes its own. */
const FIRST_FILE = '{\n  "$schema": "https://opencode.ai/config.json"\n}\n';
/** The names OpenCode reads in a folder, in its order: later ones win, lists of plugins are joined. */
const NAMES = ['opencode.json', 'opencode.jsonc'] as const;

export type SetupPlace = CompanionPlace &
  Readonly<{
    env: Environment;
    /** The project, whose own configuration is only read unless it is asked for; null for the user's own alone. */
    directory: string | null;
  }>;

export type SetupScope = 'global' | 'project';

/** One configuration file of OpenCode's, and what it says of plugins; `problem` when nobody could edit it. */
export type SetupFile = Readonly<{ path: string; scope: SetupScope }> &
  (Readonly<{ found: PluginFinding; troubles: readonly PathTrouble[] }> | Readonly<{ problem: string }>);

/** Addresses of plugins that lead nowhere. */
export const goneIn = (file: SetupFile): readonly string[] =>
  'found' in file ? file.troubles.flatMap(({ address, trouble }) => (trouble === 'gone' ? [address] : [])) : [];

export type Setup = Readonly<{
  /** The OpenCodes a person may start here. */
  opencodes: readonly OpencodeBinary[];
  /** Where OpenCode loads the companion from: OpenCode 1 takes either, OpenCode 2 the folder alone. */
  urls: Readonly<{ file: string; folder: string }>;
  /** The files there are, in OpenCode's order. */
  files: readonly SetupFile[];
  /** Copies of the companion in folders whose files OpenCode loads by themselves. */
  loose: readonly string[];
  /** The companion in the state home: absent, of another version, or the one that comes with this program. */
  companion: 'absent' | 'other' | 'current';
}>;

/** Looks at OpenCode's configuration files and at the companion; writes nothing. */
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

/**
 * The list the companion belongs in. OpenCode 1 reads `plugin` alone and OpenCode 2 both, so `plugin` wherever there is an
 * OpenCode 1; else the list the file has, else what the generation that is here calls it.
 */
export function listFor(opencodes: readonly OpencodeBinary[], lists: readonly PluginKey[]): PluginKey {
  if (hasGeneration(opencodes, 1)) return 'plugin';
  if (lists.length > 0) return lists.includes('plugins') ? 'plugins' : 'plugin';
  return opencodes.length > 0 ? 'plugins' : 'plugin';
}

/** The address that stands in that list: the file as ever, and the folder where an OpenCode 2 is to load it, or does. */
export function addressFor({ opencodes, files, urls }: Setup, key: PluginKey): string {
  const isListed = files.some((file) => 'found' in file && file.found.companions.includes(urls.folder));
  return key === 'plugins' || isListed || hasGeneration(opencodes, 2) ? urls.folder : urls.file;
}

export type InstallOptions = Readonly<{ scope: SetupScope; actor: string }>;

/**
 * Plans the one element in OpenCode's list of plugins, in a new file where there is none; a plan without a difference when
 * it is there already. Where OpenCode's own command has added its package to `tui.json`, that becomes the same installation.
 * `restart` says what makes OpenCode load it, to go into a sentence.
 */
export async function planInstall(
  place: SetupPlace,
  { scope, actor }: InstallOptions,
): Promise<Outcome<{ plans: readonly WritePlan[]; restart: string }>> {
  const setup = await detectSetup(place);
  const { opencodes, files, loose } = setup;
  const [copy] = loose;
  if (copy !== undefined)
    return { ok: false, reason: `OpenCode loads the companion from ${copy} already. Nothing was changed.` };
  const file = targetOf(files, scope);
  const other = files.find((one) => one !== file && 'found' in one && one.found.companions.length > 0);
  if (other !== undefined && hasGeneration(opencodes, 2))
    return {
      ok: false,
      reason: `${other.path} names the companion already, and one entry is enough. Nothing was changed.`,
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

/** Where OpenCode 1 lists what runs in its terminal interface. */
const lineFile = (place: SetupPlace): string => join(openCodeConfigFolder(place.env), 'tui.json');
const lineUrl = (place: SetupPlace): string => pathToFileURL(join(place.home, 'plugin', TUI_FILE)).href;
const FIRST_LINE_FILE = '{\n  "$schema": "https://opencode.ai/tui.json"\n}\n';

async function namesPackage(path: string): Promise<boolean> {
  const read = await readText(path, MAX_OPENCODE_BYTES);
  const found = read.kind === 'text' ? findPlugins(read.text) : null;
  return found?.ok === true && found.finding.addresses.some(isCompanionPackage);
}

/** Plans the element that has OpenCode 1 show who speaks; OpenCode 2 loads that part with the companion itself. */
export async function planLine(place: SetupPlace, actor: string): Promise<Outcome<{ plan: WritePlan }>> {
  if (!hasGeneration(await findOpencodes(place.env), 1))
    return {
      ok: false,
      reason: 'No OpenCode 1 is here, and OpenCode 2 shows the line by itself. Nothing was changed.',
    };
  return await planWrite({
    path: lineFile(place),
    edit: (text) => addTerminalPart(text, lineUrl(place)),
    create: FIRST_LINE_FILE,
    actor,
    deed: 'show who speaks in OpenCode’s terminal',
    maxBytes: MAX_OPENCODE_BYTES,
  });
}

/** Where no edit can be made, nothing else has to wait for it. */
const STAYS = `It stays as it is: where it names ${COMPANION_NAME}, take that out by hand.`;

/** Plans to take that element out, by whomever it was written. */
async function planLineRemoval(place: SetupPlace, actor: string, receipts: readonly Receipt[]): Promise<Removal> {
  const path = lineFile(place);
  if (!existsSync(path)) return { plans: [], left: [] };
  const planned = await planWrite({
    path,
    // A file that does not name it is nobody's concern, whatever it holds.
    edit: (text) => (text.includes(COMPANION_NAME) ? removeTerminalPart(text) : { ok: true, text }),
    isNothing: emptyFor(isMade(path, receipts), await namesPackage(path)),
    actor,
    deed: 'no longer show who speaks in OpenCode’s terminal',
    maxBytes: MAX_OPENCODE_BYTES,
  });
  if (!planned.ok) return { plans: [], left: [planned.reason.replace(/Nothing was changed\.$/, STAYS)] };
  return { plans: planned.plan.diff === '' ? [] : [planned.plan], left: [] };
}

/** Tells whether a text is nothing for a file that Understudy made, or OpenCode's own command, which names the package. */
function emptyFor(isOurs: boolean, hasPackage: boolean): (text: string) => boolean {
  return (text) => (isOurs && isBlank(text)) || (hasPackage && text.trim() === '{}');
}

/** True if Understudy made the file that is there. @param receipts the latest first. */
function isMade(path: string, receipts: readonly Receipt[]): boolean {
  const own = receipts.filter((receipt) => receipt.path === path);
  // A file that was gone and came back was made by somebody else.
  const first = own.find(({ before }, at) => before === null || (own[at + 1]?.after ?? null) === null);
  return first?.before === null;
}

const boundsIn = ({ directory }: SetupPlace, scope: SetupScope): Pick<WriteRequest, 'within'> =>
  scope === 'project' && directory !== null ? { within: directory } : {};

export type UninstallOptions = Readonly<{ scope: SetupScope; evenIfEdited: boolean; actor: string }>;

/** How the companion is taken out; `left` says of each file that has to stay as it is which one that is, and why. */
type Removal = Readonly<{ plans: readonly WritePlan[]; left: readonly string[] }>;

/** Plans to take the companion out of each file of a scope that lists it; the element goes and nothing else. */
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
      // An address that leads nowhere goes as well. OpenCode's own command leaves an empty list.
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

/** The files of the user's that an installation may write. */
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
    // `OPENCODE_CONFIG_DIR` may point at the project's own folder.
    ...inProject.filter((folder) => resolve(folder) !== globalFolder).flatMap((folder) => inFolder('project', folder)),
  ];
}

/** Copies of the companion in folders each file of which OpenCode loads. */
async function looseIn({ env, directory }: SetupPlace): Promise<readonly string[]> {
  const copiesIn = (folder: string) => ['plugin', 'plugins'].map((name) => join(folder, name, COMPANION_FILE));
  const found = copiesIn(openCodeConfigFolder(env)).filter((path) => existsSync(path));
  if (directory === null) return found;
  const theirs = copiesIn(join(directory, '.opencode')).filter((path) => !found.includes(path));
  // A project's disk that does not answer takes nothing from what is known of the user's own.
  const isThere = await Promise.all(theirs.map((path) => inTime(liesIn(directory, path), LATE_MS, false)));
  return [...found, ...theirs.filter((_, at) => isThere[at])];
}

/** Whether a project has a file; where a link leads out of it, that is not looked at. */
async function liesIn(directory: string, path: string): Promise<boolean> {
  // silent: a file that cannot be looked at is not there for OpenCode either
  const real = await realInside(directory, path).catch(() => undefined);
  // OpenCode loads what the link leads to; a folder that leads out is none of the project's.
  // silent: a folder that cannot be looked at is none of the project's
  return real === null ? await isInside(directory, dirname(path)).catch(() => false) : existsSync(real ?? '');
}

type FilePlace = Readonly<{ path: string; scope: SetupScope }>;

/** What a file says; null where there is none. Of a project's no more is read than of any file of a stranger. */
async function readSetupFile(place: SetupPlace, file: FilePlace, ours: readonly string[]): Promise<SetupFile | null> {
  const { path, scope } = file;
  const { within } = boundsIn(place, scope);
  const reading = foundIn(file, { ours, within });
  if (within === undefined) return await reading;
  return await inTime(reading, LATE_MS, {
    ...file,
    problem: `${path}: the disk has not answered within ${LATE_MS / 1_000} s.`,
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

/** How long a project's disk is waited for, in ms: a person looks at what comes. */
const LATE_MS = 2_000;

const maxBytesIn = (scope: SetupScope): number => (scope === 'project' ? MAX_CONFIG_BYTES : MAX_OPENCODE_BYTES);

/** Where the element belongs: where it is, else beside other plugins, else in the file that has the last word. */
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
