import { type Command, Option } from 'commander';
import { onPush, type PanelHost } from '../../contract/contract';
import { readDuration } from '../../contract/duration';
import type { Snapshot } from '../../contract/snapshot';
import { lastChange } from '../../node/config/config-journal';
import { planUndo, type WritePlan } from '../../node/config/config-write';
import { putCompanion } from '../../node/setup/companion-files';
import { planInstall, planLine, planUninstall, type SetupScope } from '../../node/setup/install';
import { readJournals } from '../../node/setup/journals';
import { presentSnapshot } from '../../panel/present-snapshot';
import { dayAndMinute, plain, table } from '../../wording/status-text';
import { asking, command } from '../command';
import { type CliParts, EXIT, type Finish, type JsonOption, refuse, show, showLines } from '../parts';
import { askFirstChoice } from './first-choice';
import { editedHint, setupPlace } from './place';
import { purge } from './purge';
import { printSuggestions } from './suggest';
import { confirmAndWrite, confirmAndWriteAll, type WriteOptions } from './write';

type InstallFlags = WriteOptions & Readonly<{ project?: boolean; line?: boolean; wait?: string }>;
type UninstallFlags = WriteOptions & Readonly<{ project?: boolean; edited?: boolean; purge?: boolean }>;

export function addInstall(program: Command, parts: CliParts, finish: Finish): void {
  asking(program, 'install', 'add the companion to the configuration of OpenCode')
    .option('--project', 'write the configuration of this project')
    // Accepted for scripts written before 0.1.0.
    .addOption(new Option('--create').hideHelp())
    .option('--line', 'also show the model in use in OpenCode 1, through tui.json; OpenCode 2 needs no change')
    .option('--wait <duration>', 'wait for OpenCode to be restarted, and for the companion to be there')
    .addHelpText('after', '\nExamples:\n  understudy install --dry-run\n  understudy install --yes --wait 2m')
    .action(async (options: InstallFlags) => finish(await install(parts, options)));
}

export function addUninstall(program: Command, parts: CliParts, finish: Finish): void {
  asking(program, 'uninstall', 'remove the companion from the configuration of OpenCode')
    .option('--project', 'write the configuration of this project')
    .option('--edited', 'also remove an entry that was edited')
    .addOption(
      new Option('--purge', 'also delete all files of Understudy: records, chains, packages').conflicts('project'),
    )
    .addHelpText('after', '\nExamples:\n  understudy uninstall --dry-run\n  understudy uninstall --purge --yes')
    .action(async (options: UninstallFlags) => finish(await uninstall(parts, options)));
}

export function addChanges(config: Command, parts: CliParts, finish: Finish): void {
  command(config, 'changes', 'list the changes of your files by Understudy, latest first').action(
    async (options: JsonOption) => finish(await changes(parts, options)),
  );
  asking(config, 'undo', 'restore files to the bytes before a change')
    .argument('[change]', 'its id; default: the latest change that is not undone')
    .addHelpText('after', '\nExamples:\n  understudy config changes\n  understudy config undo --dry-run')
    .action(async (id: string | undefined, options: WriteOptions) => finish(await undo(parts, id, options)));
}

const scopeOf = ({ project }: Readonly<{ project?: boolean }>): SetupScope => (project ? 'project' : 'global');

async function install(parts: CliParts, flags: InstallFlags): Promise<number> {
  // Scripts need no --yes: only a terminal asks.
  const options = parts.isTerminal && !flags.json ? flags : { ...flags, yes: true };
  const waitMs = options.wait === undefined ? null : readDuration(options.wait);
  if (options.wait !== undefined && waitMs === null)
    return refuse(parts, options, 'Expected a time such as 90s or 2m.', EXIT.notUnderstood);
  const place = setupPlace(parts);
  const planned = await planInstall(place, { scope: scopeOf(options), actor: 'cli' });
  if (!planned.ok) return refuse(parts, options, planned.reason);
  const line = options.line ? await planLine(place, 'cli') : null;
  if (line !== null && !line.ok) return refuse(parts, options, line.reason);
  const since = Date.now();
  // The companion first: OpenCode must never load a missing file.
  const put = () => putCompanion(place);
  const [element, tui] = planned.plans;
  const beside = tui ?? line?.plan;
  const code =
    element && beside === undefined
      ? await confirmAndWrite(parts, options, element, put)
      : await confirmAndWriteAll(
          parts,
          options,
          [element, beside].filter((plan) => plan !== undefined),
          put,
        );
  if (code !== EXIT.done || options.dryRun || options.json) return code;
  const { restart } = planned;
  const chosen = await askFirstChoice(parts, options);
  const isThere =
    waitMs === null ? printNext(parts, restart) : await waitForCompanion(parts, { restart, since, waitMs });
  await printSuggestions(parts);
  return isThere === EXIT.done ? chosen : isThere;
}

function printNext(parts: CliParts, restart: string): number {
  parts.print(`To load it: ${restart}. Then run "understudy doctor" to check the companion.`);
  // npm exec installs no command.
  if (parts.env.npm_command === 'exec') parts.print('Start each command like this one, instead of with "understudy".');
  return EXIT.done;
}

type Waiting = Readonly<{ restart: string; since: number; waitMs: number }>;

async function waitForCompanion(parts: CliParts, { restart, since, waitMs }: Waiting): Promise<number> {
  const core = await parts.attachCore();
  if (core === null) {
    parts.printError('Understudy is not running and cannot see the companion. Start it with "understudy panel".');
    return EXIT.notRunning;
  }
  try {
    parts.print(`To load it: ${restart}. Then send OpenCode a message.`);
    const found = await companionSince(core.host, since, AbortSignal.any([parts.signal, AbortSignal.timeout(waitMs)]));
    if (found) parts.print('The companion is connected.');
    else parts.printError('The companion did not connect. Run "understudy doctor" to find the reason.');
    return found ? EXIT.done : EXIT.failed;
  } finally {
    await core.close();
  }
}

async function companionSince(host: PanelHost, since: number, signal: AbortSignal): Promise<boolean> {
  const isThere = ({ instances }: Snapshot): boolean =>
    instances.some((instance) => instance.status === 'connected' && instance.since >= since);
  const now = await presentSnapshot(host);
  if (now !== null && isThere(now)) return true;
  return await new Promise((resolve) => {
    const end = (found: boolean): void => {
      stop();
      resolve(found);
    };
    const stop = onPush(host, 'snapshot', (snapshot) => {
      if (isThere(snapshot)) end(true);
    });
    signal.addEventListener('abort', () => end(false), { once: true });
  });
}

async function uninstall(parts: CliParts, options: UninstallFlags): Promise<number> {
  if (options.purge) return await purge(parts, options);
  const request = { scope: scopeOf(options), evenIfEdited: options.edited ?? false, actor: 'cli' };
  const planned = await planUninstall(setupPlace(parts), request);
  if (!planned.ok) return refuse(parts, options, planned.reason + editedHint(planned.reason));
  for (const why of planned.left) parts.printError(plain(why));
  if (planned.plans.length === 0) {
    show(
      parts,
      options,
      { ok: true, changed: false, files: [] },
      () => 'The companion is not installed. Nothing was changed.',
    );
    return EXIT.done;
  }
  return await confirmAndWriteAll(parts, options, planned.plans);
}

async function changes(parts: CliParts, options: JsonOption): Promise<number> {
  const { receipts, homes, lost } = await readJournals(setupPlace(parts));
  showLines(parts, options, receipts, (rows) => {
    const cells = rows.map(({ id, at, path, deed, actor }) => [id, dayAndMinute(at), actor, path, deed]);
    const list =
      rows.length === 0
        ? ['Understudy has changed none of your files.']
        : table([['change', 'when', 'by', 'file', 'what'], ...cells]);
    const gone = lost.map((home) => `Changes from ${home} are unknown: that folder and its backups are deleted.`);
    return [...list, '', `Changes recorded in ${homes.join(' and ')}.`, ...gone].join('\n');
  });
  return EXIT.done;
}

async function undo(parts: CliParts, id: string | undefined, options: WriteOptions): Promise<number> {
  const place = setupPlace(parts);
  const { receipts } = await readJournals(place);
  const home = receipts.find((one) => one.id === id)?.home ?? place.home;
  const writes = id === undefined ? lastChange(receipts) : [{ id, home }];
  const plans: WritePlan[] = [];
  for (const write of writes) {
    const planned = await planUndo(write.id, write.home, 'cli');
    if (!planned.ok) return refuse(parts, options, planned.reason);
    plans.push(planned.plan);
  }
  const [plan, ...others] = plans;
  if (plan === undefined) return refuse(parts, options, 'There is no change to undo.');
  return others.length === 0
    ? await confirmAndWrite(parts, options, plan)
    : await confirmAndWriteAll(parts, options, plans);
}
