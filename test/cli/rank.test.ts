import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CliParts } from '../../src/cli/parts';
import type { RankAnswer } from '../../src/features/ranking/contract/ranking';
import { keepModels } from '../../src/node/base/kept-models';
import { startChatEndpoint } from '../support/chat-endpoint';
import { textsBelow } from '../support/files-below';
import { NIGHTLY } from '../support/nightly';
import { writeProgram } from '../support/write-program';
import { cliUser, startApp } from './real-cli';

const OWN = 'config/opencode/model-fallback.json';
/** As people write it: comments, a comma too many, tiers of their own. */
const CHAINS = `{
  // mine
  "agents": {
    "build": {
      "fallbackModels": ["anthropic/sonnet"], // leads
      "tiers": [{ "name": "premium", "models": ["openai/gpt"] /* why */ }],
    },
  },
}
`;
/** With the tiers in its place. */
const TIERED = `{
  // mine
  "agents": {
    "build": {
      "tiers": [{ "name": "premium", "models": ["anthropic/opus", "minimax/MiniMax-M2.1", "anthropic/sonnet"] /* why */ }, { "name": "alternative", "models": ["openai/gpt"] }, { "name": "local", "models": ["ollama/qwen"] }],
    },
  },
}
`;
const limitOf = (depth: number): string => `{ "defaults": { "maxFallbackDepth": ${depth} } }\n`;
/** With a limit of the user's own. */
const LIMITED = CHAINS.replace(/\}\n$/, '  "defaults": { "maxFallbackDepth": 3 },\n}\n');

const SHIPPED = join(import.meta.dirname, '..', '..', 'resources', 'bench_calc.json');
const STAND_IN = join(import.meta.dirname, '..', 'support', 'lm-eval-stand-in.mjs');
const LISTED_AT = new Date(2026, 8, 21, 12).getTime();
const LISTED_DAY = new Date(LISTED_AT).toISOString().slice(0, '2026-09-21'.length);

const facts = (vendor: string, priceIn: number) => ({
  ...{ vendor, priceIn, priceOut: priceIn * 5 },
  ...{ tools: true, context: 200_000 },
});
/** Of one of them benchmarks are shipped. */
const CATALOGUE = {
  'anthropic/opus': facts('anthropic', 5),
  'anthropic/sonnet': facts('anthropic', 3),
  'openai/gpt': facts('openai', 2),
  'google/gemini': facts('google', 2),
  'minimax/MiniMax-M2.1': facts('minimax', 0.3),
  'ollama/qwen': { vendor: 'alibaba', tools: true, isLocal: true },
};
/** Made up. */
const VALUES = {
  'anthropic/opus': { swe_bench_pro: 60, swe_bench_verified: 70 },
  'openai/gpt': { swe_bench_pro: 45, swe_bench_verified: 55 },
  'anthropic/sonnet': { swe_bench_pro: 40, swe_bench_verified: 50 },
};
const NEW = ['anthropic/opus', 'minimax/MiniMax-M2.1', 'ollama/qwen'] as const;
const BUILDER = ['gpqa', 'mmlu_pro', 'ifbench', 'coding_index', 'swe_bench_pro', 'swe_bench_verified', 'livecodebench'];

/** A user whose OpenCode has listed models. */
async function ranker(files: Readonly<Record<string, string>> = {}) {
  const user = await cliUser({ [OWN]: CHAINS, 'values.json': JSON.stringify(VALUES), ...files });
  const host = { leads: {}, defaultModel: 'anthropic/sonnet', models: Object.keys(CATALOGUE), catalogue: CATALOGUE };
  await keepModels(user.home, join(user.root, 'project'), host, LISTED_AT);
  const rank = (args: readonly string[], change: Partial<CliParts> = {}) => user.run(['chains', ...args], change);
  const file = (name: string): string => join(user.root, name);
  const asked = async (...args: string[]): Promise<RankAnswer> =>
    JSON.parse((await rank(['suggest', ...args, '--ranking', '--json'])).said);
  const written = (): Promise<string> => readFile(file(OWN), 'utf8');
  return { ...user, rank, asked, file, written };
}

/** The same, with values that were taken in and a proposal that waits. */
async function proposer({ isRunning = false } = {}, files: Readonly<Record<string, string>> = {}) {
  const user = await ranker(files);
  if (isRunning) await startApp(user);
  await user.rank(['data', 'import', user.file('values.json'), '--source', 'https://made-up.test']);
  const proposed = await user.rank(['suggest', 'build', '--tiers']);
  const approveAll = async () => {
    for (const model of NEW) await user.rank(['suggest', 'build', '--review', model, '--approve']);
  };
  const chain = async () => (await user.asked()).proposal?.chain.map(({ model }) => model);
  return { ...user, proposed, approveAll, chain };
}

describe('given models that OpenCode has listed, and what ships', () => {
  it('when they are ranked, then who has a rank comes first, and who has none, what is missing and whose data it is are said', async () => {
    const { rank } = await ranker();
    const few = `not ranked: 0 % of the weights known, 50 % needed; missing: ${BUILDER.join(', ')}`;
    const { code, said } = await rank(['suggest', '--ranking']);
    expect([code, said.replaceAll(/ +/g, ' ').split('\n')]).toEqual([
      0,
      [
        'build as builder',
        ' model score here, for build $ in/out',
        ' 1 minimax/MiniMax-M2.1 0.537 not called yet $0.3/$1.5 55 % of the weights known; missing: gpqa, mmlu_pro, ifbench, coding_index, livecodebench',
        ` – openai/gpt – not called yet $2/$10 ${few}`,
        ` – anthropic/sonnet – not called yet $3/$15 ${few}`,
        ' 2 more without a rank: understudy chains suggest build --ranking --all',
        '',
        'Missing: gpqa (5 of 5), mmlu_pro (5 of 5), ifbench (5 of 5), coding_index (5 of 5), livecodebench (5 of 5), swe_bench_pro (4 of 5), swe_bench_verified (4 of 5).',
        '',
        expect.stringMatching(
          /^Benchmark values of models\.dev \(MIT\), https:\/\/models\.dev\/\. Shipped values: 20\d\d-\d\d-\d\d \([0-9a-f]{8}\)\. Models, context and price: OpenCode in ~\/project, 2026-09-21 12:00\.$/,
        ),
      ],
    ]);
    const all = await rank(['suggest', '--ranking', '--all']);
    expect(all.said).toMatch(/– {2}ollama\/qwen .* not scored: on this machine, or free\n/);
    expect(all.said).toMatch(/– {2}google\/gemini /);
  });

  it('when none of them can be ranked for a role, then that is said with what would complete it', async () => {
    const { code, said } = await (await ranker()).rank(['suggest', 'build', '--ranking', '--role', 'oracle']);
    expect([code, said]).toEqual([
      0,
      expect.stringContaining(
        '\nNo model can be ranked for Oracle: gpqa missing for 5 of 5 models, mmlu_pro missing for 5 of 5 models, aime missing for 5 of 5 models. Import benchmark values, enter or measure them, or use an Artificial Analysis API key',
      ),
    ]);
  });

  it('when it must be strict, then it refuses with each model and benchmark that is missing: 5', async () => {
    const { code, said } = await (await ranker()).rank(['suggest', 'build', '--ranking', '--strict']);
    const some = BUILDER.filter((benchmark) => !benchmark.startsWith('swe')).join(', ');
    const lines = ['google/gemini', 'openai/gpt', 'anthropic/sonnet', 'anthropic/opus'].map(
      (model) => `  ${model}: ${BUILDER.join(', ')}`,
    );
    expect([code, said]).toEqual([
      5,
      [
        'Strict ranking needs every weighted benchmark of every candidate. Missing:',
        `  minimax/MiniMax-M2.1: ${some}`,
        ...lines,
      ].join('\n'),
    ]);
  });

  it('when nothing that counts is missing, then strict ranks', async () => {
    const { rank, file } = await ranker({
      'all.csv': `model,hle\n${Object.keys(CATALOGUE)
        .map((model, at) => `${model},0.${at + 1}`)
        .join('\n')}\n`,
    });
    await rank(['data', 'import', file('all.csv')]);
    const { code, said } = await rank(['suggest', 'build', '--ranking', '--formula', 'hle', '--strict']);
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(/^build as builder, by your own formula\n.*\n {2}1 {2}minimax\/MiniMax-M2\.1 {2}0\.500/),
    ]);
  });

  it('when a formula is wrong, then a mark stands under the place: 5', async () => {
    expect(await (await ranker()).rank(['suggest', 'build', '--ranking', '--formula', '0.5 * gpqa + ) hle'])).toEqual({
      code: 5,
      said: '0.5 * gpqa + ) hle\n             ^ Here a number, a benchmark or an opening bracket is expected, not ")".',
    });
  });

  it('when it is asked as JSON, then every number has its source, and the same is answered by the running app', async () => {
    const user = await ranker();
    const alone = await user.asked('build');
    expect(alone.proposal?.models[0]).toMatchObject({
      model: 'minimax/MiniMax-M2.1',
      rank: 1,
      score: 0.537145,
      parts: [
        { benchmark: 'swe_bench_pro', value: 36.81, unit: 'percent', source: expect.stringMatching(/^https:/) },
        { benchmark: 'swe_bench_verified', value: 74, unit: 'percent', source: expect.stringMatching(/^https:/) },
      ],
    });
    await startApp(user);
    expect(await user.asked('build')).toEqual(alone);
  });

  it('when OpenCode has listed nothing, then that is said', async () => {
    const { run } = await cliUser();
    expect(await run(['chains', 'suggest', '--ranking'])).toEqual({
      code: 0,
      said: 'build as builder\nOpenCode has not listed any models here yet: open it in this project once.',
    });
  });
});

describe('given an agent whose name says no role', () => {
  it('when it is given one, then it is ranked by it until it goes by its name again', async () => {
    const { rank } = await ranker();
    const none = 'smith has no role yet. Choose one: understudy chains suggest smith --set-role builder';
    expect(await rank(['suggest', 'smith', '--ranking'])).toEqual({ code: 0, said: none });
    expect(await rank(['suggest', 'smith', '--set-role', 'fixer'])).toEqual({ code: 0, said: 'The role is saved.' });
    expect((await rank(['suggest', 'smith', '--ranking'])).said).toMatch(/^smith as fixer\n/);
    expect(await rank(['suggest', 'smith', '--set-role', 'by-name'])).toEqual({
      code: 0,
      said: 'The role follows the name again.',
    });
    expect(await rank(['suggest', 'smith', '--ranking'])).toEqual({ code: 0, said: none });
    expect((await rank(['suggest', 'smith', '--set-role', 'king'])).code).toBe(2);
  });
});

describe('given values a person adds', () => {
  it('when one is set by hand, then it is listed as it was given, and "none" takes it back', async () => {
    const { rank } = await ranker();
    const source = ['--source', 'https://made-up.test'];
    const listed = async () => (await rank(['data', 'list', 'openai/gpt'])).said.replaceAll(/ {2,}/g, '  ');
    const [head, context] = [
      'openai/gpt',
      `  context_length  200000 tokens  published  opencode  ${LISTED_DAY}  OpenCode’s own catalogue`,
    ];
    for (const args of [
      ['swe_bench_pro', '45', '--date', '2026-10-01'],
      ['gpqa', '91 %'],
    ])
      expect(await rank(['data', 'set', 'openai/gpt', ...args, ...source])).toEqual({ code: 0, said: 'Saved.' });
    expect(await listed()).toBe(
      [
        head,
        '  gpqa  91 percent  published  hand  not dated  https://made-up.test',
        '  swe_bench_pro  45 percent  published  hand  2026-10-01  https://made-up.test',
        context,
      ].join('\n'),
    );
    for (const benchmark of ['gpqa', 'swe_bench_pro'])
      await rank(['data', 'set', 'openai/gpt', benchmark, 'none', ...source]);
    expect(await listed()).toBe(`${head}\n${context}`);
    expect(await rank(['data', 'list', 'no/such'])).toEqual({ code: 5, said: "There is no candidate 'no/such' here." });
  });

  it.each([
    [['gpqa', '91'], '91 is more than 1, the maximum of a fraction: write 91 % or 0.91'],
    [['gpqa', '450'], '450 is more than 1, the maximum of a fraction'],
    [['swe_bench_pro', '450'], '450 is more than 100, the maximum of swe_bench_pro'],
    [['gdpval_aa_elo', '43 %'], '43 has the unit percent, which cannot be converted to elo, the unit of gdpval_aa_elo'],
  ])('when %j is set, which no such number can be, then it is refused and not kept: 5', async (args, reason) => {
    const { rank } = await ranker();
    const set = await rank(['data', 'set', 'openai/gpt', ...args, '--source', 'https://made-up.test']);
    expect(set).toEqual({ code: 5, said: reason });
    expect(JSON.parse((await rank(['data', 'export'])).said).values).toEqual([]);
  });

  it.each([
    [['data', 'set', 'openai/gpt', 'gpqa', 'much', '--source', 's']],
    [['data', 'set', 'openai/gpt', 'no_such', '1', '--source', 's']],
    [['data', 'set', 'openai/gpt', 'gpqa', '0.5', '--source', 's', '--date', 'today']],
    [['data', 'set', 'openai/gpt', 'gpqa', '0.5']],
    [['data', 'remove', 'guesses']],
    [['data', 'remove', 'models_dev']],
    [['suggest', '--weights', '--set', 'gpqa=0.2']],
    [['suggest', '--weights', '--role', 'builder', '--set', 'gpqa']],
    [['suggest', '--weights', '--role', 'builder', '--published', '--formula', 'hle']],
    [['suggest', '--plan-left', 'anthropic', '--week', '200']],
    [['suggest', 'build', 'openai/gpt', '--position', '0']],
    [['suggest', 'build', '--tiers', '--with', 'guesses']],
    [['data', 'measure', 'openai/gpt', 'hle', '--endpoint', 'http://127.0.0.1:9/v1/chat/completions']],
  ])('when %j is said, then it is not understood: 2', async (args) => {
    expect((await (await ranker()).rank(args)).code).toBe(2);
  });

  it('when a table is taken in, then what cannot be read is told by line, and the rest counts', async () => {
    const { rank, file } = await ranker({
      'values.csv':
        'model,swe_bench_pro,swe_bench_verified,mood\nanthropic/sonnet,40,50,3\nopenai/gpt,abc,200\ngoogle/gemini,1,2,3,4\n',
    });
    expect(await rank(['data', 'import', file('values.csv'), '--date', '2026-10-01'])).toEqual({
      code: 0,
      said: [
        '2 values imported.',
        '  “mood” is unknown and was skipped',
        '  line 3: “openai/gpt”, swe_bench_pro: “abc” is not a number such as 12.3, 43 % or 12/15',
        '  line 3: “openai/gpt”, swe_bench_verified: 200 is more than 100, the maximum of swe_bench_verified',
        '  line 4: it has 5 cells instead of 4: write 43.2 for 43,2, and put texts in quotation marks',
      ].join('\n'),
    });
    // Named by the file alone: what is handed on says nothing of this machine’s folders.
    expect((await rank(['data', 'export', '--format', 'csv'])).said.split('\r\n')).toEqual([
      'model,benchmark,value,unit,source,date,kind,note',
      'anthropic/sonnet,swe_bench_pro,40,percent,values.csv,2026-10-01,published,',
      'anthropic/sonnet,swe_bench_verified,50,percent,values.csv,2026-10-01,published,',
    ]);
    expect((await rank(['data', 'import', file('nothing.csv')])).code).toBe(1);
    expect((await rank(['data', 'import', file(OWN)])).code).toBe(5);
  });

  it('when they are exported and taken in elsewhere, then the export there is the same', async () => {
    const user = await ranker();
    expect(await user.rank(['data', 'import', user.file('values.json')])).toEqual({
      code: 0,
      said: '6 values imported.',
    });
    await user.rank(['data', 'export', '--out', user.file('export.json')]);
    const exported = await readFile(user.file('export.json'), 'utf8');
    const other = await ranker({ 'export.json': exported });
    await other.rank(['data', 'import', other.file('export.json')]);
    expect(`${(await other.rank(['data', 'export'])).said}\n`).toBe(exported);
    const all = await other.rank(['data', 'export', '--all', '--format', 'csv']);
    expect(all.said.split('\n').length).toBeGreaterThan(100);
  });

  it('when some are taken back by the way they came, then those of that source are gone, then all that came that way', async () => {
    const { rank, file } = await ranker();
    const put = ['data', 'set', 'openai/gpt', 'gpqa', '91 %', '--source', 'https://by-hand.test'];
    for (const name of ['one', 'other', 'third'])
      await rank(['data', 'import', file('values.json'), '--source', `https://${name}.test`]);
    await rank(put);
    const sources = async () => {
      const { values } = JSON.parse((await rank(['data', 'export'])).said) as { values: { source: string }[] };
      return [...new Set(values.map(({ source }) => source))].toSorted();
    };
    const remove = (...args: string[]) => rank(['data', 'remove', ...args, '--yes']);
    const seen: unknown[] = [await sources()];
    for (const args of [['import', '--source', 'https://other.test'], ['import'], ['hand']])
      seen.push([await remove(...args), await sources()]);
    const done = { code: 0, said: 'Removed.' };
    expect(seen).toEqual([
      ['https://by-hand.test', 'https://one.test', 'https://other.test', 'https://third.test'],
      [done, ['https://by-hand.test', 'https://one.test', 'https://third.test']],
      [done, ['https://by-hand.test']],
      [done, []],
    ]);
  });

  it('when values are removed without --yes, then a terminal asks, and elsewhere it is refused: 5', async () => {
    const { rank, file } = await ranker();
    await rank(['data', 'import', file('values.json'), '--source', 'https://made-up.test']);
    const stored = async () =>
      (JSON.parse((await rank(['data', 'export'])).said) as { values: unknown[] }).values.length;
    const before = await stored();
    const answers = [await rank(['data', 'remove', 'import'])];
    for (const isYes of [false, true]) {
      answers.push(await rank(['data', 'remove', 'import'], { isTerminal: true, ask: async () => isYes }));
      if (!isYes) expect(await stored()).toBe(before);
    }
    expect([answers.map(({ code }) => code), await stored()]).toEqual([[5, 5, 0], 0]);
  });

  it.each([[['import', '--source', 'https://mistyped.test']], [['artificial-analysis']], [['lm_eval']]])(
    'when %j is to be taken back, of which nothing is kept, then that is said and all stays: 5',
    async (args) => {
      const { rank, file } = await ranker();
      await rank(['data', 'import', file('values.json'), '--source', 'https://made-up.test']);
      const before = (await rank(['data', 'export'])).said;
      expect(await rank(['data', 'remove', ...args, '--yes'])).toEqual({
        code: 5,
        said: 'There are no stored values of this origin.',
      });
      expect((await rank(['data', 'export'])).said).toBe(before);
    },
  );

  it('when a model is matched, then it has the values of that name, until it is forgotten', async () => {
    const { rank, asked } = await ranker();
    const scoreOf = async () => (await asked()).proposal?.models.find(({ model }) => model === 'google/gemini')?.score;
    await rank(['data', 'match', 'google/gemini', 'minimax/MiniMax-M2.1']);
    const matched = await scoreOf();
    await rank(['data', 'match', 'google/gemini', 'forget']);
    expect([matched, await scoreOf()]).toEqual([0.537145, null]);
  });
});

describe('given the weights of the roles', () => {
  it('when one is set, then the others are scaled, and the published formula can be had again', async () => {
    const { rank, asked } = await ranker();
    const weights = async () => Object.values((await asked('build')).formula?.weights ?? {});
    const before = await weights();
    const { code, said } = await rank(['suggest', '--weights', '--role', 'builder', '--set', 'gpqa=0.2']);
    expect([code, said]).toEqual([0, expect.stringMatching(/^Saved for builder: .*\(gpqa \* 0\.2\)/)]);
    const formula = (await asked('build')).formula;
    expect([formula?.isPublished, formula?.weights?.gpqa, formula?.weights?.swe_bench_pro]).toEqual([
      false,
      0.2,
      0.2667,
    ]);
    expect((await weights()).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 10);
    await rank(['suggest', '--weights', '--role', 'builder', '--published']);
    expect([(await asked('build')).formula?.isPublished, await weights()]).toEqual([true, before]);
  });

  it('when a formula is given, then it counts, and a wrong one or a weight in what is no sum is refused', async () => {
    const { rank, asked } = await ranker();
    const weights = (...args: string[]) => rank(['suggest', '--weights', '--role', 'oracle', ...args]);
    expect(await weights('--formula', '0.5 * gpqa +')).toEqual({
      code: 5,
      said: 'The formula ends where a number, a benchmark or an opening bracket is expected. (character 13)',
    });
    expect((await weights('--formula', '0.5 * gpqa / hle')).code).toBe(0);
    expect((await asked('oracle')).formula).toMatchObject({ text: '0.5 * gpqa / hle', weights: null });
    expect(await weights('--set', 'gpqa=0.2')).toEqual({
      code: 5,
      said: 'The formula of oracle is no weighted sum: set another one with --formula.',
    });
  });

  it('when the published file is taken in, then every role goes by it, and what is shown is that file', async () => {
    const { rank, asked } = await ranker();
    const published = await readFile(SHIPPED, 'utf8');
    await rank(['suggest', '--weights', '--role', 'builder', '--formula', 'hle']);
    expect((await rank(['suggest', '--weights'])).said).not.toBe(published.trimEnd());
    expect(await rank(['suggest', '--weights', '--import', SHIPPED])).toEqual({ code: 0, said: published.trimEnd() });
    expect(await rank(['suggest', '--weights'])).toEqual({ code: 0, said: published.trimEnd() });
    expect((await asked('build')).formula?.isPublished).toBe(true);
  });
});

describe('given what is left of a plan', () => {
  it('when little is, then its dear models have no rank for that reason, until nothing is kept of it', async () => {
    const { rank, asked, file } = await ranker();
    await rank(['data', 'import', file('values.json')]);
    const opus = async () => (await asked()).proposal?.models.find(({ model }) => model === 'anthropic/opus');
    expect(await rank(['suggest', '--plan-left', 'anthropic', '--five-hour', '5', '--week', '50'])).toEqual({
      code: 0,
      said: 'Saved.',
    });
    expect(await opus()).toMatchObject({ rank: null, unranked: 'price.cap' });
    expect(await rank(['suggest', '--plan-left', 'anthropic'])).toEqual({ code: 0, said: 'Forgotten.' });
    expect(await opus()).toMatchObject({ rank: 1, unranked: null });
  });
});

describe('given a proposal', () => {
  it('when nothing is proposed yet, then review, keep and apply say how to begin', async () => {
    const { rank } = await ranker();
    expect(await rank(['suggest', 'build', '--review'])).toEqual({
      code: 5,
      said: 'There is no suggestion for build yet: understudy chains suggest build --tiers',
    });
    for (const args of [
      ['suggest', 'build', 'openai/gpt', '--position', '1'],
      ['suggest', 'build', '--tiers', '--apply', '--yes'],
    ])
      expect(await rank(args)).toEqual({ code: 5, said: 'There is no proposal for build yet.' });
  });

  it('when models of it wait, then it ends with 4 and nothing can be written; when all is decided, with 0', async () => {
    const { rank, proposed, approveAll, written } = await proposer();
    expect([proposed.code, proposed.said]).toEqual([4, expect.stringContaining('3 of 3 to decide')]);
    // OpenCode would ask its own model first if it were not named behind another.
    expect(proposed.said).toMatch(/3 {2}anthropic\/sonnet .* in the chain now: stays\n/);
    expect(proposed.said).toContain('The primary changes: anthropic/sonnet → anthropic/opus.');
    expect(await rank(['suggest', 'build', '--tiers', '--apply', '--yes'])).toEqual({
      code: 4,
      said: `${NEW.join(', ')} need a decision.`,
    });
    await approveAll();
    const { code, said } = await rank(['suggest', 'build', '--tiers']);
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(/To write it: understudy chains suggest build --tiers --apply$/),
    ]);
    expect(await written()).toBe(CHAINS);
  });

  it('when the next is looked at, then its evidence is shown: place, score, each number with its day and source', async () => {
    const { rank } = await proposer();
    const { code, said } = await rank(['suggest', 'build', '--review']);
    expect([code, said.replaceAll(/ {2,}/g, '  ').split('\n')]).toEqual([
      4,
      [
        '3 to decide.',
        '',
        'anthropic/opus  new in this chain, would be the primary',
        'Suggested at 1, Premium: highest score of the remaining models.',
        '  score  0.645  rank 1',
        '  here, for the agent  not called yet',
        '  price in/out  $5/$25',
        '  vendor, region  anthropic  US',
        '  published as  anthropic/opus',
        '',
        '  swe_bench_pro  60 percent  0.600 × 55 %  not dated  https://made-up.test',
        '  swe_bench_verified  70 percent  0.700 × 45 %  not dated  https://made-up.test',
        '  55 % of the weights known',
        '  missing: gpqa, mmlu_pro, ifbench, coding_index, livecodebench',
        '',
        '  understudy chains suggest build anthropic/opus --approve | --not-now | --never',
      ],
    ]);
    const json = JSON.parse((await rank(['suggest', 'build', '--review', 'ollama/qwen', '--json'])).said);
    expect([json.open, json.next.model, json.next.codes]).toEqual([[...NEW], 'ollama/qwen', ['new']]);
  });

  it('when a model is denied for now or for good, then it is gone from the chain, and undo brings it back', async () => {
    const { rank, chain } = await proposer();
    const [, middle] = NEW;
    const seen: unknown[] = [];
    for (const flag of ['--not-now', '--undo', '--never', '--undo']) {
      await rank(['suggest', 'build', '--review', middle, flag]);
      seen.push((await chain())?.includes(middle));
    }
    expect(seen).toEqual([false, true, false, true]);
    await rank(['suggest', 'build', '--review', middle, '--not-now']);
    await rank(['suggest', 'build', '--tiers', '--again']);
    const again = (await chain())?.includes(middle);
    await rank(['suggest', 'build', '--review', middle, '--never']);
    await rank(['suggest', 'build', '--tiers', '--again']);
    expect([again, (await chain())?.includes(middle)]).toEqual([true, false]);
  });

  it.each([
    [['no/such', '--approve'], 5],
    [['no/such'], 5],
    [['--approve'], 2],
    [['anthropic/opus', '--approve', '--never'], 2],
  ])('when %j is decided, then it ends with %i and nothing is decided', async (args, code) => {
    const { rank } = await proposer();
    expect((await rank(['suggest', 'build', '--review', ...args])).code).toBe(code);
    expect((await rank(['suggest', 'build', '--review'])).said).toMatch(/^3 to decide/);
  });

  it('when OpenCode’s own model of the agent is never to be proposed, then that is refused, for it would be asked first', async () => {
    const { rank, chain } = await proposer();
    const before = await chain();
    expect(await rank(['suggest', 'build', '--review', 'anthropic/sonnet', '--never'])).toEqual({
      code: 5,
      said: 'OpenCode calls anthropic/sonnet first for build. Choose another model in OpenCode first.',
    });
    expect(before).toContain('anthropic/sonnet');
    expect(await chain()).toEqual(before);
    expect((await rank(['suggest', 'build', '--review'])).said).toMatch(/^3 to decide/);
  });

  it(
    'when a model was approved or is never wanted in one project, then another project decides for itself',
    NIGHTLY,
    async () => {
      const user = await proposer();
      const elsewhere = { directory: user.file('elsewhere') };
      await user.approveAll();
      await user.rank(['suggest', 'build', '--review', 'google/gemini', '--never']);
      const other = async (flag: string) => await user.rank(['suggest', 'build', flag, '--json'], elsewhere);
      expect((await user.rank(['suggest', 'build', '--tiers'])).code).toBe(0);
      expect((await other('--tiers')).code).toBe(4);
      const open = JSON.parse((await other('--review')).said).open;
      const ignored = [(await user.asked('build')).ignored, JSON.parse((await other('--ranking')).said).ignored];
      expect([open, ignored]).toEqual([[...NEW], [['google/gemini'], []]]);
    },
  );

  it('when a place is kept, then the model stands there, and who follows it moves on', async () => {
    const { rank, chain } = await proposer();
    const before = await chain();
    const kept = await rank(['suggest', 'build', 'google/gemini', '--position', '1']);
    expect([kept.code, kept.said]).toEqual([4, expect.stringMatching(/1 {2}google\/gemini .* fixed at this position/)]);
    expect((await chain())?.slice(0, 2)).toEqual(['google/gemini', 'anthropic/opus']);
    await rank(['suggest', 'build', 'google/gemini', '--position', 'anywhere']);
    expect(await chain()).toEqual(before);
  });

  it.each([
    ['the running app', { isRunning: true }],
    ['the command alone', {}],
  ])(
    'when it is written by %s and undone, then the file holds the tiers, then its old bytes with comments and all',
    async (_, how) => {
      const { run, rank, approveAll, written } = await proposer(how);
      await approveAll();
      const dry = await rank(['suggest', 'build', '--tiers', '--apply', '--dry-run']);
      expect([dry.code, dry.said]).toEqual([
        0,
        expect.stringContaining('-      "fallbackModels": ["anthropic/sonnet"]'),
      ]);
      const refusal = `~/${OWN} would be changed. Nothing was changed. Check with --dry-run, then add --yes.`;
      const json = await rank(['suggest', 'build', '--tiers', '--apply', '--json']);
      expect([json.code, JSON.parse(json.said)]).toEqual([5, { ok: false, reason: refusal }]);
      expect(await rank(['suggest', 'build', '--tiers', '--apply'])).toEqual({ code: 5, said: refusal });
      expect(await written()).toBe(CHAINS);

      const applied = await rank(['suggest', 'build', '--tiers', '--apply', '--yes']);
      const [, receipt = ''] = /^Changed .*: understudy config undo (\S+)$/.exec(applied.said) ?? [];
      expect([applied.code, await written()]).toEqual([0, TIERED]);
      expect((await run(['config', 'undo', receipt, '--yes'])).code).toBe(0);
      expect(await written()).toBe(CHAINS);
    },
  );

  it('when somebody sits at the terminal, then they see the difference, and it is written after their yes alone', async () => {
    const { rank, approveAll, written } = await proposer();
    await approveAll();
    const seen: unknown[] = [];
    for (const answer of [false, true]) {
      const asked: string[] = [];
      const ask = async (question: string) => {
        asked.push(question.slice(0, 'Change'.length));
        return answer;
      };
      const { code, said } = await rank(['suggest', 'build', '--tiers', '--apply'], { isTerminal: true, ask });
      const isShown = said.includes('-      "fallbackModels": ["anthropic/sonnet"]');
      seen.push([code, asked, isShown, said.endsWith('Nothing was changed.'), (await written()) === TIERED]);
    }
    expect(seen).toEqual([
      [5, ['Change'], true, true, false],
      [0, ['Change'], true, false, true],
    ]);
  });

  it('when it is longer than the user’s limit of switches, then the limit is raised with it, unless that is not wanted', async () => {
    const user = await proposer({}, { [OWN]: LIMITED });
    await user.rank(['suggest', 'build', 'google/gemini', '--position', '4']);
    await user.approveAll();
    await user.rank(['suggest', 'build', '--review', 'google/gemini', '--approve']);
    const limit = '"defaults": { "maxFallbackDepth": 5 }';
    expect((await user.rank(['suggest', 'build', '--tiers', '--apply', '--dry-run', '--no-depth'])).said).not.toContain(
      limit,
    );
    expect((await user.rank(['suggest', 'build', '--tiers', '--apply', '--dry-run'])).said).toContain(limit);
    await user.rank(['suggest', 'build', '--tiers', '--apply', '--yes']);
    expect(await user.written()).toContain(limit);
  });

  it('when a value changes after all was decided, then it is not written before somebody has looked again', async () => {
    const { rank, approveAll, written } = await proposer();
    await approveAll();
    await rank(['data', 'set', 'anthropic/opus', 'swe_bench_pro', '61', '--source', 'https://made-up.test']);
    expect(await rank(['suggest', 'build', '--tiers', '--apply', '--yes'])).toEqual({
      code: 4,
      said: 'anthropic/opus needs a decision.',
    });
    expect(await written()).toBe(CHAINS);
  });

  it('when the chain stands in the project’s file, then that is written, and the user’s own where --global says so', async () => {
    const inProject = 'project/.opencode/model-fallback.jsonc';
    const user = await proposer({}, { [OWN]: limitOf(3), [inProject]: CHAINS });
    await user.approveAll();
    const tiers = [
      { name: 'premium', models: ['anthropic/opus', 'minimax/MiniMax-M2.1', 'anthropic/sonnet'] },
      { name: 'alternative', models: ['openai/gpt'] },
      { name: 'local', models: ['ollama/qwen'] },
    ];
    // The project’s goes before it: what was approved is written, and is not what counts.
    expect(await user.rank(['suggest', 'build', '--tiers', '--apply', '--global', '--yes'])).toEqual({
      code: 1,
      said: expect.stringMatching(
        /^Changed .*\nThe file contains another chain than you approved: understudy chains get build$/,
      ),
    });
    expect([JSON.parse(await user.written()), await readFile(user.file(inProject), 'utf8')]).toEqual([
      { agents: { build: { tiers } }, defaults: { maxFallbackDepth: 4 } },
      CHAINS,
    ]);
    expect((await user.run(['config', 'undo', '--yes'])).code).toBe(0);
    expect((await user.rank(['suggest', 'build', '--tiers', '--again'])).code).toBe(0);
    expect((await user.rank(['suggest', 'build', '--tiers', '--apply', '--yes'])).code).toBe(0);
    // The limit counts in the user’s own file alone.
    expect([await user.written(), await readFile(user.file(inProject), 'utf8')]).toEqual([limitOf(4), TIERED]);
  });

  it('when it has been written, then it is not written again before something is proposed anew', async () => {
    const { rank, approveAll, written } = await proposer();
    await approveAll();
    await rank(['suggest', 'build', '--tiers', '--apply', '--yes']);
    expect(await rank(['suggest', 'build', '--tiers', '--apply', '--yes'])).toEqual({
      code: 5,
      said: 'This proposal is already written. Start a new one to write again.',
    });
    expect(await rank(['suggest', 'build', '--tiers'])).toMatchObject({ code: 0 });
    expect(await rank(['suggest', 'build', '--tiers', '--apply', '--yes'])).toEqual({
      code: 0,
      said: `~/${OWN} already has this.`,
    });
    expect(await written()).toBe(TIERED);
  });

  it('when nobody in it can be ranked, then review does not say that all is decided', async () => {
    const { rank } = await ranker();
    expect((await rank(['suggest', 'build', '--tiers', '--role', 'oracle'])).code).toBe(4);
    expect(await rank(['suggest', 'build', '--review'])).toEqual({
      code: 4,
      said: 'No model needs a decision, but the suggestion is incomplete. The reason: understudy chains suggest build --tiers',
    });
  });

  it('when others are to be asked outside, then what it costs is said first, and nobody is asked without a yes', async () => {
    const { rank, env, file } = await ranker();
    const propose = async (what: string, more: NodeJS.ProcessEnv = {}, ...args: string[]) => {
      const { code, said } = await rank(['suggest', 'build', '--tiers', '--with', what, ...args], {
        env: { ...env, ...more },
      });
      expect(code).toBe(5);
      return said;
    };
    writeProgram(file('opencode'), '#!/bin/sh\necho 1.18.33\n');
    expect(await propose('models', { OPENCODE_BIN: file('opencode') })).toBe(
      'One minimal request to each of 3 models, through OpenCode with your logins; most cost less than a cent.\nNothing was requested. To send the requests, add --yes.',
    );
    // For the role that is wanted nobody can be ranked: the chain alone is asked.
    expect(await propose('models', { OPENCODE_BIN: file('opencode') }, '--role', 'oracle')).toMatch(
      /^One minimal request to each of 2 models/,
    );
    expect(await propose('models')).toMatch(/^models: OpenCode was not found/);
    expect(await propose('artificial-analysis')).toMatch(/^artificial_analysis: An API key is required/);
  });
});

const KEY = 'sk-VeryOwnKey-0123456789';

describe.skipIf(process.platform === 'win32')('given a key of the user’s and their own lm_eval', () => {
  async function measurer() {
    const user = await ranker();
    const endpoint = await startChatEndpoint((at) => (at > 1 ? 'wrong' : 'right'));
    onTestFinished(() => endpoint.close());
    const env = {
      ...user.env,
      ...{ PATH: process.env.PATH, UNDERSTUDY_LM_EVAL: STAND_IN },
      ...{ OWN_KEY: KEY, ARTIFICIAL_ANALYSIS_API_KEY: KEY },
    };
    const said: string[] = [];
    const rankUntil = async (signal: AbortSignal, ...args: string[]) => {
      const answer = await user.rank(args, { env, signal });
      said.push(answer.said);
      return answer;
    };
    const rank = (...args: string[]) => rankUntil(new AbortController().signal, ...args);
    const measure = (...args: string[]) =>
      rank(
        'data',
        'measure',
        'openai/gpt',
        'gpqa',
        '--endpoint',
        endpoint.address,
        '--key-env',
        'OWN_KEY',
        '--limit',
        '2',
        ...args,
      );
    return { ...user, rank, rankUntil, measure, endpoint, said };
  }
  const COST = /^Graduate-Level Google-Proof Q&A: 2 items; estimated cost: between \$\d+\.\d\d and \$\d+\.\d\d\./;

  it('when a model is measured, then its cost is said first, and its value is kept and shown as measured', async () => {
    const { rank, measure, endpoint } = await measurer();
    const refused = await measure();
    expect([refused.code, refused.said]).toEqual([5, expect.stringMatching(COST)]);
    expect(refused.said).toMatch(/Nothing was requested\. To start, add --yes\.$/);
    expect(endpoint.received()).toEqual([]);

    const measured = await measure('--yes');
    expect([measured.code, measured.said]).toEqual([0, expect.stringMatching(COST)]);
    expect(measured.said).toContain('\nopenai/gpt: gpqa 0.5 fraction. task gpqa_diamond_cot_zeroshot, 2 of 6 items');
    expect(endpoint.received().map(({ authorization }) => authorization)).toEqual(Array(2).fill(`Bearer ${KEY}`));
    expect((await rank('data', 'list', 'openai/gpt')).said).toMatch(
      /gpqa +0\.5 fraction +measured +lm_eval +20\d\d-\d\d-\d\d +Measured on this machine with lm_eval/,
    );
  });

  it('when a key is there, then it is in nothing that is said and in no file of the home', async () => {
    const { rank, rankUntil, measure, said, home } = await measurer();
    await measure('--yes');
    await rank('suggest', 'build', '--ranking');
    await rank('suggest', 'build', '--tiers');
    const costs = await rank('suggest', 'build', '--tiers', '--with', 'artificial-analysis');
    expect(costs).toEqual({
      code: 5,
      said: 'A few requests to artificialanalysis.ai with your key, which is never stored.\nNothing was requested. To send the requests, add --yes.',
    });
    // Interrupted before anybody is asked.
    expect(await rankUntil(AbortSignal.abort(), 'data', 'refresh')).toEqual({
      code: 1,
      said: 'Stopped before Artificial Analysis answered.',
    });
    const texts = await textsBelow(home);
    expect(texts.length).toBeGreaterThan(1);
    expect([...texts, ...said].filter((text) => text.includes(KEY))).toEqual([]);
  });

  it('when the variable of the key, the endpoint or lm_eval is missing, then that is said and nothing is asked', async () => {
    const { rank } = await measurer();
    const without = await ranker();
    const at = ['--endpoint', 'http://elsewhere.test/v1/chat/completions', '--yes'];
    expect(await rank('data', 'measure', 'openai/gpt', 'gpqa', ...at, '--key-env', 'NO_KEY')).toEqual({
      code: 5,
      said: 'NO_KEY is not set.',
    });
    expect(await rank('data', 'measure', 'openai/gpt', 'gpqa', ...at)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/The endpoint must be an https address, or an http address on this machine\.$/),
    });
    expect(await without.rank(['data', 'measure', 'openai/gpt', 'gpqa', ...at])).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^lm_eval is not on the PATH/),
    });
  });
});

describe('given values that are missing', () => {
  it('when they are looked for, then official addresses are listed, and nobody is asked', async () => {
    const { rank } = await ranker();
    const { code, said } = await rank(['suggest', 'build', '--research']);
    const rows = said.split('\n').flatMap((line) => /^ {2}(\S+) .* (https:\/\/\S+)$/.exec(line)?.slice(1, 2) ?? []);
    expect([code, rows.toSorted()]).toEqual([0, BUILDER.toSorted()]);
    const json = JSON.parse((await rank(['suggest', 'build', '--research', '--json'])).said);
    expect(json).toContainEqual({
      benchmark: 'gpqa',
      title: expect.any(String),
      address: expect.stringMatching(/^https:/),
    });
  });

  it('when a model is to search for them, then what it costs is said, and it is not asked without a yes and a proposal', async () => {
    const { rank } = await ranker();
    const ask = ['suggest', 'build', '--research', '--ask', 'openai/gpt'];
    expect(await rank(ask)).toMatchObject({
      code: 5,
      said: expect.stringMatching(
        /^One session with openai\/gpt searches \d+ values.*Nothing was requested\. To search, add --yes\.$/,
      ),
    });
    expect(await rank([...ask, '--yes'])).toMatchObject({
      code: 5,
      said: expect.stringMatching(/Start one: understudy chains suggest build --tiers$/),
    });
  });
});
