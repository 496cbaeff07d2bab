import type { EventCounts } from '../../../contract/events';
import { eventLogTexts, spokenLanguage } from '../../../texts';
import { clock, kindPhrase } from '../../../wording/wording';

/** Names may be any text, such as "constructor". */
const named = (table: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(table, name) ? (table[name] ?? name) : name;

export const familyLabel = (family: string): string => named(eventLogTexts().families, family);
export const actorLabel = (actor: string): string => named(eventLogTexts().actors, actor);
export const kindLabel = (kind: EventCounts['kinds'][number]['value']): string =>
  kindPhrase(kind as Parameters<typeof kindPhrase>[0], null);
export const outcomeLabel = (outcome: string): string => named(eventLogTexts().detail.outcomes, outcome);

export const figure = (count: number): string => count.toLocaleString(spokenLanguage());
/** "1,234 events". */
export const eventsPhrase = (count: number): string => eventLogTexts().events(figure(count), count === 1);

const isSameDay = (a: number, b: number): boolean => new Date(a).toDateString() === new Date(b).toDateString();
const day = (at: number): string =>
  new Intl.DateTimeFormat(spokenLanguage(), { day: 'numeric', month: 'short' }).format(at);

/** With the day, unless it is the day of `now`. */
export const eventTime = (at: number, now: number): string =>
  isSameDay(at, now) ? clock(at, true) : `${day(at)}, ${clock(at, true)}`;
