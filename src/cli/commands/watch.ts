import type { Command } from 'commander';
import { onPush, type PanelHost } from '../../contract/contract';
import type { Snapshot } from '../../contract/snapshot';
import { presentSnapshot, seeSnapshot } from '../../panel/present-snapshot';
import { statusText } from '../../wording/status-text';
import { type CliParts, EXIT, type JsonOption, refuse } from '../parts';
import { wrapText } from '../wrap';
import { noAnswer, withCore } from './core';
import { eventLine } from './status';

type Finish = (code: number) => void;

/** How often the core is asked whether it is still there, in ms. */
const ALIVE_MS = 2_000;
const CLEAR = '\u001b[2J\u001b[H';

export function addWatch(program: Command, parts: CliParts, finish: Finish): void {
  program
    .command('watch')
    .description('follow what happens until it is interrupted: on a terminal the status, elsewhere one line an event')
    .option('--json', 'one snapshot a line')
    .addHelpText('after', '\nExamples:\n  understudy watch\n  understudy watch | tee switches.log')
    .action(async (options: JsonOption) => finish(await watch(parts, options)));
}

const gone = (parts: CliParts, options: JsonOption): number =>
  refuse(parts, options, 'Understudy does not answer any more.', EXIT.noAnswer);

async function watch(parts: CliParts, options: JsonOption): Promise<number> {
  return await withCore(parts, options, async (host) => {
    const first = await seeSnapshot(host);
    if (!first.ok) return noAnswer(parts, options, first.reason);
    const write = writer(parts, options);
    write(first.value);
    const stop = onPush(host, 'snapshot', write);
    const isInterrupted = await untilGone(host, parts.signal);
    stop();
    return isInterrupted ? EXIT.done : gone(parts, options);
  });
}

function writer(parts: CliParts, { json }: JsonOption): (snapshot: Snapshot) => void {
  if (json) return (snapshot) => parts.print(JSON.stringify(snapshot));
  if (parts.isTerminal) return (snapshot) => parts.print(CLEAR + wrapText(statusText(snapshot), parts.columns));
  let told = -1;
  return ({ events }) => {
    const news = events.filter(({ id }) => id > told).toReversed();
    for (const event of news) parts.print(eventLine(event));
    told = Math.max(told, ...news.map(({ id }) => id));
  };
}

/** @returns true when it was interrupted, false when the core has gone. */
async function untilGone(host: PanelHost, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ALIVE_MS);
      signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
    });
    if (!signal.aborted && (await presentSnapshot(host)) === null) return false;
  }
  return true;
}
