import { describe, expect, it } from 'vitest';
import type { ScriptedStep } from '../../../src/demo/scripted-provider';
import { CHAT_PATH, openDouble, openProvider, play } from '../support/opencode-double';
import { retriedBy } from '../support/retry-patterns';

const NAMES = Array.from({ length: 12 }, (_, at) => `m${at}`);
const CHAIN = NAMES.map((name, at) => `p${at}/${name}`);
const visible = (text: string): string => text.replaceAll('\u2060', '');

/** Plays one turn with a chain of 12. @returns the requests of each model, and how the turn ended. */
async function playing(step: ScriptedStep, last: ScriptedStep = step) {
  const provider = await openProvider();
  for (const name of NAMES) provider.script(name, [name === 'm11' ? last : step]);
  const double = openDouble({ chain: CHAIN, scope: { maxFallbackDepth: 100 } });
  const { steps, text, body } = await play(double, { url: provider.url + CHAT_PATH });
  return { counts: NAMES.map((name) => provider.requests(name).length), steps, text, body };
}

const FAILURES: readonly ScriptedStep[] = [
  ...[401, 403, 404, 429, 500, 503, 529].map((status) => ({ kind: 'status', status }) as const),
  { kind: 'emptyBody' },
  { kind: 'noFinish', text: 'half' },
  { kind: 'cut', text: 'half' },
  { kind: 'sseError', message: 'overloaded' },
  { kind: 'html' },
];

describe('given an answer that ends for a reason that no list names', () => {
  it('when OpenCode 1 reads it, then it stops, nobody is requested again, and the reason is reported', async () => {
    const provider = await openProvider();
    for (const name of NAMES) provider.script(name, [{ kind: 'finishReason', text: 'WHOLE', reason: 'because' }]);
    const double = openDouble({ chain: CHAIN });
    const { steps, text, body } = await play(double, { url: provider.url + CHAT_PATH });
    expect([steps, text, NAMES.map((name) => provider.requests(name).length)]).toEqual([
      1,
      'WHOLE',
      NAMES.map((_, at) => Number(at === 0)),
    ]);
    expect(body).toContain('"finish_reason":"stop"');
    expect(double.brain.since(0).map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'attempt.succeeded', outputChars: 5, unknownEnd: 'because' }),
    );
  });
});

describe('given a chain of 12 models on OpenCode 1', () => {
  it.each(FAILURES)(
    'when 11 of them fail with %j, then the 12th answers, and each was requested once',
    async (step) => {
      const { counts, steps, text } = await playing(step, { kind: 'text', text: 'THE LAST ANSWERS' });
      expect([counts, steps]).toEqual([NAMES.map(() => 1), 12]);
      expect(text).toContain('THE LAST ANSWERS');
    },
  );

  it('when all 12 fail, then one calm error gives the cause and the model that takes the next message', async () => {
    const { counts, body } = await playing({ kind: 'status', status: 500 });
    expect([counts, retriedBy(body)]).toEqual([NAMES.map(() => 1), null]);
    expect(visible(body)).toMatch(
      /all models of this chain are unavailable for this message \(m0 is failing; .*m11 is/,
    );
    expect(visible(body)).toMatch(/m0 takes the next one/);
  });
});
