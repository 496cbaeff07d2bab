/** A change in OpenCode's process, named as in docs/security-status.md. */
export type Change = Readonly<{ what: string; generations: string; from: string; to: string }>;

const change = (what: string, generations: string, from: string, to: string): Change => ({
  what,
  generations,
  from,
  to,
});

export const CHANGES: readonly Change[] = [
  change('fetch', '1', 'open', 'close'),
  change('WebSocket.prototype.send', '2', 'socket', 'exit'),
  change('Symbol(understudy.fetch)', '1', 'open', 'close'),
  change('Symbol(understudy.served)', '1', 'open', 'exit'),
  change('Symbol(understudy <version> <state folder>)', '1, 2', 'open', 'exit'),
  change('Symbol(understudy sockets)', '2', 'socket', 'exit'),
  change('Symbol(understudy council talkers)', '1, 2', 'council', 'exit'),
];

const wordsOf = ({ what }: Change): string => `${what.startsWith('Symbol') ? 'added' : 'changed'} globalThis.${what}`;

/** Differences after the first web socket or council, named as in `look.mjs`. */
export const changesFrom = (from: 'socket' | 'council'): readonly string[] =>
  CHANGES.filter((each) => each.from === from)
    .map(wordsOf)
    .sort();

/** Differences after a turn without a web socket. */
export const changesOf = (generation: 1 | 2, isClosed = false): readonly string[] =>
  CHANGES.filter(({ generations, from }) => from === 'open' && generations.includes(String(generation)))
    .filter(({ to }) => !isClosed || to === 'exit')
    .map(wordsOf)
    .sort();
