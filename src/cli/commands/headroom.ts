import type { Command } from 'commander';
import type { PanelHost } from '../../contract/contract';
import type { Snapshot } from '../../contract/snapshot';
import type { Outcome } from '../../node/base/failure';
import { stateHome } from '../../node/base/state-home';
import { lastKnown } from '../../node/data/last-known';
import { seeSnapshot } from '../../panel/present-snapshot';
import { headroomText } from '../../wording/headroom-text';
import { dayAndMinute } from '../../wording/status-text';
import { type CliParts, EXIT, type JsonOption, showLines } from '../parts';
import { NOT_RUNNING, notRunning, showAnswer } from './core';

type Finish = (code: number) => void;
type Limits = Pick<Snapshot, 'headroom' | 'budgets' | 'unknownHeaders' | 'at'>;

/** Adds the command that says how full the limits of accounts are. */
export function addHeadroom(program: Command, parts: CliParts, finish: Finish): void {
  program
    .command('headroom')
    .description('show how full the limits of your accounts are, when they are full and when they are back')
    .option('--json', 'answer as JSON')
    .addHelpText(
      'after',
      '\nIt is read from the responses of your providers; nobody is asked for it. When Understudy does not run, it shows what was\nknown last, and ends with 3.',
    )
    .action(async (options: JsonOption) =>
      finish(await showAnswer(parts, options, { ask: limitsOf, words: headroomText }, () => last(parts, options))),
    );
}

async function limitsOf(host: PanelHost): Promise<Outcome<{ value: Limits }>> {
  const seen = await seeSnapshot(host);
  return seen.ok ? { ok: true, value: limitsIn(seen.value) } : seen;
}

const limitsIn = ({ headroom, budgets, unknownHeaders, at }: Snapshot): Limits => ({
  headroom,
  budgets,
  unknownHeaders,
  at,
});

async function last(parts: CliParts, options: JsonOption): Promise<number> {
  const found = await lastKnown(stateHome(parts.env), { version: parts.version, runtime: 'files' });
  if (found === null) return notRunning(parts, options);
  const limits = limitsIn(found.snapshot);
  showLines(parts, options, { isRunning: false, ...limits }, () =>
    [NOT_RUNNING, `This is what was known last, ${dayAndMinute(found.at)}.`, headroomText(limits)].join('\n\n'),
  );
  return EXIT.notRunning;
}
