import { part } from './catalogue';

/** The view of the machines that share accounts, and what other views and the settings say of them. */
export const fleetPageTexts = part('fleetPage', {
  title: {
    off: 'This machine is in no fleet.',
    unready: 'This machine is not ready for its fleet.',
    connecting: (team: string) => `The server of team ${team} is being asked.`,
    away: (team: string) => `The server of team ${team} does not answer.`,
    shut: (team: string) => `The server of team ${team} does not let this machine in.`,
    full: (team: string) => `The server of team ${team} takes nothing new.`,
    flooded: (team: string) => `Not all that stands on the server of team ${team} is read.`,
    alone: (team: string) => `Team ${team} is connected, and no other machine has said anything yet.`,
    together: (team: string, count: number) =>
      `Team ${team} is connected, with ${count === 1 ? 'one other machine' : `${count} other machines`}.`,
  },
  lede: {
    off: 'In a fleet the machines of a team tell each other how the accounts are that they share: what one of them finds out, all of them know.',
    alone: 'This machine works on alone.',
    until: 'Until it answers, this machine works on alone.',
    looks: 'This machine works on alone, and looks for the server by itself.',
    name: (name: string) => `This machine is ${name}.`,
    saved: (count: number) =>
      count === 1 ? 'One request not made into a known limit.' : `${count} requests not made into a known limit.`,
  },
  /** What keeps this machine from joining: where it was looked for, why it is not used, and of which team it is. */
  lacks: {
    preferences: (_at: string, why: string) => `Which fleet is chosen cannot be read: ${why}`,
    team: () => 'The fleet has no team.',
    secret: (at: string, _why: string, team: string) => `The secret of team ${team} is not there: ${at}.`,
    secretUnread: (_at: string, why: string, team: string) => `The secret of team ${team} is not used: ${why}.`,
    secretOdd: (at: string) => `${at} holds no secret of a team.`,
    variable: (at: string) =>
      `The environment variable ${at} is not set: it is to hold the password of the fleet’s server.`,
    passwordUnread: (_at: string, why: string) => `The password of the fleet’s server is not used: ${why}.`,
    id: (_at: string, why: string) => `Nothing can be written down that names this machine: ${why}.`,
    authority: (at: string) => `The authority of the fleet’s server is not known: ${at} is not there.`,
    authorityUnread: (at: string, why: string) => `The authority of the fleet’s server is not known: ${at}: ${why}.`,
    certificate: (at: string) => `The authority of the fleet’s server is not known: ${at} holds no certificate.`,
  },
  /** What the server does not do. */
  troubles: {
    unreachable: 'It cannot be reached.',
    untrusted: 'No encrypted connection comes about: its certificate is not trusted, or it speaks without encryption.',
    refused: 'It refuses the user name or the password, or what this user may do.',
    readonly: 'It is a copy that takes no writes.',
    full: 'It has no memory left, or cannot write.',
    slow: 'It takes longer than two seconds.',
    flooded: 'More stands there of an account than any team says: nothing of it is read.',
    failed: 'It does not do what is asked of it.',
  },
  server: {
    title: 'The server',
    reason: 'Its words',
    doctor: 'This looks at all of it, and says what to do:',
    command: 'understudy fleet doctor',
  },
  machines: {
    title: 'Machines',
    caption: 'that have said something of these accounts',
    none: 'No other machine has said anything of these accounts.',
    version: (version: string) => `Understudy ${version}`,
    ignored: 'not heeded',
    /** Of one that is not heeded, and has said nothing that still counts. */
    unheard: 'not heard of',
    ignore: 'Do not heed',
    ignoreThis: (name: string) => `Do not heed ${name}`,
    heed: 'Heed again',
    heedThis: (name: string) => `Heed ${name} again`,
    nowIgnored: 'is not heeded: what it says counts for nothing here.',
    nowHeeded: 'is heeded again.',
  },
  accounts: {
    title: 'Accounts',
    caption: 'that this machine uses',
    none: 'No account was asked yet.',
    shared: 'shared',
    apart: {
      login: 'not shared: its login names no account',
      keyless: 'not shared: it has no key that says whose it is',
      local: 'not shared: its server is this machine’s own',
    },
    heard: (machines: string) => `heard from ${machines}`,
  },
  probes: {
    title: 'Tried again now',
    caption: 'by one machine at a time',
    none: 'No model of a shared account is being tried again.',
    here: 'by this machine',
    by: (machine: string) => `by ${machine}`,
  },
  told: {
    title: 'What is told',
    health: 'How accounts and models are: which limit lasts until when, what failed too often, and what has ended.',
    headroom: 'How full the limits of accounts are.',
    budget: 'What an account has cost this machine, hour by hour: a budget of its provider counts that of all.',
    nothing: 'Nothing: this machine neither tells nor hears anything, as you have chosen.',
    never: 'Prompts, answers, error messages, folders, projects, agents and keys never go to the server.',
    settings: 'Settings',
  },
  begin: {
    title: 'Begin',
    needs:
      'It takes a server of your own: Redis 7 or Valkey. Nothing is opened, and nothing is sent, before a team is joined.',
    first: 'On the first machine:',
    join: 'understudy fleet join redis://10.0.0.5:6379 --team acme --name build-7 --new',
    others: 'On each of the others, with the secret that the first has drawn:',
    joinOther: 'understudy fleet join redis://10.0.0.5:6379 --team acme --name build-8 --secret-env FLEET_SECRET',
    copy: 'Copy the command',
  },
  settings: {
    title: 'Fleet',
    none: 'None. Nothing is opened, and nothing is sent, unless a team is joined:',
    server: 'Server',
    encrypted: (host: string) => `${host}, encrypted`,
    open: (host: string) => `${host}, not encrypted`,
    team: 'Team',
    name: 'This machine',
    unnamed: 'without a name',
    share: {
      health: 'Tell and hear how accounts and models are',
      headroom: 'Tell and hear how full limits are',
      budget: 'Tell and hear what accounts cost, so that a provider’s budget counts all machines',
    },
    leave: 'This ends it; what others have said holds no more then:',
    leaveCommand: 'understudy fleet leave',
    view: 'The fleet',
  },
});
