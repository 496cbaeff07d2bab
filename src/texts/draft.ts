import { part } from './catalogue';

/** A chain that is being changed: its columns, patterns in it, and what others changed meanwhile. */
export const draftTexts = part('draft', {
  columns: {
    order: 'Order',
    model: 'Model',
    state: 'State',
    firstWord: 'p50',
    price: 'In / out 1M',
    context: 'Context',
    firstWordTitle: 'Half of the answers of the last 24 hours began sooner',
    priceTitle: 'Price of a million tokens, in / out',
    contextTitle: 'Context window in tokens',
    noCalls: 'no calls yet',
    noAnswer: 'no answer',
  },
  pattern: {
    allOf: (provider: string) => `every model of ${provider}`,
    says: 'a pattern',
  },
  conflict: {
    title: 'This chain was changed elsewhere',
    lede: 'The file says something else than when you began. Nothing of yours is lost: choose what becomes the draft, and look before you apply it.',
    theirs: 'In the file now',
    mine: 'Your draft',
    merged: 'Both together',
    empty: 'no model',
    keepMine: 'Keep mine',
    takeTheirs: 'Take theirs',
    takeMerged: 'Put mine onto theirs',
    news: (agent: string) => `The file of ${agent} has a different chain than when you began.`,
  },
  whatIfCut: (since: string) => `There are very many turns: only those since ${since} were played.`,
});
