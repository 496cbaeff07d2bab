import type { Command } from 'commander';
import { type AgentRecord, AgentRecordSchema } from '../../contract/agent-record';
import type { PanelHost } from '../../contract/contract';
import type { Snapshot } from '../../contract/snapshot';
import type { Outcome } from '../../node/base/failure';
import { stateHome } from '../../node/base/state-home';
import { type LastKnown, lastKnown } from '../../node/data/last-known';
import { seeSnapshot } from '../../panel/present-snapshot';
import { recordsOf } from '../../wording/agent-record';
import { eventSentence } from '../../wording/event-words';
import { dayAndMinute, modelsText, plain, statusLine, statusText } from '../../wording/status-text';
import { clock, elapsed } from '../../wording/wording';
import { type CliParts, EXIT, type JsonOption, showLines } from '../parts';
import { NOT_RUNNING, notRunning, showAnswer } from './core';

type Finish = (code: number) => void;

/** Adds the commands that say how things stand and what has happened; without the app they say what its files know. */
export function addStatus(program: Command, parts: CliParts, finish: Finish): void {
  program
    .command('status')
    .description('show which model speaks for each agent, and which models are not well')
    .option('--json', 'print the snapshot as JSON')
    .option('--line', 'print one short line, for a status bar, and end with 0')
    .addHelpText(
      'after',
      '\nWhen Understudy does not run, it shows what was known last, says how old that is, and ends with 3. As JSON that is\n{ "isRunning": false, "at": …, "snapshot": … }.',
    )
    .action(async (options: StatusFlags) => finish(await status(parts, options)));
  program
    .command('logs')
    .description('print the latest events, the oldest first; without the app from its log')
    .option('--json', 'answer as JSON')
    .action(async (options: JsonOption) =>
      finish(
        await showAnswer(parts, options, { ask: latestEvents, words: lines(eventLine) }, () =>
          lastLogs(parts, options),
        ),
      ),
    );
}

type StatusFlags = JsonOption & Readonly<{ line?: boolean }>;

async function status(parts: CliParts, options: StatusFlags): Promise<number> {
  if (options.line && !options.json) return await line(parts);
  const shown = { ask: seeStatus, words: statusText };
  return await showAnswer(parts, options, shown, () => lastStatus(parts, options));
}

/** The snapshot with the record of each agent. */
async function seeStatus(
  host: PanelHost,
): Promise<Outcome<{ value: Snapshot & Readonly<{ records: readonly AgentRecord[] }> }>> {
  const seen = await seeSnapshot(host);
  return seen.ok
    ? {
        ok: true,
        value: { ...seen.value, records: recordsOf(seen.value).map((record) => AgentRecordSchema.parse(record)) },
      }
    : seen;
}

/** One line, whatever is so: a bar shows nothing else, and some take another exit code for no line at all. */
async function line(parts: CliParts): Promise<number> {
  // silent: a status bar shows that nothing answers
  const core = await parts.attachCore().catch(() => undefined);
  const seen = core && (await seeSnapshot(core.host));
  await core?.close();
  if (core === null) parts.print('Understudy is not running.');
  else parts.print(seen?.ok ? statusLine(seen.value) : 'Understudy does not answer.');
  return EXIT.done;
}

type Event = Snapshot['events'][number];

/** An event that came late stands at its time. */
const inOrder = ({ events }: Snapshot): readonly Event[] => events.toReversed().toSorted((a, b) => a.at - b.at);
const latestEvents = async (host: PanelHost): Promise<Outcome<{ value: readonly Event[] }>> => {
  const seen = await seeSnapshot(host);
  return seen.ok ? { ok: true, value: inOrder(seen.value) } : seen;
};

export const eventLine = (event: Event): string => `${clock(event.at, true)}  ${plain(eventSentence(event))}`;
const datedLine = (event: Event): string => `${dayAndMinute(event.at).slice(0, 10)} ${eventLine(event)}`;
const lines =
  (line: (event: Event) => string) =>
  (events: readonly Event[]): string =>
    events.map(line).join('\n');

const known = ({ env, version }: CliParts): Promise<LastKnown | null> =>
  lastKnown(stateHome(env), { version, runtime: 'files' });

async function lastStatus(parts: CliParts, options: JsonOption): Promise<number> {
  const last = await known(parts);
  if (last === null) return notRunning(parts, options);
  const { at, snapshot } = last;
  const age = `${dayAndMinute(at)}, ${elapsed(Math.max(0, Date.now() - at))} ago`;
  const nothing = snapshot.models.length === 0 ? 'Nothing is known of any model.' : 'Every model was well.';
  showLines(parts, options, { isRunning: false, at, snapshot }, () =>
    [NOT_RUNNING, `This is what was known last, ${age}.`, modelsText(snapshot) || nothing].join('\n\n'),
  );
  return EXIT.notRunning;
}

async function lastLogs(parts: CliParts, options: JsonOption): Promise<number> {
  const last = await known(parts);
  showLines(parts, options, last === null ? [] : inOrder(last.snapshot), (events) =>
    events.length === 0 ? 'Nothing has been recorded.' : lines(datedLine)(events),
  );
  return EXIT.done;
}
