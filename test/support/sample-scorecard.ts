import type { ScorecardDocument } from '../../src/contract/scorecard';
import type { WhatIfAnswer } from '../../src/contract/what-if';
import { plainRow } from '../../src/core/history/event-rows';
import { documentOf } from '../../src/core/scorecard/document';
import type { ModelId } from '../../src/engine';
import { config, HOUR, MINUTE, SECOND, stage } from '../engine/scorecard/support/stage';

const START = 1_790_000_000_000;
const LEAD = 'acme/lead';
export const HOSTILE = '=evil/<script>alert(1)</script>|`x`,"y"';
const STEADY = 'globex/steady';

/** Ten turns that the primary fails or answers in turn, with their usage; half without a price. */
function played() {
  const on = stage({}, config([LEAD, STEADY, HOSTILE]));
  for (let n = 0; n < 10; n++) {
    const at = START + n * 7 * MINUTE;
    const turn = `t${n}`;
    on.prompt(turn, at);
    const answer = (model: ModelId, name: string): void => {
      on.start(`${turn}:${name}`, model, at + SECOND);
      on.answer(`${turn}:${name}`, at + 3 * SECOND, 1_500 + 10 * n, 300 + n);
      const tokens = { input: 1_000, output: 200, reasoning: 50, cacheRead: 400, cacheWrite: 0 };
      on.tell({ type: 'usage.recorded', session: 's1', turn, model, tokens, cost: n % 2 ? null : 0.0123 }, at);
    };
    on.start(`${turn}:1`, LEAD, at);
    if (n % 3 === 0) {
      on.fail(`${turn}:1`, n === 3 ? 'overloaded' : 'server_error', at + SECOND, 900);
      answer(n === 9 ? HOSTILE : STEADY, '2');
    } else on.answer(`${turn}:1`, at + SECOND, 2_000, 400);
    on.idle(at + 4 * SECOND);
  }
  return on;
}

export function sampleScorecard(session: string | null = 's1'): ScorecardDocument {
  const change = (model: string) => {
    const { turn: _, ...row } = plainRow('model.blocked', { model, state: 'blocked', kind: 'auth' });
    return row;
  };
  return documentOf(played().report({ now: START + HOUR }), {
    version: '0.1.0',
    generatedAtMs: START + 2 * HOUR,
    session,
    events: [LEAD, 'never/asked'].map((model, at) => ({ ...change(model), id: at + 1, at: START + (at + 1) * MINUTE })),
  });
}

const WHAT_IF = { turns: 10, failed: 0, unknown: 0, refusals: 0, pricedShare: 1 };
/** Two turns that would have been answered; too few for a conclusion. */
export const sampleWhatIf: WhatIfAnswer = {
  before: { ...WHAT_IF, answered: 8, failed: 2, switches: 1, refusals: 2, lostMs: 9_000, cost: 0.4 },
  after: { ...WHAT_IF, answered: 10, switches: 3, lostMs: 3_000, cost: 0.5 },
  stallsAvoided: 2,
  cutAtMs: null,
  forecast: null,
  verdict: 'few',
};

export const sampleForecast: NonNullable<WhatIfAnswer['forecast']> = {
  turns: 400,
  known: 400,
  before: { value: 0.8, lower: 0.71, upper: 0.88 },
  after: { value: 0.97, lower: 0.9, upper: 0.99 },
  difference: { value: 0.17, lower: 0.085, upper: 0.26 },
};
