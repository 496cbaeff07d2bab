import { expect, it } from 'vitest';
import { modeOf } from '../../src/features/council/rules/state/state';
import { dutiful, openWorld, SIX, settingsOf, setupFor, speaker } from '../support/council-world';
import { chance } from './any-run';

/** Which models are dead at a time: every 10 to 30 s another 30 % of them. */
function weatherOf(random: () => number, models: readonly string[]): (at: number) => ReadonlySet<string> {
  let until = 0;
  let dead = new Set<string>();
  return (at) => {
    while (at >= until) {
      until += 10_000 + random() * 20_000;
      dead = new Set(models.filter(() => random() < 0.3));
    }
    return dead;
  };
}

it('comes to a report, or waits and says why, while 30 % of models die every 10 to 30 s', () => {
  const speakers = ['claude', 'gpt', 'gemini', 'grok'].map((name) => speaker(name, `${name}-vendor`));
  const models = speakers.flatMap(({ model, fallback }) => [model, fallback ?? '']);
  let finished = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const random = chance(seed);
    const deadAt = weatherOf(random, models);
    const world = openWorld(setupFor(settingsOf(speakers)), (prompt) => {
      const afterMs = 2_000 + random() * 6_000;
      return deadAt(world?.now() ?? 0).has(prompt.model)
        ? { afterMs: 3_500, retries: 2, fails: { kind: 'server_error' } }
        : { afterMs, says: dutiful(prompt) };
    });
    // Somebody is there who says yes, and brings back who is out when everybody is.
    for (let calls = 0; calls < 50 && world.state().phase !== 'finished'; calls++) {
      world.play(15_000);
      if (world.state().asks.length > 0) world.tell({ type: 'question.answered', yes: true, actor: 'person' });
      if (modeOf(world.state()) === 'paused') world.tell({ type: 'speaker.retried', name: 'all', actor: 'person' });
    }
    world.play();
    const { phase, pause, completed } = world.state();
    expect(phase === 'finished' || pause === 'all_off', `seed ${seed} is stuck in ${modeOf(world.state())}`).toBe(true);
    const party = completed.filter((id) => SIX.includes(id));
    expect(party).toEqual(SIX.slice(0, party.length));
    if (phase === 'finished') finished++;
  }
  expect(finished).toBeGreaterThan(190);
});
