import { part, plural } from './catalogue';

export const wordTexts = part('words', {
  noData: 'no data',
  /** "1 turn", "2 turns". */
  counts: {
    agent: plural('agent', 'agents'),
    call: plural('call', 'calls'),
    chain: plural('chain', 'chains'),
    event: plural('event', 'events'),
    failure: plural('failure', 'failures'),
    model: plural('model', 'models'),
    other: plural('other', 'others'),
    phrase: plural('phrase', 'phrases'),
    project: plural('project', 'projects'),
    provider: plural('provider', 'providers'),
    question: plural('question', 'questions'),
    request: plural('request', 'requests'),
    session: plural('session', 'sessions'),
    switch: plural('switch', 'switches'),
    turn: plural('turn', 'turns'),
    'user message': plural('user message', 'user messages'),
  },
  /** A number with at most a few decimals. */
  decimal: (value: string) => value,
  dollars: (amount: string) => `$${amount}`,
  underAMinute: 'under 1 min',
  /** Events of one OpenCode that were lost before an app stored them. */
  dropped: (events: number): string =>
    events === 1 ? '1 event was lost before it was stored' : `${events} events were lost before they were stored`,
  droppedBy: (version: string, pid: number, events: number): string =>
    `OpenCode ${version}, process ${pid}: ${events === 1 ? '1 event was' : `${events} events were`} lost before an app stored them.`,
  timeLeft: (time: string) => `in ${time}`,
  everyOtherAgent: 'all other agents',
  /** "a", "a and b", "a, b and c". */
  listed: (names: readonly string[]) =>
    names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`,
});
