import { type Command, Option } from 'commander';
import { answer } from '../../contract/contract';
import { HEADROOM_ACTS, POLICY_NAMES, type WhatIfAnswer, type WhatIfQuestion } from '../../contract/what-if';
import { table } from '../../wording/status-text';
import {
  cutPhrase,
  forecastPhrases,
  stallsPhrase,
  verdictPhrase,
  whatIfCaution,
  whatIfRows,
} from '../../wording/what-if-words';
import { type CliParts, EXIT, refuse, show } from '../parts';
import { parseWhen } from '../when';
import { withCore } from './core';

type Options = Readonly<{
  agent?: string;
  chain?: readonly string[];
  policy?: WhatIfQuestion['policy'];
  headroom?: NonNullable<WhatIfQuestion['headroom']>;
  since?: number;
  json?: boolean;
}>;

/** Adds `understudy what-if`. @param done hears the exit code, one of `EXIT`. */
export function addWhatIf(program: Command, parts: CliParts, done: (code: number) => void): void {
  program
    .command('what-if')
    .description('play what happened again under another chain, policy or headroom: stalls avoided, time, cost')
    .option('--agent <name>', 'this agent alone')
    .option('--chain <models>', 'models in order, with commas between them', (text: string) => text.split(','))
    .addOption(new Option('--policy <name>', 'another policy').choices(POLICY_NAMES))
    .addOption(new Option('--headroom <act>', 'whether turns move before a limit').choices(HEADROOM_ACTS))
    .option('--since <when>', 'from this time on: 30m, 24h, 7d, or a date such as 2026-11-01', parseWhen)
    .option('--json', 'print the answer as JSON')
    .action(async (options: Options) => done(await ask(options, parts)));
}

async function ask({ agent, chain, policy, headroom, since, json }: Options, parts: CliParts): Promise<number> {
  const asJson = json === undefined ? {} : { json };
  return await withCore(parts, asJson, async (host) => {
    const question = {
      agent: agent ?? null,
      chain: chain ?? null,
      policy: policy ?? null,
      ...(headroom ? { headroom } : {}),
    };
    const range = since === undefined ? {} : { sinceMs: since };
    const reply = await answer(host.handlers, 'what-if.play', { ...question, ...range });
    if (!reply.ok) return refuse(parts, asJson, reply.reason, reply.code === 'failed' ? EXIT.noAnswer : EXIT.refused);
    // `answer` has checked the value against the contract.
    show(parts, asJson, reply.value as WhatIfAnswer, whatIfText);
    return EXIT.done;
  });
}

/** The answer as lines for a terminal: what it comes to, both sides beside each other, and what is to come. */
function whatIfText(answer: WhatIfAnswer): string {
  const rows = [['', 'as it is', 'what if'], ...whatIfRows(answer).map((row) => [...row])];
  const cut = cutPhrase(answer);
  const likely = [verdictPhrase(answer), ...forecastPhrases(answer)];
  const notes = [...(cut === null ? [] : [cut]), whatIfCaution()];
  return [stallsPhrase(answer), '', ...table(rows), '', ...likely, '', ...notes].join('\n');
}
