import { part } from './catalogue';

export const explanationTexts = part('explanation', {
  facts: {
    failure: 'Failure',
    limit: 'Limit',
    said: 'Message',
    rule: 'Rule',
    until: 'Until',
    took: 'Took',
    agent: 'Agent',
    session: 'Session',
  },
  considered: 'Models considered',
  columns: { order: 'Order', model: 'Model', verdict: 'Verdict', state: 'State then', reason: 'Reason' },
});
