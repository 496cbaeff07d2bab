import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type LmEvalRun, runLmEval } from '../../../src/features/ranking/node/lm-eval';
import { findLmEval, lmEvalAbilities } from '../../../src/features/ranking/node/lm-eval-program';
import { type Answers, startChatEndpoint } from '../../support/chat-endpoint';
import { filesBelow } from '../../support/files-below';
import { tempFolder } from '../temp-folder';

const STAND_IN = join(import.meta.dirname, '..', '..', 'support', 'lm-eval-stand-in.mjs');
const KEY = 'sk-VeryOwnKey-0123456789';

const environment = (knobs: object) => ({ PATH: process.env.PATH, STAND_IN: JSON.stringify(knobs) });

async function open(answers?: Answers) {
  const folder = await tempFolder();
  const endpoint = await startChatEndpoint(answers);
  onTestFinished(() => endpoint.close());
  const notes = join(folder, 'notes.json');
  const run = (more: Partial<LmEvalRun> = {}, knobs: object = {}) =>
    runLmEval({
      program: STAND_IN,
      env: environment({ notes, ...knobs }),
      benchmark: 'gpqa',
      limit: null,
      endpoint: endpoint.address,
      key: KEY,
      model: 'org/model-1',
      record: 'org/model-1',
      day: '2026-11-26',
      folder: join(folder, 'runs'),
      ...more,
    });
  const read = async () => JSON.parse(await readFile(notes, 'utf8')) as { pid: number; argv: string[]; env: object };
  const kept = () => filesBelow(join(folder, 'runs'));
  return { run, endpoint, env: environment({ notes }), notes: read, kept };
}

describe.skipIf(process.platform === 'win32')('given a stand-in for lm_eval', () => {
  it('when it has asked its 6 items, then their share is the value, and nothing of it stays', async () => {
    const { run, endpoint, kept } = await open((at) => (at > 3 ? 'wrong' : 'right'));
    expect(await run()).toEqual({
      ok: true,
      value: {
        record: 'org/model-1',
        benchmark: 'gpqa',
        value: 0.5,
        unit: 'fraction',
        source: 'Measured on this machine with lm_eval 0.0.0-stand-in',
        date: '2026-11-26',
        kind: 'measured',
        origin: 'lm_eval',
        note: 'task gpqa_diamond_cot_zeroshot, 6 of 6 items, exact_match,flexible-extract, standard error 0.0125, answers of at most 8192 tokens',
      },
    });
    expect(endpoint.received().map(({ authorization }) => authorization)).toEqual(Array(6).fill(`Bearer ${KEY}`));
    expect(endpoint.most()).toBe(1);
    expect(await kept()).toEqual([]);
  });

  it('when it is started, then its key is in its environment and not in its arguments', async () => {
    const { run, endpoint, env: own, notes } = await open();
    await run({ limit: 2, env: { ...own, OPENAI_API_KEY: 'sk-other', ARTIFICIAL_ANALYSIS_API_KEY: 'sk-other' } });
    const { argv, env } = await notes();
    expect(JSON.stringify(argv)).not.toContain(KEY);
    expect(env).toMatchObject({ OPENAI_API_KEY: KEY });
    expect(JSON.stringify(env)).not.toContain('sk-other');
    expect(argv.slice(2)).toEqual([
      '--model',
      'local-chat-completions',
      '--model_args',
      `model=org/model-1,base_url=${endpoint.address},num_concurrent=1,max_retries=8,timeout=600,tokenized_requests=False`,
      '--tasks',
      'gpqa_diamond_cot_zeroshot',
      '--gen_kwargs',
      'max_gen_toks=8192',
      '--limit',
      '2',
      '--use_cache',
      expect.stringMatching(/answers$/),
      '--output_path',
      expect.stringMatching(/results$/),
      '--apply_chat_template',
    ]);
  });

  it('when the endpoint needs no key, then the OPENAI_API_KEY of the user is not sent', async () => {
    const { run, endpoint, env } = await open();
    await run({ key: null, limit: 1, env: { ...env, OPENAI_API_KEY: KEY } });
    expect(endpoint.received().map(({ authorization }) => authorization)).toEqual(['Bearer none']);
  });

  it('when a group is limited to 2, then each of its 4 tasks asks 2', async () => {
    const { run, endpoint } = await open();
    const outcome = await run({ benchmark: 'mmlu_pro', limit: 2 });
    expect(outcome.ok && outcome.value.note).toContain('8 of 20 items');
    expect(endpoint.received()).toHaveLength(8);
  });
});

describe.skipIf(process.platform === 'win32')('given a stand-in for lm_eval that does not come to its end', () => {
  it('when it is stopped in its 3rd item, then the next run asks the other 4', async () => {
    const stop = new AbortController();
    const { run, endpoint, kept } = await open((at) => (at === 3 ? 'hold' : 'right'));
    const first = run({ signal: stop.signal });
    await expect.poll(() => endpoint.received().length).toBe(3);
    stop.abort();
    expect(await first).toEqual({
      ok: false,
      code: 'stopped',
      reason: 'Stopped. The answers are stored: the next run continues from there.',
    });
    const [answers = '', ...others] = await kept();
    expect([await readFile(answers, 'utf8'), others]).toEqual([expect.not.stringContaining('Question'), []]);
    expect(await run()).toMatchObject({ ok: true, value: { value: 1 } });
    const questions = endpoint.received().map(({ question }) => question);
    expect([questions.length, new Set(questions).size]).toEqual([7, 6]);
  });

  it('when it is killed with -9 in its 3rd item, then the next run asks the other 4', async () => {
    const { run, endpoint, notes } = await open((at) => (at === 3 ? 'hold' : 'right'));
    const first = run();
    await expect.poll(() => endpoint.received().length).toBe(3);
    process.kill((await notes()).pid, 'SIGKILL');
    expect(await first).toMatchObject({ ok: false, code: 'failed', reason: expect.stringContaining('(SIGKILL)') });
    expect(await run()).toMatchObject({ ok: true, value: { value: 1 } });
    expect(endpoint.received()).toHaveLength(7);
  });

  it('when another model is measured after 2 answers of it, then that one is asked all 6 items', async () => {
    // The third item is asked for as often as it may be.
    const { run, endpoint } = await open((at) => (at < 3 ? 'right' : at <= 10 ? 500 : 'wrong'));
    expect(await run()).toMatchObject({ ok: false, code: 'failed' });
    expect(endpoint.received()).toHaveLength(10);
    expect(await run({ model: 'org/model-2' })).toMatchObject({ ok: true, value: { value: 0 } });
    expect(endpoint.received()).toHaveLength(16);
  });

  it.each<readonly [string, Answers, object, string]>([
    ['the endpoint refuses the key', () => 401, {}, 'The endpoint rejects the key: it answered with status 401.'],
    ['the endpoint fails', () => 503, {}, 'The endpoint answered with status 503.'],
    [
      'another address refuses',
      () => 'right',
      { says: 'HTTPError: 401 Client Error: Unauthorized for url: https://huggingface.test/', exit: 1 },
      'ended with exit code 1.',
    ],
    [
      'a package is missing',
      () => 'right',
      { says: "No module named 'nltk'", exit: 1 },
      'needs the Python package nltk.',
    ],
    ['the questions want a login', () => 'right', { says: 'is a gated dataset on the Hub', exit: 1 }, 'hf auth login'],
    ['it says something else', () => 'right', { says: 'Secret question?', exit: 1 }, 'ended with exit code 1.'],
    ['it leaves no result', () => 'right', { exit: 0 }, 'lm_eval wrote no result.'],
  ])('when %s, then that is said, and nothing of what it wrote', async (_, answers, knobs, words) => {
    const outcome = await (await open(answers)).run({}, knobs);
    expect(outcome).toMatchObject({ ok: false, code: 'failed', reason: expect.stringContaining(words) });
    expect(JSON.stringify(outcome)).not.toContain('Secret');
  });

  it('when it cannot be started, then that is said', async () => {
    const outcome = await (await open()).run({ program: '/nowhere/lm_eval' });
    expect(outcome).toMatchObject({ ok: false, code: 'failed', reason: expect.stringContaining('could not start') });
  });
});

describe('given a run that cannot be made', () => {
  it.each<readonly [string, Partial<LmEvalRun>]>([
    ['the endpoint is http on another machine', { endpoint: 'http://example.com/v1/chat/completions' }],
    ['the endpoint is no address', { endpoint: 'here' }],
    ['the endpoint is a file', { endpoint: 'file:///etc/passwd' }],
    ['the endpoint has a comma', { endpoint: 'https://example.com/v1,model=other' }],
    ['the key has a line break', { key: `${KEY}\n` }],
    ['the model has a comma', { model: 'a,base_url=http://example.com' }],
    ['the limit is 0', { limit: 0 }],
    ['the limit is half an item', { limit: 0.5 }],
  ])('when %s, then nothing is started', async (_, more) => {
    const { run, endpoint, notes } = await open();
    const outcome = await run(more);
    expect(outcome).toMatchObject({ ok: false, code: 'refused' });
    expect(JSON.stringify(outcome)).not.toContain(KEY);
    await expect(notes()).rejects.toThrow('ENOENT');
    expect(endpoint.received()).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('given a machine that may have an lm_eval', () => {
  it('when there is none, then how to install it is said', async () => {
    expect(await findLmEval({ PATH: await tempFolder() })).toEqual({
      ok: false,
      reason: 'lm_eval is not on the PATH. To install it: pip install "lm-eval[api]"',
    });
  });

  it.each(['lm_eval', 'lm-eval'])('when %s is in the second folder of the PATH, then it is found', async (name) => {
    const [empty, folder] = [await tempFolder(), await tempFolder()];
    const program = join(folder, name);
    await writeFile(program, '', { mode: 0o755 });
    expect(await findLmEval({ PATH: [empty, folder].join(delimiter) })).toEqual({ ok: true, program });
  });

  it('when UNDERSTUDY_LM_EVAL names one, then it is that; when it names a folder, then that is said', async () => {
    const PATH = await tempFolder();
    expect(await findLmEval({ PATH, UNDERSTUDY_LM_EVAL: STAND_IN })).toEqual({ ok: true, program: STAND_IN });
    const folder = join(PATH, 'lm_eval');
    await mkdir(folder);
    expect(await findLmEval({ PATH, UNDERSTUDY_LM_EVAL: folder })).toEqual({
      ok: false,
      reason: `${folder} (from UNDERSTUDY_LM_EVAL) is not an executable file.`,
    });
  });

  it.each([false, true])(
    'when a stand-in lists its tasks, older: %s, then IFBench is said to be missing',
    async (isOlder) => {
      const tasks = ['mmlu_pro', 'gpqa_diamond_cot_zeroshot', 'gpqa_diamond_zeroshot', 'ifeval'];
      expect(await lmEvalAbilities(STAND_IN, environment({ tasks, isOlder }))).toEqual({
        ok: true,
        able: ['mmlu_pro', 'gpqa'],
        unable: [
          {
            benchmark: 'ifbench',
            reason: 'Your lm_eval has no task ifbench for the Instruction Following Benchmark.',
          },
        ],
      });
    },
  );

  it('when a stand-in fails instead, then that is said', async () => {
    expect(await lmEvalAbilities(STAND_IN, environment({ exit: 1 }))).toEqual({
      ok: false,
      reason: `${STAND_IN} does not list its tasks. Does it run in a terminal?`,
    });
  });
});
