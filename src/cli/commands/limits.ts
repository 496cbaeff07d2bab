import { Argument, type Command } from 'commander';
import type { PanelHost } from '../../contract/contract';
import { LIMIT_FIELDS, type LimitField, limitChanges } from '../../contract/limit-draft';
import type { Snapshot } from '../../contract/snapshot';
import type { Outcome } from '../../node/base/failure';
import { stateHome } from '../../node/base/state-home';
import { planConfig } from '../../node/config/config-values';
import { lastKnown } from '../../node/data/last-known';
import { seeSnapshot } from '../../panel/present-snapshot';
import { headroomText } from '../../wording/headroom-text';
import { dayAndMinute } from '../../wording/status-text';
import { command } from '../command';
import { type CliParts, EXIT, type Finish, type JsonOption, refuse, showLines } from '../parts';
import { NOT_RUNNING, notRunning, showAnswer } from './core';
import { confirmAndWrite, type WriteOptions } from './write';

type Limits = Pick<Snapshot, 'headroom' | 'budgets' | 'unknownHeaders' | 'at'>;

export function addLimits(limits: Command, parts: CliParts, finish: Finish): void {
  command(limits, 'show', 'show how full your accounts and budgets are, and when limits end', { isDefault: true })
    .addHelpText('after', '\nWithout a running Understudy it shows the last stored state and ends with 3.')
    .action(async (options: JsonOption) =>
      finish(await showAnswer(parts, options, { ask: limitsOf, words: headroomText }, () => last(parts, options))),
    );
  command(limits, 'set', 'set a budget in US dollars, or a mark of an account, in your user configuration')
    .addArgument(new Argument('<setting>').choices(Object.keys(LIMIT_FIELDS)))
    .argument('<value>', 'such as 5, 97, warn or true; "none" restores the default')
    .option('--dry-run', 'show the exact difference and change nothing')
    .addHelpText(
      'after',
      '\nExamples:\n  understudy limits set budget.day 5\n  understudy limits set headroom.moveAt 90',
    )
    .action(async (setting: LimitField, value: string, options: WriteOptions) =>
      finish(await setLimit(parts, { setting, value }, options)),
    );
}

type Setting = Readonly<{ setting: LimitField; value: string }>;

async function setLimit(parts: CliParts, { setting, value }: Setting, options: WriteOptions): Promise<number> {
  const changes = limitChanges({ [setting]: value === 'none' ? '' : value });
  const planned = await planConfig({ directory: null, changes }, parts.env, 'cli');
  if (!planned.ok) return refuse(parts, options, planned.reason);
  return await confirmAndWrite(parts, { ...options, yes: true }, planned.plan);
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
    [NOT_RUNNING, `Last stored state, ${dayAndMinute(found.at)}.`, headroomText(limits)].join('\n\n'),
  );
  return EXIT.notRunning;
}
