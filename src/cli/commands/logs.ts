import { type Command, InvalidArgumentError } from 'commander';
import { answer, onPush, type PanelHost, type QueryOutput } from '../../contract/contract';
import type { Snapshot } from '../../contract/snapshot';
import type { Outcome } from '../../node/base/failure';
import { stateHome } from '../../node/base/state-home';
import { withLastKnown } from '../../node/data/last-known';
import { seeSnapshot } from '../../panel/present-snapshot';
import { eventSentence } from '../../wording/event-words';
import { dayAndMinute, plain } from '../../wording/status-text';
import { clock } from '../../wording/wording';
import { sinceOption } from '../command';
import { type CliParts, EXIT, type Finish, type JsonOption, refuse, showLines } from '../parts';
import { unknownAgent, unknownSession } from '../unknown-name';
import { noAnswer, notRunning, untilGone, withCore } from './core';

type Event = Snapshot['events'][number];
type LogOptions = JsonOption &
  Readonly<{ lines?: number; since?: number; agent?: string; session?: string; follow?: boolean }>;

const DEFAULT_LINES = 50;
const PAGE_MAX = 500;

/** It also works without a running core. */
export function addLogs(program: Command, parts: CliParts, finish: Finish): void {
  program
    .command('logs')
    .description('print the latest events, oldest first')
    .option(
      '-n, --lines <count>',
      `the most events to print (default: ${DEFAULT_LINES}, or all with --since)`,
      readCount,
    )
    .addOption(sinceOption())
    .option('--agent <name>', 'only this agent')
    .option('--session <id>', 'only this session')
    .option('--follow', 'then print new events until interrupted')
    .option('--json', 'answer as JSON; with --follow one event per line')
    .addHelpText('after', '\nExamples:\n  understudy logs -n 20 --agent build\n  understudy logs --since 2h --follow')
    .action(async (options: LogOptions) => finish(await logs(parts, options)));
}

function readCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Expected a number of events, such as 100.');
  return Number(text);
}

async function logs(parts: CliParts, options: LogOptions): Promise<number> {
  const use = async (host: PanelHost): Promise<number> => {
    const seen = await seeSnapshot(host);
    const found = seen.ok ? await eventsOf(host, seen.value, options) : seen;
    if (!(seen.ok && found.ok)) return noAnswer(parts, options, found.ok ? '' : found.reason);
    const wrong = found.value.length > 0 ? null : unknownIn(seen.value, options);
    if (wrong !== null) return refuse(parts, options, wrong);
    const newest = seen.value.events[0]?.id ?? -1;
    if (options.follow) return await follow(parts, options, host, { latest: found.value, newest });
    showLines(parts, options, found.value, (events) => events.map(eventLine).join('\n'));
    return EXIT.done;
  };
  return await withCore(parts, options, use, () =>
    options.follow ? notRunning(parts, options) : lastLogs(parts, options),
  );
}

/** Oldest first; without options the snapshot's events. */
async function eventsOf(
  host: PanelHost,
  snapshot: Snapshot,
  { lines: count, since, agent, session }: LogOptions,
): Promise<Outcome<{ value: readonly Event[] }>> {
  const filter = Object.fromEntries(
    Object.entries({ sinceMs: since, agent, session }).filter(([, value]) => value !== undefined),
  );
  if (count === undefined && Object.keys(filter).length === 0) return { ok: true, value: inOrder(snapshot.events) };
  const most = count ?? (since === undefined ? DEFAULT_LINES : Number.POSITIVE_INFINITY);
  const found: Event[] = [];
  for (let before: number | undefined; found.length < most; ) {
    const page = { limit: Math.min(PAGE_MAX, most - found.length), ...(before === undefined ? {} : { before }) };
    const reply = await answer(host.handlers, 'events.page', { filter, ...page });
    if (!reply.ok) return reply;
    // `answer` validated the value against the contract.
    const { events } = reply.value as QueryOutput<'events.page'>;
    found.push(...events);
    before = events.at(-1)?.id;
    if (before === undefined) break;
  }
  return { ok: true, value: inOrder(found) };
}

const unknownIn = (snapshot: Snapshot, { agent, session }: LogOptions): string | null =>
  (agent === undefined ? null : unknownAgent(snapshot, agent)) ??
  (session === undefined ? null : unknownSession(snapshot, session));

async function follow(
  parts: CliParts,
  options: LogOptions,
  host: PanelHost,
  { latest, newest }: Readonly<{ latest: readonly Event[]; newest: number }>,
): Promise<number> {
  eventWriter(parts, options)(latest);
  const write = eventWriter(parts, options, newest);
  const { agent = null, session = null } = options;
  const isWanted = (event: Event): boolean =>
    (agent === null || event.agent === agent) && (session === null || event.session === session);
  const stop = onPush(host, 'snapshot', ({ events }) => write(inOrder(events).filter(isWanted)));
  return await untilGone(parts, options, host, stop);
}

/** Prints each event once. @param printed id of the newest event to skip. */
export function eventWriter(parts: CliParts, { json }: JsonOption, printed = -1): (events: readonly Event[]) => void {
  let newest = printed;
  return (events) => {
    const fresh = events.filter(({ id }) => id > newest);
    for (const event of fresh) parts.print(json ? JSON.stringify(event) : eventLine(event));
    newest = Math.max(newest, ...fresh.map(({ id }) => id));
  };
}

/** Sorts late events by their own time. */
const inOrder = (events: readonly Event[]): readonly Event[] => events.toReversed().toSorted((a, b) => a.at - b.at);

const eventLine = (event: Event): string => `${clock(event.at, true)}  ${plain(eventSentence(event))}`;
const datedLine = (event: Event): string => `${dayAndMinute(event.at).slice(0, 10)} ${eventLine(event)}`;

async function lastLogs(parts: CliParts, options: LogOptions): Promise<number> {
  const app = { version: parts.version, runtime: 'files' };
  const found = await withLastKnown(stateHome(parts.env), app, (host, { snapshot }) =>
    eventsOf(host, snapshot, options),
  );
  if (found?.ok === false) return refuse(parts, options, found.reason, EXIT.failed);
  showLines(parts, options, found?.value ?? [], (events) =>
    events.length === 0 ? 'There are no recorded events.' : events.map(datedLine).join('\n'),
  );
  return EXIT.done;
}
