import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseConfig, parseForeign } from '../../../src/core/config';
import { configJsonSchema, inlineJsonSchema } from '../../../src/core/config/json-schema';
import { FOUR_MODELS, ISSUE_7602, TRIAGE, TWELVE_MODELS } from './published-designs';
import { PUBLISHED } from './published-example';

const resource = (name: string) => join(import.meta.dirname, '..', '..', '..', 'resources', name);
const FILE = resource('model-fallback.schema.json');
const INLINE = resource('opencode-fallback.schema.json');

describe('given the published JSON Schema', () => {
  it('when the schema we read with has changed, then the file has too (npx vitest -u writes it)', async () => {
    await expect(`${JSON.stringify(configJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(FILE);
  });

  const schema = () => z.fromJSONSchema(JSON.parse(readFileSync(FILE, 'utf8')));

  it('when the example of the documentation is checked, then it fits', () => {
    expect(schema().safeParse(parseConfig(PUBLISHED, 'x').config).error).toBeUndefined();
  });

  it.each([
    [{ enabeld: true }],
    [{ enabled: 1 }],
    [{ defaults: { cooldownMs: -1 } }],
    [{ agents: { build: { fallbackModels: ['no-provider'] } } }],
    [{ patterns: [{ kind: 'quota' }] }],
    [{ policies: { mine: { rows: { nonsense: ['switch'] } } } }],
  ])('when %j is checked, then it does not', (config) => {
    expect(schema().safeParse(config).success).toBe(false);
  });
});

describe('given the published JSON Schema of what is read in opencode.json', () => {
  it('when the schemas we read with have changed, then the file has too (npx vitest -u writes it)', async () => {
    await expect(`${JSON.stringify(inlineJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(INLINE);
  });

  const FITS = [
    {},
    { fallback_models: ['a/1', 'b/*'] },
    { fallback: ['a/1#high', { providerID: 'b', id: '2', variant: 'low' }, { providerID: 'b', modelID: 'x/2' }] },
    { models: ['a/1'], currentModel: 'a/1', prompt: 'Be brief.' },
    { model: { fallback: ['a/1', 'gpt-4o-mini'] } },
    { model: 'a/1', models: { other: {} } },
    { fallback: { enabled: false } },
    {
      models: ['a/x', 'b/2'],
      fallback: {
        ...{ enabled: true, maxRetries: 3, circuitBreaker: { failureThreshold: 3, cooldownMs: 3_600_000 } },
        extendedChain: { enabled: true, tiers: [{ name: 'good', models: ['x', 'b/2', 'local/*'] }] },
      },
    },
  ];
  const WRONG = [
    { fallback_models: ['no-provider'] },
    { fallback_models: 'a/1' },
    { fallback: { models: ['a/1', 2] } },
    { fallback: 'a/1' },
    { model: { fallback: ['any-*'] } },
    { currentModel: 'nope' },
    { fallback: { maxRetries: -1 } },
    { fallback: { circuitBreaker: { failureTreshold: 3 } } },
    { fallback: { models: ['a/1'], triage: {} } },
  ];
  const triage = (value: object) => ({ fallback: { triage: value } });
  const in1 = (entry: object) => ({ agent: { build: entry } });
  const in2 = (entry: object) => ({ agents: { build: entry } });

  it.each<readonly [file: object, isRight: boolean]>([
    [{ $schema: 'https://opencode.ai/config.json', model: 'a/1', provider: { a: { models: { x: {} } } } }, true],
    ...FITS.flatMap((entry) => [in1(entry), in2(entry)].map((file) => [file, true] as const)),
    ...WRONG.flatMap((entry) => [in1(entry), in2(entry)].map((file) => [file, false] as const)),
    [triage({ enabled: true, scorecard: { exportFormat: 'json', trackMetrics: true } }), true],
    [triage({ exportFormat: 'pdf' }), false],
  ])('when %j is checked, then an editor and the reader agree: %j', (file, isRight) => {
    const schema = z.fromJSONSchema(JSON.parse(readFileSync(INLINE, 'utf8')));
    const told = parseForeign(JSON.stringify(file), 'x', { type: 'opencode' })?.problems;
    expect([schema.safeParse(file).success, told?.length === 0]).toEqual([isRight, isRight]);
  });

  it.each([
    ['four models', FOUR_MODELS],
    ['twelve models in tiers', TWELVE_MODELS],
    ['issue 7602', ISSUE_7602],
    ['reports', TRIAGE],
  ])('when the published design of %s is checked, then it fits', (_, text) => {
    const schema = z.fromJSONSchema(JSON.parse(readFileSync(INLINE, 'utf8')));
    expect(schema.safeParse(parse(text)).error).toBeUndefined();
  });
});
