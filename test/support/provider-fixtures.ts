import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import * as z from 'zod';
import { createKindReader } from '../../src/core/base/kind-reader';
import { builtInProviderMaps } from '../../src/core/providers/built-in-providers';
import { createWaitReader } from '../../src/core/providers/wait-reader';
import { classify, type Evidence, FAILURE_KINDS, type Failure } from '../../src/engine';
import { followAnswer } from '../../src/plugin/answer/answer-stream';
import { evidenceOfResponse } from '../../src/plugin/answer/evidence';

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'providers');

/** Wires of OpenCode's providers; `opaque` is every other one. */
export const WIRES = ['anthropic', 'chat', 'responses', 'google', 'opaque'] as const;

const Fixture = z.strictObject({
  name: z.string(),
  source: z.string().min(10),
  provider: z.string().optional(),
  wire: z.enum(WIRES).optional(),
  status: z.int(),
  headers: z.record(z.string().regex(/^[a-z0-9-]+$/), z.string()).optional(),
  /** A code outside the body, such as in a header. */
  code: z.string().optional(),
  body: z.unknown(),
  seenAt: z.iso.datetime().optional(),
  kind: z.enum(FAILURE_KINDS),
  /** Absent if the maps alone do not decide. */
  by: z.enum(['code', 'phrase', 'status']).optional(),
  scope: z.enum(['model', 'provider', 'request']),
  /** Kind without the provider's own map, if it differs. */
  general: z.enum(FAILURE_KINDS).optional(),
  needsUser: z.literal(true).optional(),
  hint: z.strictObject({ ms: z.int(), in: z.enum(['header', 'message', 'body']) }).optional(),
  localZone: z.string().optional(),
});
const FixtureFile = z.strictObject({ provider: z.string(), wire: z.enum(WIRES), fixtures: z.array(Fixture) });

export type ProviderFixture = z.infer<typeof Fixture> & Readonly<{ provider: string; wire: (typeof WIRES)[number] }>;

export type ProviderAnswer = Pick<ProviderFixture, 'provider' | 'wire' | 'status' | 'body'> &
  Partial<Pick<ProviderFixture, 'headers' | 'code' | 'seenAt' | 'localZone'>>;

export function readProviderFixtures(): readonly ProviderFixture[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const file = FixtureFile.parse(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')));
      return file.fixtures.map((fixture) => ({
        ...fixture,
        provider: fixture.provider ?? file.provider,
        wire: fixture.wire ?? file.wire,
      }));
    });
}

/**
 * Evidence that the companion reads from a response at the time it was seen: from a rejected response, or from a 200
 * stream of its wire. Also reads a limit's end in the provider's text.
 */
export async function evidenceOfFixture(fixture: ProviderAnswer): Promise<Evidence> {
  vi.useFakeTimers({ now: Date.parse(fixture.seenAt ?? '2026-03-17T14:23:01Z'), toFake: ['Date'] });
  try {
    const evidence = fixture.status === 200 ? await streamed(fixture) : refused(fixture);
    const seen = { seenAt: Date.now(), ...evidence };
    const hintMs = seen.hintMs ?? waitIn(fixture, seen);
    return { ...seen, ...(hintMs === null ? {} : { hintMs }) };
  } finally {
    vi.useRealTimers();
  }
}

const readKind = createKindReader(builtInProviderMaps, []);

export async function failureOfAnswer(answer: ProviderAnswer): Promise<Failure> {
  const evidence = await evidenceOfFixture(answer);
  return classify({ ...evidence, ...readKind(answer.provider, evidence) });
}

/** Sequential, because each response sets the clock. */
export async function readEach<Input, Output>(
  inputs: readonly Input[],
  read: (input: Input) => Promise<Output>,
): Promise<readonly Output[]> {
  const outputs: Output[] = [];
  for (const input of inputs) outputs.push(await read(input));
  return outputs;
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

function refused({ provider, status, headers, code, body }: ProviderAnswer): Evidence {
  const sent = { ...headers, ...(code === undefined ? {} : { 'x-amzn-errortype': code }) };
  return evidenceOfResponse(new Response(null, { status, headers: sent }), textOf(body), `${provider}/model`);
}

async function streamed({ wire, body }: ProviderAnswer): Promise<Evidence> {
  const stream = new Response(`data: ${textOf(body)}\n\n`).body;
  const reading = stream && (await followAnswer(stream, wire).read(10_000));
  if (reading?.kind !== 'failed') throw new TypeError('the stream holds no error');
  return reading.evidence;
}

const waitIn = ({ provider, localZone }: ProviderAnswer, evidence: Evidence & Readonly<{ seenAt: number }>) =>
  createWaitReader(builtInProviderMaps, () => localZone ?? 'UTC')(provider, evidence);
