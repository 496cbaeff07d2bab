import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInProviderMaps } from '../../../src/core/providers/built-in-providers';
import { mergeMaps, parseProviderMap, shippedMapOf, type UserProviderMap } from '../../../src/core/providers/providers';
import { classify, type Evidence, type FailureKind } from '../../../src/engine';
import { compileMap, kindInMaps, mapsFor, type ProviderMap } from '../../../src/engine/failure/provider-map';
import { runs } from '../../support/runs';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'resources', 'providers');
const PATH = 'providers/mine.json';
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

function parsed(json: unknown): UserProviderMap {
  const { map, problem } = parseProviderMap(JSON.stringify(json), PATH);
  if (map === null) throw new TypeError(problem.message);
  return map;
}

const mapOf = (maps: readonly ProviderMap[], provider: string) => maps.find((map) => map.provider === provider);
const answerOf = (maps: readonly ProviderMap[], provider: string, evidence: Parameters<typeof kindInMaps>[1]) =>
  kindInMaps(mapsFor(maps, provider).map(compileMap), evidence);

describe('given the map files that ship', () => {
  it.each(files)('when %s is read, then it has no fault and says everything', (name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8');
    const { map, problem } = parseProviderMap(text, name);
    expect(problem).toBeNull();
    const { timeZone: _, ...always } = map ?? {};
    expect(Object.keys(always).sort()).toEqual([
      'aliases',
      'codes',
      'phrases',
      'provider',
      'resetHeaders',
      'statuses',
      'vendor',
      'version',
    ]);
    const codes = Object.keys(JSON.parse(text).codes);
    expect(codes).toEqual(codes.map((code) => code.toLowerCase()));
    expect((map?.phrases ?? []).filter(({ phrase }) => phrase.length > 200)).toEqual([]);
  });

  it('when they are imported, then none is left out and no id is answered by two', () => {
    const maps = builtInProviderMaps();
    const onDisk = files.map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')).provider);
    expect(maps.map((map) => map.provider).sort()).toEqual(onDisk.sort());
    const ids = maps.flatMap((map) => [map.provider, ...map.aliases]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it.each(files)('when %s is taken without a check, then it is what the check makes of it', (name) => {
    const json = JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
    expect(mergeMaps([], [parsed(json)])).toEqual([shippedMapOf(json)]);
  });

  it('when one would have steps, a bare kind and a code in capitals, then these are read as well', () => {
    const json = {
      ...{ $schema: 'x', version: 1, provider: 'acme', aliases: ['acme', 'acme-eu'] },
      codes: {
        SLOW: 'rate_limit',
        full: { kind: 'quota', needsUser: true, steps: ['waitHint:9', 'retry:2', 'switch'] },
      },
      phrases: [{ phrase: 'come back', kind: 'overloaded', steps: ['wait:5'] }],
    };
    const map = shippedMapOf(json);
    expect(map).toEqual(mergeMaps([], [parsed(json)])[0]);
    expect(map.codes.full?.steps).toEqual([
      { step: 'waitHint', maxMs: 9 },
      { step: 'retry', n: 2 },
      { step: 'switch' },
    ]);
  });
});

describe('given a user map that is right', () => {
  it('when it has comments, trailing commas, bare kinds and steps, then all of it is read', () => {
    const text = `\ufeff{
      // my proxy
      "version": 1,
      "provider": "acme",
      "statuses": { "418": "overloaded", },
      "codes": { "E_FULL": "overloaded", "E_PAY": { "kind": "quota", "needsUser": true, "steps": ["retry:3", "wait:500", "switch"] } },
      "phrases": [{ "phrase": "Kontingent erschöpft", "kind": "quota" }],
    }`;
    expect(parseProviderMap(text, PATH)).toEqual({
      map: {
        version: 1,
        provider: 'acme',
        statuses: { 418: 'overloaded' },
        codes: {
          e_full: { kind: 'overloaded' },
          e_pay: {
            kind: 'quota',
            needsUser: true,
            steps: [{ step: 'retry', n: 3 }, { step: 'wait', ms: 500 }, { step: 'switch' }],
          },
        },
        phrases: [{ phrase: 'Kontingent erschöpft', kind: 'quota' }],
      },
      problem: null,
    });
  });

  it('when it changes a built-in map, then it overrides key by key and leaves the rest', () => {
    const builtIn = builtInProviderMaps();
    const own = parsed({
      version: 1,
      provider: 'openai',
      statuses: { 503: 'server_error' },
      codes: { slow_down: 'overloaded', mine: 'auth' },
      phrases: [{ phrase: 'HIT YOUR USAGE LIMIT', kind: 'rate_limit' }],
      resetHeaders: [{ name: 'x-ratelimit-reset-tokens', unit: 'seconds' }],
    });
    const before = mapOf(builtIn, 'openai');
    const after = mapOf(mergeMaps(builtIn, [own]), 'openai');
    expect(after).toEqual({
      ...before,
      statuses: { ...before?.statuses, 503: 'server_error' },
      codes: { ...before?.codes, slow_down: { kind: 'overloaded' }, mine: { kind: 'auth' } },
      phrases: [
        { phrase: 'HIT YOUR USAGE LIMIT', kind: 'rate_limit' },
        ...(before?.phrases ?? []).filter(({ phrase }) => phrase !== 'hit your usage limit'),
      ],
      resetHeaders: [
        ...(before?.resetHeaders ?? []).filter(({ name }) => name !== 'x-ratelimit-reset-tokens'),
        { name: 'x-ratelimit-reset-tokens', unit: 'seconds' },
      ],
    });
    expect(mapOf(builtIn, 'openai')).toBe(before);
    const zones = [{}, { timeZone: 'UTC' }].map((more) => {
      const mine = parsed({ version: 1, provider: 'zai', ...more });
      return mapOf(mergeMaps(builtIn, [mine]), 'zai')?.timeZone;
    });
    expect(zones).toEqual(['Asia/Shanghai', 'UTC']);
  });

  it('when it teaches a phrase, then a failure that was unknown has its kind', () => {
    const builtIn = builtInProviderMaps();
    const evidence = { status: 500, message: 'Hoy no hay más, vuelve mañana' };
    const merged = mergeMaps(builtIn, [
      parsed({ version: 1, provider: 'groq', phrases: [{ phrase: 'no hay más', kind: 'quota' }] }),
    ]);
    expect(answerOf(builtIn, 'groq', evidence)?.kind).toBe('server_error');
    expect(answerOf(merged, 'groq', evidence)?.kind).toBe('quota');
    expect(answerOf(merged, 'xai', evidence)?.kind).toBe('server_error');
  });

  it('when it is for one alias, then only that id changes, from the map it had', () => {
    const merged = mergeMaps(builtInProviderMaps(), [
      parsed({ version: 1, provider: 'zai-coding-plan', codes: { 1302: 'overloaded' } }),
    ]);
    expect(answerOf(merged, 'zai-coding-plan', { code: '1302' })?.kind).toBe('overloaded');
    expect(answerOf(merged, 'zai-coding-plan', { code: '1113' })?.kind).toBe('quota');
    expect(answerOf(merged, 'zai', { code: '1302' })?.kind).toBe('rate_limit');
  });

  it('when it is for an unknown provider or claims an alias, then it answers for it', () => {
    const merged = mergeMaps(builtInProviderMaps(), [
      parsed({ version: 1, provider: 'my-proxy', aliases: ['zhipuai'], codes: { 1302: 'timeout' } }),
    ]);
    expect(mapOf(merged, 'my-proxy')?.vendor).toBe('unknown');
    expect(answerOf(merged, 'zhipuai', { code: '1302' })?.kind).toBe('timeout');
  });
});

describe('given a user map that is wrong', () => {
  const wrong: readonly (readonly [what: string, text: string, line: number, column: number, words: RegExp])[] = [
    ['is empty', '', 1, 1, /file is empty/],
    ['is no JSON', '{ "version": 1,\n  provider: 1 }', 2, 3, /cannot be read/],
    ['is a list', '[]', 1, 1, /must be an object/],
    ['has no provider', '{ "version": 1 }', 1, 1, /provider is missing/],
    ['is of a later version', '{ "version": 2, "provider": "x" }', 1, 14, /version must be 1, not 2/],
    [
      'has a mistyped key',
      '{ "version": 1, "provider": "x",\n "phrase": [] }',
      2,
      2,
      /Unknown key "phrase".*Did you mean "phrases"/,
    ],
    [
      'has a mistyped kind',
      '{ "version": 1, "provider": "x",\n "codes": { "a": "rate_limt" } }',
      2,
      18,
      /codes\.a must be a kind.*Did you mean "rate_limit"/,
    ],
    [
      'has a mistyped kind in a status',
      '{ "version": 1, "provider": "x",\n "statuses": { "429": "rate" } }',
      2,
      23,
      /statuses\.429 must be a kind/,
    ],
    [
      'has a wrong status',
      '{ "version": 1, "provider": "x",\n "statuses": { "200": "auth" } }',
      2,
      16,
      /"200" is no HTTP status/,
    ],
    [
      'has a phrase of digits',
      '{ "version": 1, "provider": "x",\n "phrases": [{ "phrase": "429", "kind": "auth" }] }',
      2,
      26,
      /phrase of 2 to 200 characters/,
    ],
    [
      'has a phrase without a kind',
      '{ "version": 1, "provider": "x",\n "phrases": [{ "phrase": "oh no" }] }',
      2,
      14,
      /kind is missing/,
    ],
    [
      'has a phrase that is too long',
      `{ "version": 1, "provider": "x",\n "phrases": [{ "phrase": "${'a'.repeat(201)}", "kind": "auth" }] }`,
      2,
      26,
      /phrase of 2 to 200 characters/,
    ],
    [
      'has a wrong step',
      '{ "version": 1, "provider": "x",\n "codes": { "a": { "kind": "auth", "steps": ["jump"] } } }',
      2,
      46,
      /steps\[0\] must be a step/,
    ],
    [
      'has a key twice',
      '{ "version": 1, "provider": "x",\n "codes": { "a": "auth",\n "A": "quota" } }',
      3,
      2,
      /codes\.A is written twice/,
    ],
    [
      'has a phrase twice',
      '{ "version": 1, "provider": "x",\n "phrases": [{ "phrase": "oh no", "kind": "auth" },\n { "phrase": "OH  NO", "kind": "quota" }] }',
      3,
      14,
      /listed twice/,
    ],
    [
      'has a header in capitals',
      '{ "version": 1, "provider": "x",\n "resetHeaders": [{ "name": "X-Reset", "unit": "ms" }] }',
      2,
      29,
      /header in lower case/,
    ],
    [
      'has a zone nobody knows',
      '{ "version": 1, "provider": "x",\n "timeZone": "UTC+8" }',
      2,
      14,
      /timeZone must be the name of a time zone/,
    ],
  ];

  it.each(wrong)('when it %s, then one problem says where', (_, text, line, column, words) => {
    const { map, problem } = parseProviderMap(text, PATH);
    expect(map).toBeNull();
    expect(problem).toMatchObject({ severity: 'error', path: PATH, line, column });
    expect(problem?.message).toMatch(words);
    expect(problem?.message).toMatch(/The file is ignored\.$/);
  });

  it('when it is nested to break the reader or too large, then it is refused', () => {
    const deep = `{ "version": 1, "provider": "x", "codes": ${'['.repeat(60_000)}${']'.repeat(60_000)} }`;
    expect(parseProviderMap(deep, PATH).map).toBeNull();
    expect(parseProviderMap(`{ "version": 1, "provider": "x" }${' '.repeat(300_000)}`, PATH).problem?.message).toMatch(
      /larger/,
    );
  });

  it('when it is any text or any JSON, then reading it never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
        const { map, problem } = parseProviderMap(text, PATH);
        return (map === null) !== (problem === null);
      }),
      { numRuns: runs(500) },
    );
  });

  it('when its keys are those of every object, then nothing leaks into the maps', () => {
    const text = '{ "version": 1, "provider": "__proto__", "codes": { "__proto__": "auth", "constructor": "quota" } }';
    const { map } = parseProviderMap(text, PATH);
    const merged = mergeMaps(builtInProviderMaps(), map === null ? [] : [map]);
    expect(answerOf(merged, '__proto__', { code: 'constructor' })?.kind).toBe('quota');
    expect(answerOf(merged, 'openai', { code: 'constructor' })).toBeNull();
    expect(Object.getPrototypeOf(mapOf(merged, '__proto__')?.codes)).toBe(Object.prototype);
  });
});

describe('given the map that answers for every provider, and the tables of the engine, which ask no map', () => {
  const general = mapOf(builtInProviderMaps(), 'default');
  const { codes = {}, phrases = [], statuses = {} } = general ?? {};
  const rows: readonly (readonly [string, Evidence, FailureKind, boolean])[] = [
    ...Object.entries(codes).map(([code, { kind }]) => [`code ${code}`, { phase: 'body', code }, kind, false] as const),
    ...phrases.map(
      ({ phrase, kind, needsUser = false }) =>
        [`phrase ${phrase}`, { phase: 'body', message: phrase }, kind, needsUser] as const,
    ),
    ...Object.entries(statuses).map(
      ([name, kind]) =>
        [`status ${name}`, { phase: 'body', status: Number(name.replace('xx', '99')) }, kind, false] as const,
    ),
  ];

  it('when an entry is asked of either, then both give it the same kind: there is one truth, written as data and as patterns', () => {
    expect(rows.length).toBeGreaterThan(180);
    const differing = rows.filter(([, evidence, kind, needsUser]) => {
      const { kind: own, lane } = classify(evidence);
      return own !== kind || (needsUser && lane !== 'blocked');
    });
    expect(differing.map(([name]) => name)).toEqual([]);
  });
});
