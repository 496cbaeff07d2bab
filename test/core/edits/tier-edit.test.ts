import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDocument, plainValue } from '../../../src/core/config/document';
import { removeChain, setChain, type TierSize } from '../../../src/core/edits';
import { runs } from '../../support/runs';

const saidBy = (text: string): unknown => {
  const opened = openDocument(text);
  return opened.ok ? plainValue(opened.root) : opened.message;
};
const edited = (text: string, models: readonly string[], tiers?: readonly TierSize[]): string => {
  const outcome = setChain(text, 'build', models, tiers ? { tiers } : {});
  return outcome.ok ? outcome.text : `refused: ${outcome.message}`;
};
const tier = (from: number | null, name: string | null, size: number): TierSize => ({ from, name, size });

const TIERED = `{
  "agents": {
    "build": {
      // thought about in spring
      "tiers": [
        { "name": "premium", "models": ["a/1", "a/2"] }, // dear
        {
          "models": [
            "b/1", // the workhorse
            "b/2"
          ],
          "name": "standard"
        }
      ],
      "policy": "swift"
    }
  }
}
`;

describe('given a chain in tiers, each with comments', () => {
  it('when a model goes to another tier, then its comment goes with it and nothing else changes', () => {
    expect(edited(TIERED, ['a/1', 'a/2', 'b/1', 'b/2'], [tier(0, 'premium', 3), tier(1, 'standard', 1)])).toBe(
      TIERED.replace('["a/1", "a/2"] }', '["a/1", "a/2", "b/1" // the workhorse\n          ] }').replace(
        '            "b/1", // the workhorse\n',
        '',
      ),
    );
  });

  it('when a tier is put before the other, then it goes with its comment and its layout', () => {
    const after = edited(TIERED, ['b/1', 'b/2', 'a/1', 'a/2'], [tier(1, 'standard', 2), tier(0, 'premium', 2)]);
    expect(saidBy(after)).toEqual({
      agents: {
        build: {
          tiers: [
            { models: ['b/1', 'b/2'], name: 'standard' },
            { name: 'premium', models: ['a/1', 'a/2'] },
          ],
          policy: 'swift',
        },
      },
    });
    expect(after).toContain('"models": ["a/1", "a/2"] } // dear\n');
    expect(after).toContain('"b/1", // the workhorse\n');
  });

  it('when a tier has another name, then the name alone changes', () => {
    expect(edited(TIERED, ['a/1', 'a/2', 'b/1', 'b/2'], [tier(0, 'best', 2), tier(1, 'standard', 2)])).toBe(
      TIERED.replace('premium', 'best'),
    );
  });

  it('when a tier loses its name, and a new one with a new model is last, then both are as wanted', () => {
    const after = edited(
      TIERED,
      ['a/1', 'a/2', 'b/1', 'b/2', 'l/1'],
      [tier(0, null, 2), tier(1, 'standard', 2), tier(null, 'local', 1)],
    );
    expect(saidBy(after)).toEqual({
      agents: {
        build: {
          tiers: [
            { models: ['a/1', 'a/2'] },
            { models: ['b/1', 'b/2'], name: 'standard' },
            { name: 'local', models: ['l/1'] },
          ],
          policy: 'swift',
        },
      },
    });
  });

  it('when no tier is wanted any more, then all is one list', () => {
    expect(saidBy(edited(TIERED, ['b/2', 'a/1'], []))).toEqual({
      agents: { build: { policy: 'swift', fallbackModels: ['b/2', 'a/1'] } },
    });
  });

  it('when a tier is meant that is not there any more, then it is refused', () => {
    expect(edited(TIERED, ['a/1'], [tier(2, 'x', 1)])).toBe('refused: the tiers of build have changed');
  });

  it('when its single models stand behind its tiers in the file, then both can be put in order', () => {
    const before = '{"agents":{"build":{"tiers":[{"models":["b/1","b/2"]}],"fallbackModels":["a/1","a/2"]}}}';
    expect(edited(before, ['a/2', 'a/1', 'b/2', 'b/1'])).toBe(
      '{"agents":{"build":{"tiers":[{"models":["b/2","b/1"]}],"fallbackModels":["a/2","a/1"]}}}',
    );
  });

  it('when tiers are not named, then a move over their border is refused as ever', () => {
    expect(edited(TIERED, ['b/1', 'a/2', 'a/1', 'b/2'])).toMatch(/^refused: the chain of build is written in tiers/);
  });

  it('when the chain is taken out, then what else is said of the agent stays', () => {
    const outcome = removeChain(TIERED, 'build');
    expect(outcome.ok && outcome.text).toBe(`{
  "agents": {
    "build": {
      // thought about in spring
      "policy": "swift"
    }
  }
}
`);
  });
});

describe('given a chain in one list', () => {
  it('when it gets tiers, then they are written one a line, and the list goes', () => {
    const before = '{\n  "agents": {\n    "build": { "fallbackModels": ["a/1", "b/1"] }\n  }\n}\n';
    expect(edited(before, ['a/1', 'b/1'], [tier(null, 'premium', 1), tier(null, null, 1)])).toBe(
      '{\n  "agents": {\n    "build": { "tiers": [\n      { "name": "premium", "models": ["a/1"] },\n      { "models": ["b/1"] }\n    ] }\n  }\n}\n',
    );
  });

  it('when the list has a comment of its own, then it stays for it', () => {
    const before = '{ "agents": { "build": { "fallbackModels": [\n "a/1"\n // more later\n] } } }';
    expect(edited(before, ['a/1'], [tier(null, 'premium', 1)])).toContain('// more later');
  });

  it('when the agent is unknown, then it gets its entry', () => {
    expect(saidBy(edited('{}', ['a/1', 'b/1'], [tier(null, 'premium', 1)]))).toEqual({
      agents: { build: { tiers: [{ name: 'premium', models: ['b/1'] }], fallbackModels: ['a/1'] } },
    });
  });

  it('when a tier has no name worth one, then it is refused in words', () => {
    expect(edited('{}', ['a/1'], [tier(null, '', 1)])).toMatch(/^refused: "a tier" must be/);
  });

  it('when it is an empty list of tiers, then it can be taken out as well', () => {
    expect(removeChain('{ "agents": { "build": { "tiers": [] }, "plan": {} } }', 'build')).toEqual({
      ok: true,
      text: '{ "agents": { "plan": {} } }',
    });
  });

  it('when it is taken out and nothing else is said, then the entry goes; twice is refused', () => {
    const before =
      '{\n  "agents": {\n    "build": { "fallbackModels": ["a/1"] }, // old\n    "plan": { "policy": "swift" }\n  }\n}\n';
    const outcome = removeChain(before, 'build');
    expect(outcome.ok && outcome.text).toBe('{\n  "agents": {\n    "plan": { "policy": "swift" }\n  }\n}\n');
    expect(outcome.ok && removeChain(outcome.text, 'build')).toMatchObject({
      ok: false,
      message: 'build has no chain in this file',
    });
  });
});

const Name = fc.constantFrom('premium', 'standard', 'local', null);
const Lists = fc.record({
  models: fc.shuffledSubarray(['a/1', 'b/1', 'c/1', 'd/1', 'e/1', 'f/1']),
  cuts: fc.array(fc.record({ name: Name, share: fc.nat(3) }), { maxLength: 4 }),
});

/** Tiers of so many models, as far as there are any left. */
function sizes(models: readonly string[], cuts: readonly Readonly<{ name: string | null; share: number }>[]) {
  let left = models.length;
  return cuts.map(({ name, share }) => {
    const size = Math.min(share, left);
    left -= size;
    return { name, size };
  });
}

describe('given any chain in any lists', () => {
  it('when it is written in any others, then the file says exactly that, keeps the rest, and a second time changes nothing', () => {
    fc.assert(
      fc.property(Lists, Lists, fc.array(fc.nat(), { maxLength: 4 }), (before, after, picks) => {
        const start = '{\n  // mine\n  "agents": { "plan": { "policy": "swift" } }\n}\n';
        const old = sizes(before.models, before.cuts).map((one) => ({ ...one, from: null }));
        const first = edited(start, before.models, old);
        const free = [...old.keys()];
        const wanted = sizes(after.models, after.cuts).map((one, index) => {
          const pick = picks[index];
          const from = pick === undefined || free.length === 0 ? null : (free.splice(pick % free.length, 1)[0] ?? null);
          return { ...one, from };
        });
        const second = edited(first, after.models, wanted);
        let at = after.models.length - wanted.reduce((sum, { size }) => sum + size, 0);
        const single = after.models.slice(0, at);
        const tiers = wanted.map(({ name, size }) => {
          at += size;
          return { ...(name === null ? {} : { name }), models: after.models.slice(at - size, at) };
        });
        expect(saidBy(second)).toEqual({
          agents: {
            plan: { policy: 'swift' },
            build: {
              ...(tiers.length > 0 ? { tiers } : {}),
              ...(single.length > 0 || tiers.length === 0 ? { fallbackModels: single } : {}),
            },
          },
        });
        expect(second).toContain('  // mine\n');
        const same = wanted.map(({ name, size }, index) => ({ name, size, from: index }));
        expect(edited(second, after.models, same)).toBe(second);
      }),
      { numRuns: runs(500) },
    );
  });
});
