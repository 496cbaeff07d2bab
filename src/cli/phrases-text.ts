import type { UnknownPhrase } from '../contract/unknown-phrase';
import { dayAndMinute, table } from '../wording/status-text';
import { counted } from '../wording/wording';

/** Failures nobody could name, as lines for a terminal. */
export function phrasesText(phrases: readonly UnknownPhrase[]): string {
  if (phrases.length === 0) return 'Every failure so far has a name.';
  const head = ['provider', 'status', 'times', 'last seen', 'phrase'];
  return [
    `${counted(phrases.length, 'phrase')} that Understudy does not know. Say in "patterns" of model-fallback.json what they mean.`,
    '',
    ...table([head, ...phrases.map(cells)]),
  ].join('\n');
}

function cells({ provider, status, code, text, count, lastSeen }: UnknownPhrase): string[] {
  const said = [code, text].filter((part) => part !== null && part !== '').join(': ');
  // Swedish writes a date as people sort it: 2026-01-05 14:32.
  return [provider, String(status ?? '-'), String(count), dayAndMinute(lastSeen), said];
}
