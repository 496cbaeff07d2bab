import { it as declare, describe, expect } from 'vitest';
import {
  type ScriptedProvider,
  type ScriptedStep,
  type ScriptFunction,
  toolCallThen,
} from '../../../src/demo/scripted-provider';
import { patiently } from '../eventually';
import type { CaseOptions } from './case';
import type { Ended } from './host';

export type Chair = Readonly<{
  ask(text: string): Promise<Ended>;
  stop(): void;
  command(name: string, text?: string): Promise<void>;
  said(): readonly string[];
  /** Plugin texts in the inbox, in order. */
  told(): readonly string[];
  retried(): readonly string[];
  /** Compacts the session; resolves with the summary, or null if it failed. */
  compact(): Promise<string | null>;
}>;

export type Project = Readonly<{
  ids: readonly string[];
  chain: readonly string[];
  asked(): readonly number[];
  sit(options?: Readonly<{ agent?: string }>): Chair;
}>;

/** A fake or a real OpenCode 2. */
export type Stage = Readonly<{
  provider: ScriptedProvider;
  open(options?: CaseOptions): Promise<Project>;
}>;

export const OK: ScriptedStep = { kind: 'text', text: 'UNDERSTUDY ANSWERS' };
export const LEAD = { kind: 'text', text: 'LEAD ANSWERS' } as const;
export const status = (
  code: number,
  headers: Readonly<Record<string, string>> = {},
  error?: Readonly<Record<string, string>>,
): ScriptedStep => ({ kind: 'status', status: code, headers, ...(error ? { body: { error } } : {}) });
/** A limit longer than a test. */
export const LIMITED = status(429, { 'retry-after': '60' });
/** No model recovers during a test. */
const LONG = {
  defaults: { cooldownMs: 60_000, restMs: 60_000, quotaCooldownMs: 60_000, retryOriginalAfterMs: 60_000 },
};
export const SUMMARY = { kind: 'text', text: '## Objective\n- The play goes on.' } as const;
export const LONG_TEXT = 'All the world is a stage. '.repeat(4_000);
const CUT_AFTER_MS = 30;
/** First-token limit where a model is silent for ever; others must be faster. */
const SHORT_MS = 2_000;

const FAULTS: readonly (readonly [string, ScriptedStep, CaseOptions?])[] = [
  ['answers 429', status(429)],
  ['answers 429 and asks for a minute', LIMITED],
  [
    'has spent its quota',
    { kind: 'status', status: 429, body: { error: { message: 'Spent.', code: 'insufficient_quota' } } },
  ],
  ...[401, 402, 403, 404, 500, 502, 503, 504, 529].map((code) => [`answers ${code}`, status(code)] as const),
  ['resets the connection', { kind: 'reset' }],
  ['never answers at all', { kind: 'hang' }, { defaults: { firstTokenTimeoutMs: SHORT_MS } }],
  ['falls silent after its headers', { kind: 'hangAfterHeaders' }, { defaults: { firstTokenTimeoutMs: SHORT_MS } }],
  ['stalls between two words', { kind: 'stall', text: 'half a' }, { defaults: { stallTimeoutMs: SHORT_MS } }],
  ['breaks off in mid-stream', { kind: 'cut', text: 'half a', afterMs: CUT_AFTER_MS }],
  ['breaks off inside a tool call', { kind: 'cutCall', name: 'look', arguments: '{"a', afterMs: CUT_AFTER_MS }],
  ['ends an empty stream', { kind: 'emptyBody' }],
  ['stops without a word', { kind: 'emptyStop' }],
  ['answers with a page', { kind: 'html' }],
  ['answers with an error in place of a stream', { kind: 'jsonError' }],
  ['streams an error and nothing else', { kind: 'sseError', message: 'The server is overloaded.' }],
  ['streams an error after some words', { kind: 'sseError', message: 'The server is overloaded.', text: 'half a' }],
];

/** Fails for requests beside a turn, which have no tools, and answers the turn. */
export const failingBeside: ScriptFunction = ({ body }) =>
  (body as { tools?: readonly unknown[] }).tools === undefined ? LIMITED : LEAD;

/** The error of a turn without an available model. */
const NOBODY_LEFT = expect.objectContaining({
  message: expect.stringMatching(/Understudy: all models of this chain are u\u2060?navailable/),
});

/**
 * Declares the promises for every OpenCode 2. `stage` is called when a test runs.
 * @param hasFaults includes every fault of a primary, which the fault matrix has too.
 * @param silenceMs first-token limit; longer where responses are slow.
 * @param played titles for `npm test`; all if omitted.
 */
export function promises(
  stage: () => Stage,
  {
    hasFaults = true,
    silenceMs = SHORT_MS,
    played,
  }: Readonly<{ hasFaults?: boolean; silenceMs?: number; played?: readonly string[] }> = {},
): void {
  const it: Declare = (title, test) =>
    declare(title, { tags: !played || played.includes(title) ? [] : ['nightly'] }, test);
  const play = async (steps: readonly (readonly ScriptedStep[])[], options: CaseOptions = {}) => {
    const project = await stage().open({ models: steps.length, ...options });
    for (const [at, script] of steps.entries()) stage().provider.script(project.ids[at] ?? '', script);
    return project;
  };
  givenAFault(it, play, hasFaults ? FAULTS : []);
  givenAChain(it, play, stage);
  givenALead(it, play, stage, silenceMs);
  givenAQuestion(it, play, stage);
}

type Declare = (title: string, test: () => Promise<void>) => void;
type Play = (steps: readonly (readonly ScriptedStep[])[], options?: CaseOptions) => Promise<Project>;

function givenAFault(it: Declare, play: Play, faults: typeof FAULTS): void {
  describe('given a turn whose lead fails', () => {
    for (const [what, step, options] of faults)
      it(`when the lead ${what}, then its understudy answers, asked once`, async () => {
        const project = await play([[step], [OK]], options);
        const chair = project.sit();
        await chair.ask('go');
        await patiently(() => expect(chair.said().at(-1)).toBe('UNDERSTUDY ANSWERS'));
        expect(project.asked()).toEqual([1, 1]);
      });

    for (const [what, step] of [
      ['the request is refused', status(400)],
      ['the lead is well', LEAD],
    ] as const)
      it(`when ${what}, then nobody steps in`, async () => {
        const project = await play([[step], [OK]]);
        const ended = await project.sit().ask('go');
        expect([ended === 'succeeded', project.asked()]).toEqual([step === LEAD, [1, 0]]);
      });

    it('when a person stops it, then it is interrupted and nobody steps in', async () => {
      const project = await play([[{ kind: 'hang' }], [OK]]);
      const chair = project.sit();
      const ended = chair.ask('go');
      await patiently(() => expect(project.asked()[0]).toBe(1));
      chair.stop();
      expect([await ended, project.asked()]).toEqual(['interrupted', [1, 0]]);
    });
  });
}

function givenAChain(it: Declare, play: Play, stage: () => Stage): void {
  describe('given a chain', () => {
    it('when one of its models is unknown to OpenCode, then it is passed over', async () => {
      const project = await play([[LIMITED], [OK]], {
        ...LONG,
        config: (chain) => ({ agents: { '*': { fallbackModels: ['ghost/none', chain[1]] } } }),
      });
      const chair = project.sit();
      expect([await chair.ask('go'), chair.said().at(-1)]).toEqual(['succeeded', 'UNDERSTUDY ANSWERS']);
    });

    it('when two of three fail, then the third answers', async () => {
      const project = await play([[LIMITED], [status(503)], [OK]], LONG);
      const chair = project.sit();
      expect([await chair.ask('go'), chair.said(), project.asked()]).toEqual([
        'succeeded',
        ['UNDERSTUDY ANSWERS'],
        [1, 1, 1],
      ]);
    });

    it('when all fail, then each was asked once, and the turn ends with our sentence', async () => {
      const project = await play([[LIMITED], [status(503)], [status(401)]], LONG);
      const ended = await project.sit().ask('go');
      expect([ended, project.asked()]).toEqual([NOBODY_LEFT, [1, 1, 1]]);
    });

    it('when all are out, then the next prompt asks nobody, and ends with our sentence too', async () => {
      const project = await play([[LIMITED], [LIMITED]], LONG);
      const chair = project.sit();
      await chair.ask('one');
      expect([await chair.ask('two'), project.asked()]).toEqual([NOBODY_LEFT, [1, 1]]);
    });

    for (const [what, failing] of [
      ['answers 429', LIMITED],
      ['breaks off in mid-stream', { kind: 'cut', text: 'half a', afterMs: CUT_AFTER_MS }],
    ] as const)
      it(`when its agent may take 3 steps and the lead ${what} after a tool call, then the understudy has the two that are left`, async () => {
        const look = { kind: 'toolCall', name: 'read', arguments: { filePath: 'x' } } as const;
        const project = await play(
          [
            [look, failing],
            [look, OK],
          ],
          { ...LONG, steps: 3 },
        );
        const chair = project.sit();
        expect([await chair.ask('go'), chair.said().at(-1)]).toEqual(['succeeded', 'UNDERSTUDY ANSWERS']);
        const isToldLast = ({ body }: Readonly<{ body: unknown }>) =>
          JSON.stringify(body).includes('MAXIMUM STEPS REACHED');
        expect(project.ids.map((id) => stage().provider.requests(id).map(isToldLast))).toEqual([
          [false, false],
          [false, true],
        ]);
      });

    it('when it has 14 models and 13 fail, then the last is reached or the turn ends: nobody is asked twice', async () => {
      const project = await play([...Array.from({ length: 13 }, () => [LIMITED]), [OK]], LONG);
      await project.sit().ask('go');
      expect(project.asked().every((times) => times <= 1)).toBe(true);
    });
  });
}

function givenALead(...[it, play, stage, silenceMs]: [Declare, Play, () => Stage, number]): void {
  describe('given a lead that is out', () => {
    it('when the next prompt comes, then it goes to the understudy at once', async () => {
      const project = await play([[LIMITED], [OK]], LONG);
      const chair = project.sit();
      await chair.ask('one');
      expect([await chair.ask('two'), project.asked()]).toEqual(['succeeded', [1, 2]]);
    });

    it('when it is well again, then the next prompt goes home', async () => {
      const project = await play([[status(429), LEAD], [OK]]);
      const chair = project.sit();
      await chair.ask('one');
      await patiently(async () => {
        await chair.ask('and now');
        expect(chair.said().at(-1)).toBe('LEAD ANSWERS');
      });
      expect(project.asked()[0]).toBe(2);
    });

    it('when it is an agent’s own, which a session without a choice does not ask, then nobody steps in there', async () => {
      const task = { agent: 'helper', description: 'Help', prompt: 'Help me' };
      const asking = { kind: 'toolCall', name: 'subagent', arguments: task } as const;
      const project = await play([[asking, LEAD, LEAD], [LIMITED], [OK]], {
        ...LONG,
        agentModels: { helper: 1 },
        config: (chain) => ({ agents: { '*': { fallbackModels: [chain[2]] } } }),
      });
      await project.sit().ask('one');
      const chair = project.sit({ agent: 'helper' });
      expect([await chair.ask('two'), chair.said(), project.asked()]).toEqual([
        'succeeded',
        ['LEAD ANSWERS'],
        [3, 1, 1],
      ]);
    });

    it('when only a title fails, then the turn keeps its model', async () => {
      const project = await play([[LEAD], [OK]], { ...LONG, hasTitles: true });
      stage().provider.script(project.ids[0] ?? '', failingBeside);
      const chair = project.sit();
      expect([await chair.ask('go'), chair.said().at(-1)]).toEqual(['succeeded', 'LEAD ANSWERS']);
    });

    it('when the session is summarised meanwhile, then the understudy does it, and the lead is not asked', async () => {
      const project = await play([[LIMITED], [OK, OK, SUMMARY]], LONG);
      const chair = project.sit();
      await chair.ask('one');
      await chair.ask(LONG_TEXT);
      expect([await chair.compact(), project.asked()]).toEqual([expect.stringContaining(SUMMARY.text), [1, 3]]);
    });

    it('when it fails while it summarises, then the understudy does it, and the lead is asked once', async () => {
      const project = await play([[LEAD, LEAD, LIMITED], [SUMMARY]], LONG);
      const chair = project.sit();
      await chair.ask('one');
      await chair.ask(LONG_TEXT);
      expect([await chair.compact(), project.asked()]).toEqual([expect.stringContaining(SUMMARY.text), [3, 1]]);
    });

    it('when it never answers while it summarises, then the understudy does it', async () => {
      const project = await play([[LEAD, LEAD, { kind: 'hang' }], [SUMMARY]], {
        defaults: { ...LONG.defaults, firstTokenTimeoutMs: silenceMs },
      });
      const chair = project.sit();
      await chair.ask('one');
      await chair.ask(LONG_TEXT);
      expect([await chair.compact(), project.asked()]).toEqual([expect.stringContaining(SUMMARY.text), [3, 1]]);
    });

    it('when nobody can summarise in its place, then it is asked once, and the session is as it was', async () => {
      const project = await play([[LEAD, LEAD, LIMITED], [status(503)]], LONG);
      const chair = project.sit();
      await chair.ask('one');
      await chair.ask(LONG_TEXT);
      expect([await chair.compact(), project.asked()[0]]).toEqual([null, 3]);
    });

    it('when it fails after its tool has run, then the tool is not run again', async () => {
      const project = await play([[], [OK]], LONG);
      const { provider } = stage();
      provider.script(project.ids[0] ?? '', toolCallThen('read', { filePath: 'x' }, LIMITED));
      const chair = project.sit();
      expect([await chair.ask('go'), chair.said().at(-1), project.asked()]).toEqual([
        'succeeded',
        'UNDERSTUDY ANSWERS',
        [2, 1],
      ]);
      const [last] = provider.requests(project.ids[1]).map(({ body }) => JSON.stringify(body));
      expect(last?.match(/"role":"tool"/g)).toHaveLength(1);
    });
  });
}

function givenAQuestion(it: Declare, play: Play, stage: () => Stage): void {
  const QUESTION = /^Understudy: build asks you whether understudy1-model-\w+ may continue: .*\/yes or \/no/;
  const COUNCIL = { defaults: { ...LONG.defaults, policy: 'council' } };
  const LEFT_OUT = expect.objectContaining({
    message: expect.stringMatching(/^Understudy: build is paused in this session: \/retry build/),
  });

  describe('given an agent whose policy asks the user', () => {
    /** A failing turn leaves a question in the conversation. */
    const asking = async (failing: ScriptedStep = status(401)) => {
      const project = await play([[failing], [OK, OK]], COUNCIL);
      const chair = project.sit();
      const ended = chair.ask('go');
      await patiently(() => expect(chair.retried()).toContainEqual(expect.stringMatching(QUESTION)));
      return { project, chair, ended };
    };

    it('when /yes is typed, then the next model finishes the turn, and each was asked once', async () => {
      const { project, chair, ended } = await asking();
      expect(project.asked()).toEqual([1, 0]);
      await chair.command('yes');
      expect([await ended, chair.said(), project.asked()]).toEqual(['succeeded', ['UNDERSTUDY ANSWERS'], [1, 1]]);
    });

    it('when the lead had begun to answer, then the question comes all the same, and /yes moves the turn', async () => {
      // The policy retries once first.
      const { project, chair, ended } = await asking({ kind: 'cut', text: 'half a', afterMs: CUT_AFTER_MS });
      expect(project.asked()).toEqual([2, 0]);
      await chair.command('yes');
      expect([await ended, chair.said().at(-1), project.asked()]).toEqual(['succeeded', 'UNDERSTUDY ANSWERS', [2, 1]]);
    });

    it('when /no is typed, then the turn ends with one sentence, and so does the next', async () => {
      const { project, chair, ended } = await asking();
      await chair.command('no');
      expect([await ended, await chair.ask('again'), project.asked()]).toEqual([LEFT_OUT, LEFT_OUT, [1, 0]]);
    });

    for (const [what, step, sentence, next] of [
      ['answers', LEAD, /^build has rejoined this session: lead-model-\w+ answers\.$/, 'succeeded'],
      ['is still out', status(401), /^build is back .* but lead-model-\w+ is still unavailable: /, null],
    ] as const)
      it(`when /retry is typed and the model ${what}, then it was asked at once, and that is said`, async () => {
        const { project, chair, ended } = await asking();
        await chair.command('no');
        await ended;
        stage().provider.script(project.ids[0] ?? '', [step, LEAD]);
        await chair.command('retry', 'build');
        await patiently(() => expect(chair.told().at(-1)).toMatch(sentence));
        expect(project.asked()).toEqual([2, 0]);
        if (next) expect([await chair.ask('again'), project.asked()]).toEqual([next, [3, 0]]);
      });

    it('when a message comes for a model that is out, then it waits for a yes before anybody is asked', async () => {
      const { project, chair, ended } = await asking();
      await chair.command('no');
      await ended;
      const other = project.sit();
      const first = other.ask('go');
      await patiently(() => expect(other.retried().at(-1)).toMatch(QUESTION));
      expect(project.asked()).toEqual([1, 0]);
      await other.command('yes');
      expect([await first, await other.ask('again'), project.asked()]).toEqual(['succeeded', 'succeeded', [1, 2]]);
    });

    it('when a person stops the turn, then nobody steps in, and nobody is asked any more', async () => {
      const { project, chair, ended } = await asking();
      chair.stop();
      expect(await ended).toBe('interrupted');
      await chair.command('yes');
      expect(project.asked()).toEqual([1, 0]);
    });
  });
}
