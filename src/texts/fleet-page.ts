import { part } from './catalogue';

/** The fleet view, and its texts in other views and the settings. */
export const fleetPageTexts = part('fleetPage', {
  title: {
    off: 'This machine is in no fleet.',
    unready: 'This machine is not ready for its fleet.',
    connecting: (team: string) => `Connecting to the server of team ${team}.`,
    away: (team: string) => `The server of team ${team} does not answer.`,
    shut: (team: string) => `The server of team ${team} rejects this machine.`,
    full: (team: string) => `The server of team ${team} accepts no new data.`,
    flooded: (team: string) => `Some data on the server of team ${team} is ignored.`,
    alone: (team: string) => `Team ${team} is connected; no other machine has reported yet.`,
    together: (team: string, count: number) =>
      `Team ${team} is connected, with ${count === 1 ? 'one other machine' : `${count} other machines`}.`,
  },
  lede: {
    off: 'In a fleet, the machines of a team share the state of their accounts. A limit that one machine detects counts for all.',
    alone: 'This machine works alone.',
    until: 'Until it answers, this machine works alone.',
    looks: 'This machine works alone and keeps looking for the server.',
    name: (name: string) => `This machine is ${name}.`,
    saved: (count: number) =>
      count === 1 ? 'One request to a limited account was saved.' : `${count} requests to limited accounts were saved.`,
  },
  /** Obstacles to joining: the place, the reason and the team. */
  lacks: {
    preferences: (_at: string, why: string) => `The chosen fleet cannot be read: ${why}`,
    team: () => 'The fleet has no team.',
    secret: (at: string, _why: string, team: string) => `The secret of team ${team} is missing: ${at}.`,
    secretUnread: (_at: string, why: string, team: string) => `The secret of team ${team} cannot be used: ${why}.`,
    secretOdd: (at: string) => `${at} contains no team secret.`,
    variable: (at: string) =>
      `The environment variable ${at} is not set. It must contain the password of the fleet’s server.`,
    passwordUnread: (_at: string, why: string) => `The password of the fleet’s server cannot be used: ${why}.`,
    id: (_at: string, why: string) => `The identity of this machine cannot be saved: ${why}.`,
    authority: (at: string) => `The certificate authority of the fleet’s server is missing: ${at}.`,
    authorityUnread: (at: string, why: string) =>
      `The certificate authority of the fleet’s server cannot be read: ${at}: ${why}.`,
    certificate: (at: string) =>
      `The certificate authority of the fleet’s server is missing: ${at} contains no certificate.`,
  },
  troubles: {
    unreachable: 'It cannot be reached.',
    untrusted: 'No encrypted connection: its certificate is not trusted, or it does not encrypt.',
    refused: 'It rejects the user name, the password, or a command of this user.',
    readonly: 'It is a read-only copy.',
    full: 'It has no memory left, or cannot write.',
    slow: 'It takes longer than two seconds.',
    flooded: 'It holds more entries for an account than any team reports. None of them is read.',
    failed: 'It does not execute this machine’s requests.',
  },
  server: {
    title: 'The server',
    reason: 'Its message',
    doctor: 'This command checks everything and suggests a fix:',
    command: 'understudy fleet status --check',
  },
  machines: {
    title: 'Machines',
    caption: 'that reported on these accounts',
    none: 'No other machine has reported on these accounts.',
    version: (version: string) => `Understudy ${version}`,
    ignored: 'ignored',
    /** An ignored machine without current reports. */
    unheard: 'no reports',
    ignore: 'Ignore',
    ignoreThis: (name: string) => `Ignore ${name}`,
    heed: 'Stop ignoring',
    heedThis: (name: string) => `Stop ignoring ${name}`,
    nowIgnored: (name: string) => `${name} is ignored on this machine.`,
    nowHeeded: (name: string) => `${name} is no longer ignored.`,
  },
  accounts: {
    title: 'Accounts',
    caption: 'that this machine uses',
    none: 'No account was used yet.',
    shared: 'shared',
    apart: {
      login: 'not shared: its login names no account',
      keyless: 'not shared: no key identifies its owner',
      local: 'not shared: its server belongs to this machine',
    },
    heard: (machines: string) => `reported by ${machines}`,
  },
  probes: {
    title: 'Probes in progress',
    caption: 'by one machine at a time',
    none: 'No model of a shared account is being probed.',
    here: 'by this machine',
    by: (machine: string) => `by ${machine}`,
  },
  told: {
    title: 'Shared data',
    health: 'State of accounts and models: limits and their ends, repeated failures, and recoveries.',
    headroom: 'Usage of account limits.',
    budget: 'Hourly cost of each account on this machine: a provider’s budget counts all machines.',
    nothing: 'Nothing: you chose that this machine neither sends nor reads data.',
    never: 'Prompts, answers, error messages, folders, projects, agents and keys never go to the server.',
    settings: 'Settings',
  },
  begin: {
    title: 'Set up a fleet',
    needs: 'You need your own server: Redis 7 or Valkey. Until you join a team, nothing is opened or sent.',
    first: 'On the first machine:',
    join: 'understudy fleet join redis://10.0.0.5:6379 --team acme --name build-7 --new',
    others: 'On each other machine, using the secret printed by the first machine:',
    joinOther: 'understudy fleet join redis://10.0.0.5:6379 --team acme --name build-8 --secret-env FLEET_SECRET',
    copy: 'Copy the command',
  },
  settings: {
    title: 'Fleet',
    none: 'None. Nothing is opened or sent until you join a team:',
    server: 'Server',
    encrypted: (host: string) => `${host}, encrypted`,
    open: (host: string) => `${host}, not encrypted`,
    team: 'Team',
    name: 'This machine',
    unnamed: 'without a name',
    share: {
      health: 'Share the state of accounts and models',
      headroom: 'Share the usage of limits',
      budget: 'Share the cost of accounts, so that a provider’s budget counts all machines',
    },
    leave: 'To leave the fleet; reports of other machines no longer apply then:',
    leaveCommand: 'understudy fleet leave',
    view: 'Open the fleet',
  },
});
