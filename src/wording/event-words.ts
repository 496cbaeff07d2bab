import type { EventRow } from '../contract/snapshot';
import { type EventWords, eventTexts } from '../texts';
import { nearPhrase, spreadPhrase, whyPhrase } from './headroom-words';
import { reasonPhrase } from './reason-words';
import { kindPhrase, shortName, stateWithin, when } from './wording';

/** An event, before or after it is stored. */
export type Tellable = Omit<EventRow, 'id' | 'at'>;

/** An event as one sentence that begins with its subject, if it has one. */
export function eventSentence(event: Tellable): string {
  const sentence = sentenceFor(event.code);
  if (sentence)
    return [sentence(event), ...(event.isRepeated ? [eventTexts().repeated] : []), ...refusalIn(event)].join('; ');
  return [event.code, event.model && shortName(event.model), event.detail].filter(Boolean).join(' · ');
}

/** The retry budget that prevented a retry, if the sentence does not contain it. */
function refusalIn({ code, trace }: Tellable): readonly string[] {
  const refused = code === 'pass.budget' ? undefined : trace.find((entry) => entry.code.startsWith('budget.'));
  const phrase = refused && reasonPhrase(refused.code);
  return phrase ? [phrase] : [];
}

/** Simultaneous switches as one text: each sentence, or from three switches on the agents and the reason. */
export function gatheredSentence(rows: readonly Tellable[]): string {
  if (rows.length < 3) return rows.map(eventSentence).join('\n');
  const [first] = rows;
  const agents = [...new Set(rows.map(({ agent }) => agent))].join(', ');
  const isShared = rows.every(
    ({ model, kind, near }) => model === first?.model && kind === first?.kind && near?.window === first?.near?.window,
  );
  const why =
    isShared && first?.model && first.kind ? whyPhrase({ ...first, from: first.model, kind: first.kind }) : '';
  return eventTexts().gathered(rows.length, agents, why);
}

export const hasSentence = (code: string): boolean => sentenceFor(code) !== null;

function sentenceFor(code: string): ((event: Tellable) => string) | null {
  const { exact, families } = eventTexts();
  const family = code.slice(0, code.indexOf('.'));
  const sentence = own(exact, code) ?? own(families, family);
  if (sentence) return (event) => sentence(wordsOf(event));
  return family === 'model' ? modelSentence : null;
}

const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

function wordsOf(event: Tellable & Readonly<{ at?: number }>): EventWords {
  const { agent, model, to, kind, status, state, until, tally, detail, durationMs, near } = event;
  return {
    agent: agent ?? eventTexts().someone,
    model: model ? shortName(model) : '',
    to: to ? shortName(to) : '',
    reason: kind ? kindPhrase(kind, status) : '',
    until: until === null ? '' : when(until, event.at ?? until),
    near: nearWords(event),
    account: near?.there?.account ?? '',
    isOfPlan: near?.code === 'headroom.drain',
    tally,
    detail,
    durationMs: durationMs ?? 0,
    isHeld: state === 'held',
  };
}

/** The limit behind an event; a plan that would be used up belongs to the model it switches to. */
function nearWords({ model, to, near }: Tellable): string {
  if (!near) return '';
  // Its sentence names the account.
  if (near.there) return spreadPhrase(model ?? '', near);
  const whose = near.code === 'headroom.drain' ? (to ?? model) : model;
  return whose || near.unit === 'dollars' ? nearPhrase(whose ?? '', near) : '';
}

function modelSentence(event: Tellable): string {
  const { ready, retry, probing, other } = eventTexts().model;
  const words = wordsOf(event);
  if (event.code === 'model.retry') return retry(words);
  if (event.state === 'ready') return ready(words);
  if (event.state === 'probing') return probing(words);
  return other(words, event.state === 'info' ? '' : stateWithin(event.state));
}
