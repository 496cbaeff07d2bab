import { type Command, Option } from 'commander';
import { type Loosening, loosensAs, NO_HOST, pathText, resolveScope } from '../../core/config';
import type { Outcome } from '../../node/base/failure';
import { keptModels } from '../../node/base/kept-models';
import { stateHome } from '../../node/base/state-home';
import { configPaths } from '../../node/config/config-files';
import { loadConfig } from '../../node/config/config-reader';
import { allowTrust, nameOf, revokeTrust, trustPath } from '../../node/config/trust';
import { plain } from '../../wording/status-text';
import { objectionTo } from '../approval';
import { command } from '../command';
import { type CliParts, EXIT, type Finish, type JsonOption, refuse, show } from '../parts';

type TrustOptions = JsonOption & Readonly<{ allow?: boolean; revoke?: boolean; yes?: boolean }>;

export function addTrust(config: Command, parts: CliParts, finish: Finish): void {
  command(config, 'trust', 'show, allow or revoke the values of this project that exceed your own limits')
    .addOption(new Option('--allow', 'allow its current requests; a changed value asks again').conflicts('revoke'))
    .option('--revoke', 'revoke all that you allowed')
    .option('-y, --yes', 'with --allow: do not ask')
    .action(async (options: TrustOptions) =>
      finish(await (options.allow ? allow : options.revoke ? revoke : list)(parts, options)),
    );
}

type Found = Readonly<{ project: string; asked: readonly Loosening[]; allowed: readonly string[] }>;

async function look({ directory, env }: CliParts): Promise<Found> {
  const [{ sources }, host] = await Promise.all([
    loadConfig(configPaths(directory, env)),
    keptModels(stateHome(env), directory),
  ]);
  const resolved = resolveScope(sources, host ?? NO_HOST);
  return { project: directory, asked: resolved.kept, allowed: sources.trusted ?? [] };
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
  const requests = asked.flatMap(({ path, theirs, own }) => [
    plain(pathText(path)),
    `  the project requests  ${plain(theirs)}`,
    `  yours, in effect      ${plain(own)}`,
  ]);
  const list = requests.length === 0 ? ['It requests nothing that you have not allowed.'] : requests;
  const given = allowed.length === 0 ? [] : ['', 'Allowed:', ...allowed.map((each) => `  ${plain(each)}`)];
  return [plain(project), '', ...list, ...given].join('\n');
}

async function list(parts: CliParts, options: JsonOption): Promise<number> {
  const found = await look(parts);
  show(parts, options, asJson(found), () => listText(found));
  return EXIT.done;
}

async function allow(parts: CliParts, options: TrustOptions): Promise<number> {
  const found = await look(parts);
  if (found.asked.length === 0)
    return refuse(parts, options, 'This project requests nothing that you have not allowed.');
  const objection = await objectionTo(parts, options, {
    refusal: 'Nothing was allowed. Check with "understudy config trust", then add --yes.',
    shown: listText(found),
    question: 'Allow these values of the project?',
    declined: 'Nothing was allowed.',
  });
  if (objection !== null) return refuse(parts, options, objection);
  return await done(parts, options, (project) => allowTrust(project, found.asked.map(loosensAs)));
}

const revoke = (parts: CliParts, options: JsonOption): Promise<number> =>
  done(parts, options, (project) => revokeTrust(project, null));

async function done(
  parts: CliParts,
  options: JsonOption,
  change: (project: Parameters<typeof allowTrust>[0]) => Promise<Outcome>,
): Promise<number> {
  const path = trustPath(stateHome(parts.env));
  const name = await nameOf(parts.directory);
  const changed = await change({ path, name, onUnreadable: (message) => parts.printError(message) });
  if (!changed.ok) return refuse(parts, options, changed.reason, EXIT.failed);
  const now = await look(parts);
  show(parts, options, asJson(now), () => listText(now));
  return EXIT.done;
}
