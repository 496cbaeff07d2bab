import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { builtInProviderMaps } from '../../src/core/providers/built-in-providers';
import { createWaitReader } from '../../src/core/providers/wait-reader';
import type { Evidence } from '../../src/engine';
import { FAILURE_KINDS } from '../../src/engine';
import { bodyHintMs } from '../../src/plugin/answer/body-hint';
import { errorOf } from '../../src/plugin/answer/wire';

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'providers');

const Fixture = z.strictObject({
  name: z.string(),
  source: z.string().min(10),
  status: z.int(),
  headers: z.record(z.string().regex(/^[a-z0-9-]+$/), z.string()).optional(),
  /** A code outside the body, for example in a header. */
  code: z.string().optional(),
  body: z.unknown(),
  seenAt: z.iso.datetime().optional(),
  kind: z.enum(FAILURE_KINDS),
  by: z.enum(['code', 'phrase', 'status']),
  needsUser: z.literal(true).optional(),
  hint: z.strictObject({ ms: z.int(), in: z.enum(['header', 'message', 'body']) }).optional(),
  localZone: z.string().optional(),
});
const FixtureFile = z.strictObject({ provider: z.string(), fixtures: z.array(Fixture) });

export type ProviderFixture = z.infer<typeof Fixture> & Readonly<{ provider: string }>;

/** Every example failure, checked. */
export function readProviderFixtures(): readonly ProviderFixture[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const file = FixtureFile.parse(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')));
      return file.fixtures.map((fixture) => ({ ...fixture, provider: file.provider }));
    });
}

/** What the companion's sensor would see of it: the error object of a JSON body, else the body as it stands. */
export function evidenceOfFixture(fixture: ProviderFixture): Evidence {
  const body = fixture.body;
  const error = typeof body === 'string' ? null : errorOf(Array.isArray(body) ? body[0] : body);
  const code = fixture.code ?? error?.code ?? null;
  return {
    phase: 'body',
    status: fixture.status === 200 ? (error?.status ?? 200) : fixture.status,
    message: error?.message ?? (typeof body === 'string' ? body : JSON.stringify(body)),
    headers: fixture.headers ?? {},
    seenAt: Date.parse(fixture.seenAt ?? '2026-03-17T14:23:01Z'),
    ...(code === null ? {} : { code }),
  };
}

/** The same with what its body, or its message by the clock of the provider or of the machine, says of a wait. */
export function hintedEvidenceOf(fixture: ProviderFixture): Evidence {
  const { seenAt = 0, ...evidence } = evidenceOfFixture(fixture);
  const readWait = createWaitReader(builtInProviderMaps, () => fixture.localZone ?? 'UTC');
  const body = typeof fixture.body === 'string' ? fixture.body : JSON.stringify(fixture.body);
  const hintMs = bodyHintMs(body, seenAt) ?? readWait(fixture.provider, { ...evidence, seenAt });
  return { ...evidence, seenAt, ...(hintMs === null ? {} : { hintMs }) };
}
