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
import { command, sinceOption } from '../command';
import { type CliParts, EXIT, type Finish, type JsonOption, refuse, show } from '../parts';
import { agentObjection, withCore } from './core';

type Options = JsonOption &
  Readonly<{
    agent?: string;
    chain?: readonly string[];
    policy?: WhatIfQuestion['policy'];
    headroom?: NonNullable<WhatIfQuestion['headroom']>;
    since?: number;
  }>;

export function addWhatIf(report: Command, parts: CliParts, done: Finish): void {
  command(report, 'what-if', 'replay the history under another chain, policy or headroom')
    .option('--agent <name>', 'only this agent')
    .option('--chain <models>', 'models in order, separated by commas', (text: string) => text.split(','))
    .addOption(new Option('--policy <name>', 'use this policy').choices(POLICY_NAMES))
    .addOption(new Option('--headroom <act>', 'action before a limit').choices(HEADROOM_ACTS))
    .addOption(sinceOption())
    .action(async (options: Options) => done(await ask(options, parts)));
}

async function ask(options: Options, parts: CliParts): Promise<number> {
  const { agent = null, chain = null, policy = null, headroom, since } = options;
  return await withCore(parts, options, async (host) => {
    const wrong = await agentObjection(host, agent);
    if (wrong !== null) return refuse(parts, options, wrong);
    const range = since === undefined ? {} : { sinceMs: since };
    const question = { agent, chain, policy, ...(headroom ? { headroom } : {}), ...range };
    const reply = await answer(host.handlers, 'what-if.play', question);
    if (!reply.ok) return refuse(parts, options, reply.reason, reply.code === 'failed' ? EXIT.noAnswer : EXIT.refused);
    // `answer` validated the value against the contract.
    show(parts, options, reply.value as WhatIfAnswer, whatIfText);
    return EXIT.done;
  });
}

function whatIfText(answer: WhatIfAnswer): string {
  const rows = [['', 'now', 'what if'], ...whatIfRows(answer).map((row) => [...row])];
  const cut = cutPhrase(answer);
  const likely = [verdictPhrase(answer), ...forecastPhrases(answer)];
  const notes = [...(cut === null ? [] : [cut]), whatIfCaution()];
  return [stallsPhrase(answer), '', ...table(rows), '', ...likely, '', ...notes].join('\n');
}
