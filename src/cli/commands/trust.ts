import type { Command } from 'commander';
import { type Loosening, loosensAs, NO_HOST, pathText, resolveScope } from '../../core/config';
import type { Outcome } from '../../node/base/failure';
import { keptModels } from '../../node/base/kept-models';
import { stateHome } from '../../node/base/state-home';
import { configPaths } from '../../node/config/config-files';
import { loadConfig } from '../../node/config/config-reader';
import { allowTrust, nameOf, revokeTrust, trustPath } from '../../node/config/trust';
import { plain } from '../../wording/status-text';
import { type CliParts, EXIT, type JsonOption, refuse, show } from '../parts';

type Finish = (code: number) => void;
type AllowOptions = JsonOption & Readonly<{ yes?: boolean }>;

/** Adds `understudy trust`: what a project would loosen of the user's own limits, and their yes or no to it. */
export function addTrust(program: Command, parts: CliParts, finish: Finish): void {
  const trust = program.command('trust').description('see and allow what this project would loosen of your own limits');
  trust
    .command('list', { isDefault: true })
    .description('show what this project asks for, and what you have allowed it')
    .option('--json', 'answer as JSON')
    .action(async (options: JsonOption) => finish(await list(parts, options)));
  trust
    .command('allow')
    .description('allow what it asks for now; another value asks again')
    .option('-y, --yes', 'without being asked')
    .option('--json', 'answer as JSON')
    .action(async (options: AllowOptions) => finish(await allow(parts, options)));
  trust
    .command('revoke')
    .description('take back all that it was allowed')
    .option('--json', 'answer as JSON')
    .action(async (options: JsonOption) => finish(await revoke(parts, options)));
}

type Found = Readonly<{ project: string; asked: readonly Loosening[]; allowed: readonly string[] }>;

async function look({ directory, env }: CliParts): Promise<Found> {
  const [{ sources }, host] = await Promise.all([
    loadConfig(configPaths(directory, env)),
    keptModels(stateHome(env), directory),
  ]);
  const { kept } = resolveScope(sources, host ?? NO_HOST);
  return { project: directory, asked: kept, allowed: sources.trusted ?? [] };
}

const asJson = ({ project, asked, allowed }: Found) => ({
  project,
  asked: asked.map((loosening) => ({
    key: pathText(loosening.path),
    project: JSON.parse(loosening.theirs) as unknown,
    yours: JSON.parse(loosening.own) as unknown,
  })),
  allowed,
});

function listText({ project, asked, allowed }: Found): string {
  const asks = asked.flatMap(({ path, theirs, own }) => [
    plain(pathText(path)),
    `  the project asks for  ${plain(theirs)}`,
    `  yours, in force       ${plain(own)}`,
  ]);
  const list = asks.length === 0 ? ['It asks for nothing that you have not allowed.'] : asks;
  const given = allowed.length === 0 ? [] : ['', 'You have allowed it:', ...allowed.map((each) => `  ${plain(each)}`)];
  return [plain(project), '', ...list, ...given].join('\n');
}

async function list(parts: CliParts, options: JsonOption): Promise<number> {
  const found = await look(parts);
  show(parts, options, asJson(found), () => listText(found));
  return EXIT.done;
}

async function allow(parts: CliParts, options: AllowOptions): Promise<number> {
  const found = await look(parts);
  if (found.asked.length === 0)
    return refuse(parts, options, 'This project asks for nothing that you have not allowed.');
  if (!options.yes) {
    if (!parts.isTerminal || options.json)
      return refuse(parts, options, 'Nothing was allowed: look with "understudy trust", then say --yes.');
    parts.print(listText(found));
    if (!(await parts.ask('Allow this project what it asks for?')))
      return refuse(parts, options, 'Nothing was allowed.');
  }
  return await done(parts, options, (said) => allowTrust(said, found.asked.map(loosensAs)));
}

const revoke = (parts: CliParts, options: JsonOption): Promise<number> =>
  done(parts, options, (said) => revokeTrust(said, null));

async function done(
  parts: CliParts,
  options: JsonOption,
  change: (said: Parameters<typeof allowTrust>[0]) => Promise<Outcome>,
): Promise<number> {
  const path = trustPath(stateHome(parts.env));
  const name = await nameOf(parts.directory);
  const changed = await change({ path, name, onUnreadable: (message) => parts.printError(message) });
  if (!changed.ok) return refuse(parts, options, changed.reason, EXIT.failed);
  const now = await look(parts);
  show(parts, options, asJson(now), () => listText(now));
  return EXIT.done;
}
