import { describe, expect, it } from 'vitest';
import { speakerProblems } from '../../src/features/council/rules/base/settings';
import { modeOf } from '../../src/features/council/rules/state/state';
import {
  dutiful,
  openWorld,
  type Prompt,
  type Reply,
  SIX,
  settingsOf,
  setupFor,
  speaker,
} from '../support/council-world';

const THREE = [speaker('claude', 'anthropic'), speaker('gpt', 'openai'), speaker('gemini', 'google')];
/** The Oracle is somebody whom nothing befalls here. */
const FOUR = [...THREE, speaker('oracle-model', 'mistral')];
const settings = settingsOf(FOUR, { oracle: 'oracle-model', heroes: ['claude', 'gpt', 'gemini'] });

const says = (prompt: Prompt): Reply => ({ says: dutiful(prompt) });
const isOf = ({ model }: Prompt, name: string): boolean => model.endsWith(`/${name}`);

describe('level 1, retries of one turn', () => {
  it('tells each retry, and counts it', () => {
    let failures = 0;
    const world = openWorld(setupFor(settings), (prompt) => {
      if (!isOf(prompt, 'claude') || failures > 0) return says(prompt);
      failures++;
      return { fails: {}, retries: 2 };
    });
    world.play();
    expect(world.factsOf('speaker:retrying')).toMatchObject([
      { speaker: 'claude', attempt: 2, of: 3 },
      { speaker: 'claude', attempt: 3, of: 3 },
    ]);
    // Two retries of the turn, and one after the round.
    expect(world.state().retries).toBe(3);
  });

  it('asks for the whole answer again where the first broke off, once', () => {
    let broke = 0;
    const world = openWorld(setupFor(settings), (prompt) =>
      isOf(prompt, 'claude') && broke++ === 0
        ? { fails: { kind: 'stream_interrupted', isPartial: true } }
        : says(prompt),
    );
    world.play();
    expect(world.prompts.filter((prompt) => prompt.text.includes('Give the whole answer again'))).toHaveLength(1);
    expect(world.factsOf('speaker:deferred')).toEqual([]);
    expect(world.state().phase).toBe('finished');
  });
});

describe('level 2, after the round', () => {
  it('skips who fails in the middle of a round, and asks again when the others have spoken', () => {
    let failures = 0;
    const world = openWorld(setupFor(settings), (prompt) =>
      isOf(prompt, 'claude') && failures++ === 0 ? { fails: {} } : says(prompt),
    );
    world.play();
    expect(world.factsOf('speaker:deferred')).toMatchObject([{ speaker: 'claude' }]);
    expect(world.factsOf('speaker:recovered')).toMatchObject([{ speaker: 'claude', model: 'anthropic/claude' }]);
    expect(world.factsOf('question:put')).toEqual([]);
    expect(world.state()).toMatchObject({ phase: 'finished' });
    expect(world.state().completed.filter((id) => SIX.includes(id))).toEqual(SIX);
    // Its turn of the stage was taken all the same.
    const done = world.factsOf('turn:done').filter(({ stage }) => stage === 'reconnaissance');
    expect(done).toHaveLength(4);
  });

  it('asks at once about the last speaker of a round', () => {
    const world = openWorld(setupFor(settingsOf([speaker('claude', 'anthropic')])), (prompt) =>
      isOf(prompt, 'claude') && !prompt.tools.includes('SelectHeroes') ? { fails: {} } : says(prompt),
    );
    world.play(100);
    expect(world.factsOf('speaker:deferred')).toEqual([]);
    expect(world.factsOf('question:put')).toMatchObject([{ speaker: 'claude', fallback: 'anthropic/claude-small' }]);
  });
});

describe('level 3, the question', () => {
  const dead = (names: readonly string[]) => (prompt: Prompt) =>
    names.some((name) => isOf(prompt, name)) ? ({ fails: {} } as const) : says(prompt);

  it('asks about one after the other, and the rest goes on', () => {
    const world = openWorld(setupFor(settings), dead(['claude', 'gpt']));
    world.play(100);
    expect(world.factsOf('question:put').map((fact) => fact.speaker)).toEqual(['claude']);
    expect(modeOf(world.state())).toBe('awaiting_fallback_decision');
    world.tell({ type: 'question.answered', yes: true, actor: 'test' });
    world.play(100);
    expect(world.factsOf('question:put').map((fact) => fact.speaker)).toEqual(['claude', 'gpt']);
    world.tell({ type: 'question.answered', yes: false, actor: 'test' });
    world.play();
    expect(world.factsOf('speaker:recovered')).toMatchObject([{ speaker: 'claude', model: 'anthropic/claude-small' }]);
    expect(world.factsOf('speaker:degraded')).toMatchObject([
      { speaker: 'gpt', reason: 'User declined fallback', left: 3, of: 4 },
    ]);
    expect(world.state().phase).toBe('finished');
  });

  it('nudges after 30 s and goes on without it after 60 s', () => {
    const world = openWorld(setupFor(settings), dead(['claude']));
    world.play(31_000);
    expect(world.factsOf('question:nudged')).toHaveLength(1);
    expect(world.state().phase).toBe('playing');
    world.play();
    expect(world.factsOf('question:answered')).toMatchObject([{ speaker: 'claude', how: 'timeout' }]);
    expect(world.factsOf('speaker:degraded')).toMatchObject([{ reason: 'Fallback timeout' }]);
    expect(world.state().phase).toBe('finished');
  });

  it('says so when the stand-in fails as well', () => {
    const world = openWorld(setupFor(settings), dead(['claude', 'claude-small']));
    world.play(100);
    world.tell({ type: 'question.answered', yes: true, actor: 'test' });
    world.play();
    expect(world.factsOf('fallback:failed')).toMatchObject([{ speaker: 'claude', model: 'anthropic/claude-small' }]);
    expect(world.factsOf('speaker:degraded')).toMatchObject([{ reason: 'Fallback failed: Gone.' }]);
  });

  it('does not ask where nobody could stand in', () => {
    const own = { ...speaker('grok', 'xai'), fallback: 'xai/grok' };
    const world = openWorld(
      setupFor(settingsOf([...FOUR, own], { oracle: 'oracle-model', heroes: ['claude', 'grok'] })),
      dead(['grok']),
    );
    world.play();
    expect(world.factsOf('question:put')).toEqual([]);
    expect(world.factsOf('speaker:degraded')).toMatchObject([{ speaker: 'grok', reason: 'No fallback available' }]);
  });

  it('ignores an answer that nobody asked for', () => {
    const world = openWorld(setupFor(settings), says);
    world.tell({ type: 'question.answered', yes: true, actor: 'test' });
    expect(world.factsOf('answer:unasked')).toHaveLength(1);
  });

  it('asks at once when the budget of retries is spent, and warns before', () => {
    const tight = settingsOf(FOUR, {
      ...{ oracle: 'oracle-model', heroes: ['claude', 'gpt', 'gemini'] },
      retries: { perRun: 3, warnAt: 2 },
    });
    const world = openWorld(setupFor(tight), (prompt) =>
      isOf(prompt, 'claude') || isOf(prompt, 'gpt') ? { fails: {}, retries: 9 } : says(prompt),
    );
    world.play(100);
    expect(world.factsOf('budget:warned')).toHaveLength(1);
    expect(world.factsOf('budget:spent')).toHaveLength(1);
    expect(world.state().retries).toBeLessThanOrEqual(3);
    expect(world.factsOf('question:put').length).toBeGreaterThan(0);
  });
});

describe('level 4, without it', () => {
  it('pauses when all voices are off, and goes on with /retry all', () => {
    let isDead = true;
    const world = openWorld(setupFor(settings), (prompt) =>
      isDead && !isOf(prompt, 'oracle-model') ? { fails: {} } : says(prompt),
    );
    world.play();
    expect(modeOf(world.state())).toBe('paused');
    expect(world.factsOf('run:paused')).toMatchObject([{ reason: 'all_off' }]);
    isDead = false;
    world.tell({ type: 'speaker.retried', name: 'all', actor: 'test' });
    world.play();
    expect(world.state().phase).toBe('finished');
    expect(world.state().completed.filter((id) => SIX.includes(id))).toEqual(SIX);
  });

  it('says of a retry what came of it', () => {
    const world = openWorld(setupFor(settings), (prompt) =>
      isOf(prompt, 'claude') ? { fails: {} } : { hangs: true, ...says(prompt) },
    );
    world.tell({ type: 'speaker.retried', name: 'gpt', actor: 'test' });
    world.tell({ type: 'speaker.retried', name: 'nobody', actor: 'test' });
    expect(world.factsOf('retry:told').map(({ name, how }) => [name, how])).toEqual([
      ['gpt', 'not_disabled'],
      ['nobody', 'unknown'],
    ]);
  });

  it('tries who was brought back at once, and says that it is still unavailable', () => {
    const world = openWorld(setupFor(settings), (prompt) => {
      if (isOf(prompt, 'claude')) return { fails: {} };
      return isOf(prompt, 'gpt') && prompt.text.startsWith('Stage: Deep Analysis') ? { hangs: true } : says(prompt);
    });
    world.play(100);
    world.tell({ type: 'question.answered', yes: false, actor: 'test' });
    world.play(200);
    world.tell({ type: 'speaker.retried', name: 'claude', actor: 'test' });
    world.play(100);
    expect(world.factsOf('retry:told')).toMatchObject([
      { name: 'claude', how: 'trying' },
      { name: 'claude', how: 'unavailable', message: 'Gone.' },
    ]);
  });
});

describe('the boundary of a vendor', () => {
  it('refuses a stand-in of another vendor, by name', () => {
    const wrong = { ...speaker('claude', 'anthropic'), fallback: 'google/gemini' };
    expect(speakerProblems([wrong])).toEqual([
      'claude: Cannot fallback across vendors (anthropic → google). Fallbacks must stay within model family.',
    ]);
    expect(speakerProblems(THREE)).toEqual([]);
  });

  it('checks again before each fallback', () => {
    const wrong = { ...speaker('claude', 'anthropic'), fallback: 'google/gemini' };
    const world = openWorld(
      setupFor(settingsOf([wrong, ...FOUR.slice(1)], { oracle: 'oracle-model', heroes: ['claude', 'gpt'] })),
      (prompt) => (isOf(prompt, 'claude') ? { fails: {} } : says(prompt)),
    );
    world.play();
    expect(world.prompts.some((prompt) => prompt.model === 'google/gemini')).toBe(false);
    expect(world.factsOf('speaker:degraded')[0]?.reason).toContain('Cannot fallback across vendors');
  });
});

describe('a provider that asks to be left alone', () => {
  it('is not asked first where the time it named has not come', () => {
    const world = openWorld(setupFor(settings, { resets: { claude: 1_000_000 } }), says);
    world.play(100);
    expect(world.prompts.some((prompt) => isOf(prompt, 'claude'))).toBe(false);
    expect(world.factsOf('question:put')).toMatchObject([{ speaker: 'claude' }]);
    world.tell({ type: 'question.answered', yes: true, actor: 'test' });
    world.play();
    expect(world.prompts.some((prompt) => isOf(prompt, 'claude-small'))).toBe(true);
    expect(world.state().phase).toBe('finished');
  });
});

describe('all participants whose sessions were deleted', () => {
  it('are back with sessions of their own after /retry all', () => {
    let isLost = true;
    const world = openWorld(setupFor(settings), (prompt) =>
      isLost && prompt.member !== 'oracle' ? { fails: { kind: 'session_lost' } } : says(prompt),
    );
    world.play();
    expect(modeOf(world.state())).toBe('paused');
    isLost = false;
    world.tell({ type: 'speaker.retried', name: 'all', actor: 'test' });
    world.play();
    expect(world.state().phase).toBe('finished');
  });
});

describe('a speaker with several parts', () => {
  const one = settingsOf([speaker('claude', 'anthropic'), speaker('seer', 'mistral')], {
    ...{ oracle: 'seer', heroes: ['claude'] },
  });
  /** The first hero fails at once; the others, asked of the same model at the same time, fail much later. */
  const slowly = (prompt: Prompt): Reply => {
    if (isOf(prompt, 'seer') || isOf(prompt, 'claude-small')) return says(prompt);
    return { fails: {}, afterMs: prompt.member === 'architect' ? 10 : 5_000 };
  };

  it('is not held to what was asked of its own model before its fallback spoke', () => {
    const world = openWorld(setupFor(one), slowly);
    world.play(1_000);
    expect(world.factsOf('question:put')).toHaveLength(1);
    world.tell({ type: 'question.answered', yes: true, actor: 'test' });
    world.play();
    expect(world.factsOf('fallback:failed')).toEqual([]);
    expect(world.prompts.some((prompt) => isOf(prompt, 'claude-small'))).toBe(true);
    expect(world.state().phase).toBe('finished');
  });

  it('is tried anew when it is brought back, and not told by what is still under way', () => {
    const world = openWorld(setupFor(one), slowly);
    world.play(1_000);
    world.tell({ type: 'question.answered', yes: false, actor: 'test' });
    const before = world.prompts.length;
    world.tell({ type: 'speaker.retried', name: 'claude', actor: 'test' });
    world.play(6_000);
    expect(world.prompts.length).toBeGreaterThan(before);
  });
});

describe('a question that is open when the run pauses at its cap', () => {
  it('is put anew when it goes on, with all of its time', () => {
    const dear = settingsOf(FOUR, { oracle: 'oracle-model', heroes: ['claude', 'gpt', 'gemini'], maxCost: 0.05 });
    const world = openWorld(setupFor(dear), (prompt) =>
      isOf(prompt, 'claude') ? { fails: {}, afterMs: 500 } : { ...says(prompt), afterMs: 100 },
    );
    world.play(3_600_000);
    expect(world.state().pause).toBe('cap');
    world.tell({ type: 'question.answered', yes: true, actor: 'test' });
    world.play(1_000);
    if (world.state().asks.length > 0) expect(world.state().asks[0]?.putAt).toBeGreaterThan(3_600_000);
    expect(world.factsOf('question:answered')).toEqual([]);
  });
});

describe('a stand-in that a gateway serves', () => {
  it('is asked about by the vendor it was planned with', () => {
    const gateway = {
      ...{ name: 'claude', model: 'github-copilot/claude-large', fallback: 'github-copilot/claude-small' },
      ...{ vendor: 'anthropic', fallbackVendor: 'anthropic' },
    };
    const world = openWorld(
      setupFor(settingsOf([gateway, ...FOUR.slice(1)], { oracle: 'oracle-model', heroes: ['claude', 'gpt'] })),
      (prompt) => (isOf(prompt, 'claude-large') ? { fails: {} } : says(prompt)),
    );
    world.play(100);
    expect(world.factsOf('question:put')).toMatchObject([{ fallback: 'github-copilot/claude-small' }]);
  });
});
