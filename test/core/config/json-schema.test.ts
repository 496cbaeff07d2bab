import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseConfig } from '../../../src/core/config';
import { configJsonSchema } from '../../../src/core/config/json-schema';
import { PUBLISHED } from './published-example';

const FILE = join(import.meta.dirname, '..', '..', '..', 'resources', 'model-fallback.schema.json');

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
