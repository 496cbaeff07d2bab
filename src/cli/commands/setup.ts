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
import { type CliParts, EXIT, type JsonOption, refuse, show, showLines } from '../parts';
import { askFirstChoice } from './first-choice';
import { editedHint, setupPlace } from './place';
import { sayProposal } from './propose';
import { purge } from './purge';
import { confirmAndWrite, confirmAndWriteAll, type WriteOptions } from './write';

type Finish = (code: number) => void;
type InstallFlags = WriteOptions & Readonly<{ project?: boolean; line?: boolean; wait?: string }>;
type UninstallFlags = WriteOptions & Readonly<{ project?: boolean; edited?: boolean; purge?: boolean }>;

/** Adds the commands that put the companion into OpenCode's configuration, take it out, and take writes back. */
export function addSetup(program: Command, parts: CliParts, finish: Finish): void {
  careful(program.command('install'))
    .description('add the companion to OpenCode’s configuration: one element of one list')
    .option('--project', 'write the configuration of this project')
    // Until 0.1.0 a missing opencode.json was made only when this was said.
    .addOption(new Option('--create').hideHelp())
    .option('--line', 'also have OpenCode 1 show who speaks: one element of tui.json; OpenCode 2 does by itself')
    .option('--wait <duration>', 'wait for OpenCode to be restarted, and for the companion to be there')
    .addHelpText(
      'after',
      '\nAsks at a terminal only.\n\nExamples:\n  understudy install --dry-run\n  understudy install --yes --wait 2m',
    )
    .action(async (options: InstallFlags) => finish(await install(parts, options)));
  careful(program.command('uninstall'))
    .description('take the companion out of OpenCode’s configuration')
    .option('--project', 'write the configuration of this project')
    .option('--edited', 'also where its entry is not as it was installed')
    .addOption(
      new Option(
        '--purge',
        'also delete what Understudy has put on this computer: records, chains, packages',
      ).conflicts('project'),
    )
    .addHelpText('after', '\nExamples:\n  understudy uninstall --dry-run\n  understudy uninstall --purge --yes')
    .action(async (options: UninstallFlags) => finish(await uninstall(parts, options)));
  program
    .command('changes')
    .description('list what Understudy has written to files of yours, the latest first')
    .option('--json', 'answer as JSON')
    .action(async (options: JsonOption) => finish(await changes(parts, options)));
  careful(program.command('undo'))
    .description('put files back, byte by byte, as they were before a change')
    .argument('[change]', 'its id; without it all files of the latest change that is not undone')
    .addHelpText('after', '\nExamples:\n  understudy changes\n  understudy undo --dry-run')
    .action(async (id: string | undefined, options: WriteOptions) => finish(await undo(parts, id, options)));
}

const careful = (command: Command): Command =>
  command
    .option('--dry-run', 'show the exact difference and change nothing')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'answer as JSON; asks nothing');

const scopeOf = ({ project }: Readonly<{ project?: boolean }>): SetupScope => (project ? 'project' : 'global');

async function install(parts: CliParts, flags: InstallFlags): Promise<number> {
  // Its name says what it writes: only a person at a terminal is asked.
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
  // The companion before the element: OpenCode must never find an address that leads nowhere.
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
  const isThere = waitMs === null ? sayNext(parts, restart) : await waitForCompanion(parts, { restart, since, waitMs });
  await sayProposal(parts);
  return isThere === EXIT.done ? chosen : isThere;
}

function sayNext(parts: CliParts, restart: string): number {
  parts.print(`To load it: ${restart}. Then "understudy doctor" tells whether the companion is there.`);
  // npm's exec leaves no command behind.
  if (parts.env.npm_command === 'exec')
    parts.print('In place of "understudy", begin each command as you began this one.');
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
    if (found) parts.print('The companion is there.');
    else parts.printError('The companion did not come. "understudy doctor" looks for the reason.');
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
        ? ['Understudy has written to no file of yours.']
        : table([['change', 'when', 'by', 'file', 'what'], ...cells]);
    const gone = lost.map(
      (home) => `What was written from ${home} is not known: that folder is gone, with its backups.`,
    );
    return [...list, '', `This is what was written from ${homes.join(' and ')}.`, ...gone].join('\n');
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
  if (plan === undefined) return refuse(parts, options, 'There is no change to take back.');
  return others.length === 0
    ? await confirmAndWrite(parts, options, plan)
    : await confirmAndWriteAll(parts, options, plans);
}
