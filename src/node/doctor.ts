import type { Snapshot } from '../contract';
import { dayAndMinute } from '../contract/status-text';
import { doubtsOf } from '../core/model-doubts';
import { neighbourIn } from '../core/neighbours';
import { providerOf } from '../engine';
import { readConfigured } from './chains';
import { detectSetup, type Setup, type SetupPlace } from './install';
import { keptModels } from './kept-models';
import { askForModels } from './opencode/ask';
import { findOpencode, type OpencodeSearch, PINNED_OPENCODE_VERSION } from './opencode/binary';
import { readToken } from './token';

/** One thing the doctor looked at. `warn` works and may surprise; `fail` keeps turns unprotected. */
export type Finding = Readonly<{
  /** Stable dotted name, for scripts. */
  check: string;
  verdict: 'ok' | 'warn' | 'fail';
  says: string;
  /** What a person can do about it; null where nothing has to be done. */
  fix: string | null;
}>;

const ok = (check: string, says: string): Finding => ({ check, verdict: 'ok', says, fix: null });
const warn = (check: string, says: string, fix: string): Finding => ({ check, verdict: 'warn', says, fix });
const fail = (check: string, says: string, fix: string): Finding => ({ check, verdict: 'fail', says, fix });

/**
 * Looks at everything between OpenCode and a turn that is saved, and says of each thing what it found and what to do.
 *
 * @param snapshot what the running core knows; null when none runs, `mute` when one runs and does not answer.
 * @param shouldAskModels starts OpenCode to learn which models it has, some seconds; else what it listed last counts.
 */
export async function examine(
  place: SetupPlace,
  snapshot: Snapshot | 'mute' | null,
  shouldAskModels = false,
): Promise<readonly Finding[]> {
  const [opencode, setup, configured, token] = await Promise.all([
    findOpencode(place.env),
    detectSetup(place),
    readConfigured(place.directory, place.env),
    readToken(place.home),
  ]);
  return [
    ofOpencode(opencode),
    ...ofFiles(setup),
    ofEntry(setup),
    ...ofCompanion(setup),
    ...ofRivals(setup),
    ...ofApp(snapshot, token),
    ...configured.problems.map((problem) => {
      const where = [problem.path, problem.line, problem.column].filter((part) => part !== null).join(':');
      const make = problem.severity === 'error' ? fail : warn;
      return make('config.problem', `${where}: ${problem.message}`, 'Mend the file there; a change counts at once.');
    }),
    ...ofChains(configured.chains),
    ...(await ofModels(shouldAskModels ? opencode : null, place, configured.chains)),
  ];
}

function ofOpencode(search: OpencodeSearch): Finding {
  const install = 'Install OpenCode from https://opencode.ai, or name it with OPENCODE_BIN.';
  if (!search.ok) return fail('opencode.found', `${search.reason}.`, install);
  const { path, version } = search.binary;
  const says = `OpenCode ${version} (${path})`;
  const [major, minor] = version.split('.');
  const [provenMajor, provenMinor] = PINNED_OPENCODE_VERSION.split('.');
  if (major !== provenMajor)
    return fail(
      'opencode.version',
      `${says} is another generation.`,
      `Use OpenCode ${provenMajor}; proven is ${PINNED_OPENCODE_VERSION}.`,
    );
  if (minor !== provenMinor)
    return warn(
      'opencode.version',
      `${says} is not proven.`,
      `Proven is ${PINNED_OPENCODE_VERSION}; watch the first switch.`,
    );
  return ok('opencode.found', `${says}.`);
}

function ofFiles({ files }: Setup): Finding[] {
  return files.flatMap((file) =>
    'problem' in file
      ? [fail('opencode.config', file.problem, 'Mend it there; Understudy changes no file it cannot read.')]
      : [],
  );
}

function ofEntry({ files, url, loose }: Setup): Finding {
  const entries = files.flatMap((file) =>
    'found' in file ? file.found.companions.map((address) => ({ address, path: file.path })) : [],
  );
  const [first] = entries;
  const addresses = new Set([...entries.map(({ address }) => address), ...loose]);
  if (addresses.size > 1)
    return fail(
      'companion.listed',
      `OpenCode loads the companion from ${addresses.size} places: ${[...addresses].join(', ')}.`,
      'Take out all but one.',
    );
  if (loose[0] !== undefined) return ok('companion.listed', `OpenCode loads the companion from ${loose[0]}.`);
  if (first === undefined)
    return fail('companion.listed', 'OpenCode’s configuration does not name the companion.', 'understudy install');
  if (first.address !== url && first.address.startsWith('file:'))
    return warn(
      'companion.listed',
      `${first.path} names ${first.address}, which is not updated with the app.`,
      'understudy install',
    );
  return ok('companion.listed', `${first.path} names the companion.`);
}

/** Asked only where OpenCode loads our copy, or nothing yet: a package of that name, or another file, is another matter. */
function ofCompanion({ companion, files, url, loose }: Setup): Finding[] {
  const listed = files.flatMap((file) => ('found' in file ? file.found.companions : []));
  if (listed.length + loose.length > 0 && !listed.includes(url)) return [];
  switch (companion) {
    case 'current':
      return [ok('companion.file', 'The companion lies in place, in this version.')];
    case 'other':
      return [
        warn(
          'companion.file',
          'The companion in place is of another version.',
          'understudy install, then restart OpenCode',
        ),
      ];
    case 'absent':
      return [fail('companion.file', 'The companion has not been put in place.', 'understudy install')];
  }
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

function ofApp(snapshot: Snapshot | 'mute' | null, token: Awaited<ReturnType<typeof readToken>>): Finding[] {
  if (snapshot === null) {
    const says = 'Understudy is not running. The companion works alone; nothing is shown.';
    return [warn('app.running', says, 'understudy panel')];
  }
  if (!token.ok) return [fail('app.token', `${token.reason}.`, 'Start Understudy anew: it makes a new token.')];
  if (snapshot === 'mute') return [fail('app.running', 'Understudy is running and does not answer.', 'Start it anew.')];
  const running = ok('app.running', `Understudy ${snapshot.app.version} is running.`);
  const { status } = snapshot.connection;
  if (status === 'connected') return [running, ok('companion.connected', 'A companion is connected.')];
  if (status === 'incompatible')
    return [
      running,
      fail(
        'companion.connected',
        'Companion and app are of different versions.',
        'understudy install, then restart OpenCode',
      ),
    ];
  return [
    running,
    warn(
      'companion.connected',
      'No companion is connected.',
      'Restart OpenCode and send a message: it loads the companion then.',
    ),
  ];
}

/** How long OpenCode may take to list its models. */
const MODELS_LIMIT_MS = 60_000;

async function ofModels(
  search: OpencodeSearch | null,
  { env, home, directory }: SetupPlace,
  chains: Chains,
): Promise<Finding[]> {
  if (directory === null || chains.every((chain) => chain.models.length === 0)) return [];
  const asked = search?.ok ? await askForModels(search.binary, { directory, env, limitMs: MODELS_LIMIT_MS }) : null;
  const kept = asked === null ? await keptModels(home, directory) : null;
  const offers = asked === null ? kept : { models: asked, catalogue: {} };
  if (offers === null)
    return search?.ok ? [warn('chains.models', 'OpenCode does not list its models.', 'Run "opencode models".')] : [];
  const when = kept === null ? '' : ` (as listed ${dayAndMinute(kept.at)})`;
  const doubts = chains.flatMap(({ agent, models }) =>
    doubtsOf(models, offers).map(({ says, fix }) => warn('chains.models', `${agent}: ${says}${when}.`, fix)),
  );
  return doubts.length > 0 ? doubts : [ok('chains.models', `OpenCode has every model of the chains${when}.`)];
}

type Chains = Awaited<ReturnType<typeof readConfigured>>['chains'];

function ofChains(chains: Chains): Finding[] {
  if (chains.every(({ models }) => models.length === 0))
    return [
      fail(
        'chains.set',
        'No chain is set: nothing is protected.',
        'understudy chains propose --apply, or understudy chains set build provider/model … --create',
      ),
    ];
  return chains.map(({ agent, models, path, line }) => {
    const from = path === null ? '' : ` (${path}${line === null ? '' : `:${line}`})`;
    const providers = new Set(models.map(providerOf));
    const says = `${agent}: ${models.join(' → ') || 'no fallback'}${from}`;
    if (models.length > 1 && providers.size === 1) {
      const fate = `${says}. Shared fate: all ${models.length} are ${[...providers][0]}’s.`;
      return warn('chains.shared_fate', fate, 'Add a model of another provider.');
    }
    return ok('chains.set', says);
  });
}
