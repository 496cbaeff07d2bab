import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAILURE_KINDS, initialState, type ScopeConfig } from '../../../src/engine';
import type { Policy } from '../../../src/engine/base/policy';
import { get } from '../../../src/engine/base/table';
import { PRESETS } from '../../../src/engine/policy/presets';
import { speakerKey } from '../../../src/engine/state/state';
import { runSeed, runs } from '../../support/runs';
import { anyRun, CHAIN, play } from '../any-run';

const ASKING = Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, [{ step: 'ask' }]])) as unknown as Policy;
const POLICIES = { 'every row asks': ASKING, 'some rows ask, as those of council do': PRESETS.council };
const scopeOf = (policy: Policy): Partial<ScopeConfig> => ({
  agents: { '*': { chain: CHAIN, policy } },
  abilities: ['ask', 'hold.start', 'hold.other'],
  panicProbe: true,
  guessProbe: true,
});

describe.each(Object.entries(POLICIES))(
  `given ${runs(500)} runs in which %s and nobody answers (seed ${runSeed})`,
  (_, policy) => {
    it('when a turn is moved, then it goes home, or to the model that speaks for its agent', () => {
      let asked = 0;
      fc.assert(
        fc.property(anyRun, (run) => {
          let before = initialState;
          for (const { event, result } of play(run, scopeOf(policy))) {
            for (const { action, turn, session, agent, code } of result.decisions) {
              if (code.startsWith('ask.') && event.type === 'attempt.started') asked++;
              if (!('to' in action) || action.kind === 'keep') continue;
              const own = get(before.speakers, speakerKey(session, agent))?.active;
              const { lead } = get(result.state.turns, turn) ?? {};
              const from = event.type === 'prompt.submitted' || event.type === 'attempt.started' ? event.model : null;
              const failed = event.type === 'attempt.failed' ? get(before.attempts, event.attempt)?.model : null;
              expect([lead, own, from, failed], `${event.type} ${code} to ${action.to}`).toContain(action.to);
            }
            before = result.state;
          }
        }),
        { numRuns: runs(500), seed: runSeed },
      );
      expect(asked).toBeGreaterThan(0);
    });
  },
);
