import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInProviderMaps } from '../../../src/core/providers/built-in-providers';
import {
  compileMap,
  foldText,
  kindInMap,
  kindInMaps,
  type MapEvidence,
  mapsFor,
  type ProviderMap,
} from '../../../src/engine/failure/provider-map';
import { shortestMs } from '../../support/best-of';
import { evidenceOfFixture, readProviderFixtures } from '../../support/provider-fixtures';
import { runs } from '../../support/runs';

const fixtures = readProviderFixtures();
const shipped = builtInProviderMaps();
const compiledFor = (provider: string) => mapsFor(shipped, provider).map(compileMap);
const LONG_MESSAGE_CHARS = 5_000_000;
/** A map may take this long for the worst message, on a machine that is busy with other things as well. */
const SLOW_MS = 100;

function mapOf(parts: Partial<ProviderMap>): ProviderMap {
  return {
    version: 1,
    provider: 'acme',
    aliases: [],
    vendor: 'acme',
    statuses: {},
    codes: {},
    phrases: [],
    resetHeaders: [],
    ...parts,
  };
}

const mapped = fixtures.filter(({ by }) => by !== undefined);

describe.each([...new Set(mapped.map(({ provider }) => provider))])('given an error of %s', (provider) => {
  const own = mapped.filter((fixture) => fixture.provider === provider);
  it.each(own.map((fixture) => [fixture.name, fixture] as const))(
    'when it is "%s", then it has its kind',
    async (_, fixture) => {
      const match = kindInMaps(compiledFor(provider), await evidenceOfFixture(fixture));
      expect({ kind: match?.kind, by: match?.source, needsUser: match?.needsUser }).toEqual({
        kind: fixture.kind,
        by: fixture.by,
        needsUser: fixture.needsUser ?? false,
      });
    },
  );
});

describe('given the shipped maps', () => {
  it('when their examples are counted, then every provider has at least four', () => {
    const counts = shipped.map((map) => [
      map.provider,
      fixtures.filter(({ provider }) => provider === map.provider).length,
    ]);
    expect(counts.filter(([, count]) => Number(count) < 4)).toEqual([]);
  });

  it('when a provider id is an alias, then its map answers, and default after it', () => {
    expect(mapsFor(shipped, 'azure-cognitive-services').map((map) => map.provider)).toEqual(['azure', 'default']);
    expect(mapsFor(shipped, 'someone-else').map((map) => map.provider)).toEqual(['default']);
    expect(mapsFor(shipped, 'default').map((map) => map.provider)).toEqual(['default']);
  });
});

describe('given a router that has nobody to ask', () => {
  it('when OpenRouter says so, then the entry brings its own step', () => {
    const message = 'There is no available model provider that meets your routing requirements';
    expect(kindInMaps(compiledFor('openrouter'), { status: 503, message })?.steps).toEqual([{ step: 'switch' }]);
  });
});

describe('given a map with a code, a phrase and a status', () => {
  const compiled = compileMap(
    mapOf({
      statuses: { '402': 'quota', '503': 'overloaded', '5xx': 'server_error' },
      codes: { full: { kind: 'overloaded' }, API_Error: { kind: 'server_error' }, limited: { kind: 'rate_limit' } },
      phrases: [
        { phrase: 'Usage Limit', kind: 'quota', needsUser: true, steps: [{ step: 'ask' }] },
        { phrase: 'too long', kind: 'context_length' },
      ],
    }),
  );

  it('when all three speak, then a specific code is not contradicted by the phrase', () => {
    const match = kindInMap(compiled, { status: 503, code: 'full', message: 'the prompt is too long' });
    expect(match).toEqual({ kind: 'overloaded', source: 'code', needsUser: false });
  });

  it('when the code is general, then a phrase narrows it', () => {
    const match = kindInMap(compiled, { status: 500, code: 'api_error', message: 'the prompt is too long' });
    expect(match).toEqual({ kind: 'context_length', source: 'phrase', needsUser: false });
  });

  it('when the code is general and no phrase speaks, then a status that says more narrows it', () => {
    expect(kindInMap(compiled, { status: 503, code: 'api_error' })?.source).toBe('status');
    expect(kindInMap(compiled, { status: 500, code: 'api_error' })?.source).toBe('code');
  });

  it('when a 400 calls itself an API error, then the request was at fault and not the server', () => {
    const general = compileMap(
      mapOf({ codes: { api_error: { kind: 'server_error' } }, statuses: { '4xx': 'invalid_request' } }),
    );
    expect(kindInMap(general, { status: 400, code: 'api_error' })?.kind).toBe('invalid_request');
    expect(kindInMap(general, { status: 500, code: 'api_error' })?.kind).toBe('server_error');
  });

  it('when the code says more than a status can, then the status does not narrow it', () => {
    expect(kindInMap(compiled, { status: 402, code: 'limited' })?.kind).toBe('rate_limit');
  });

  it('when a rate limit speaks of a plan, then the phrase narrows it with its steps', () => {
    const match = kindInMap(compiled, { code: 'limited', message: 'weekly usage limit' });
    expect(match).toEqual({ kind: 'quota', source: 'phrase', needsUser: true, steps: [{ step: 'ask' }] });
  });

  it('when a phrase and a status speak, then the phrase counts; alone, the status; nothing, null', () => {
    expect(kindInMap(compiled, { status: 503, message: 'usage limit' })?.source).toBe('phrase');
    expect(kindInMap(compiled, { status: 503 })?.kind).toBe('overloaded');
    expect(kindInMap(compiled, { status: 520 })?.kind).toBe('server_error');
    expect(kindInMap(compiled, { status: 418, code: 'new', message: 'hm' })).toBeNull();
  });

  it.each(['FULL', ' full ', 'full:pro_plus', 'com.acme#Full'])(
    'when the code is written as "%s", then it is known',
    (code) => {
      expect(kindInMap(compiled, { code })?.kind).toBe('overloaded');
    },
  );

  it.each(['USAGE LIMIT', 'usage\u00a0limit', 'usage\n  limit', 'ｕｓａｇｅ limit', 'us\u200bage limit'])(
    'when the message says %j, then the phrase is found',
    (message) => {
      expect(kindInMap(compiled, { message })?.kind).toBe('quota');
    },
  );

  it('when a phrase of another map matches, then a code still outranks it', () => {
    const other = compileMap(mapOf({ provider: 'default', codes: { busy: { kind: 'timeout' } } }));
    expect(kindInMaps([compiled, other], { code: 'busy', message: 'usage limit' })?.source).toBe('code');
  });
});

describe('given phrases with characters that mean something in a pattern', () => {
  const compiled = compileMap(
    mapOf({
      phrases: [
        { phrase: '(a+)+$ [429', kind: 'quota' },
        { phrase: '.*', kind: 'auth' },
      ],
    }),
  );

  it('when they stand in the message as they are, then they match, and nothing else does', () => {
    expect(kindInMap(compiled, { message: 'it said (A+)+$ [429 today' })?.kind).toBe('quota');
    expect(kindInMap(compiled, { message: `${'a'.repeat(1_000)}!` })).toBeNull();
  });
});

describe('given a phrase that ends or begins with a number', () => {
  const compiled = compileMap(
    mapOf({
      phrases: [
        { phrase: 'error 429', kind: 'rate_limit' },
        { phrase: '5小时', kind: 'quota' },
      ],
    }),
  );

  it.each(['error 4290 tokens', 'error 429k', 'error 429.5', 'error 429,000'])(
    'when it says "%s", then it does not match',
    (message) => {
      expect(kindInMap(compiled, { message })).toBeNull();
    },
  );

  it.each(['error 429', 'Error 429: slow down', 'error 429.', 'error 429, sorry', 'error 4290, then error 429'])(
    'when it says "%s", then it matches',
    (message) => {
      expect(kindInMap(compiled, { message })?.kind).toBe('rate_limit');
    },
  );

  it('when letters of a script without blanks stand beside it, then it matches', () => {
    expect(kindInMap(compiled, { message: '已达到5小时的使用上限' })?.kind).toBe('quota');
    expect(kindInMap(compiled, { message: '已达到15小时' })).toBeNull();
  });
});

describe('given evidence of any kind', () => {
  const everything = shipped.map(compileMap);

  it('when it holds anything at all, then the map answers and never throws', () => {
    const hostile = fc.record({
      status: fc.oneof(fc.anything(), fc.integer({ min: 90, max: 700 }), fc.double()),
      code: fc.oneof(fc.anything(), fc.string({ unit: 'binary' })),
      message: fc.oneof(fc.anything(), fc.string({ unit: 'binary', maxLength: 300 })),
    });
    fc.assert(
      fc.property(hostile, (evidence) => {
        const match = kindInMaps(everything, evidence as MapEvidence);
        return match === null || ['code', 'phrase', 'status'].includes(match.source);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('when its getters throw, then it counts as silence', () => {
    const thrower: MapEvidence = {
      get status(): number {
        throw new Error('no');
      },
      get code(): string {
        throw new Error('no');
      },
      get message(): string {
        throw new Error('no');
      },
    };
    expect(kindInMaps(everything, thrower)).toBeNull();
  });

  it('when a phrase stands anywhere in the text, in any case, then it is found', () => {
    const word = fc.stringMatching(/^[a-zA-ZäöüßéàñçøžÅИяЖΣσς]{2,12}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), word, word, (words, before, after) => {
        const phrase = words.join(' ');
        const compiled = compileMap(mapOf({ phrases: [{ phrase, kind: 'quota' }] }));
        const message = `${before} ${phrase.toUpperCase()} ${after}`;
        return kindInMap(compiled, { message })?.kind === 'quota' && foldText(message).includes(foldText(phrase));
      }),
      { numRuns: runs(500) },
    );
  });

  it.each([
    ['one letter', 'a'],
    ['ligatures that grow', '\ufdfa'],
    ['digits', '4290'],
    ['blanks', ' \n'],
  ])('when a message is 5 MB of %s, then it is read in a moment', (_, unit) => {
    const message = unit.repeat(LONG_MESSAGE_CHARS / unit.length);
    expect(shortestMs(() => kindInMaps(everything, { status: 500, message }))).toBeLessThan(SLOW_MS);
  });
});
