import { part } from './catalogue';

const times = (count: number): string => (count === 1 ? 'once' : `up to ${count} times`);

/** What a policy does after a failure; each text completes "When a model is …:". */
export const stepTexts = part('steps', {
  plain: {
    switch: 'switch to the next model',
    switchLarger: 'switch to a model that holds more',
    compact: 'shorten the conversation',
    ask: 'ask you',
    defer: 'let the others go first',
    hold: 'wait for it',
    return: 'leave it to OpenCode',
  },
  waitHint: (most: string) => `wait as long as the provider says, up to ${most}`,
  retry: (count: number) => `ask it again ${times(count)}`,
  wait: (time: string) => `let it rest ${time} and ask it again`,
  continue: (count: number) => `tell it to go on ${times(count)}`,
  when: {
    gateway: ' after a gateway’s failure',
    routed: ' unless no provider is found',
    output: ' when part of an answer is there',
    long_output: ' when a long part of an answer is there',
    repeated: ' if the provider fails twice in a row in the same way',
  },
  between: ', then ',
  rule: (kind: string, steps: string) => `When a model is ${kind}: ${steps}.`,
});
