import { part } from './catalogue';

const times = (count: number): string => (count === 1 ? 'once' : `up to ${count} times`);

/** Steps of a policy; each completes "When a model is …:". */
export const stepTexts = part('steps', {
  plain: {
    switch: 'switch to the next model',
    switchLarger: 'switch to a model with a larger context',
    compact: 'shorten the conversation',
    ask: 'ask you',
    defer: 'let the other agents go first',
    hold: 'wait until it is available',
    return: 'leave the failure to OpenCode',
  },
  waitHint: (most: string) => `wait for the provider’s time, at most ${most}`,
  retry: (count: number) => `retry ${times(count)}`,
  wait: (time: string) => `wait ${time} and retry`,
  continue: (count: number) => `let it continue ${times(count)}`,
  when: {
    gateway: ' after a gateway failure',
    routed: ' unless no provider is found',
    output: ' after a partial answer',
    long_output: ' after a long partial answer',
    repeated: ' if the same provider failure occurs twice in a row',
  },
  between: ', then ',
  rule: (kind: string, steps: string) => `When a model is ${kind}: ${steps}.`,
});
