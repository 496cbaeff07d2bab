import type { Command } from 'commander';
import { type AgentRecord, AgentRecordSchema } from '../../contract/agent-record';
import type { PanelHost } from '../../contract/contract';
import type { Snapshot } from '../../contract/snapshot';
import type { Outcome } from '../../node/base/failure';
import { stateHome } from '../../node/base/state-home';
import { lastKnown } from '../../node/data/last-known';
import { seeSnapshot } from '../../panel/present-snapshot';
import { recordsOf } from '../../wording/agent-record';
import { dayAndMinute, modelsText, statusLine, statusText } from '../../wording/status-text';
import { elapsed } from '../../wording/wording';
import { command } from '../command';
import { type CliParts, EXIT, type Finish, type JsonOption, showLines } from '../parts';
import { NOT_RUNNING, notRunning, showAnswer } from './core';

/** Without the app it reads the stored state. */
export function addStatus(program: Command, parts: CliParts, finish: Finish): void {
  command(program, 'status', 'show the model that each agent uses, and the unavailable models')
    .option('--line', 'print one short line for a status bar; always ends with 0')
    .addHelpText('after', '\nWithout a running Understudy it shows the last stored state and ends with 3.')
    .action(async (options: StatusFlags) => finish(await status(parts, options)));
}

type StatusFlags = JsonOption & Readonly<{ line?: boolean }>;

async function status(parts: CliParts, options: StatusFlags): Promise<number> {
  if (options.line && !options.json) return await line(parts);
  const shown = { ask: seeStatus, words: statusText };
  return await showAnswer(parts, options, shown, () => lastStatus(parts, options));
}

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

/** Some status bars show nothing after another exit code. */
async function line(parts: CliParts): Promise<number> {
  // silent: a status bar shows that nothing answers
  const core = await parts.attachCore().catch(() => undefined);
  const seen = core && (await seeSnapshot(core.host));
  await core?.close();
  if (core === null) parts.print('Understudy is not running.');
  else parts.print(seen?.ok ? statusLine(seen.value) : 'Understudy does not answer.');
  return EXIT.done;
}

async function lastStatus(parts: CliParts, options: JsonOption): Promise<number> {
  const last = await lastKnown(stateHome(parts.env), { version: parts.version, runtime: 'files' });
  if (last === null) return notRunning(parts, options);
  const { at, snapshot } = last;
  const age = `${dayAndMinute(at)}, ${elapsed(Math.max(0, Date.now() - at))} ago`;
  const nothing = snapshot.models.length === 0 ? 'No model has been used yet.' : 'All models were available.';
  showLines(parts, options, { isRunning: false, at, snapshot }, () =>
    [NOT_RUNNING, `Last stored state, ${age}.`, modelsText(snapshot) || nothing].join('\n\n'),
  );
  return EXIT.notRunning;
}
