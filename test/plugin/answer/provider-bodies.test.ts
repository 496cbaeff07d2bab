import { describe, expect, it } from 'vitest';
import { classify, KIND_INFO } from '../../../src/engine';
import {
  evidenceOfFixture,
  failureOfAnswer,
  type ProviderFixture,
  readProviderFixtures,
  WIRES,
} from '../../support/provider-fixtures';

const fixtures = readProviderFixtures();

describe(`given ${fixtures.length} error bodies of providers`, () => {
  it.each(fixtures.map((fixture) => [`${fixture.provider}: ${fixture.name}`, fixture] as const))(
    'when the companion reads %s, then kind, scope, lane and wait are as expected',
    async (_, fixture) => {
      const { kind, scope, lane, hintMs } = await failureOfAnswer(fixture);
      const isTimed = fixture.hint !== undefined && ['server_error', 'overloaded'].includes(kind);
      expect({ kind, scope, lane, hintMs }).toEqual({
        kind: fixture.kind,
        scope: fixture.scope,
        lane: fixture.needsUser ? 'blocked' : isTimed ? 'cooldown' : KIND_INFO[fixture.kind].lane,
        hintMs: fixture.hint?.ms ?? null,
      });
    },
  );
});

describe('given the same error bodies and a provider that no map names', () => {
  it.each(fixtures.map((fixture) => [`${fixture.provider}: ${fixture.name}`, fixture] as const))(
    'when it sends the body of %s, then the general rules give its kind, or the named one',
    async (_, fixture) => {
      expect(classify(await evidenceOfFixture(fixture)).kind).toBe(fixture.general ?? fixture.kind);
    },
  );
});

describe('given the sources of the error bodies', () => {
  const linked = fixtures.filter(({ source }) => /^https:\/\/\S+$/.test(source));
  const counts = (keys: readonly string[]): ReadonlyMap<string, number> =>
    new Map([...new Set(keys)].map((key) => [key, keys.filter((each) => each === key).length]));
  /** A repository, or the host of any other page. */
  const sourceOf = ({ source }: ProviderFixture): string =>
    /^https:\/\/(github\.com\/[^/]+\/[^/]+|[^/]+)/.exec(source)?.[1] ?? source;

  it('when they are counted, then 150 have a link, from 60 sources, on five wires', () => {
    const sources = counts(linked.map(sourceOf));
    const wires = counts(linked.map(({ wire }) => wire));
    const most = Math.max(...sources.values());
    console.info(
      `${fixtures.length} error bodies, ${linked.length} with a link, from ${sources.size} sources (at most ${most} of one);`,
      [...wires].map(([wire, count]) => `${wire} ${count}`).join(', '),
    );
    expect(linked.length).toBeGreaterThanOrEqual(150);
    expect(sources.size).toBeGreaterThanOrEqual(60);
    expect(most).toBeLessThanOrEqual(10);
    expect(WIRES.map((wire) => (wires.get(wire) ?? 0) >= 10)).toEqual([true, true, true, true, true]);
  });

  it('when they are read, then each is written once', () => {
    const written = counts(fixtures.map((f) => JSON.stringify([f.provider, f.source, f.status, f.headers, f.body])));
    expect([...written].filter(([, count]) => count > 1)).toEqual([]);
  });
});
