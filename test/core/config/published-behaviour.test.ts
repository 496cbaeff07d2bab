import { describe, expect, it } from 'vitest';
import { NO_HOST, PUBLISHED_BEHAVIOUR, parseConfig, resolveScope } from '../../../src/core/config';
import { setValues } from '../../../src/core/edits';
import { FAILURE_KINDS, SWIFT } from '../../../src/engine';
import { formatStep } from '../../../src/engine/tools';

const PATH = '/u/model-fallback.json';
const CHAIN = '{ "agents": { "build": { "fallbackModels": ["a/1", "b/2"] } } }';

/** What a user's own file comes to. */
function meant(text: string) {
  const global = { path: PATH, ...parseConfig(text, PATH) };
  const { config, problems } = resolveScope({ global, project: null }, NO_HOST);
  const policy = config.agents.build?.policy ?? SWIFT;
  return {
    onExhausted: config.onExhausted,
    rows: (kind: keyof typeof SWIFT) => policy[kind].map(formatStep),
    problems,
  };
}

describe('given the behaviour of published designs, written into a file with a chain', () => {
  const written = setValues(CHAIN, PUBLISHED_BEHAVIOUR);
  const [before, after] = [meant(CHAIN), meant(written.ok ? written.text : '')];

  it('when it is read, then nothing is wrong in it, and nobody left means OpenCode’s own retries', () => {
    expect([written.ok, after.problems]).toEqual([true, []]);
    expect([before.onExhausted, after.onExhausted]).toEqual(['error', 'native']);
  });

  it('when a kind of failure is looked up, then the four kinds it is about differ, and the other 18 are as they were', () => {
    const changed = FAILURE_KINDS.filter((kind) => after.rows(kind).join() !== before.rows(kind).join());
    expect(Object.fromEntries(changed.map((kind) => [kind, [before.rows(kind), after.rows(kind)]]))).toEqual({
      rate_limit: [
        ['waitHint:5000', 'switch'],
        ['retry:3', 'switch'],
      ],
      network_transient: [['switch'], ['retry:3', 'switch']],
      permission: [['switch'], ['return']],
      unknown: [['return'], ['switch']],
    });
    expect(FAILURE_KINDS).toHaveLength(22);
  });
});
