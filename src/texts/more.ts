import { part } from './catalogue';

const counted = (count: number, noun: string): string => `${count} more ${noun}${count === 1 ? '' : 's'}`;

/** Links from a shortened list to the full view. */
export const moreTexts = part('more', {
  entries: (count: number) => `Show ${count} more`,
  models: (count: number) => counted(count, 'model'),
  agents: (count: number) => counted(count, 'agent'),
  sessions: (count: number) => counted(count, 'session'),
  chains: (count: number) => counted(count, 'chain'),
  limits: (count: number) => counted(count, 'limit'),
  machines: (count: number) => counted(count, 'machine'),
});
