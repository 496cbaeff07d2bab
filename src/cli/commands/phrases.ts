import type { Command } from 'commander';
import { answer, type PanelHost, type QueryOutput } from '../../contract/contract';
import type { UnknownPhrase } from '../../contract/unknown-phrase';
import type { Outcome } from '../../node/base/failure';
import { dayAndMinute, table } from '../../wording/status-text';
import { counted } from '../../wording/wording';
import { command } from '../command';
import type { CliParts, Finish, JsonOption } from '../parts';
import { showAnswer } from './core';

export function addPhrases(config: Command, parts: CliParts, finish: Finish): void {
  command(config, 'phrases', 'list failures that Understudy does not know, to define in "patterns"').action(
    async (options: JsonOption) =>
      finish(await showAnswer(parts, options, { ask: unknownPhrases, words: phrasesText })),
  );
}

/** The latest first. Never throws. */
async function unknownPhrases(host: PanelHost): Promise<Outcome<{ value: readonly UnknownPhrase[] }>> {
  // By id: a repeated failure moves to the front between two pages.
  const found = new Map<string, UnknownPhrase>();
  for (let offset = 0; ; ) {
    const reply = await answer(host.handlers, 'phrases.unknown', { offset });
    if (!reply.ok) return reply;
    const { entries, total } = reply.value as QueryOutput<'phrases.unknown'>;
    for (const entry of entries) found.set(entry.id, entry);
    offset += entries.length;
    if (entries.length === 0 || offset >= total) return { ok: true, value: [...found.values()] };
  }
}

function phrasesText(phrases: readonly UnknownPhrase[]): string {
  if (phrases.length === 0) return 'Every failure so far has a name.';
  const head = ['provider', 'status', 'times', 'last seen', 'phrase'];
  return [
    `${counted(phrases.length, 'phrase')} that Understudy does not know. Define their meaning in "patterns" of model-fallback.json.`,
    '',
    ...table([head, ...phrases.map(cells)]),
  ].join('\n');
}

function cells({ provider, status, code, text, count, lastSeen }: UnknownPhrase): string[] {
  const phrase = [code, text].filter((part) => part !== null && part !== '').join(': ');
  return [provider, String(status ?? '-'), String(count), dayAndMinute(lastSeen), phrase];
}
