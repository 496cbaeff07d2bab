import { type MemberId, ORACLE } from '../rules/base/types';
import type { StageId } from '../rules/process/process';
import type { Call, NewFinding, Remark } from '../rules/said/calls';
import type { Asked, Known } from './asked';
import { lineOf, type ShopFile } from './shop';

export type Answer = Readonly<{ talk: string; calls: readonly Call[] }>;

const done = (summary: string): Call => ({ tool: 'CompleteStage', summary });
const learnt = (key: string, text: string): Call => ({ tool: 'UpdateKnowledge', key, text });

function found(file: ShopFile, quote: string, more: Omit<NewFinding, 'file' | 'line' | 'quote'>): NewFinding {
  return { file, line: lineOf(file, quote), quote, ...more };
}

const EVAL = found('src/pricing.js', 'return Math.round(eval(code));', {
  severity: 'critical',
  title: 'A discount code is run as a program',
  evidence:
    'code comes from the request body and goes to eval unchanged. A customer who sends process.exit() as a discount code stops the shop; longer code can read its database.',
  suggestion: 'Store the codes with their discounts in a table, and look them up.',
});
const UNCHECKED = found('src/checkout.js', 'const { customer, items, code } = body;', {
  severity: 'major',
  title: 'An order is accepted without a check',
  evidence:
    'Nothing looks at the items: a quantity of -3, or a price of one cent that the customer names, becomes the total that is charged.',
  suggestion: 'Check the shape and the quantities, and take prices from the shop.',
});
const SWALLOWED = found('src/checkout.js', '} catch {\n    // The customer should not see this.', {
  severity: 'major',
  title: 'A payment that failed counts as paid',
  evidence:
    'The order is stored as paid before the bank is called, and a refusal is swallowed. It is neither reported nor logged.',
  suggestion: 'Store the order as open, charge, then mark it as paid; let a refusal reach the customer and the log.',
});
const QUERIES = found('src/orders.js', "order.items = await db.all('SELECT name, quantity FROM items", {
  severity: 'major',
  title: 'One query for each order of a customer',
  evidence: 'The account page of a customer with 200 orders makes 201 queries, one after another.',
  suggestion: 'Read the items of all orders in one query, with WHERE order_id IN (…).',
});
const UNTESTED = found('package.json', '"test": "echo no tests yet"', {
  severity: 'minor',
  title: 'Nothing here is tested',
  evidence: 'npm test is green whatever happens. total and discounted could be tested in ten lines.',
});
const INVENTED: NewFinding = {
  severity: 'critical',
  title: 'Receipts pile up in memory',
  file: 'src/orders.js',
  line: 6,
  quote: 'receiptCache.set(order.id, receipt);',
  evidence: 'The cache of receipts is never emptied, so that the process grows until it is killed.',
};
const EXACT = found('src/pricing.js', 'What items cost together, in cents, so that sums stay exact.', {
  severity: 'praise',
  title: 'Money is counted in cents',
  evidence: 'No sum of this shop is ever off by a rounded fraction.',
});

export const PROVED: readonly string[] = [EVAL, UNCHECKED, SWALLOWED, QUERIES, UNTESTED].map(({ title }) => title);
export const UNPROVED = INVENTED.title;
export const CONFIRMED = EVAL.title;
export const CHALLENGED = QUERIES.title;

type Said = Readonly<{ how: 'confirms' | 'challenges' | 'buildsOn'; finding: NewFinding; why: string }>;

function remarks(findingIds: Known, entries: readonly Said[]): readonly Call[] {
  const findings = entries.flatMap(({ how, finding: { title }, why }): Remark[] => {
    const id = findingIds.get(title);
    if (id === undefined) return [];
    if (how === 'confirms') return [{ confirms: id, why }];
    return how === 'challenges' ? [{ challenges: id, why }] : [{ buildsOn: id, why }];
  });
  return findings.length === 0 ? [] : [{ tool: 'PostFindings', findings }];
}

type Part = Readonly<{
  reads: ShopFile;
  survey: Answer;
  analysis: Answer;
  words: readonly Said[];
  summary: string;
}>;

const PARTS: Readonly<Record<MemberId, Part>> = {
  sentinel: {
    reads: 'src/checkout.js',
    survey: {
      talk: 'I follow what a customer sends: from the server through checkout into pricing.',
      calls: [
        learnt(
          'way of a request',
          'server.js parses the body and hands it to checkout.js, which trusts every field of it.',
        ),
        done('Customer input reaches pricing.js unchecked. I will look at the discount code there first.'),
      ],
    },
    analysis: {
      talk: 'The code ends in eval. That is the one to mend before anything else.',
      calls: [
        { tool: 'PostFindings', findings: [EVAL, UNCHECKED] },
        done('A discount code is a program of the customer’s, and an order is whatever they say it is.'),
      ],
    },
    words: [
      {
        how: 'confirms',
        finding: SWALLOWED,
        why: 'insert comes before charge, with state paid: an attacker only needs a card that is refused.',
      },
    ],
    summary: 'A refused card is enough to get goods for nothing: the swallowed error is a hole, too.',
  },
  healer: {
    reads: 'src/payments.js',
    survey: {
      talk: 'Unhappy paths first: the bank may say no, and the database may.',
      calls: [
        learnt('what can fail', 'charge throws where the bank refuses. checkout.js is the only one who calls it.'),
        done('The one place where money can fail is checkout.js. Its catch has nothing in it but a comment.'),
      ],
    },
    analysis: {
      talk: 'A refusal is never reported, and the order stays paid.',
      calls: [
        { tool: 'PostFindings', findings: [SWALLOWED] },
        done('A payment that is refused leaves an order that counts as paid, and no trace of it.'),
      ],
    },
    words: [
      {
        how: 'confirms',
        finding: EVAL,
        why: 'A code with a mistake in it throws out of checkout and takes the request down.',
      },
      { how: 'buildsOn', finding: UNCHECKED, why: 'With a negative total, charge pays money out.' },
    ],
    summary: 'The discount code is worse than said: a typing mistake is enough. A negative order pays the customer.',
  },
  alchemist: {
    reads: 'src/orders.js',
    survey: {
      talk: 'There is one loop with an await in it.',
      calls: [
        learnt('hot path', 'orders.js is read on every visit of the account page; nothing is cached.'),
        done('orders.js asks the database in a loop. That is where time goes.'),
      ],
    },
    analysis: {
      talk: 'The loop first; and I remember a cache of receipts in there.',
      calls: [
        { tool: 'PostFindings', findings: [QUERIES, INVENTED] },
        done('One query an order, and receipts that stay in memory.'),
      ],
    },
    words: [{ how: 'confirms', finding: EVAL, why: 'There is nothing between the request and eval.' }],
    summary: 'The discount code is as bad as it looks.',
  },
  sage: {
    reads: 'src/pricing.js',
    survey: {
      talk: 'I look for tests that could fail.',
      calls: [
        learnt('tests', 'There are none. The script called test prints a sentence and ends with 0.'),
        done('No test in this repository can fail. pricing.js is the easiest place to begin.'),
      ],
    },
    analysis: {
      talk: 'Two pure functions, and no test of either.',
      calls: [
        { tool: 'PostFindings', findings: [UNTESTED, EXACT] },
        done('No tests at all, though pricing.js could have some in minutes. Its money is counted well.'),
      ],
    },
    words: [
      { how: 'confirms', finding: EVAL, why: 'discounted(1000, "process.exit()") ends the test runner.' },
      {
        how: 'challenges',
        finding: QUERIES,
        why: 'SQLite answers in this very process, so that each query costs microseconds. It is minor until there is a server in between.',
      },
      { how: 'challenges', finding: INVENTED, why: 'There is no receiptCache in this file, nor in any other.' },
    ],
    summary:
      'I could play the discount code myself. The query loop matters less with SQLite, and there is no receipt cache.',
  },
};

const BRIEFS: Readonly<Record<MemberId, string>> = {
  sentinel: 'Follow what a customer sends, up to where it is trusted.',
  healer: 'See what happens when the bank or the database says no.',
  alchemist: 'Look at what is done again for each order.',
  sage: 'Say what would have to be tested before this goes on line.',
};

const casting = (): Answer => ({
  talk: 'A small shop in JavaScript: money, a database, a bank, no tests to be seen.',
  calls: [
    {
      tool: 'AnalyzeInput',
      kind: 'web service',
      summary: 'A small shop with checkout, orders and payments.',
      languages: ['JavaScript'],
      size: '8 files',
      signals: ['node:http', 'SQLite', 'no dependencies'],
      risks: ['money', 'input of strangers'],
    },
    {
      tool: 'SelectHeroes',
      process: 'CODE_REVIEW',
      heroes: Object.entries(BRIEFS).map(([id, brief]) => ({ id, brief })),
    },
  ],
});

const oracleSays = (summary: string): Answer => ({ talk: 'I look at what was brought.', calls: [done(summary)] });

function synthesis(findingIds: Known): Answer {
  const paid = findingIds.has(SWALLOWED.title)
    ? ' Then the order of checkout: charge first, and let a refusal be seen.'
    : ' Failed payments have not been reviewed: do that next.';
  return {
    talk: 'The party agrees on what comes first.',
    calls: [
      done(
        `Critical: the discount code is run as a program; nothing else matters until that is gone.${paid} Recommended: check what an order holds, read items in one query, and test pricing.js, where a day pays most. Praise: money is counted in cents throughout.`,
      ),
    ],
  };
}

function presentation(findingIds: Known): Answer {
  const order = [EVAL, SWALLOWED, UNCHECKED, QUERIES, UNTESTED].flatMap(({ title }) => findingIds.get(title) ?? []);
  return {
    talk: 'The most important first.',
    calls: [
      {
        tool: 'PresentReport',
        order,
        headline: 'Do not open this shop yet: a discount code can run programs on its server.',
        praise: ['Small modules with one job each: all of this can be mended in a day.'],
      },
      done('Presented.'),
    ],
  };
}

const CANNOT_SHOW: Answer = {
  talk: 'I have read the file again. The line is not there; I had it from somewhere else.',
  calls: [done('One query an order. The receipt cache I cannot show: count it as unproved.')],
};

export function answerTo({ who, stage, isMending, findings }: Omit<Asked, 'read'>): Answer | null {
  if (who === null || stage === null) return null;
  if (who === ORACLE) return oracleAnswer(stage, findings);
  const part = PARTS[who];
  if (part === undefined) return null;
  switch (stage) {
    case 'reconnaissance':
      return part.survey;
    case 'deep_analysis':
      return isMending ? CANNOT_SHOW : part.analysis;
    case 'cross_reference':
      return {
        talk: 'I have looked at each in the code.',
        calls: [...remarks(findings, part.words), done(part.summary)],
      };
    case 'synthesis':
      return synthesis(findings);
    default:
      return null;
  }
}

function oracleAnswer(stage: StageId, findings: Known): Answer | null {
  switch (stage) {
    case 'casting':
      return casting();
    case 'transition':
      return oracleSays('The party fits this task: no participant is missing or idle.');
    case 'oracle_review':
      return oracleSays('Input, money, speed and tests have been reviewed. I see no gap that is worth another hero.');
    case 'presentation':
      return presentation(findings);
    default:
      return null;
  }
}

export const readBy = (who: MemberId | null): ShopFile | null => (who === null ? null : (PARTS[who]?.reads ?? null));

export const PARTY: readonly MemberId[] = Object.keys(BRIEFS);
