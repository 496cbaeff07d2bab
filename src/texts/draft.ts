import { part } from './catalogue';

export const draftTexts = part('draft', {
  columns: {
    order: 'Order',
    model: 'Model',
    state: 'State',
    firstWord: 'p50',
    price: 'In / out 1M',
    context: 'Context',
    firstWordTitle: 'Median time to first token, last 24 hours',
    priceTitle: 'Price of a million tokens, in / out',
    contextTitle: 'Context window in tokens',
    noCalls: 'no calls yet',
    noAnswer: 'no answer',
  },
  pattern: {
    allOf: (provider: string) => `every model of ${provider}`,
    says: 'pattern',
  },
  conflict: {
    title: 'This chain was changed elsewhere',
    lede: 'The file has changed since you began. Your draft is not lost: choose the new draft, review it, then apply it.',
    theirs: 'In the file now',
    mine: 'Your draft',
    merged: 'Both combined',
    empty: 'no model',
    keepMine: 'Keep mine',
    takeTheirs: 'Use the file',
    takeMerged: 'Combine both',
    news: (agent: string) => `The file’s chain of ${agent} has changed since you began.`,
  },
  whatIfCut: (since: string) => `Only turns since ${since} were replayed because there are too many.`,
});
