import { existsSync } from 'node:fs';
import type { RequestsSeen } from '../../contract/requests-seen';
import type { Snapshot } from '../../contract/snapshot';
import type { PluginKey } from '../../core/edits';
import { neighbourIn } from '../../core/providers/neighbours';
import { requestsPhrase } from '../../wording/act-words';
import { dayAndMinute, droppedLines } from '../../wording/status-text';
import { capitalized } from '../../wording/wording';
import type { KeptModels } from '../base/kept-models';
import { readToken, tokenPath } from '../base/token';
import { readConfigured } from '../config/chains';
import { errorLines, isPassing, type ProcessErrors, readErrors } from '../data/internal-errors-file';
import { damagedLines } from '../data/spending-files';
import { askForModels } from '../opencode/ask';
import {
  findOpencode,
  generationOf,
  hasGeneration,
  type OpencodeBinary,
  type OpencodeSearch,
  restartText,
} from '../opencode/binary';
import { isProven, isTooOld, PROVEN_OPENCODE, provenText, rangeText } from '../opencode/proven';
import { type AskedModels, ofChains } from './doctor-chains';
import { type Finding, fail, ok, warn } from './finding';
import { limitsSentence, readStored, requestsSeenIn, type Verdict } from './host-abilities';
import { detectSetup, type Setup, type SetupPlace } from './install';
import { type Installed, installedIn } from './installed';
import type { PathTrouble } from './plugin-paths';

/** Null without a core. */
export type SeenCore = Snapshot | Readonly<{ problem: string }> | null;

/** @param shouldAskModels starts OpenCode for some seconds. */
export async function examine(place: SetupPlace, core: SeenCore, shouldAskModels = false): Promise<readonly Finding[]> {
  const [opencode, setup, configured, token, found, damaged, errors] = await Promise.all([
    findOpencode(place.env),
    detectSetup(place),
    readConfigured(place.directory, place.env),
    readToken(place.home),
    readStored(place.home),
    damagedLines(place.home),
    readErrors(place.home),
  ]);
  const { kept: stored } = configured;
  const requested = shouldAskModels && opencode.ok ? await listed(opencode.binary, place) : null;
  return [
    ...ofOpencodes(opencode, setup, found?.tested ?? []),
    ...ofFiles(setup),
    ...ofEntry(setup),
    ...ofPaths(setup),
    ...ofCompanion(setup, await installedIn(setup, place)),
    ...[...requestsSeenIn(found)].map(ofRequests),
    ...ofRivals(setup),
    ...ofToken(place.home, token),
    ...ofApp(core, stored, setup),
    ...errors.map(ofErrors),
    ...damaged.map((line) => warn('ledger.damaged', `${line} cannot be read.`, DAMAGED)),
    ...configured.problems
      .filter(({ code }) => code !== 'project.off')
      .map((problem) => {
        const where = [problem.path, problem.line, problem.column].filter((part) => part !== null).join(':');
        const make = problem.severity === 'error' ? fail : warn;
        const says = where === '' ? problem.message : `${where}: ${problem.message}`;
        return make('config.problem', says, 'Fix the file there; changes apply immediately.');
      }),
    ...(await ofChains(place, configured, { kept: stored, asked: requested })),
  ];
}

function ofOpencodes(first: OpencodeSearch, { opencodes }: Setup, verdicts: readonly Verdict[]): readonly Finding[] {
  if (opencodes.length > 0) return opencodes.map((binary) => ofOpencode(binary, verdicts));
  const says = first.ok ? `${first.binary.path} reported no version` : first.reason;
  return [
    fail('opencode.found', `${says}.`, 'Install OpenCode from https://opencode.ai, or set OPENCODE_BIN to its path.'),
  ];
}

/** Measured abilities decide; the proven range is only reported. */
function ofOpencode(binary: OpencodeBinary, verdicts: readonly Verdict[]): Finding {
  const { path, version } = binary;
  const says = `OpenCode ${version} (${path})`;
  const proven = PROVEN_OPENCODE[generationOf(binary)];
  if (proven === undefined)
    return fail('opencode.version', `${says} is an unsupported generation.`, `Use a proven version: ${provenText()}.`);
  const verdict = verdicts.find(({ opencode }) => opencode === version);
  const limits = verdict && limitsSentence(verdict.broken, version);
  if (limits) return warn('opencode.version', `${says}: ${limits}`, LIMITED);
  if (verdict) return ok('opencode.found', `${says}. It lets Understudy move a failing turn while it runs.`);
  if (isProven(version)) return ok('opencode.found', `${says}.`);
  if (isTooOld(version))
    return warn('opencode.version', `${says} is too old to load the companion and runs without it.`, UPGRADE);
  if (generationOf(binary) === 1)
    return ok('opencode.found', `${says}. Understudy measures at its start how turns can be moved.`);
  return warn(
    'opencode.version',
    `${says} is not proven.`,
    `Proven versions: ${rangeText(proven)}. Watch the first switch.`,
  );
}

const DAMAGED = 'Delete the damaged line. Budgets ignore it and count all other lines.';
const LIMITED =
  'Update OpenCode, or remove another plugin that changes messages. Understudy measures again after a day.';
const UPGRADE = 'opencode upgrade';

const ofRequests = ([provider, by]: readonly [string, RequestsSeen]): Finding =>
  by === 'none'
    ? warn('requests.unseen', `${provider}: ${requestsPhrase(by)}`, 'Add a model of another provider after it.')
    : ok('requests.seen', `${provider}: ${requestsPhrase(by)}`);

const SHOWN_ERRORS = 5;
const REPORT = 'Run "understudy data bug-report" and attach the file to an issue.';

/** A companion that passes everything through protects nothing. */
function ofErrors(process: ProcessErrors): Finding {
  const { role, pid, version, passesThrough } = process;
  const who = `${role === 'app' ? 'Understudy' : 'the companion'} ${version} (process ${pid})`;
  const lines = errorLines(process);
  const list = `${lines.slice(0, SHOWN_ERRORS).join('; ')}${lines.length > SHOWN_ERRORS ? '; …' : ''}`;
  if (passesThrough === null) return warn('internal.errors', `Internal errors in ${who}: ${list}.`, REPORT);
  const since = `since ${dayAndMinute(passesThrough.at)}, after an error in ${passesThrough.place}`;
  if (isPassing(process))
    return fail(
      'companion.stopped',
      `${capitalized(who)} passes everything through ${since}: ${list}.`,
      `Restart OpenCode. ${REPORT}`,
    );
  return warn(
    'companion.stopped',
    `${capitalized(who)} passed everything through until its end, ${since}: ${list}.`,
    REPORT,
  );
}

function ofFiles({ files }: Setup): Finding[] {
  return files.flatMap((file) =>
    'problem' in file
      ? [fail('opencode.config', file.problem, 'Fix it there; Understudy changes no file it cannot read.')]
      : [],
  );
}

type Entry = Readonly<{ address: string; key: PluginKey | undefined; path: string }>;

function ofEntry(setup: Setup): readonly Finding[] {
  const isAmiss = setup.files.some(
    (file) => 'found' in file && file.found.companions.some(isTroubledIn(file.troubles)),
  );
  return isAmiss ? [] : [entryOf(setup)];
}

const isTroubledIn =
  (troubles: readonly PathTrouble[]) =>
  (address: string): boolean =>
    troubles.some((trouble) => trouble.address === address);

const LEAVES = 'understudy install replaces the entry; understudy uninstall removes it';

function ofPaths({ files }: Setup): readonly Finding[] {
  return files.flatMap((file) =>
    'found' in file
      ? file.troubles.map(({ address, trouble }) => {
          const isOurs = file.found.companions.includes(address);
          const check = isOurs ? 'companion.listed' : 'plugin.path';
          const fix = isOurs ? LEAVES : `Remove it from ${file.path}, or restore the file.`;
          const says = `${file.path} names ${address}`;
          if (trouble === 'gone')
            return (isOurs ? fail : warn)(check, `${says}, which does not exist: OpenCode starts without it.`, fix);
          return warn(
            check,
            `${says}, which is in a temporary folder, such as a demo’s, and will be deleted with it.`,
            fix,
          );
        })
      : [],
  );
}

function entryOf(setup: Setup): Finding {
  const { opencodes, files, loose } = setup;
  const entries = files.flatMap((file): Entry[] =>
    'found' in file
      ? file.found.companions.map((address, at) => ({ address, key: file.found.keys[at], path: file.path }))
      : [],
  );
  const [first] = entries;
  const addresses = new Set([...entries.map(({ address }) => address), ...loose]);
  if (addresses.size > 1) {
    const says = `OpenCode loads the companion from ${addresses.size} places: ${[...addresses].join(', ')}.`;
    return fail('companion.listed', says, 'Remove all but one.');
  }
  if (entries.length > 1 && hasGeneration(opencodes, 2)) {
    const where = entries.map(({ path, key }) => `"${key}" in ${path}`).join(', ');
    const says = `The companion is listed ${entries.length} times; one is enough: ${where}.`;
    return warn('companion.listed', says, 'Remove all but one.');
  }
  if (loose[0] !== undefined) return ok('companion.listed', `OpenCode loads the companion from ${loose[0]}.`);
  if (first === undefined)
    return fail('companion.listed', 'OpenCode’s configuration does not name the companion.', installText);
  const wrong = wrongIn(first, setup);
  if (wrong === null) return ok('companion.listed', `${first.path} names the companion.`);
  return wrong.make('companion.listed', `${first.path} names ${wrong.what}.`, 'understudy install');
}

/** Null if every installed OpenCode can load it. */
function wrongIn({ address, key }: Entry, { opencodes, urls }: Setup) {
  if (key === 'plugins' && hasGeneration(opencodes, 1))
    return { make: fail, what: 'the companion in "plugins", which OpenCode 1 does not read' };
  if (address === urls.file && hasGeneration(opencodes, 2))
    return { make: fail, what: 'the companion by its file; OpenCode 2 loads only a folder' };
  if (!Object.values(urls).includes(address) && address.startsWith('file:'))
    return { make: warn, what: `${address}, which is not updated with the app` };
  return null;
}

function ofCompanion(setup: Setup, installed: readonly Installed[]): readonly Finding[] {
  if (installed.length === 0)
    return setup.companion === 'absent' ? [fail('companion.file', 'The companion is not installed.', installText)] : [];
  const seen = installed.filter(({ way, folder }) => way !== 'copy' || folder !== null);
  return seen.map((one) => {
    const { way, version, folder, isOlder } = one;
    if (way === 'understudy' && setup.companion === 'absent')
      return fail('companion.file', 'The companion is not installed.', installText);
    if (version === null && way === 'package')
      return ok(
        'companion.file',
        `OpenCode${one.generation === null ? '' : ` ${one.generation}`} fetches the package ${one.address} at its next start.`,
      );
    const says = `The companion${version === null ? '' : ` ${version}`} in ${folder} was installed by ${PUT_BY[way]}`;
    if (isOlder) return warn('companion.file', `${says}; this Understudy is newer.`, reinstallText(setup));
    if (way === 'understudy' && setup.companion === 'other')
      return warn('companion.file', `${says}; its version differs.`, reinstallText(setup));
    return ok('companion.file', `${says}. ${updateText(one)}`);
  });
}

const PUT_BY = {
  understudy: 'Understudy',
  package: 'OpenCode, as a package',
  copy: 'hand',
} as const;

function updateText({ way, generation }: Installed): string {
  if (way === 'understudy') return 'To update it, start a newer app or run "understudy install" of a newer version.';
  if (way === 'copy') return 'To update it, replace its files.';
  return generation === 2
    ? 'To update it: opencode plugin update.'
    : 'To update it: opencode plugin opencode-understudy@<version> --force, with --global for all projects.';
}

function ofRivals({ files }: Setup): Finding[] {
  return files.flatMap((file) =>
    'found' in file
      ? file.found.rivals.map((rival) =>
          warn(
            'plugin.conflict',
            `${file.path} also names ${rival}, which acts on the same failures.`,
            `To leave them to Understudy, ${neighbourIn(rival)?.how ?? 'take it out'}.`,
          ),
        )
      : [],
  );
}

function ofToken(home: string, token: Awaited<ReturnType<typeof readToken>>): Finding[] {
  if (token.ok) return [ok('app.token', 'Only you can read the token between app and companion.')];
  // The app creates it at its first start.
  if (!existsSync(tokenPath(home))) return [];
  return [fail('app.token', `${token.reason}.`, 'Restart Understudy: it creates a new token.')];
}

function ofApp(core: SeenCore, stored: KeptModels | null, setup: Setup): Finding[] {
  if (core === null) {
    const says = 'Understudy is not running. The companion works alone, without a panel.';
    const seen =
      stored && ok('companion.seen', `OpenCode last ran here with the companion ${dayAndMinute(stored.at)}.`);
    return [warn('app.running', says, 'understudy panel'), ...(seen === null ? [] : [seen])];
  }
  if ('problem' in core) return [fail('app.socket', `Understudy cannot be reached: ${core.problem}`, 'Restart it.')];
  const running = ok('app.running', `Understudy ${core.app.version} is running and responds on its socket.`);
  const { pause } = core;
  const end = pause === null || pause.until === null ? '' : ` until ${dayAndMinute(pause.until)}`;
  const paused = pause && warn('switching.paused', `Automatic fallback is paused${end}.`, 'understudy resume');
  const { status } = core.connection;
  const dropped = droppedLines(core).map((says) =>
    warn('companion.events', says, 'Check that the disk has free space.'),
  );
  const beside = paused ? [paused, ...dropped] : dropped;
  if (status === 'connected') return [running, ok('companion.connected', 'A companion is connected.'), ...beside];
  if (status === 'incompatible') {
    const fix = reinstallText(setup);
    return [running, fail('companion.connected', 'Companion and app have different versions.', fix)];
  }
  const fix = `${restartText(setup.opencodes)}, then send a message to load the companion`;
  return [running, warn('companion.connected', 'No companion is connected.', fix)];
}

const installText = 'understudy install';
const reinstallText = ({ opencodes }: Setup): string => `understudy install, then ${restartText(opencodes)}`;

const MODELS_LIMIT_MS = 60_000;

async function listed(binary: OpencodeBinary, { directory, env }: SetupPlace): Promise<AskedModels> {
  const models = directory === null ? null : await askForModels(binary, { directory, env, limitMs: MODELS_LIMIT_MS });
  return models ?? 'silent';
}
