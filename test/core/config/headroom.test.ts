import { describe, expect, it } from 'vitest';
import { type ConfigSource, parseConfig, resolveScope } from '../../../src/core/config';
import { confined } from '../../../src/core/config/confine';
import { ScopeConfig } from '../../../src/protocol';

const GLOBAL = '/home/u/.config/opencode/model-fallback.json';
const PROJECT = '/p/.opencode/model-fallback.json';
const source = (path: string, headroom: unknown): ConfigSource => ({
  path,
  ...parseConfig(JSON.stringify({ headroom }), path),
});

function drainOf(drain: unknown, isUnattended = false) {
  const resolved = resolveScope(
    { global: source(GLOBAL, { drain }), project: null },
    { leads: {}, defaultModel: null, isUnattended },
  );
  // What is resolved is what goes over the wire.
  expect(ScopeConfig.parse(resolved.config)).toEqual(resolved.config);
  return [resolved.config.headroom, resolved.problems.map(({ message }) => message)];
}

describe('given what is to happen before another plan is used up', () => {
  it('when nothing is said, then nothing is: the engine has its own default', () => {
    expect(drainOf(undefined)).toEqual([{ act: 'move', moveAt: 0.97 }, []]);
  });

  it('when one word or one for each kind is said, then it is kept', () => {
    expect(drainOf('ask')).toEqual([{ act: 'move', moveAt: 0.97, drain: 'ask' }, []]);
    const byKind = { quota: 'ask', rate_limit: 'never' };
    expect(drainOf(byKind)).toEqual([{ act: 'move', moveAt: 0.97, drain: byKind }, []]);
  });

  it('when nobody sits there, as under `opencode run`, then nobody is asked', () => {
    expect(drainOf('ask', true)).toEqual([{ act: 'move', moveAt: 0.97, drain: 'auto' }, []]);
    expect(drainOf({ quota: 'ask', rate_limit: 'never' }, true)[0]).toMatchObject({
      drain: { quota: 'auto', rate_limit: 'never' },
    });
    expect(drainOf('never', true)[0]).toMatchObject({ drain: 'never' });
  });

  it.each([['always'], [{ quota: 'later' }], [{ quoted: 'ask' }], [3]])(
    'when it is %j, then that is told where it stands, and the rest of the section holds',
    (wrong) => {
      const [headroom, problems] = drainOf(wrong);
      expect(headroom).toMatchObject({ act: 'move', moveAt: 0.97 });
      expect(JSON.stringify(headroom)).not.toMatch(/always|later|quoted|3\b/);
      expect(problems).toHaveLength(1);
    },
  );

  it('when the emptier of two accounts is to answer first, then that is kept; by default it is not', () => {
    const spreadOf = (spread: unknown) => {
      const { config, problems } = resolveScope(
        { global: source(GLOBAL, { spread }), project: null },
        { leads: {}, defaultModel: null },
      );
      expect(ScopeConfig.parse(config)).toEqual(config);
      return [config.headroom, problems.map(({ message, line }) => [message, line])];
    };
    const plain = { act: 'move', moveAt: 0.97 };
    expect([true, false, undefined].map(spreadOf)).toEqual([
      [{ ...plain, spread: true }, []],
      [plain, []],
      [plain, []],
    ]);
    expect(spreadOf('yes')).toEqual([plain, [[expect.stringMatching(/spread.* must be true or false/), 1]]]);
  });

  it.each(['headroom', 'budget'] as const)(
    'when a project’s file says %s, then it is ignored with a warning',
    (key) => {
      const project = { path: PROJECT, ...parseConfig(JSON.stringify({ [key]: {} }), PROJECT) };
      const { config, problems } = confined(project);
      expect([config?.[key], problems.map(({ code, line }) => [code, line])]).toEqual([
        undefined,
        [[`${key}.not_a_projects`, 1]],
      ]);
    },
  );
});
