/** A change in OpenCode's process, in the words of the table in docs/security-status.md. */
export type Change = Readonly<{ what: string; generations: string; since: string; until: string }>;

const OPENED = 'A project is opened';
const ENDED = 'OpenCode ends';
const CLOSED = 'Its last project is closed';

const change = (what: string, generations: string, since: string, until: string): Change => ({
  ...{ what, generations, since, until },
});

/** All changes that the companion makes. */
export const CHANGES: readonly Change[] = [
  change('fetch', '1', OPENED, CLOSED),
  change('WebSocket.prototype.send', '2', 'A web socket is used', ENDED),
  change('Symbol(understudy.fetch)', '1', OPENED, CLOSED),
  change('Symbol(understudy.served)', '1', OPENED, ENDED),
  change('Symbol(understudy <version> <state folder>)', '1, 2', OPENED, ENDED),
  change('Symbol(understudy sockets)', '2', 'A web socket is used', ENDED),
  change('Symbol(understudy council talkers)', '1, 2', 'A council begins or the app reads one', ENDED),
];

const wordsOf = ({ what }: Change): string => `${what.startsWith('Symbol') ? 'added' : 'changed'} globalThis.${what}`;

/** Differences after a turn without a web socket, in a generation, in the words of `look.mjs`. */
export const changesOf = (generation: 1 | 2, isClosed = false): readonly string[] =>
  CHANGES.filter(({ generations, since }) => since === OPENED && generations.includes(String(generation)))
    .filter(({ until }) => !isClosed || until === ENDED)
    .map(wordsOf)
    .sort();
