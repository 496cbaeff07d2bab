import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { HostModels } from '../../../core/config';
import { remember } from '../../../engine/tools';
import { stateHome } from '../../../node/base/state-home';
import type { Notice } from '../../../plugin/runtime/episodes';
import type { CouncilHost } from '../core/host';
import { findingsText, openFact, openText, planText, stageText } from '../core/texts';
import { answerWord, retryWord, stopWord } from '../core/words';
import { playedState, readJournal } from '../node/journal';
import { makeRun, type Plan, planRun } from '../node/prepare';
import { isPlayed, type Place, placeOfRun, removeCopy, runsIn, sendWord } from '../node/run-folder';
import { megabytes, plainLine } from '../rules/base/text';
import { isAddress, readCouncilWords, readDepth } from '../rules/process/route';
import { reportMarkdown } from '../rules/report/markdown';
import { reportOf } from '../rules/report/report';
import type { CouncilStep } from '../rules/run/step';
import type { CouncilFact } from '../rules/state/events';
import type { PersonWord } from '../rules/state/schema';
import { type CouncilState, isOver, setupOf } from '../rules/state/state';
import { factText, namesOf } from '../rules/told/fact-text';
import { playHere } from './begun';
import { beginFetch, fetchOf } from './fetching';

export type CouncilCommands = Readonly<{
  /**
   * @param words text after `/council`.
   * @returns the answer for the user. Never rejects.
   */
  command(words: string, session: string): Promise<string>;
  /** Null if no council waits for an answer. Never rejects. */
  answer(yes: boolean, session: string): Promise<string | null>;
  /** Null for an unknown name. Never rejects. */
  retry(name: string, session: string): Promise<string | null>;
}>;

export type CommandParts = Readonly<{
  directory: string;
  generation: number;
  hostIn(place: Place): Omit<CouncilHost, 'check'>;
  models(): Promise<HostModels>;
  rootOf(session: string): string;
  /** Never throws. */
  notify(notice: Notice, session: string): void;
  warn(message: string): void;
}>;

/** In ms; a later approval probably meant something else. */
const SHOWN_MS = 600_000;
const shown = new Map<string, Readonly<{ plan: Plan; at: number }>>();
const runs = new Map<string, string>();

const USAGE =
  'Name a repository or describe a problem: /council . for this folder, /council ./src, /council https://… for a remote repository, /council <problem>, or /council . <problem> for both. /council --deep <problem> adds rounds. Then: /council status, /council stop, /council export, /council resume.';
const NONE = 'No council was started from this session. Start one: /council .';

/** OpenCode nests sub-agents a few levels deep. */
const DEPTH_MAX = 20;

export function rootOf(parentOf: (session: string) => string | undefined, session: string): string {
  let root = session;
  for (let depth = 0; depth < DEPTH_MAX; depth++) root = parentOf(root) ?? root;
  return root;
}

export function openCouncilCommands(parts: CommandParts): CouncilCommands {
  const safely = async <T>(work: () => Promise<T>): Promise<T | string> => {
    try {
      return await work();
    } catch (error) {
      return `The command failed: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
  return {
    command: (words, session) => safely(() => command(parts, words.trim(), parts.rootOf(session))),
    answer: (yes, session) => safely(() => answer(parts, yes, parts.rootOf(session))),
    retry: (name, session) => safely(() => retry(name, parts.rootOf(session))),
  };
}

/** A keyword counts only as the whole text. */
async function command(parts: CommandParts, words: string, session: string): Promise<string> {
  switch (words) {
    case '':
    case 'help':
      return USAGE;
    case 'status':
      return await status(session);
    case 'stop':
      return await stop(session);
    case 'export':
      return await exported(session);
    case 'resume':
      return await resume(parts, session);
    default:
      return await plan(parts, words, session);
  }
}

async function plan({ directory, models }: CommandParts, words: string, session: string): Promise<string> {
  const before = await runIn(session);
  if (before?.isPlayed || fetchOf(session) !== null)
    return 'A council of this session is already running: /council status, or /council stop.';
  const pathOf = (path: string): string => resolve(directory, path.replace(/^~(?=\/)/, homedir()));
  const { isDeep, rest } = readDepth(words);
  const { repo, problem } = readCouncilWords(rest, (path) => existsSync(pathOf(path)));
  const planned = await planRun({
    input: { problem, repo: repo === null || isAddress(repo) ? repo : pathOf(repo), isDeep },
    directory,
    env: process.env,
    home: stateHome(),
    askedIn: session,
    models: await models(),
  });
  if (!planned.ok) return planned.reason;
  remember(shown, session, { plan: planned.plan, at: Date.now() });
  return `${planText(planned.plan)}\n\n${BEGIN}`;
}

const BEGIN = '/yes starts it, /no cancels it.';

function planIn(session: string): Plan | null {
  const planned = shown.get(session);
  return planned && Date.now() - planned.at < SHOWN_MS ? planned.plan : null;
}

async function answer(parts: CommandParts, yes: boolean, session: string): Promise<string | null> {
  const planned = planIn(session);
  shown.delete(session);
  if (planned !== null) return yes ? await begin(parts, planned, session) : 'Cancelled. Nothing was started.';
  const current = await runIn(session);
  const open = current?.isPlayed ? openFact(current.state) : null;
  if (!current || open === null || (open.type === 'run:paused' && open.reason !== 'cap')) return null;
  return await say(current, answerWord(yes, current.state, 'opencode'), answeredText(current.state, open, yes));
}

function answeredText(state: CouncilState, open: CouncilFact, yes: boolean): string {
  if (open.type !== 'question:put')
    return yes ? 'The run continues.' : 'The run ends with a report of its results so far.';
  const { speaker, fallback: to } = open;
  return factText({ type: 'question:answered', speaker, how: yes ? 'yes' : 'no', to }, namesOf(setupOf(state))) ?? '';
}

async function stop(session: string): Promise<string> {
  const fetch = fetchOf(session);
  fetch?.ending.abort();
  if (fetch !== null) return `Fetching ${plainLine(fetch.name)} was cancelled. Nothing was started.`;
  const current = await runIn(session);
  if (current === null) return NONE;
  if (isOver(current.state)) return `Run ${current.run} has already ended. /council export shows its report.`;
  if (!current.isPlayed) return `Run ${current.run} is not running and costs nothing. /council resume continues it.`;
  return await say(current, stopWord('opencode'), 'The run is stopping. /council export shows its results so far.');
}

async function begin(parts: CommandParts, planned: Plan, session: string): Promise<string> {
  if (planned.address !== null) return fetchFirst(parts, planned, session);
  const made = await makeRun(planned);
  if (!made.ok) return made.reason;
  return (await play(parts, made.place, session)) ?? BEGUN;
}

/** A fetch may take minutes. */
function fetchFirst(parts: CommandParts, planned: Plan, session: string): string {
  const name = plainLine(planned.address?.name ?? '');
  beginFetch(session, planned, async (made) => {
    const why = made.ok ? await play(parts, made.place, session) : made.reason;
    const message = why ?? `${name} was fetched. ${BEGUN}`;
    parts.notify({ message, variant: why === null ? 'info' : 'warning' }, session);
  });
  return `Your git is fetching ${name}. You are notified when the council starts. /council status shows its progress, /council stop cancels it.`;
}

const BEGUN =
  'The council has started. It works separately from this session; you are notified when it asks a question and when it ends. /council status shows its progress.';

async function play(parts: CommandParts, place: Place, session: string): Promise<string | null> {
  const { hostIn, notify, warn, generation } = parts;
  const onStep = (step: CouncilStep): void => tell(step, (notice) => notify(notice, session));
  const outcome = await playHere(place, { host: hostIn(place), generation, warn, onStep });
  if (!outcome.ok) return outcome.reason;
  runs.set(session, place.run);
  const { playing } = outcome;
  void playing.over.then(() => (isOver(playing.state()) ? removeCopy(stateHome(), place.run) : undefined));
  return null;
}

const NEWS: ReadonlySet<CouncilFact['type']> = new Set<CouncilFact['type']>([
  'question:put',
  'question:nudged',
  'speaker:degraded',
  'run:paused',
  'budget:warned',
  'knowledge:missed',
]);

function tell({ state, facts }: CouncilStep, notify: (notice: Notice) => void): void {
  const names = namesOf(setupOf(state));
  for (const fact of facts) {
    const text = NEWS.has(fact.type) ? factText(fact, names) : null;
    if (text !== null) notify({ message: text, variant: fact.type === 'question:put' ? 'warning' : 'info' });
    if (fact.type === 'run:finished')
      notify({
        message: `The council has finished. ${findingsText(reportOf(state))} /council export shows its report.`,
        variant: 'success',
      });
  }
}

async function status(session: string): Promise<string> {
  const fetch = fetchOf(session);
  if (fetch !== null)
    return `${plainLine(fetch.name)} is being fetched: ${megabytes(fetch.bytes())} so far. /council stop cancels it.`;
  const planned = planIn(session);
  if (planned !== null) return `${planText(planned)}\n\n${BEGIN}`;
  const current = await runIn(session);
  if (current === null) return NONE;
  const { run, state, isPlayed: isNow } = current;
  const open = openText(state);
  return [
    isOver(state) ? `Run ${run} is over.` : `Run ${run}. ${stageText(state)}`,
    ...(isOver(state) || isNow ? [] : ['Not running: /council resume']),
    ...(open === null ? [] : [open]),
    findingsText(reportOf(state)),
  ].join('\n');
}

async function exported(session: string): Promise<string> {
  const current = await runIn(session);
  return current === null ? NONE : reportMarkdown(reportOf(current.state)).trimEnd();
}

async function resume(parts: CommandParts, session: string): Promise<string> {
  const place = await leftRun(({ directory }) => directory === parts.directory);
  if (place !== null) return (await play(parts, place, session)) ?? `Run ${place.run} continues.`;
  const isElsewhere = (await leftRun(({ isOwn }) => isOwn)) !== null;
  return `No interrupted run was started in this folder.${isElsewhere ? ' One was started on the command line: understudy council resume' : ''}`;
}

async function leftRun(isMeant: (place: Place) => boolean): Promise<Place | null> {
  const home = stateHome();
  for (const run of await runsIn(home)) {
    const place = await placeOfRun(home, run);
    if (place === null || !isMeant(place) || (await isPlayed(home, run))) continue;
    const state = await playedState(await readJournal(home, run));
    if (!isOver(state) && state.phase !== 'idle') return place;
  }
  return null;
}

async function retry(name: string, session: string): Promise<string | null> {
  const current = await runIn(session);
  // Without a process, the user's message is for agents.
  if (!current?.isPlayed || isOver(current.state)) return null;
  const { state } = current;
  const word = retryWord(name, state, 'opencode');
  const isKnown = word.type === 'speaker.retried' && (word.name === 'all' || Object.hasOwn(state.speakers, word.name));
  return isKnown ? await say(current, word, `The council retries ${name}.`) : null;
}

async function say({ run }: Asked, word: PersonWord, done: string): Promise<string> {
  const sent = await sendWord(stateHome(), run, word);
  return sent.ok ? done : sent.reason;
}

type Asked = Readonly<{ run: string; state: CouncilState; isPlayed: boolean }>;

async function runIn(session: string): Promise<Asked | null> {
  const home = stateHome();
  const run = runs.get(session) ?? (await lastOf(session));
  if (run === null) return null;
  const [lines, isNow] = await Promise.all([readJournal(home, run), isPlayed(home, run)]);
  const state = await playedState(lines);
  return state.setup === null ? null : { run, state, isPlayed: isNow };
}

async function lastOf(session: string): Promise<string | null> {
  const home = stateHome();
  for (const run of await runsIn(home)) if ((await placeOfRun(home, run))?.askedIn === session) return run;
  return null;
}
