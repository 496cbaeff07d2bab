import { type Command, Option } from 'commander';
import { answer, POLICY_NAMES, type WhatIfAnswer, type WhatIfOutcome, type WhatIfQuestion } from '../contract';
import type { CliParts } from './program';
import { table } from './status-text';
import { parseWhen } from './when';

type Options = Readonly<{
  agent?: string;
  chain?: readonly string[];
  policy?: WhatIfQuestion['policy'];
  since?: number;
  json?: boolean;
}>;

/** Exit codes as those of the other commands that ask the core. */
const NOT_RUNNING = 3;
const NO_ANSWER = 4;

/** Adds `understudy what-if`. @param done hears the exit code: 0 done, 3 nothing runs, 4 it does not answer or refuses. */
export function addWhatIf(program: Command, parts: CliParts, done: (code: number) => void): void {
  program
    .command('what-if')
    .description('play what happened again under another chain or policy: stalls avoided, time, cost')
    .option('--agent <name>', 'this agent alone')
    .option('--chain <models>', 'models in order, with commas between them', (text: string) => text.split(','))
    .addOption(new Option('--policy <name>', 'another policy').choices(POLICY_NAMES))
    .option('--since <when>', 'from this time on: 24h, 7d, 4w, or a date such as 2026-11-01', parseWhen)
    .option('--json', 'print the answer as JSON')
    .action(async (options: Options) => done(await ask(options, parts)));
}

async function ask({ agent, chain, policy, since, json }: Options, parts: CliParts): Promise<number> {
  const core = await parts.attachCore();
  if (core === null) {
    parts.printError('Understudy is not running.');
    return NOT_RUNNING;
  }
  try {
    const question = { agent: agent ?? null, chain: chain ?? null, policy: policy ?? null };
    const range = since === undefined ? {} : { sinceMs: since };
    const reply = await answer(core.host.handlers, 'what-if.play', { ...question, ...range });
    if (!reply.ok) {
      parts.printError(reply.reason);
      return NO_ANSWER;
    }
    parts.print(json ? JSON.stringify(reply.value, null, 2) : whatIfText(reply.value as WhatIfAnswer));
    return 0;
  } finally {
    await core.close();
  }
}

/** The answer as lines for a terminal: what it comes to, and both sides beside each other. */
function whatIfText({ before, after, stallsAvoided }: WhatIfAnswer): string {
  const row = (label: string, value: (outcome: WhatIfOutcome) => string): string[] => [
    label,
    value(before),
    value(after),
  ];
  const rows = [
    ['', 'as it is', 'what if'],
    row('turns', ({ turns }) => String(turns)),
    row('answered', ({ answered }) => String(answered)),
    row('failed', ({ failed }) => String(failed)),
    row('not known', ({ unknown }) => String(unknown)),
    row('switches', ({ switches }) => String(switches)),
    row('time lost', ({ lostMs }) => `${Math.round(lostMs / 100) / 10} s`),
    row('cost', costText),
  ];
  const stalls =
    stallsAvoided >= 0 ? `${stallsAvoided} more turns answered.` : `${-stallsAvoided} fewer turns answered.`;
  const caution = 'An estimate: each model answers as it did in the log, in the same turn or at the nearest time.';
  return [stalls, '', ...table(rows), '', caution].join('\n');
}

function costText({ cost, pricedShare }: WhatIfOutcome): string {
  if (cost === null) return 'no price known';
  return `$${cost.toFixed(2)} for ${Math.round(100 * (pricedShare ?? 0))} % of them`;
}
