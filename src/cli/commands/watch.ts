import type { Command } from 'commander';
import { onPush } from '../../contract/contract';
import type { Snapshot } from '../../contract/snapshot';
import { seeSnapshot } from '../../panel/present-snapshot';
import { statusText } from '../../wording/status-text';
import type { CliParts, Finish, JsonOption } from '../parts';
import { wrapText } from '../wrap';
import { noAnswer, untilGone, withCore } from './core';
import { eventWriter } from './logs';

const CLEAR = '\u001b[2J\u001b[H';

export function addWatch(program: Command, parts: CliParts, finish: Finish): void {
  program
    .command('watch')
    .description('show the status live; without a terminal one line per event')
    .option('--json', 'one snapshot per line')
    .addHelpText('after', '\nExamples:\n  understudy watch\n  understudy watch | tee switches.log')
    .action(async (options: JsonOption) => finish(await watch(parts, options)));
}

async function watch(parts: CliParts, options: JsonOption): Promise<number> {
  return await withCore(parts, options, async (host) => {
    const first = await seeSnapshot(host);
    if (!first.ok) return noAnswer(parts, options, first.reason);
    const write = writer(parts, options);
    write(first.value);
    return await untilGone(parts, options, host, onPush(host, 'snapshot', write));
  });
}

function writer(parts: CliParts, { json }: JsonOption): (snapshot: Snapshot) => void {
  if (json) return (snapshot) => parts.print(JSON.stringify(snapshot));
  if (parts.isTerminal) return (snapshot) => parts.print(CLEAR + wrapText(statusText(snapshot), parts.columns));
  const write = eventWriter(parts, {});
  return ({ events }) => write(events.toReversed());
}
