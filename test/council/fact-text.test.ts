import { describe, expect, it } from 'vitest';
import { HEROES } from '../../src/features/council/rules/cast/heroes';
import type { CouncilFact } from '../../src/features/council/rules/state/events';
import { factText, namesOf } from '../../src/features/council/rules/told/fact-text';
import { dutiful, openWorld, type Prompt, settingsOf, setupFor, speaker } from '../support/council-world';

const claude = {
  ...speaker('claude', 'anthropic', 'anthropic/claude-3-5-sonnet'),
  model: 'anthropic/claude-sonnet-4',
};
const settings = settingsOf([claude, speaker('gpt', 'openai'), speaker('gemini', 'google')]);
const names = namesOf({ roster: HEROES, settings, input: { problem: null, repo: '/repo', isDeep: false } });
const told = (fact: CouncilFact): string | null => factText(fact, names);
const asked = {
  ...{ question: 'q1', speaker: 'claude', model: 'anthropic/claude-sonnet-4', kind: 'rate_limit' as const },
  fallback: 'anthropic/claude-3-5-sonnet',
};

describe('the published sentences', () => {
  it.each<[CouncilFact, string]>([
    [
      { type: 'speaker:retrying', speaker: 'claude', attempt: 3, of: 3, waitMs: 2_000, kind: 'timeout' },
      'Claude error, retrying in 2s... (attempt 2/3)',
    ],
    [
      { type: 'speaker:deferred', speaker: 'claude', kind: 'timeout' },
      '(Claude skipped due to error, will retry after round)',
    ],
    [{ type: 'speaker:reasked', speakers: ['claude'] }, 'Retrying failed speakers…'],
    [
      { type: 'speaker:recovered', speaker: 'claude', model: 'anthropic/claude-sonnet-4' },
      'Claude rejoined the Council – welcome back!',
    ],
    [
      { type: 'speaker:recovered', speaker: 'claude', model: 'anthropic/claude-3-5-sonnet' },
      'anthropic/claude-3-5-sonnet speaks for Claude now.',
    ],
    [
      { type: 'question:put', ...asked },
      'Claude (anthropic/claude-sonnet-4) cannot answer: rate limit. Let anthropic/claude-3-5-sonnet speak for it? /yes or /no',
    ],
    [{ type: 'question:nudged', ...asked }, 'Still deciding on Claude fallback? (auto-skip in 30s)'],
    [
      { type: 'question:answered', speaker: 'claude', how: 'timeout', to: asked.fallback },
      'No response after 60s. Auto-skipping Claude. Type `/retry claude` to re-enable.',
    ],
    [
      { type: 'question:answered', speaker: 'claude', how: 'yes', to: asked.fallback },
      'Routing Claude to anthropic/claude-3-5-sonnet',
    ],
    [
      { type: 'question:answered', speaker: 'claude', how: 'no', to: asked.fallback },
      'Skipping Claude for this session',
    ],
    [
      { type: 'fallback:failed', speaker: 'claude', model: asked.fallback, message: 'Gone.' },
      'anthropic/claude-3-5-sonnet also failed: Gone.',
    ],
    [
      { type: 'speaker:degraded', speaker: 'claude', reason: 'User declined fallback', left: 2, of: 3 },
      'Claude offline (User declined fallback). Continuing with 2/3 Council members.',
    ],
    [{ type: 'retry:told', name: 'claude', how: 'unavailable', message: 'Gone.' }, 'Claude still unavailable: Gone.'],
    [{ type: 'retry:told', name: 'claude', how: 'not_disabled', message: '' }, 'Claude is not disabled.'],
    [{ type: 'budget:warned', retries: 20 }, 'High failure rate (20 retries). Check network/API health.'],
  ])('%j', (fact, text) => {
    expect(told(fact)).toBe(text);
  });
});

describe('what else is told', () => {
  it.each<[CouncilFact, string | null]>([
    [{ type: 'stage:begun', stage: 'deep_analysis' }, 'Stage 2 of 6: Deep Analysis'],
    [{ type: 'stage:completed', stage: 'presentation', heard: 1 }, 'Stage 6 of 6 completed: Presentation'],
    [
      { type: 'stage:completed', stage: 'synthesis', heard: 0 },
      'Stage 5 of 6 is over without a contribution: Synthesis',
    ],
    [{ type: 'stage:begun', stage: 'casting' }, 'The Oracle reads the input and chooses the party.'],
    [{ type: 'stage:completed', stage: 'transition', heard: 0 }, null],
    [{ type: 'turn:done', hero: 'sage', stage: 'synthesis', isWhole: true, isHeard: true }, null],
    [
      { type: 'turn:done', hero: 'sage', stage: 'synthesis', isWhole: false, isHeard: false },
      'Sage gave no readable output.',
    ],
    [
      { type: 'hero:summoned', hero: 'alchemist', speaker: 'gpt', because: ['f1', 'f3'] },
      'Alchemist joins the party, played by Gpt, because of f1 and f3.',
    ],
    [
      { type: 'hero:lost', hero: 'sage', because: 'Its session was deleted' },
      'Sage left the run. Its session was deleted.',
    ],
    [
      { type: 'run:paused', reason: 'cap', spent: 2.034, cap: 2, raised: 4 },
      'Paused at the cap: $2.03 of $2.00 spent. /yes raises the cap to $4.00 and continues, /no stops and keeps the results.',
    ],
    [
      { type: 'speaker:degraded', speaker: 'gpt', reason: 'Fallback timeout', left: 0, of: 3 },
      'Gpt offline (Fallback timeout). No Council member is left.',
    ],
    [{ type: 'retry:told', name: 'all', how: 'not_disabled', message: '' }, 'No speaker is disabled.'],
  ])('%j', (fact, text) => {
    expect(told(fact)).toBe(text);
  });

  it('names causes and next steps where everybody is out', () => {
    const text = told({ type: 'run:paused', reason: 'all_off', spent: 0, cap: null, raised: null }) ?? '';
    for (const part of ['network', 'outage', 'API keys', '`/retry all`', '`/council export`', '`/council stop`'])
      expect(text).toContain(part);
    expect(text.split('\n')).toHaveLength(4);
  });

  it('says of a decision whether the Oracle made it', () => {
    const decision = { type: 'oracle:decision', activityType: 'code_review', processId: 'CODE_REVIEW' } as const;
    const heroes = ['architect', 'sentinel', 'sage'];
    expect(told({ ...decision, heroes, isDefault: false })).toBe(
      'The Oracle has chosen for this code review: Architect, Sentinel and Sage.',
    );
    expect(told({ ...decision, heroes, isDefault: true })).toBe(
      'The Oracle could not choose. This is the default party: Architect, Sentinel and Sage.',
    );
  });

  it('keeps a hostile title on one line, without what cannot be seen', () => {
    const title = 'Leak\u001b[2K\r\nAll \u202efine\u200b';
    expect(
      told({
        ...{ type: 'finding:posted', id: 'f1', by: 'sage', severity: 'critical', title },
        ...{ file: 'src/a.ts', line: 12, check: 'verified' },
      }),
    ).toBe('Sage: [critical] Leak[2K All fine — src/a.ts:12 (quote verified)');
  });
});

it('has a sentence or nothing for every fact of a run with failures', () => {
  const world = openWorld(setupFor(settings), (prompt: Prompt) =>
    prompt.model.includes('claude') ? { fails: {}, retries: 2 } : { says: dutiful(prompt) },
  );
  world.play();
  world.tell({ type: 'speaker.retried', name: 'nobody', actor: 'test' });
  const silent = world.facts.filter((fact) => told(fact) === null).map(({ type }) => type);
  expect(new Set(silent)).toEqual(new Set(['turn:done', 'stage:completed']));
  expect(world.facts.map(told)).toContain(
    'No response after 60s. Auto-skipping Claude. Type `/retry claude` to re-enable.',
  );
});
