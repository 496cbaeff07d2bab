import type { Handlers } from '../../src/contract/contract';

export const noEvents: Pick<Handlers, 'events.page' | 'events.counts'> = {
  'events.page': () => ({ events: [], total: 0, newest: 0, kept: { sinceMs: null, isDurable: true } }),
  'events.counts': () => ({ families: [], codes: [], kinds: [], agents: [], models: [], providers: [], actors: [] }),
};
