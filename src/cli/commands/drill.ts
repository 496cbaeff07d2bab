import type { Command } from 'commander';
import { answer } from '../../contract/contract';
import type { DrillResult } from '../../contract/drill';
import { drillRow } from '../../core/history/event-rows';
import { eventSentence } from '../../wording/event-words';
import { command } from '../command';
import { type CliParts, EXIT, type Finish, type JsonOption, refuse, showLines } from '../parts';
import { agentObjection, withCore } from './core';

export function addDrill(program: Command, parts: CliParts, finish: Finish): void {
  command(program, 'drill', 'simulate a rate limit and check that the next model takes over')
    .argument('[agent]', 'default: the default agent of OpenCode')
    .addHelpText('after', '\nNeeds the app, and OpenCode open in this project. Takes a minute at most.')
    .action(async (agent: string | undefined, options: JsonOption) => finish(await drill(parts, agent, options)));
}

async function drill(parts: CliParts, agent: string | undefined, options: JsonOption): Promise<number> {
  return await withCore(parts, options, async (host) => {
    const wrong = await agentObjection(host, agent ?? null, parts.directory);
    if (wrong !== null) return refuse(parts, options, wrong);
    const input = { directory: parts.directory, agent: agent ?? null };
    const reply = await answer(host.handlers, 'drill.run', input);
    if (!reply.ok) return refuse(parts, options, reply.reason, EXIT.noAnswer);
    // `answer` validated the value against the contract.
    const result = reply.value as DrillResult;
    const words = `${eventSentence(drillRow(result))}.`;
    if (!result.ok && !options.json) return refuse(parts, options, words, EXIT.failed);
    showLines(parts, options, result, () => words);
    return result.ok ? EXIT.done : EXIT.failed;
  });
}
