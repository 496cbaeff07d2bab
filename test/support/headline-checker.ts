/**
 * Checks the headline of each surface against the picture alone. Recomputes every claim with simple code that uses
 * nothing of the product, and parses the English sentences.
 */

type Link = Readonly<{ model: string; state: string; code: string | null; isEarly?: true | undefined }>;
type Row = Readonly<{
  agent: string;
  session: string;
  lead: string;
  active: string;
  position: number;
  chain: readonly Link[];
  status: string;
  why: Readonly<{ until: number | null }> | null;
  isLeftOut: boolean;
  isAlone?: boolean | undefined;
  parentSession?: string | null;
  waits?: Readonly<{ by: string; since: number; until: number | null }> | undefined;
  runningSince?: number | undefined;
  silentSince?: number | undefined;
  waitsFor?: Readonly<{ what: string }> | undefined;
}>;
type Session = Readonly<{
  session: string;
  directory: string;
  project: string;
  isLive: boolean;
  instance?: string;
  isIdle?: boolean;
  at?: number;
  requests?: Readonly<{ isOutage: boolean }> | undefined;
  agents: readonly Row[];
}>;
export type Picture = Readonly<{
  at: number;
  connection: Readonly<{ status: string }>;
  sessions: readonly Session[];
  chains: readonly Readonly<{
    directory: string;
    agent: string;
    chain: readonly Link[];
    backup?: Link | undefined;
    isAlone?: boolean | undefined;
  }>[];
  others: readonly Readonly<{ directory: string; agent: string; lead: string | null; by: string }>[];
  models: readonly Readonly<{
    model: string;
    provider: string;
    state: string;
    code: string | null;
    until: number | null;
    apart?: readonly string[] | undefined;
  }>[];
  pins: readonly Readonly<{ directory: string; agent: string; model: string }>[];
  pause: Readonly<{ until: number | null }> | null;
  questions: readonly Readonly<{ agent: string; session: string }>[];
}>;

export type Said = Readonly<{
  title: string;
  lede: string;
  items: readonly Readonly<{ kind: string; text: string; end: string; button: string; does: string }>[];
  protectedPhrase: string;
  icon: string;
  tooltip: string;
  status: string;
  reasons: readonly string[];
  /** Each agent of the map with its worst state; null if it is protected. */
  map: readonly Readonly<{ directory: string; agent: string; worst: string | null }>[];
}>;

/** Severity of states, the worst first. */
const ORDER = [
  ...['apart', 'question', 'waiting', 'stuck', 'exhausted', 'leftOut', 'failing', 'unable', 'paused', 'silent'],
  ...['unprotected', 'needsYou', 'pinned', 'away', 'lastLeft'],
];
const ICONS: Readonly<Record<string, string>> = {
  ...{ apart: 'disconnected', question: 'attention', stuck: 'attention', exhausted: 'all-down' },
  ...{ leftOut: 'attention', failing: 'attention', paused: 'paused', needsYou: 'attention', away: 'fallback' },
  ...{ unable: 'all-down', waiting: 'attention' },
};
const DAY = 86_400_000;

const time = (at: number): string => {
  const moment = new Date(at);
  return `${String(moment.getHours()).padStart(2, '0')}:${String(moment.getMinutes()).padStart(2, '0')}`;
};
const short = (model: string): string => model.split('/').at(-1) ?? model;
const isOut = ({ state, code }: Link): boolean =>
  state === 'cooling' || state === 'open' || state === 'blocked' || (state === 'held' && code !== 'held.closed');
/** Accepts no message now: a probed model has its one request. */
const isTaken = (link: Link): boolean => isOut(link) || link.state === 'probing';
const isBlocked = ({ state }: Link): boolean => state === 'blocked';
const unique = <T>(list: readonly T[]): T[] => [...new Set(list)];

type Placed = Row & Readonly<{ directory: string; project: string }>;

const pinOf = ({ pins }: Picture, row: Readonly<{ directory: string; agent: string }>) =>
  pins.find(({ directory, agent }) => directory === row.directory && agent === row.agent);

/** The model that answers or gets the next message; returning to the primary is reported separately. */
function modelOf(picture: Picture, row: Placed): string {
  if (row.runningSince !== undefined) return row.active;
  const free = row.chain.filter((link) => !isTaken(link));
  const next = (free.find((link) => !isLast(link)) ?? free[0] ?? row.chain.find((link) => link.isEarly))?.model;
  const meant = pinOf(picture, row)?.model ?? next ?? row.active;
  return meant === row.lead ? row.active : meant;
}

function factsOf(picture: Picture, said: Pick<Said, 'items'> = { items: [] }) {
  const rows: Placed[] = [];
  for (const { isLive, agents, directory, project, instance, isIdle, at = 0 } of picture.sessions) {
    const isLeft =
      isIdle &&
      picture.sessions.some(
        (other) => other.isLive && other.instance === instance && other.directory === directory && (other.at ?? 0) > at,
      );
    for (const row of isLive && !isLeft ? agents : [])
      if (row.parentSession == null || row.status === 'working' || row.isLeftOut)
        rows.push({ ...row, directory, project });
  }
  const left = rows.filter((row) => row.isLeftOut);
  const isAsked = (row: Placed): boolean =>
    picture.connection.status !== 'lost' &&
    picture.questions.some(({ session, agent }) => session === row.session && agent === row.agent);
  const present = rows.filter((row) => !row.isLeftOut && !isAsked(row));
  const waiting = present.filter((row) => row.waitsFor !== undefined);
  const stuck = present.filter((row) => row.waits !== undefined && row.waitsFor === undefined);
  const moving = present.filter((row) => row.waits === undefined && row.waitsFor === undefined);
  // While switching is paused, no other model takes the message.
  const isHeldBack = ({ runningSince, chain: [first] }: Placed): boolean =>
    picture.pause !== null && runningSince === undefined && first !== undefined && isTaken(first);
  const isDown = (row: Placed): boolean =>
    (row.status === 'exhausted' && !isHeldBack(row)) ||
    (row.runningSince === undefined && row.chain.length > 0 && row.chain.every((link) => isOut(link) && !link.isEarly));
  const down = moving.filter(isDown);
  const silent = moving.filter((row) => row.silentSince !== undefined && !down.includes(row));
  // Between turns, a pause or a pin to the primary returns an agent to its primary.
  const isHome = (row: Placed): boolean =>
    row.runningSince === undefined && (picture.pause !== null || pinOf(picture, row)?.model === row.lead);
  const away = moving.filter((row) => row.position > 0 && !down.includes(row) && !silent.includes(row) && !isHome(row));
  const isOpen = (directory: string): boolean =>
    [...picture.chains, ...picture.others].some((one) => one.directory === directory);
  const pinned = picture.pins.filter(
    (pin) =>
      picture.connection.status === 'connected' &&
      isOpen(pin.directory) &&
      !away.some((row) => row.directory === pin.directory && row.agent === pin.agent),
  );
  const asked = picture.questions.filter(({ session }) => {
    const home = picture.sessions.find(
      (one) => one.session === session || one.agents.some((row) => row.session === session),
    );
    return picture.connection.status !== 'lost' && home?.isLive !== false;
  });
  const bare = bareOf(picture, rows);
  // These agents have a separate kind of entry.
  const isTold = (key: string): boolean =>
    stuck.some((row) => row.isAlone && row.waits?.by === 'host' && `${row.directory}|${row.agent}` === key);
  const untold = unique(bare.keys.filter((key) => !isTold(key)).map((key) => key.slice(key.indexOf('|') + 1)));
  const asking = rows.filter((row) => !row.isLeftOut && isAsked(row));
  const seenTo = new Set(
    [...left, ...stuck, ...down, ...away, ...waiting, ...silent, ...asking].map(({ session }) => session),
  );
  const failing = picture.sessions.filter(
    ({ isLive, requests, agents }) => isLive && requests?.isOutage && !agents.some((row) => seenTo.has(row.session)),
  );
  const chained = [
    ...picture.chains.flatMap(({ directory, chain }) => chain.map(({ model }) => ({ directory, model }))),
    ...rows.flatMap(({ directory, chain }) => chain.map(({ model }) => ({ directory, model }))),
  ];
  const blocked = picture.models.filter(
    (row) =>
      row.state === 'blocked' && chained.some(({ directory, model }) => healthOf(picture, directory, model) === row),
  );
  // An unavailable agent may itself show the problem of its provider; then no other entry is needed.
  const ledTo = down.flatMap(({ chain }) => (chain.every(isOut) ? chain.filter(isBlocked).slice(0, 1) : []));
  const isLed = ({ provider }: Picture['models'][number]): boolean =>
    ledTo.some(({ model }) => model.startsWith(`${provider}/`));
  const ahead = aheadOf(picture, bare, [...stuck, ...down, ...left, ...away, ...waiting, ...silent], asked);
  const { status } = picture.connection;
  const isSo: Readonly<Record<string, boolean>> = {
    apart: status === 'lost' || status === 'incompatible',
    ...{ waiting: waiting.length > 0, silent: silent.length > 0 },
    ...{ question: asked.length > 0, stuck: stuck.length > 0, exhausted: down.length > 0, leftOut: left.length > 0 },
    ...{ failing: failing.length > 0, paused: picture.pause !== null, unprotected: untold.length > 0 },
    ...{ unable: ahead.unable.length > 0, lastLeft: ahead.lastLeft.length > 0, pinned: pinned.length > 0 },
    ...{
      needsYou: blocked.some((row) => !isLed(row) || said.items.some(({ kind }) => kind === 'needsYou')),
      away: away.length > 0,
    },
  };
  return {
    rows,
    left,
    stuck,
    waiting,
    silent,
    down,
    away,
    pinned,
    asked,
    bare,
    untold,
    blocked,
    ahead,
    kinds: ORDER.filter((kind) => isSo[kind]),
  };
}
type Facts = ReturnType<typeof factsOf>;

function healthOf({ models }: Picture, directory: string, model: string) {
  const known = models.filter((row) => row.model.replace(/@[^/]*\//, '/') === model);
  return known.find(({ apart }) => apart?.includes(directory)) ?? known.find(({ apart }) => apart === undefined);
}

function bareOf(picture: Picture, rows: readonly Placed[]) {
  const isBare = new Map<string, boolean>();
  const models = new Map<string, readonly Link[]>();
  const whole = (row: Picture['chains'][number]): Link[] => [...row.chain, ...(row.backup ? [row.backup] : [])];
  if (picture.connection.status === 'connected') {
    for (const row of picture.chains) {
      if (/^(?:\*|title|summary|compaction)$/.test(row.agent)) continue;
      isBare.set(`${row.directory}|${row.agent}`, row.isAlone ?? false);
      models.set(`${row.directory}|${row.agent}`, whole(row));
    }
    for (const { directory, agent, by, lead } of picture.others) {
      isBare.set(`${directory}|${agent}`, by !== 'rest');
      const rest = picture.chains.find((row) => row.directory === directory && row.agent === '*');
      const links = rest ? whole(rest) : [];
      const own = links.find(({ model }) => model === lead);
      const health = lead === null ? undefined : healthOf(picture, directory, lead);
      const first = own ?? { model: lead ?? '', state: health?.state ?? 'unseen', code: health?.code ?? null };
      const behind = links.filter(({ model }) => model !== lead);
      models.set(`${directory}|${agent}`, lead === null ? links : [first, ...behind]);
    }
    const spoken = new Set<string>();
    for (const row of rows) {
      const key = `${row.directory}|${row.agent}`;
      if (spoken.has(key)) continue;
      spoken.add(key);
      const isOn = picture.chains.some(({ directory }) => directory === row.directory);
      models.set(key, row.chain);
      isBare.set(key, row.isAlone ?? (isOn ? false : (isBare.get(key) ?? row.chain.length < 2)));
    }
  }
  const nameOf = (key: string): string => key.slice(key.indexOf('|') + 1);
  const bare = [...isBare].filter(([, is]) => is).map(([key]) => key);
  const covered = [...isBare].flatMap(([key, is]) => (is ? [] : [{ key, links: models.get(key) ?? [] }]));
  return { keys: bare, covered, all: unique([...isBare.keys()].map(nameOf)), names: unique(bare.map(nameOf)) };
}

function aheadOf(
  picture: Picture,
  { covered }: ReturnType<typeof bareOf>,
  told: readonly Placed[],
  asked: Picture['questions'],
) {
  const isTold = (key: string): boolean =>
    told.some((row) => `${row.directory}|${row.agent}` === key) ||
    asked.some(({ agent, session }) =>
      picture.sessions.some(
        (one) =>
          `${one.directory}|${agent}` === key &&
          (one.session === session || one.agents.some((row) => row.session === session)),
      ),
    );
  const free = covered.filter(({ key, links }) => links.length > 0 && !isTold(key));
  const left = (links: readonly Link[]): number => links.filter((link) => !isOut(link)).length;
  const unable = free.filter(({ links }) => left(links) === 0);
  const lastLeft = free.filter(({ links }) => left(links) === 1 && links.some(isOut));
  /** Time at which the first model of an agent is available, in ms; null without a time. */
  const backOf = ({ key, links }: (typeof free)[number]): number | null => {
    const times = links.flatMap((link) => {
      const until = healthOf(picture, key.slice(0, key.indexOf('|')), link.model)?.until ?? null;
      return isOut(link) && until !== null && until > picture.at ? [until] : [];
    });
    return times.length === 0 ? null : Math.min(...times);
  };
  const groups = (agents: typeof free) =>
    unique(agents.map((one) => String(backOf(one)))).map((end) => ({
      keys: agents.filter((one) => String(backOf(one)) === end).map(({ key }) => key),
      at: end === 'null' ? undefined : time(Number(end)),
    }));
  const isElsewhere = ({ key, links }: (typeof covered)[number]): boolean => {
    const [first] = links;
    const pin = picture.pins.find(({ directory, agent }) => `${directory}|${agent}` === key);
    if (first === undefined || pin) return first !== undefined && pin?.model !== first.model;
    return isTaken(first)
      ? links.some((link) => link !== first && !isTaken(link)) || isOut(first)
      : isLast(first) && links.some((link) => !(isTaken(link) || isLast(link)));
  };
  return {
    unable: unable.map(({ key }) => key),
    lastLeft: lastLeft.map(({ key }) => key),
    groups: { unable: groups(unable), lastLeft: groups(lastLeft) },
    elsewhere: covered.filter(isElsewhere).map(({ key }) => key),
  };
}

/** A model that is called only if no other is available. */
const isLast = ({ state, code }: Link): boolean => state === 'resting' || (code?.startsWith('rest.') ?? false);

export function falsehoodsIn(picture: Picture, said: Said): string[] {
  const facts = factsOf(picture, said);
  const all = [said.title, said.lede, said.tooltip, said.status, ...said.items.map(({ text }) => text)].join('\n');
  return [
    ...queueProblems(facts, said),
    ...calmProblems(facts, said, all),
    ...agentProblems(picture, facts, all),
    ...countProblems(facts, [all, said.protectedPhrase].join('\n')),
    ...rowProblems(facts, said),
    ...mapProblems(facts, said),
  ];
}

function queueProblems({ kinds, ...facts }: Facts, { items, title, icon, tooltip, status }: Said): string[] {
  const problems: string[] = [];
  const shown = unique(items.map(({ kind }) => kind));
  if (shown.join() !== kinds.join()) problems.push(`the queue has ${shown.join()}, so is ${kinds.join()}`);
  for (const { kind, text, end, button, does } of items) {
    if (!OPENINGS[kind]?.test(text)) problems.push(`${kind}: "${text}"`);
    if (kind === 'question') continue;
    if (kind === 'waiting' || kind === 'silent') {
      if (button !== '' || end !== '') problems.push(`${kind}: a button or an end`);
      continue;
    }
    if ((button === '') === (end === '')) problems.push(`${kind}: neither a button nor an end, or both`);
    if (button !== '' && !TO_DO[kind]?.some((pattern) => pattern.test(`${button} ${does}`)))
      problems.push(`${kind}: the button "${button}" does ${does}`);
  }
  const first = kinds[0];
  if (first && !OPENINGS[first]?.test(title)) problems.push(`"${title}" opens with something else than ${first}`);
  const shape = kinds.find((kind) => !['unprotected', 'lastLeft', 'silent', 'pinned'].includes(kind));
  if (shape && icon !== ICONS[shape]) problems.push(`the icon is ${icon} while the worst is ${shape}`);
  if (!shape && !['cooling', 'healthy', 'healthy-idle'].includes(icon))
    problems.push(`the icon is ${icon} for nothing`);
  if (kinds.length > 0 && [...title].length < 128 && !tooltip.startsWith(title))
    problems.push(`the tooltip is "${tooltip}"`);
  if (status.split('\n')[0] !== title) problems.push('the command line opens with something else');
  if (facts.left.length > 0 && items.filter(({ kind }) => kind === 'leftOut').length !== facts.left.length)
    problems.push('not each one that is left out can be brought back');
  return problems;
}

const OPENINGS: Readonly<Record<string, RegExp>> = {
  apart: /^Not connected|^Companion and app versions differ/,
  question: /^.+ waits? for your answer\./,
  stuck: /^.+ (?:is|are) (?:stuck|waiting)/,
  exhausted: /^.+ (?:ha(?:s|ve) no model left|has stopped)\./,
  leftOut: /^.+ (?:is|are) paused in/,
  waiting: /^.+ waits? for (?:permission|your answer)\./,
  silent: /^.+ (?:is|are) waiting for /,
  failing: /^Requests in .+ are failing\./,
  paused: /^Automatic fallback is paused/,
  unable: /^.+ ha(?:s|ve) no model now\./,
  lastLeft: /^.+ ha(?:s|ve) one model left now\./,
  unprotected: /^.+ ha(?:s|ve) no fallback model\.|^.+ of \d+ agents (?:is|are) protected\.|^Fallback is off for \S+\./,
  needsYou: /^.+ needs? you\./,
  pinned: /^.+ is pinned to .+\./,
  away: /^.+ uses .+, \d+ of \d+\.|^.+ use a fallback model\./,
};

const TO_DO: Readonly<Record<string, readonly RegExp[]>> = {
  apart: [/^Connect… go setup/],
  stuck: [/^Add one… go chains .+/, /^View… go models .+/],
  exhausted: [/^Fix… go models .+/, /^View… go models .+/],
  leftOut: [/^Bring back act speaker\.retried/],
  failing: [/^View… go sessions .+/],
  paused: [/^Resume act switching\.resumed/],
  unprotected: [/^Add one… go chains .+/, /^Protect all… go setup/, /^Settings… go settings/],
  unable: [/^Fix… go models .+/, /^View… go models .+/],
  lastLeft: [/^Fix… go models .+/, /^View… go models .+/],
  needsYou: [/^Fix… go models .+/],
  pinned: [/^Unpin act agent\.pinned/],
  away: [/^Unpin act agent\.pinned/, /^Fix… go models .+/, /^View… go models .+/],
};

function calmProblems({ kinds }: Facts, { title }: Said, all: string): string[] {
  const calm = /Nothing needs your attention|protected and on (?:its|their) primary|Nothing to do|nothing has stopped/i;
  if (kinds.length > 0 && calm.test(all)) return [`calm words over ${kinds.join()}`];
  return kinds.length === 0 && Object.values(OPENINGS).some((pattern) => pattern.test(title))
    ? [`"${title}" for nothing`]
    : [];
}

type Claim = readonly [what: RegExp, isSo: (found: RegExpMatchArray) => boolean];

/** Listed names, followed by a project if there are several. */
const NAMES = String.raw`((?:\S+)(?: \(\S+\))?(?: in \S+)?(?:(?:,| and) \S+(?: \(\S+\))?(?: in \S+)?)*)`;
const named = (text: string): string[] => text.split(/, | and /).map((name) => name.replace(/ \(.+$| in .+$/, ''));
const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  unique(one).toSorted().join() === unique(other).toSorted().join();
const arePlaced = (text: string, rows: readonly Placed[]): boolean =>
  /^\d+ agents$/.test(text)
    ? Number.parseInt(text, 10) === unique(rows.map(({ directory, agent }) => `${directory}|${agent}`)).length
    : isSame(
        named(text),
        rows.map(({ agent }) => agent),
      );

const areNamed = (text: string, keys: readonly string[]): boolean => {
  const names = unique(keys.map((key) => key.slice(key.indexOf('|') + 1)));
  return /^\d+ agents$/.test(text) ? Number.parseInt(text, 10) === names.length : isSame(named(text), names);
};

function agentProblems(
  picture: Picture,
  { rows, left, stuck, waiting, silent, down, away, asked, untold, blocked, ahead, bare }: Facts,
  all: string,
): string[] {
  const endOf = ({ waits }: Row): string | undefined =>
    waits?.until == null || waits.until - waits.since > DAY ? undefined : time(waits.until);
  const isStuck = (agent: string | undefined, at: string | undefined, alone?: string): boolean =>
    stuck.some(
      (row) =>
        row.agent === agent &&
        endOf(row) === at &&
        (alone === undefined || (row.isAlone === true && row.waits?.by === 'host')),
    );
  const backOf = ({ directory, chain }: Placed): number | undefined => {
    const times = chain.flatMap((link) =>
      isOut(link) ? [healthOf(picture, directory, link.model)?.until ?? null] : [],
    );
    return times.flatMap((at) => (at !== null && at > picture.at ? [at] : [])).toSorted((a, b) => a - b)[0];
  };
  const hasNone = (row: Row): boolean => row.chain.every(isOut);
  const counts: Readonly<Record<string, number>> = { 'Its only model is': 1, 'Both models are': 2 };
  const claims: readonly Claim[] = [
    [
      /(\S+)(?: \(\S+\))?(?: in \S+)? is stuck(?: until about (\d\d:\d\d))?(: it has no fallback model)?/g,
      ([, agent, at, alone]) => (alone !== undefined || at === undefined) && isStuck(agent, at, alone),
    ],
    [/(\S+)(?: \(\S+\))?(?: in \S+)? is waiting until about (\d\d:\d\d)\./g, ([, agent, at]) => isStuck(agent, at)],
    [
      new RegExp(`^${NAMES} are (stuck|waiting)\\.`, 'gm'),
      ([, names = '', how]) => how === 'waiting' && arePlaced(names, stuck),
    ],
    [
      new RegExp(`^${NAMES} ha(?:s|ve) no model now\\.`, 'gm'),
      ([, names = '']) => ahead.groups.unable.some(({ keys }) => areNamed(names, keys)),
    ],
    [
      new RegExp(`^${NAMES} ha(?:s|ve) one model left now\\.`, 'gm'),
      ([, names = '']) => ahead.groups.lastLeft.some(({ keys }) => areNamed(names, keys)),
    ],
    [
      /(?:(No model takes the next message)|it fails, work stops)(?:; the (?:first|next) is back about (\d\d:\d\d))?\./g,
      ([, none, at]) => ahead.groups[none === undefined ? 'lastLeft' : 'unable'].some((group) => group.at === at),
    ],
    [
      /The next message of (.+) goes to a fallback model/g,
      ([, names = '']) => ahead.elsewhere.length > 0 && areNamed(names, ahead.elsewhere),
    ],
    [/protected and on (?:its|their) primary/g, () => ahead.elsewhere.length === 0 && picture.pause === null],
    [/are protected|is protected/g, () => picture.pause === null],
    [
      /^ *(.+) have no fallback model\./gm,
      ([, names = '']) =>
        areNamed(
          names,
          untold.map((name) => `|${name}`),
        ),
    ],
    [
      /^Fallback is off for (\S+)\./gm,
      ([, agent]) => picture.others.some((other) => other.agent === agent && other.by === 'off'),
    ],
    [
      /(\S+)(?: \(\S+\))?(?: in \S+)? has no model left\./g,
      ([, agent]) => down.some((row) => row.agent === agent && hasNone(row)),
    ],
    [new RegExp(`^${NAMES} have no model left\\.`, 'gm'), ([, names = '']) => arePlaced(names, down)],
    [
      /(\S+)(?: \(\S+\))?(?: in \S+)? has stopped\./g,
      ([, agent]) => down.some((row) => row.agent === agent && !hasNone(row)),
    ],
    [
      /but (\S+) accepts requests now/g,
      ([, model]) => down.some(({ chain }) => chain.some((link) => short(link.model) === model && !isOut(link))),
    ],
    [
      /(Its only model is|Both models are|All (\d+) models are) unavailable(?:, (?:the first is )?back about (\d\d:\d\d))?/g,
      ([, words = '', many, at]) =>
        down.some((row) => {
          const back = backOf(row);
          // A clock time does not identify another day.
          const isTime = (back === undefined || back - picture.at >= 72_000_000 ? undefined : time(back)) === at;
          return hasNone(row) && row.chain.length === (counts[words] ?? Number(many)) && isTime;
        }),
    ],
    [
      new RegExp(`^${NAMES} (?:is paused in its session|are paused in their sessions)`, 'gm'),
      ([, names = '']) =>
        /^\d+ agents$/.test(names) ? true : named(names).every((name) => left.some(({ agent }) => agent === name)),
    ],
    [
      /(\S+)(?: \(\S+\))?(?: in \S+)? uses (\S+), (\d+) of (\d+)\./g,
      ([, agent, model, place, of]) =>
        away.some(
          (row) =>
            row.agent === agent &&
            short(modelOf(picture, row)) === model &&
            row.chain.findIndex((link) => link.model === modelOf(picture, row)) + 1 === Number(place) &&
            row.chain.length === Number(of),
        ),
    ],
    [new RegExp(`^${NAMES} use a fallback model\\.`, 'gm'), ([, names = '']) => arePlaced(names, away)],
    [
      /primary back about (\d\d:\d\d)/g,
      ([, at]) => away.some(({ why }) => why?.until != null && time(why.until) === at),
    ],
    [
      /(\S+) is available; the next message uses it/g,
      ([, model]) =>
        away.some(
          ({ lead, chain }) =>
            short(lead) === model && chain[0] !== undefined && !isTaken(chain[0]) && chain[0].state !== 'resting',
        ),
    ],
    [
      /You pinned it to (\S+?)(?: until|\.)/g,
      ([, model]) =>
        picture.pins.some((pin) =>
          away.some((row) => row.agent === pin.agent && row.directory === pin.directory && short(pin.model) === model),
        ),
    ],
    [
      /fallback is paused(?: until (\d\d:\d\d))?/g,
      ([, at]) =>
        picture.pause !== null && (picture.pause.until === null ? undefined : time(picture.pause.until)) === at,
    ],
    [
      /(\S+) is pinned to (\S+)\./g,
      ([, agent, model]) => picture.pins.some((pin) => pin.agent === agent && short(pin.model) === model),
    ],
    [/^(\S+) needs you\./gm, ([, provider]) => blocked.some((row) => row.provider === provider)],
    [/^(\S+) has no fallback model\./gm, ([, agent = '']) => bare.names.includes(agent)],
    [
      /(\S+)(?: \(\S+\))?(?: in \S+)? waits for your answer\./g,
      ([, agent]) =>
        asked.some((question) => question.agent === agent) ||
        waiting.some((row) => row.agent === agent && row.waitsFor?.what === 'answer'),
    ],
    [
      /(\S+)(?: \(\S+\))?(?: in \S+)? waits for permission\./g,
      ([, agent]) => waiting.some((row) => row.agent === agent && row.waitsFor?.what === 'permission'),
    ],
    [
      /(\S+)(?: \(\S+\))?(?: in \S+)? is waiting for the first token of (\S+)\./g,
      ([, agent, model]) => silent.some((row) => row.agent === agent && short(row.active) === model),
    ],
    [/Not connected to OpenCode/g, () => picture.connection.status === 'lost'],
    [/versions differ/g, () => picture.connection.status === 'incompatible'],
  ];
  const problems = claims.flatMap(([what, isSo]) =>
    [...all.matchAll(what)].flatMap((found) => (isSo(found) ? [] : [`not so: "${found[0]}"`])),
  );
  for (const { agent } of [...stuck, ...down])
    if (!all.includes(agent)) problems.push(`nobody is told of ${agent} (${rows.length} rows)`);
  return problems;
}

function countProblems({ bare, untold }: Facts, all: string): string[] {
  const whole = bare.all.length;
  const claims: readonly Claim[] = [
    [
      /(None|\d+) of (\d+) agents? (?:is|are) protected/g,
      ([, some, of]) => Number(of) === whole && (some === 'None' ? 0 : Number(some)) === whole - bare.names.length,
    ],
    [/All (\d+) agents are protected/g, ([, of]) => Number(of) === whole && bare.names.length === 0],
    [
      /^((?!None|\d+ )\S+) is protected(?: and on its primary)?\./gm,
      ([, agent]) => bare.all.join() === agent && bare.names.length === 0,
    ],
    [
      /Without a fallback model: (.+?)\./g,
      ([, names = '']) =>
        /^\d+ agents$/.test(names) ? Number.parseInt(names, 10) === untold.length : isSame(named(names), untold),
    ],
  ];
  return claims.flatMap(([what, isSo]) =>
    [...all.matchAll(what)].flatMap((found) => (isSo(found) ? [] : [`not so: "${found[0]}"`])),
  );
}

function rowProblems({ rows }: Facts, { reasons }: Said): string[] {
  return rows.flatMap((row, index) => {
    const reason = reasons[index] ?? '';
    const wrong: string[] = [];
    const isDown = row.status === 'exhausted' || (row.runningSince === undefined && row.chain.every(isOut));
    const [, single] = /^(\S+) is unavailable/.exec(reason) ?? [];
    const isOne = row.chain.some((link) => short(link.model) === single && isTaken(link));
    if (/unavailable/.test(reason) && !isOne && !row.chain.every(isOut)) wrong.push('unavailable');
    if (/accepts requests/.test(reason) && row.chain.every(isOut)) wrong.push('takes requests');
    if (/^Paused/.test(reason) !== row.isLeftOut) wrong.push('paused');
    const isTrouble = row.isLeftOut || row.waits !== undefined || isDown;
    if (isTrouble && /chain ready|all on the primary/.test(reason)) wrong.push('calm');
    if (row.isAlone && /chain ready/.test(reason)) wrong.push('ready');
    return wrong.map((what) => `${row.agent}: "${reason}" (${what})`);
  });
}

function mapProblems(
  { bare, stuck, down, left, away, pinned, waiting, silent, asked, rows, ahead }: Facts,
  { map }: Said,
): string[] {
  const keyOf = ({ directory, agent }: Readonly<{ directory: string; agent: string }>): string =>
    `${directory}|${agent}`;
  const troubled = new Set([...stuck, ...down, ...left, ...away, ...waiting, ...silent, ...pinned].map(keyOf));
  const problems = map.flatMap((entry) => {
    const key = keyOf(entry);
    const isAsked = asked.some((question) =>
      rows.some((row) => row.session === question.session && row.agent === question.agent && keyOf(row) === key),
    );
    const isAhead = ahead.unable.includes(key) || ahead.lastLeft.includes(key);
    const isCalm = !troubled.has(key) && !bare.keys.includes(key) && !isAsked && !isAhead;
    return (entry.worst === null) === isCalm ? [] : [`the map has ${key} as ${entry.worst}`];
  });
  const shown = unique(map.map(({ agent }) => agent));
  return isSame(shown, bare.all) ? problems : [...problems, `the map has ${shown.join()}, so are ${bare.all.join()}`];
}

export function falseNotice(
  picture: Picture,
  { title, session }: Readonly<{ title: string; session: string | null }>,
): string[] {
  const own = factsOf(picture).rows.filter((row) => session === null || row.session === session);
  const [, spent] = /^(\S+) has no model left$/.exec(title) ?? [];
  const [, moved, to] = /^(\S+) now uses (\S+)$/.exec(title) ?? [];
  const [, home, lead] = /^(\S+) is back on (\S+)$/.exec(title) ?? [];
  const isSo =
    (spent === undefined || own.some((row) => row.agent === spent && row.status === 'exhausted')) &&
    (moved === undefined || own.some((row) => row.agent === moved && short(row.active) === to)) &&
    (home === undefined || own.some((row) => row.agent === home && short(row.active) === lead));
  return isSo ? [] : [`not so: the notice "${title}"`];
}
