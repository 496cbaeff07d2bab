import { resolve } from 'node:path';
import type { Command } from 'commander';
import { command } from '../../../cli/command';
import { showAnswer } from '../../../cli/commands/core';
import { withSettings } from '../../../cli/commands/settings';
import { type CliParts, EXIT, type Finish, type JsonOption, refuse, show } from '../../../cli/parts';
import { type FleetPreferences, PreferencesPatch } from '../../../contract/preferences';
import { writeFileAtomic } from '../../../node/base/atomic-file';
import type { Outcome } from '../../../node/base/failure';
import { ensurePrivateFolder, readPrivateFile } from '../../../node/base/private-folder';
import { stateHome } from '../../../node/base/state-home';
import { readPreferences } from '../../../node/config/preferences';
import { followFleetAccounts, NO_ACCOUNTS } from '../../../node/data/account-books';
import { agePhrase } from '../../../wording/headroom-words';
import { plain, table } from '../../../wording/status-text';
import { counted } from '../../../wording/wording';
import type { FleetStatus, Missing } from '../contract/fleet';
import { isShut } from '../contract/fleet-values';
import { checkServer, type FleetCheck } from '../node/doctor';
import { forgetOthersSpent } from '../node/money';
import { fleetOf, fleetSecretPath, isSecret, newSecret, readFleet } from '../node/settings';
import { missingPhrase } from '../wording/fleet-page-words';

type JoinOptions = JsonOption &
  Readonly<{
    team: string;
    name?: string;
    username?: string;
    passwordEnv?: string;
    ca?: string;
    secretEnv?: string;
    new?: boolean;
  }>;

const SECRET_MAX_BYTES = 1_000;

export function addFleet(fleet: Command, parts: CliParts, finish: Finish): void {
  command(fleet, 'status', 'show the server, the shared accounts and the machines of the team', { isDefault: true })
    .option('--check', 'check the server and its permissions instead, and why accounts are not shared')
    .action(async ({ check: isCheck, ...options }: JsonOption & { check?: boolean }) =>
      finish(await (isCheck ? check : status)(parts, options)),
    );
  command(fleet, 'join', 'join a team; your work, keys and answers never go to the server')
    .argument('<url>', 'redis://host:6379, or rediss://host:6379 for an encrypted connection; without a password')
    .requiredOption('--team <name>', 'letters, digits, dots, dashes and underscores')
    .option('--name <name>', 'the name of this machine in the team')
    .option('--username <name>', 'the user name for the server')
    .option('--password-env <variable>', 'the environment variable that holds the server’s password')
    .option('--ca <file>', 'with rediss://: the certificate of your own authority')
    .option(
      '--secret-env <variable>',
      'the environment variable that holds the team’s secret; stored in a private file',
    )
    .option('--new', 'start a team and generate its secret')
    .addHelpText(
      'after',
      '\nExamples:\n  understudy fleet join redis://10.0.0.5:6379 --team acme --name build-7 --new\n  understudy fleet join redis://10.0.0.5:6379 --team acme --name build-8 --secret-env FLEET_SECRET',
    )
    .action(async (url: string, options: JoinOptions) => finish(await joinTeam(parts, url, options)));
  command(fleet, 'leave', 'leave the team; the secret stays in its file').action(async (options: JsonOption) =>
    finish(await leave(parts, options)),
  );
}

async function status(parts: CliParts, options: JsonOption): Promise<number> {
  const home = stateHome(parts.env);
  return await showAnswer(
    parts,
    options,
    {
      ask: async (host): Promise<Outcome<{ value: FleetStatus }>> => ({
        ok: true,
        value: await host.handlers['fleet.get'](null),
      }),
      words: statusText,
    },
    async () => {
      const found = await readFleet(home, parts.env, parts.version);
      show(parts, options, { isRunning: false, fleet: found.kind }, () =>
        [
          'Understudy is not running: each OpenCode reads and writes the server directly.',
          found.kind === 'unready'
            ? plain(missingPhrase(found.missing))
            : found.kind === 'ready'
              ? 'A team is configured. Check it: understudy fleet status --check'
              : OFF,
        ].join('\n'),
      );
      return EXIT.notRunning;
    },
  );
}

const OFF = 'This machine is in no fleet. To join one: understudy fleet join';

const STATES = {
  connecting: 'Connecting to the server.',
  connected: 'The server answers.',
  away: 'The server does not answer. This machine works alone and retries.',
} as const;

const SHUT = 'The server rejects this machine. It works alone and retries.';

const APART_WORDS = {
  login: 'not shared: its login names no account',
  keyless: 'not shared: it has no key that identifies the account',
  local: 'not shared: its server runs on this machine',
} as const;

function statusText({ state, missing, trouble, team, name, accounts, machines, saved }: FleetStatus): string {
  if (state === 'off') return OFF;
  if (state === 'unready') return plain(missingPhrase(missing));
  const stands = state === 'away' && trouble !== null && isShut(trouble.trouble) ? SHUT : STATES[state];
  const standing = trouble === null ? stands : `${stands} ${plain(trouble.reason)}`;
  return [
    `Team ${plain(team ?? '')}, this machine is ${plain(name ?? '')}. ${standing}`,
    '',
    ...(accounts.length === 0
      ? ['No account has been used yet.']
      : table(accounts.map(({ account, apart }) => [plain(account), apart === null ? 'shared' : APART_WORDS[apart]]))),
    '',
    ...(machines.length === 0
      ? ['No other machine has reported these accounts.']
      : table(
          machines.map((each) => [
            plain(each.name),
            each.id,
            each.version === null ? '' : plain(each.version),
            each.isIgnored ? 'ignored' : agePhrase({ seenAt: -each.agoMs }, 0),
            each.contradicted === 0 ? '' : `contradicted ${each.contradicted} ×`,
          ]),
        )),
    ...(saved === 0
      ? []
      : [
          '',
          `${counted(saved, 'request')} not sent into a limit that another machine had reported, since Understudy started.`,
        ]),
  ].join('\n');
}

const unreadText = (problem: string): string => `${problem} Fix it first; nothing was changed.`;

async function joinTeam(parts: CliParts, url: string, options: JoinOptions): Promise<number> {
  const home = stateHome(parts.env);
  const { team, name = '', username = null, passwordEnv = null } = options;
  const ca = options.ca === undefined ? null : resolve(options.ca);
  const patch = PreferencesPatch.safeParse({ fleet: { url, team, name, username, passwordEnv, ca } });
  if (!patch.success || team === '') {
    const [issue] = patch.error?.issues ?? [];
    const problem = issue ? `${String(issue.path.at(-1))}: ${issue.message}` : 'team: expected a name';
    return refuse(parts, options, `${problem}. Nothing was changed.`, EXIT.notUnderstood);
  }
  if (ca !== null && !url.startsWith('rediss:'))
    return refuse(
      parts,
      options,
      '--ca needs an encrypted connection: rediss://. Nothing was changed.',
      EXIT.notUnderstood,
    );
  return await withSettings(parts, async (settings) => {
    const before = await settings.read();
    if (before.problem !== null) return refuse(parts, options, unreadText(before.problem));
    const secret = await takeSecret(home, parts.env, options);
    if (!secret.ok) return refuse(parts, options, secret.reason);
    const changed = await settings.change(patch.data, before.rev);
    if (!changed.ok) return refuse(parts, options, changed.reason);
    const found = await readFleet(home, parts.env, parts.version);
    const lack = found.kind === 'unready' ? lackText(found.missing) : null;
    show(parts, options, { team, url, secret: secret.path, ...(lack === null ? {} : { missing: lack }) }, () =>
      [
        `This machine is now in team ${plain(team)}. An OpenCode without the app applies this with its next message.`,
        options.new
          ? `The team's secret is in ${secret.path}. Give its content only to the other machines: understudy fleet join … --secret-env VARIABLE`
          : `The team's secret is in ${secret.path}.`,
        lack ?? 'Check the server: understudy fleet status --check',
      ].join('\n'),
    );
    return EXIT.done;
  });
}

async function takeSecret(
  home: string,
  env: NodeJS.ProcessEnv,
  { secretEnv, new: isNew = false }: JoinOptions,
): Promise<Outcome<{ path: string }>> {
  const path = fleetSecretPath(home);
  const refused = (reason: string) => ({ ok: false, reason }) as const;
  const { [secretEnv ?? '']: given } = env;
  if (secretEnv !== undefined && !given) return refused(`The environment variable ${secretEnv} is not set.`);
  if (given !== undefined && !isSecret(given))
    return refused(`${secretEnv} holds no team secret: expected 32 to 200 letters, digits, dashes and underscores.`);
  const found = await readPrivateFile(path, SECRET_MAX_BYTES);
  if (found.ok) {
    const isOther = isNew || (given !== undefined && given !== found.text.trim());
    return isOther
      ? refused(
          `${path} already holds a team secret. ${isNew ? 'Omit --new to use it, or move' : 'Move'} it away first. Nothing was changed.`,
        )
      : { ok: true, path };
  }
  if (found.code !== 'missing') return refused(`${found.reason}. Nothing was changed.`);
  if (given === undefined && !isNew)
    return refused(
      'The secret of the team is missing: name its variable with --secret-env, or start a team with --new.',
    );
  const folder = await ensurePrivateFolder(home);
  if (!folder.ok) return folder;
  const written = await writeFileAtomic(path, `${given ?? newSecret()}\n`);
  return written.ok ? { ok: true, path } : written;
}

async function leave(parts: CliParts, options: JsonOption): Promise<number> {
  const fleet: Pick<FleetPreferences, 'url'> = { url: null };
  return await withSettings(parts, async (settings) => {
    const before = await settings.read();
    if (before.problem !== null) return refuse(parts, options, unreadText(before.problem));
    if (before.preferences.fleet.url === null) return refuse(parts, options, 'This machine is in no fleet.');
    const changed = await settings.change({ fleet }, before.rev);
    if (!changed.ok) return refuse(parts, options, changed.reason);
    await forgetOthersSpent(stateHome(parts.env));
    show(
      parts,
      options,
      { fleet: 'off' },
      () => 'This machine has left the fleet. Reports of other machines no longer apply.',
    );
    return EXIT.done;
  });
}

const PUT_SECRET =
  'Copy the content of "fleet-secret" from another machine into a file that only you can read, or join again with --secret-env.';
const NAME_AUTHORITY =
  'Set the file of the authority’s certificate: "understudy config set fleet.ca /path/to/ca.pem"; null trusts the authorities of this machine.';
const ADVICE: Readonly<Record<Missing['what'], string>> = {
  preferences: 'A running Understudy keeps its settings until you fix it.',
  team: 'Name it: "understudy fleet join", or "understudy config set fleet.team".',
  secret: PUT_SECRET,
  secretUnread: PUT_SECRET,
  secretOdd: PUT_SECRET,
  variable:
    'Set it for OpenCode and the app, or store the password in "fleet-password" in the folder of the secret and run "understudy config set fleet.passwordEnv null".',
  passwordUnread: 'Make "fleet-password", in the folder of the secret, a file that only you can read.',
  id: 'Check that you can write to the folder, and that its disk has space.',
  authority: NAME_AUTHORITY,
  authorityUnread: NAME_AUTHORITY,
  certificate: NAME_AUTHORITY,
};

const lackText = (missing: Missing): string => `${missingPhrase(missing)} ${ADVICE[missing.what]}`;

async function check(parts: CliParts, options: JsonOption): Promise<number> {
  const home = stateHome(parts.env);
  const { preferences, problem } = await readPreferences(home);
  if (problem !== null) return refuse(parts, options, problem, EXIT.unwell);
  const found = await fleetOf(preferences.fleet, { home, env: parts.env, version: parts.version });
  if (found.kind === 'off') return refuse(parts, options, OFF);
  if (found.kind === 'unready') return refuse(parts, options, lackText(found.missing), EXIT.unwell);
  const accounts = (await followFleetAccounts(home, found.marks.by).news()) ?? NO_ACCOUNTS;
  const server = await checkServer(found.identity, accounts.marks);
  const checks: readonly FleetCheck[] = [
    // Machines with different secrets ignore each other without an error.
    {
      what: 'the secret',
      isWell: true,
      said: `its mark is ${found.marks.by}; it must be the same on every machine of the team`,
      advice: null,
    },
    ...server.map((one) => ({ ...one, what: plain(one.what) })),
    ...[...accounts.apart].map(([account, why]) => ({
      what: plain(account),
      isWell: true,
      advice: null,
      said: APART_WORDS[why],
    })),
  ];
  const isWell = checks.every((one) => one.isWell);
  show(parts, options, { isWell, checks }, () =>
    [
      ...checks.map(({ what, isWell: is, said: report, advice }) =>
        [`${is ? '✓' : '✗'} ${what}: ${plain(report)}`, ...(advice === null ? [] : [`  ${advice}`])].join('\n'),
      ),
      ...(accounts.marks.size + accounts.apart.size === 0 ? ['No account has been used yet.'] : []),
    ].join('\n'),
  );
  return isWell ? EXIT.done : EXIT.unwell;
}
