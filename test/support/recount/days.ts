/**
 * Counts requests, turns, tokens and money from companions' events with simple code that uses nothing of the product.
 */
type Told = Readonly<{ at: number; event: Readonly<Record<string, unknown>> }>;

export type Request = {
  id: string;
  at: number;
  turn: string;
  session: string;
  project: string;
  agent: string;
  model: string;
  /** From 0. */
  position: number;
  end: 'answered' | 'failed' | null;
  status: number | null;
  durationMs: number;
  firstTokenMs: number | null;
};
type Used = Readonly<{
  at: number;
  session: string;
  agent: string;
  model: string;
  position: number;
  tokens: Readonly<Record<'input' | 'output' | 'reasoning' | 'cacheRead' | 'cacheWrite', number>>;
  cost: number | null;
}>;
export type Counted = Readonly<{ requests: readonly Request[]; used: readonly Used[] }>;
export type Turn = Readonly<{ requests: readonly Request[]; first: Request; last: Request }>;

export function recountDays(all: readonly Told[]): Counted {
  const requests: Request[] = [];
  const used: Used[] = [];
  let chains: Record<string, { chain: string[] }> = {};
  for (const { at, event } of all) {
    const text = event as Record<string, string>;
    const numbers = event as Record<string, number>;
    const { type, session = '', agent = '', model = '' } = text;
    const position = chains[agent]?.chain.indexOf(model) ?? -1;
    if (type === 'scope.configured') chains = (event.config as { agents: typeof chains }).agents;
    if (type === 'attempt.started')
      requests.push({
        ...{ id: text.attempt ?? '', at, turn: text.turn ?? '', session, agent, model, position },
        ...{
          project: text.directory?.split('/').at(-1) ?? '',
          end: null,
          status: null,
          durationMs: 0,
          firstTokenMs: null,
        },
      });
    const request = requests.find(({ id }) => id === text.attempt);
    if (type === 'attempt.succeeded' && request)
      Object.assign(request, {
        ...{ end: 'answered', durationMs: numbers.durationMs, firstTokenMs: numbers.firstTokenMs },
      });
    if (type === 'attempt.failed' && request) {
      const { status } = event.evidence as { status: number };
      Object.assign(request, { end: 'failed', durationMs: numbers.durationMs, status });
    }
    if (type === 'usage.recorded')
      used.push({
        ...{ at, session, agent, model, position, tokens: event.tokens as Used['tokens'] },
        cost: event.cost as number | null,
      });
  }
  return { requests, used };
}

export const within = ({ requests, used }: Counted, isIn: (row: Request | Used) => boolean): Counted => ({
  requests: requests.filter(isIn),
  used: used.filter(isIn),
});

export const turnsIn = ({ requests }: Counted): readonly Turn[] =>
  [...new Set(requests.map(({ turn }) => turn))].map((name) => {
    const theirs = requests.filter(({ turn }) => turn === name);
    return { requests: theirs, first: theirs[0] as Request, last: theirs.at(-1) as Request };
  });

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
/** Rounds to a billionth: sums in another order differ in the last digit. */
const exact = (number: number): number => Math.round(number * 1e9) / 1e9;

export function sumsOf({ requests, used }: Counted) {
  const kinds = ['input', 'output', 'reasoning', 'cacheRead', 'cacheWrite'] as const;
  const priced = used.filter(({ cost }) => cost !== null);
  return {
    attempts: requests.length,
    answered: requests.filter(({ end }) => end === 'answered').length,
    failed: requests.filter(({ end }) => end === 'failed').length,
    past: requests.filter(({ position }) => position > 0).length,
    tokens:
      used.length === 0
        ? null
        : Object.fromEntries(kinds.map((kind) => [kind, sum(used.map((row) => row.tokens[kind]))])),
    cost: priced.length === 0 ? null : exact(sum(priced.map(({ cost }) => cost ?? 0))),
    pricedShare: used.length === 0 ? null : Math.round((1e6 * priced.length) / used.length) / 1e6,
  };
}

export function turnsOf(counted: Counted) {
  const turns = turnsIn(counted);
  const answered = turns.filter(({ last }) => last.end === 'answered');
  return {
    total: turns.length,
    answered: answered.length,
    saved: answered.filter(({ first, last }) => first.end === 'failed' && first.model !== last.model).length,
    firstTry: answered.filter(({ requests }) => requests.length === 1).length,
    switches: sum(turns.map(({ requests }) => new Set(requests.map(({ model }) => model)).size - 1)),
  };
}
