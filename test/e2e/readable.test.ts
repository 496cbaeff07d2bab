import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ScriptedStep, Wire } from '../../src/demo/scripted-provider';
import { WIRES } from '../support/matrix/places';
import { isPrefilled, visible } from '../support/matrix/play';
import { LONG_PARTIAL } from '../support/matrix/row';
import { BACK_S, untilBack } from '../support/matrix/sends';
import { NIGHTLY, nightlyIf } from '../support/nightly';
import { opencode2Binary } from '../support/opencode2/real';
import { type Bench, bench1, bench2, callsEachTime, callsThen, caseOf, LOOKS, strict } from '../support/readers';
import { openApp } from '../support/stage';
import { issuersIn } from '../support/strict-provider';

const limitedFor = (seconds: number): ScriptedStep => ({
  kind: 'status',
  status: 429,
  headers: { 'retry-after': String(seconds) },
});
const LIMITED = limitedFor(600);
const ANSWER = { kind: 'text', text: 'SECOND ANSWERS' } as const;
const HOME = { kind: 'text', text: 'FIRST ANSWERS' } as const;

type Pair = Readonly<{ from: Wire; to: Wire; names?: readonly (string | undefined)[] }>;
/** Each wire to each other one, and to a second account of its own. */
const PAIRS: readonly Pair[] = [
  ...WIRES.flatMap((from) => WIRES.map((to) => ({ from, to }))),
  ...WIRES.map((from) => ({ from, to: 'google' as const, names: [undefined, 'gemini-3-pro'] })),
  { from: 'anthropic', to: 'openai-compatible', names: [undefined, 'mistral-large'] },
  ...WIRES.map((from) => ({ from, to: 'anthropic' as const, names: [undefined, 'claude-sonnet'] })),
];
/** Played before every merge: each wire, and what OpenCode 1 leaves to us. */
const PER_MERGE: ReadonlySet<string> = new Set([
  'openai-compatible to anthropic',
  'anthropic to gemini-3-pro',
  'google to claude-sonnet',
  'openai-responses to openai-responses',
  'google to openrouter',
]);
const nameOf = ({ from, to, names }: Pair): string => `${from} to ${names?.[1] ?? to}`;

const GENERATIONS = [
  { name: 'OpenCode 1', open: bench1, isHere: true },
  { name: 'OpenCode 2', open: bench2, isHere: opencode2Binary().path !== '' },
];

/** A message whose first model runs a tool and then fails so, and the next one answers. */
async function moved(bench: Bench, { from, to, names }: Pair, failure: ScriptedStep) {
  const { provider } = bench;
  const { directory, ids } = await caseOf(bench, { wires: [from, to] }, names);
  const [lead = '', next = ''] = ids;
  provider.script(lead, strict('one', callsThen('one', failure)));
  provider.script(
    next,
    strict('two', () => ANSWER),
  );
  const session = await bench.sit(directory);
  const answer = await session.ask('MAIN WORDS', { hasImage: true });
  return { answer, asked: provider.requests(next), toolsRun: await session.toolsRun() };
}

for (const { name, open, isHere } of GENERATIONS)
  describe.skipIf(!isHere)(`given a conversation of ${name} that one model began`, () => {
    let bench: Bench;
    beforeAll(async () => {
      bench = await open();
    });
    afterAll(() => bench?.close());
    beforeEach(() => bench.provider.clear());

    for (const pair of PAIRS)
      it(
        `when it moves from ${nameOf(pair)} after a tool has run, then that model reads it and answers`,
        nightlyIf(!PER_MERGE.has(nameOf(pair))),
        async () => {
          const { answer, asked, toolsRun } = await moved(bench, pair, LIMITED);
          expect([answer, asked.length, asked.flatMap(issuersIn), toolsRun]).toEqual([ANSWER.text, 1, [], 1]);
          for (const part of ['MAIN WORDS', LOOKS, 'made.txt', 'iVBORw0KGgo'])
            expect(JSON.stringify(asked[0]?.body)).toContain(part);
        },
      );

    for (const to of WIRES)
      it(
        `when its first model breaks off in a long answer, then the next one (${to}) reads no words of an assistant at the end`,
        NIGHTLY,
        async () => {
          const cut: ScriptedStep = { kind: 'cut', text: LONG_PARTIAL, afterMs: 500 };
          const { answer, asked, toolsRun } = await moved(bench, { from: 'anthropic', to }, cut);
          expect([answer, asked.length, asked.flatMap(issuersIn), asked.some(isPrefilled), toolsRun]).toEqual([
            ANSWER.text,
            1,
            [],
            false,
            1,
          ]);
          expect(JSON.stringify(asked[0]?.body)).toContain(LONG_PARTIAL);
        },
      );

    it('when its first model is back, then it reads its own sealed values again, and none of the other', async () => {
      const { provider } = bench;
      const { directory, ids } = await caseOf(bench, { wires: ['anthropic', 'anthropic'] });
      const [lead = '', next = ''] = ids;
      let isBack = false;
      const first = callsThen('one', limitedFor(BACK_S));
      provider.script(
        lead,
        strict('one', (request) => (isBack ? HOME : first(request))),
      );
      provider.script(next, strict('two', callsEachTime('two', ANSWER)));
      const session = await bench.sit(directory);
      expect(await session.ask('One')).toBe(ANSWER.text);
      await untilBack(provider.requests(lead)[1]);
      isBack = true;
      expect([await session.ask('Two'), provider.requests(lead).map(issuersIn)]).toEqual([
        HOME.text,
        [[], ['one'], ['one']],
      ]);
      expect(provider.requests(next).map(issuersIn)).toEqual([[], ['two']]);
    });

    it('when the two others refuse it, then one sentence gives the limit that began it, and they stay available', async () => {
      const { provider, home } = bench;
      const { directory, ids, chain } = await caseOf(bench, { models: 3 });
      const refusal: ScriptedStep = {
        kind: 'status',
        status: 400,
        body: { error: { message: 'thinking: signature required' } },
      };
      provider.script(ids[0] ?? '', callsThen('one', LIMITED));
      for (const id of ids.slice(1)) provider.script(id, [refusal]);
      const session = await bench.sit(directory);
      const answer = visible(await session.ask('One'));
      expect(answer).toMatch(
        /Understudy: the other models refused this conversation \(lead-model-\d+ is [^;]+\)\. lead-model-\d+ is back first, about \d\d:\d\d\b/,
      );
      expect(ids.map((id) => provider.requests(id).length)).toEqual([2, 1, 1]);
      const app = await openApp(home);
      try {
        const { models } = await app.until((snapshot) =>
          snapshot.models.some(({ model, state }) => model === chain[0] && state === 'cooling'),
        );
        const failing = models.filter(
          ({ model, state }) => chain.includes(model) && !['ready', 'unseen'].includes(state),
        );
        expect(failing.map(({ model }) => model)).toEqual(chain.slice(0, 1));
      } finally {
        await app.close();
      }
    });
  });
