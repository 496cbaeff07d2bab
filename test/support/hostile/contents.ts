import { FAILURE_KINDS } from '../../../src/engine';
import { keyed, many, type Place, type Shape } from './place';

const OWN = '.opencode/model-fallback.json';
const json = (path: string, content: unknown) => (at: Place) => at.put(path, JSON.stringify(content));
const own = (content: unknown) => json(OWN, content);
const agentFile = (name: string, matter: string) => (at: Place) =>
  at.put(`.opencode/agent/${name}.md`, `---\n${matter}\n---\n`);

const NAMES: readonly (readonly [string, string])[] = [
  ['is written from right to left', '\u202edliub'],
  ['has another alphabet’s letters', 'bu\u0456ld'],
  ['has blanks nobody sees', 'build\u200b\u2060\ufeff'],
  ['has a NUL in it', 'build\0'],
  ['has lines in it', 'build\n\r\u2028x'],
  ['speaks to the terminal', '\u001b[2J\u001b]0;x\u0007build'],
  ['is one of JavaScript’s own', '__proto__'],
  ['is a constructor', 'constructor'],
  ['is a page of marks', `b${'\u0301'.repeat(5_000)}`],
  ['is half a letter', '\ud83d'],
  ['is markup', '<img src=x onerror=alert(1)>'],
];

const NAME_SHAPES: readonly Shape[] = NAMES.flatMap(([what, name]) => [
  { name: `an agent’s name ${what}`, make: own({ agents: { [name]: { fallbackModels: ['p0/m1'] } } }), counts: true },
  {
    name: `a model’s name ${what}`,
    make: own({ agents: { build: { fallbackModels: [`p0/${name}`] } } }),
    counts: true,
  },
  { name: `a policy’s name ${what}`, make: own({ policies: { [name]: { extends: 'swift' } } }), counts: true },
  {
    name: `a failure’s name ${what}`,
    make: json('.opencode/providers/x.json', { version: 1, provider: name, codes: { [name]: 'quota' } }),
    counts: true,
  },
  { name: `a key ${what}`, make: own({ [name]: 1 }), isTold: name !== '__proto__' },
]);

/** File names that are themselves the attack, as far as the file system allows them. */
const FILE_NAMES: readonly Shape[] = [
  ['is written from right to left', '\u202edliub'],
  ['has lines in it', 'bu\nild'],
  ['speaks to the terminal', '\u001b[2Jbuild'],
  ['is as long as may be', 'n'.repeat(250)],
  ['is two dots', '..'],
  ['is a home', '~'],
  ['is a command', '$(touch x)'],
].map(([what, name]) => ({
  name: `an agent’s file whose name ${what}`,
  make: agentFile(name ?? '', 'fallback_models: [p0/m1]'),
  counts: true,
  isOpenCodes: true,
}));

const PLACES: readonly string[] = [
  '~/.zshenv',
  '~root/x.log',
  '/etc/cron.d/x.log',
  '../x.log',
  'a/../../x.log',
  '..\\..\\x.log',
  '\\\\server\\share\\x.log',
  '//server/share/x.log',
  '\\\\?\\C:\\x.log',
  'C:\\x.log',
  'c:x.log',
  'x.log:stream',
  'x\0.log',
  'x.log\n',
  '\u202egol.hsz',
  'x.sh',
  '.git/hooks/pre-commit',
  'x.log ',
  'file:///x.log',
];

const PLACE_SHAPES: readonly Shape[] = PLACES.flatMap((path) => [
  { name: `logPath is ${JSON.stringify(path)}`, make: own({ logPath: path }), isTold: true },
  { name: `exportPath is ${JSON.stringify(path)}`, make: own({ triage: { exportPath: path } }), isTold: true },
]);

/** Attempts to loosen a limit. The user has `council`, `vendorLock`, price 1, depth 2, 5 retries a session. */
const LOOSE: readonly (readonly [string, unknown])[] = [
  ['another vendor', { defaults: { vendorLock: false } }],
  ['any price', { defaults: { maxPriceRatio: null } }],
  ['a hundred times the price', { defaults: { maxPriceRatio: 100 } }],
  ['a longer way', { defaults: { maxFallbackDepth: 99 } }],
  ['more retries', { defaults: { retryBudget: { perSession: 999 } } }],
  ['a policy that does not ask', { defaults: { policy: 'swift' } }],
  ['a policy of an agent', { agents: { build: { policy: 'swift', fallbackModels: ['p0/m1'] } } }],
  ['a policy of all agents', { agents: { '*': { policy: 'swift', fallbackModels: ['p0/m1'] } } }],
  [
    'another policy of the same name',
    {
      policies: { council: { extends: 'swift' } },
      agents: { build: { policy: 'council', fallbackModels: ['p0/m1'] } },
    },
  ],
  [
    'a policy of its own',
    {
      policies: { mine: { extends: 'swift', rows: { quota: ['switch'] } } },
      agents: { build: { policy: 'mine', fallbackModels: ['p0/m1'] } },
    },
  ],
  ['another name for failures', { patterns: [{ phrase: 'quota', kind: 'overloaded' }] }],
  ['all of it', { defaults: { vendorLock: false, maxPriceRatio: null, maxFallbackDepth: 99, policy: 'swift' } }],
];

const LEADS: readonly (readonly [string, unknown])[] = [
  ['another lead by a chain', { agents: { build: { fallbackModels: ['p0/m1', 'p0/m0'] } } }],
  ['another lead by tiers', { agents: { build: { tiers: [{ models: ['p0/m1', 'p0/m0'] }] } } }],
  ['another lead by a name', { agents: { plan: { currentModel: 'p0/m1', fallbackModels: ['p0/m2'] } } }],
  ['another lead by a name for all', { agents: { '*': { currentModel: 'p0/m1', fallbackModels: ['p0/m2'] } } }],
];

const LOOSE_SHAPES: readonly Shape[] = [...LOOSE, ...LEADS].map(([what, content]) => ({
  name: `it asks for ${what}`,
  make: own(content),
  isTold: what !== 'another name for failures' && what !== 'another policy of the same name',
  counts: true,
}));

const list = many(100, () => 'p0/m1');

/** Valid content in excess, and invalid content of every type. */
const LARGE_SHAPES: readonly Shape[] = [
  {
    name: 'thousands of chains for another plugin',
    make: json('.opencode/oh-my-opencode-theseus.json', {
      fallback: {
        chains: keyed(
          6_000,
          (at) => `a${at}`,
          () => ['p/m'],
        ),
      },
    }),
    isTold: true,
    counts: true,
  },
  {
    name: 'thousands of agents',
    make: own({
      agents: keyed(
        3_000,
        (at) => `a${at}`,
        () => ({ fallbackModels: ['p/m'] }),
      ),
    }),
    isTold: true,
    counts: true,
  },
  {
    name: 'two hundred agents with long chains',
    make: own({
      agents: keyed(
        90,
        (at) => `a${at}`,
        () => ({ fallbackModels: list }),
      ),
    }),
    counts: true,
  },
  {
    name: 'two hundred agents with patterns for all models',
    make: own({
      agents: keyed(
        200,
        (at) => `a${at}`,
        () => ({ fallbackModels: ['*/*'] }),
      ),
    }),
    isTold: true,
    counts: true,
  },
  {
    name: 'agents that would fill all places before the user’s own',
    make: own({
      agents: keyed(
        250,
        (at) => String(at),
        () => ({}),
      ),
    }),
    isTold: true,
    counts: true,
  },
  {
    name: 'a policy as long as may be of two hundred agents',
    make: own({
      policies: {
        mine: {
          rows: Object.fromEntries(
            FAILURE_KINDS.map((kind) => [kind, [...many(9, () => 'waitHint:86400000'), 'switch']]),
          ),
        },
      },
      agents: keyed(
        200,
        (at) => `a${at}`,
        () => ({ policy: 'mine', fallbackModels: ['p0/m20'] }),
      ),
    }),
    isTold: true,
    counts: true,
  },
  {
    name: 'more providers than are kept apart, by long names',
    make: (at) =>
      Promise.all(
        ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'].map((path, file) =>
          at.put(
            path,
            JSON.stringify({
              provider: keyed(
                90,
                (n) => `p${file}-${n}-${'x'.repeat(200)}`,
                () => ({ options: { timeout: 1 } }),
              ),
            }),
          ),
        ),
      ),
    counts: true,
    isOpenCodes: true,
  },
  {
    name: 'patterns for all models',
    make: own({ agents: { build: { fallbackModels: many(12_000, () => '*/*') } } }),
    isTold: true,
    counts: true,
  },
  {
    name: 'patterns that take long to match',
    make: own({ agents: { build: { fallbackModels: many(100, () => `${'*a'.repeat(300)}*/x`) } } }),
    counts: true,
  },
  {
    name: 'hundreds of wrong agents',
    make: own({
      agents: keyed(
        900,
        (at) => `a${at}`,
        () => ({ wrong: 1 }),
      ),
    }),
    isTold: true,
    counts: true,
  },
  {
    name: 'a chain of wrong models',
    make: own({ agents: { build: { fallbackModels: many(40_000, () => 1) } } }),
    isTold: true,
  },
  {
    name: 'policies that are wrong in each row',
    make: own({
      policies: keyed(
        3_000,
        (at) => `p${at}`,
        () => ({ rows: { x: 1 } }),
      ),
    }),
    isTold: true,
  },
  {
    name: 'thousands of keys that nobody knows',
    make: own(
      keyed(
        9_000,
        (at) => `k${at}`,
        () => 1,
      ),
    ),
    isTold: true,
  },
  {
    name: 'one key thousands of times',
    make: (at) => at.put(OWN, `{${'"enabled":true,'.repeat(8_000)}}`),
    isTold: true,
    counts: true,
  },
  {
    name: 'wrong types everywhere',
    make: own({
      enabled: [],
      logging: {},
      logPath: 7,
      defaults: [],
      policies: 'x',
      agents: 3,
      patterns: {},
      triage: 1,
    }),
    isTold: true,
  },
  {
    name: 'numbers without end',
    make: (at) => at.put(OWN, `{"defaults":{"cooldownMs":1e999,"restMs":${'9'.repeat(50_000)}}}`),
    isTold: true,
  },
  {
    name: 'phrases by the thousand',
    make: own({ patterns: many(5_000, (at) => `phrase number ${at}`) }),
    counts: true,
  },
  { name: 'a phrase as long as may be', make: own({ patterns: ['x'.repeat(120_000)] }), counts: true },
  {
    name: 'policies that extend each other',
    make: own({
      policies: keyed(
        500,
        (at) => `p${at}`,
        (at) => ({ extends: `p${(at + 1) % 500}` }),
      ),
      agents: { build: { policy: 'p0', fallbackModels: ['p0/m1'] } },
    }),
    isTold: true,
    counts: true,
  },
  {
    name: 'a hundred maps of wrong values',
    make: (at) =>
      Promise.all(
        many(100, (n) =>
          at.put(
            `.opencode/providers/m${n}.json`,
            JSON.stringify({
              version: 1,
              provider: 'p',
              codes: keyed(
                2_000,
                (code) => `c${code}`,
                () => 7,
              ),
            }),
          ),
        ),
      ),
    isTold: true,
  },
  {
    name: 'two thousand maps',
    make: (at) =>
      Promise.all(
        many(2_000, (n) =>
          at.put(`.opencode/providers/m${n}.json`, '{"version":1,"provider":"p","codes":{"c":"quota"}}'),
        ),
      ),
    isTold: true,
    counts: true,
  },
  {
    name: 'a thousand agents written down',
    make: (at) =>
      Promise.all(many(1_000, (n) => at.put(`.opencode/agent/a${n}.md`, '---\nfallback_models: [p/m]\n---\n'))),
    counts: true,
    isOpenCodes: true,
  },
  {
    name: 'two hundred long agents',
    make: (at) =>
      Promise.all(
        many(200, (n) =>
          at.put(`.opencode/agent/a${n}.md`, `---\nfallback_models: [p/m]\n---\n${'word '.repeat(25_000)}`),
        ),
      ),
    counts: true,
    isOpenCodes: true,
  },
  {
    name: 'two hundred agents of much YAML',
    make: (at) =>
      Promise.all(
        many(200, (n) =>
          at.put(
            `.opencode/agent/a${n}.md`,
            `---\nfallback_models: [p/m]\n${many(1_000, (key) => `k${key}: [${key}]`).join('\n')}\n---\n`,
          ),
        ),
      ),
    counts: true,
    isOpenCodes: true,
  },
  ...[20_000, 170_000].map((plugins) => ({
    name: `${plugins} plugins`,
    make: json('opencode.json', { plugin: many(plugins, () => './a') }),
    isOpenCodes: true,
  })),
  {
    name: 'YAML that doubles itself',
    make: agentFile(
      'build',
      `a: &a [x,x]\n${many(12, (at) => `b${at}: &b${at} [${`*${at === 0 ? 'a' : `b${at - 1}`},`.repeat(9)}]`).join('\n')}\nfallback_models: *b11`,
    ),
    isOpenCodes: true,
  },
  {
    name: 'YAML with types of its own',
    make: agentFile('build', 'fallback_models: !!js/function "x"'),
    isOpenCodes: true,
  },
  {
    name: 'YAML that merges itself',
    make: agentFile('build', 'a: &a\n  <<: *a\nfallback_models: *a'),
    isOpenCodes: true,
  },
  // Each of these once ended the process that read it: V8 cannot always throw at the end of its stack.
  ...['[', '{', '- ', '? '].map((open) => ({
    name: `YAML nested deeper than a stack by ${JSON.stringify(open)}`,
    make: agentFile('build', `fallback_models:\n  ${open.repeat(Math.floor(16_000 / open.length))}`),
    isOpenCodes: true,
  })),
  {
    name: 'YAML nested as deep as may be',
    make: agentFile('build', `fallback_models: ${'['.repeat(2_000)}${']'.repeat(2_000)}`),
    isOpenCodes: true,
  },
  { name: 'YAML of one long key', make: agentFile('build', `? ${'x'.repeat(16_000)}\n: fallback`), isOpenCodes: true },
];

export const CONTENT_SHAPES: readonly Shape[] = [
  ...NAME_SHAPES.map((shape, at) => ({ ...shape, isChosen: at % 6 === 0 })),
  ...FILE_NAMES,
  ...PLACE_SHAPES.map((shape, at) => ({ ...shape, isChosen: at % 9 === 0 })),
  ...LOOSE_SHAPES.map((shape, at) => ({ ...shape, isChosen: at % 4 === 0 })),
  ...LARGE_SHAPES.map((shape) => ({ ...shape, isChosen: true })),
];
