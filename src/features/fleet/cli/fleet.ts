import { resolve } from 'node:path';
import type { Command } from 'commander';
import { showAnswer } from '../../../cli/commands/core';
import { withSettings } from '../../../cli/commands/settings';
import { type CliParts, EXIT, type JsonOption, refuse, show } from '../../../cli/parts';
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

type Finish = (code: number) => void;
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

/** Adds `understudy fleet`: machines that share accounts tell each other how those are. */
export function addFleet(program: Command, parts: CliParts, finish: Finish): void {
  const fleet = program
    .command('fleet')
    .description('tell other machines of your team how the accounts are that you share');
  fleet
    .command('status', { isDefault: true })
    .description('show how the server is, which accounts are shared, and which machines were heard')
    .option('--json', 'answer as JSON')
    .action(async (options: JsonOption) => finish(await status(parts, options)));
  fleet
    .command('join')
    .description('join a team; nothing of your work, your keys or your answers goes to the server')
    .argument('<url>', 'redis://host:6379, or rediss://host:6379 for an encrypted connection; without a password')
    .requiredOption('--team <name>', 'letters, digits, dots, dashes and underscores')
    .option('--name <name>', 'what this machine is called there')
    .option('--username <name>', 'as whom the server is asked')
    .option('--password-env <variable>', 'the environment variable that holds the server’s password')
    .option(
      '--ca <file>',
      'with rediss://: the certificate of the authority that has signed the server’s, where that is your own',
    )
    .option(
      '--secret-env <variable>',
      'the environment variable that holds the team’s secret now; it is kept in a private file',
    )
    .option('--new', 'begin a team: its secret is drawn here')
    .option('--json', 'answer as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  understudy fleet join redis://10.0.0.5:6379 --team acme --name build-7 --new\n  understudy fleet join redis://10.0.0.5:6379 --team acme --name build-8 --secret-env FLEET_SECRET',
    )
    .action(async (url: string, options: JoinOptions) => finish(await joinTeam(parts, url, options)));
  fleet
    .command('leave')
    .description('leave the team; the secret stays in its file')
    .option('--json', 'answer as JSON')
    .action(async (options: JsonOption) => finish(await leave(parts, options)));
  fleet
    .command('doctor')
    .description('look whether the server does what is asked of it, and why an account is not shared')
    .option('--json', 'answer as JSON')
    .action(async (options: JsonOption) => finish(await doctor(parts, options)));
}

/** Without the app the companions speak for themselves: what is chosen is shown, and that nobody is asked. */
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
          'Understudy is not running: each OpenCode speaks for itself.',
          found.kind === 'unready'
            ? plain(missingPhrase(found.missing))
            : found.kind === 'ready'
              ? 'A team is chosen; "understudy fleet doctor" looks at it.'
              : OFF,
        ].join('\n'),
      );
      return EXIT.notRunning;
    },
  );
}

const OFF = 'This machine is in no fleet. "understudy fleet join" makes it part of one.';

const STATES = {
  connecting: 'The server is being asked.',
  connected: 'The server answers.',
  away: 'The server does not answer; this machine works on alone, and looks for it.',
} as const;

const SHUT = 'The server does not let this machine in; it works on alone, and looks for it.';

const APART_WORDS = {
  login: 'not shared: its login names no account',
  keyless: 'not shared: it has no key that says whose it is',
  local: 'not shared: its server is this machine’s own',
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
      ? ['No account was asked yet.']
      : table(accounts.map(({ account, apart }) => [plain(account), apart === null ? 'shared' : APART_WORDS[apart]]))),
    '',
    ...(machines.length === 0
      ? ['No other machine has said anything of these accounts.']
      : table(
          machines.map((each) => [
            plain(each.name),
            each.id,
            each.version === null ? '' : plain(each.version),
            each.isIgnored ? 'not heeded' : agePhrase({ seenAt: -each.agoMs }, 0),
            each.contradicted === 0 ? '' : `contradicted ${each.contradicted} ×`,
          ]),
        )),
    ...(saved === 0
      ? []
      : [
          '',
          `${counted(saved, 'request')} not made into a limit that another machine had found, since Understudy began.`,
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
    const said = issue ? `${String(issue.path.at(-1))}: ${issue.message}` : 'team: expected a name';
    return refuse(parts, options, `${said}. Nothing was changed.`, EXIT.notUnderstood);
  }
  if (ca !== null && !url.startsWith('rediss:'))
    return refuse(
      parts,
      options,
      '--ca is for an encrypted connection: rediss://. Nothing was changed.',
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
        `This machine is in team ${plain(team)} from now on. An OpenCode that runs without the app sees that with its next message.`,
        options.new
          ? `The team's secret lies in ${secret.path}. Give its content to the other machines, and to nobody else: "understudy fleet join … --secret-env VARIABLE".`
          : `The team's secret lies in ${secret.path}.`,
        lack ?? '"understudy fleet doctor" looks whether the server does what is asked of it.',
      ].join('\n'),
    );
    return EXIT.done;
  });
}

/** The secret of the team in its file. One that is there is never replaced. */
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
    return refused(
      `${secretEnv} holds no secret of a team: expected 32 to 200 letters, digits, dashes and underscores.`,
    );
  const found = await readPrivateFile(path, SECRET_MAX_BYTES);
  if (found.ok) {
    const isOther = isNew || (given !== undefined && given !== found.text.trim());
    return isOther
      ? refused(
          `${path} holds a team's secret already. ${isNew ? 'Leave out --new to go on with it, or move' : 'Move'} it away first; nothing was changed.`,
        )
      : { ok: true, path };
  }
  if (found.code !== 'missing') return refused(`${found.reason}. Nothing was changed.`);
  if (given === undefined && !isNew)
    return refused(
      'The secret of the team is missing: name its variable with --secret-env, or begin a team with --new.',
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
      () => 'This machine is in no fleet any more. What others have said holds no more.',
    );
    return EXIT.done;
  });
}

const PUT_SECRET =
  'Put the content of another machine’s "fleet-secret" there, in a file that only you can read, or join again with --secret-env.';
const NAME_AUTHORITY =
  'Name the file with the authority’s certificate: "understudy settings set fleet.ca /path/of/ca.pem"; with null the authorities of this machine are trusted.';
const ADVICE: Readonly<Record<Missing['what'], string>> = {
  preferences: 'Until it is mended, an Understudy that runs stays as it was.',
  team: 'Name it: "understudy fleet join", or "understudy settings set fleet.team".',
  secret: PUT_SECRET,
  secretUnread: PUT_SECRET,
  secretOdd: PUT_SECRET,
  variable:
    'Set it where OpenCode and the app are started, or keep the password in "fleet-password" beside the secret and "understudy settings set fleet.passwordEnv null".',
  passwordUnread: 'See that "fleet-password" beside the secret is a file that only you can read.',
  id: 'See that the folder is yours to write, and its disk has room.',
  authority: NAME_AUTHORITY,
  authorityUnread: NAME_AUTHORITY,
  certificate: NAME_AUTHORITY,
};

const lackText = (missing: Missing): string => `${missingPhrase(missing)} ${ADVICE[missing.what]}`;

async function doctor(parts: CliParts, options: JsonOption): Promise<number> {
  const home = stateHome(parts.env);
  const { preferences, problem } = await readPreferences(home);
  if (problem !== null) return refuse(parts, options, problem, EXIT.unwell);
  const found = await fleetOf(preferences.fleet, { home, env: parts.env, version: parts.version });
  if (found.kind === 'off') return refuse(parts, options, OFF);
  if (found.kind === 'unready') return refuse(parts, options, lackText(found.missing), EXIT.unwell);
  const accounts = (await followFleetAccounts(home, found.marks.by).news()) ?? NO_ACCOUNTS;
  const checked = await checkServer(found.identity, accounts.marks);
  const checks: readonly FleetCheck[] = [
    // Where two machines have other ones, neither hears the other, and nothing else would say so.
    {
      what: 'the secret',
      isWell: true,
      said: `its mark is ${found.marks.by}, which is the same on every machine of a team`,
      advice: null,
    },
    ...checked.map((check) => ({ ...check, what: plain(check.what) })),
    ...[...accounts.apart].map(([account, why]) => ({
      what: plain(account),
      isWell: true,
      advice: null,
      said: APART_WORDS[why],
    })),
  ];
  const isWell = checks.every((check) => check.isWell);
  show(parts, options, { isWell, checks }, () =>
    [
      ...checks.map(({ what, isWell: is, said, advice }) =>
        [`${is ? '✓' : '✗'} ${what}: ${plain(said)}`, ...(advice === null ? [] : [`  ${advice}`])].join('\n'),
      ),
      ...(accounts.marks.size + accounts.apart.size === 0 ? ['No account was asked yet.'] : []),
    ].join('\n'),
  );
  return isWell ? EXIT.done : EXIT.unwell;
}
