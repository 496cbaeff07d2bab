import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Handlers, type QueryName, queries } from '../../src/contract/contract';
import { MAX_QUESTION_BYTES, serveContract } from '../../src/main/ipc';
import { electronDouble } from '../support/electron-double';
import { runs } from '../support/runs';

const OURS = 7;
const CALLS = runs(10_000);
const NAMES = Object.keys(queries) as QueryName[];

/** Every question answered by one who counts how often he is reached, and with what. */
function serve() {
  const reached: [name: QueryName, input: unknown][] = [];
  const { electron, handlers } = electronDouble();
  const counting = Object.fromEntries(
    NAMES.map((name) => [name, (input: unknown) => void reached.push([name, input])]),
  ) as unknown as Handlers;
  serveContract({ ipcMain: electron.ipcMain, isOurWindow: (id) => id === OURS }, counting);
  const ask = (name: QueryName, input: unknown, senderFrame: unknown, id: number) =>
    handlers.get(`understudy:ask:${name}`)?.({ senderFrame, sender: { id } }, input);
  return { ask, reached };
}

const panel = { url: 'app://understudy/#/now', parent: null };
const foreignFrame = fc.oneof(
  fc.constant(null),
  fc.constant({ url: panel.url, parent: panel }),
  fc.record({
    url: fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.constantFrom('app://understudy.evil/', 'app://evil/understudy', 'APP://understudy:1/', 'file:///etc/passwd'),
      fc.domain().map((host) => `app://${host}/`),
      fc.string().map((user) => `app://${encodeURIComponent(user)}x@understudy/`),
    ),
    parent: fc.constant(null),
  }),
);
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const hostile = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true }),
  fc.constantFrom<unknown>(cyclic, () => 1, Symbol('x'), 1n, 'x'.repeat(MAX_QUESTION_BYTES)),
  fc.json().map((text) => JSON.parse(`{"__proto__":${text},"constructor":{"prototype":${text}}}`) as unknown),
  fc.constant({
    get target(): never {
      throw new Error('a trap');
    },
  }),
);

describe(`given ${CALLS} malformed calls`, () => {
  it('when strangers make them, then none reaches a handler and none throws', async () => {
    const { ask, reached } = serve();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...NAMES), hostile, foreignFrame, async (name, input, frame) => {
        expect(await ask(name, input, frame, OURS)).toMatchObject({ ok: false, code: 'refused' });
        expect(await ask(name, null, panel, OURS + 1)).toMatchObject({ ok: false, code: 'refused' });
      }),
      { numRuns: CALLS / 2 },
    );
    expect(reached).toEqual([]);
  });

  it('when our own window makes them, then only what fits the contract reaches a handler, and none throws', async () => {
    const { ask, reached } = serve();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...NAMES), hostile, async (name, input) => {
        const before = reached.length;
        const fits = queries[name].input.safeParse(safely(input)).success;
        const answered = await ask(name, input, panel, OURS);
        expect(answered).toMatchObject({ ok: expect.any(Boolean) });
        expect(reached.length - before).toBeLessThanOrEqual(fits ? 1 : 0);
      }),
      { numRuns: CALLS },
    );
    for (const [name, input] of reached) expect(queries[name].input.safeParse(input).success).toBe(true);
    expect(({} as Record<string, unknown>).target).toBeUndefined();
  });
});

/** The input, or nothing where looking at it is a trap. */
function safely(input: unknown): unknown {
  try {
    JSON.stringify(input);
    return input;
  } catch {
    return Symbol('no question at all');
  }
}
