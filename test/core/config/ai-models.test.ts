import { describe, expect, it } from 'vitest';
import { readAiModels } from '../../../src/features/council/core/ai-models';

const PATH = '/home/u/config.yml';
const CATALOGUE = { 'local/llama': { vendor: 'meta' }, 'router/opus': { vendor: 'anthropic' } };
const KNOWN = { catalogue: CATALOGUE, models: ['anthropic/claude-sonnet-4', 'router/anthropic/claude-sonnet-4'] };

const read = (text: string) => readAiModels(text, PATH, KNOWN);
function councilOf(text: string) {
  const found = read(text);
  if (!found.ok) throw new Error(found.problems.map(({ message }) => message).join('\n'));
  return found.council;
}
const notesOf = (text: string) => {
  const found = read(text);
  return found.ok ? found.notes : null;
};
/** What stands against a file, one line each. */
const toldOf = (text: string) => {
  const found = read(text);
  return found.ok ? [] : found.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
};
const entry = (...lines: string[]) => ['ai_models:', '  claude:', ...lines.map((line) => `    ${line}`), ''].join('\n');
const claude = (text: string) => councilOf(text).speakers?.claude;

/** Source of the shape: docs/council.md of the published design, in which models name no provider and vendors stand beside. */
const SEED = `
app:
  name: "A council"
latency:
  blacksmith_timeout_ms: 2500
  summarize_async: true
observability:
  enable_metrics: true  # off by default
  log_path: "~/metrics.log"
blacksmith:
  mcp_url: "http://localhost:8000"
ai_models:
  claude:
    enabled: true
    model: "claude-sonnet-4"
    fallback: "claude-haiku"
    vendor: "anthropic"
    temperature: 0.7
  gemini:
    model: "gemini-1.5-pro"
    fallback: "gemini-1.5-flash"
    vendor: "google"
  grok:
    enabled: false
    model: "grok-beta"
    fallback: null
    vendor: "xai"
  claude-haiku:
    model: "claude-haiku-4-5"
    vendor: "anthropic"
    enabled: false  # only a fallback
`;

describe('given the ai_models of the published design', () => {
  it('when they are read, then speakers, their fallbacks and both settings are those of a council', () => {
    expect(councilOf(SEED)).toEqual({
      speakers: {
        claude: { model: 'anthropic/claude-sonnet-4', fallback: 'anthropic/claude-haiku-4-5', vendor: 'anthropic' },
        gemini: { model: 'google/gemini-1.5-pro', fallback: 'google/gemini-1.5-flash', vendor: 'google' },
        grok: { enabled: false, model: 'xai/grok-beta', fallback: null, vendor: 'xai' },
      },
      latency: { blacksmith_timeout_ms: 2_500 },
      observability: { enable_metrics: true },
    });
  });

  it('when they say more than a council has, then that is told and left', () => {
    expect(notesOf(SEED)).toEqual([
      'ai_models.claude.temperature is ignored.',
      'app is ignored.',
      'latency.summarize_async is ignored.',
      'observability.log_path is ignored.',
      'blacksmith is ignored.',
      'To use that server, add it as council.knowledge, with the name of its tool.',
    ]);
  });

  it.each([
    [
      'a whole model',
      ['model: anthropic/a', 'fallback: anthropic/b'],
      { model: 'anthropic/a', fallback: 'anthropic/b' },
    ],
    ['no fallback', ['model: anthropic/a'], { model: 'anthropic/a' }],
    [
      'the same model as its fallback',
      ['model: anthropic/a', 'fallback: anthropic/a'],
      { model: 'anthropic/a', fallback: 'anthropic/a' },
    ],
    ['a fallback that is none', ['model: anthropic/a', 'fallback: no'], { model: 'anthropic/a', fallback: null }],
    [
      'a provider beside',
      ['provider: anthropic', 'model: a', 'fallback: b'],
      { model: 'anthropic/a', fallback: 'anthropic/b' },
    ],
    ['a provider twice', ['provider: anthropic', 'model: anthropic/a'], { model: 'anthropic/a' }],
    [
      'a router as the provider',
      ['provider: router', 'model: anthropic/a', 'fallback: anthropic/b'],
      { model: 'router/anthropic/a', fallback: 'router/anthropic/b' },
    ],
    [
      'a router’s model beside its vendor',
      ['vendor: Anthropic', 'model: router/anthropic/a'],
      { model: 'router/anthropic/a', vendor: 'Anthropic' },
    ],
    [
      'other names',
      ['primary_model: anthropic/a', 'fallback_model: anthropic/b'],
      { model: 'anthropic/a', fallback: 'anthropic/b' },
    ],
    ['a model in two parts', ['model: { providerID: anthropic, modelID: a }'], { model: 'anthropic/a' }],
    ['a variant', ['model: anthropic/a#high'], { model: 'anthropic/a' }],
    ['words of YAML 1.1', ['enabled: off', 'model: anthropic/a'], { enabled: false, model: 'anthropic/a' }],
  ])('when an entry has %s, then that is its speaker', (_, lines, speaker) => {
    expect(claude(entry(...lines))).toEqual(speaker);
  });

  it('when entries share what is the same in them, then they are whole', () => {
    const text =
      'base: &base { provider: anthropic }\nai_models:\n  a: { <<: *base, model: x }\n  b: { <<: *base, model: z }\n';
    expect(councilOf(text).speakers).toEqual({ a: { model: 'anthropic/x' }, b: { model: 'anthropic/z' } });
  });

  it('when it is JSON, or begins with a byte order mark, or holds a name of JavaScript’s own, then it is read as well', () => {
    expect(claude('{ "ai_models": { "claude": { "model": "a/b" } } }')).toEqual({ model: 'a/b' });
    expect(claude(`\ufeff${entry('model: a/b')}`)).toEqual({ model: 'a/b' });
    const { speakers = {} } = councilOf('ai_models: { __proto__: { model: a/b } }');
    expect(Object.entries(speakers)).toEqual([['__proto__', { model: 'a/b' }]]);
  });
});

const ACROSS = 'Cannot fallback across vendors (anthropic → google). Fallbacks must stay within model family.';

describe('given a fallback of another vendor', () => {
  it.each([
    ['named as a model', entry('model: anthropic/a', 'fallback: google/b'), '4:15'],
    ['of an entry', `${entry('model: anthropic/a', 'fallback: gemini')}  gemini: { model: google/b }\n`, '4:15'],
    [
      'that only its vendor tells',
      `${entry('{ model: x/a, vendor: anthropic, fallback: other }')}  other: { model: x/b, vendor: Google }\n`,
      '3:48',
    ],
    [
      'that the catalogue knows',
      entry('model: google/x', 'vendor: anthropic', 'fallback: google/y').replace('google/x', 'router/opus'),
      '5:15',
    ],
    ['of a speaker that is off', entry('enabled: false', 'model: anthropic/a', 'fallback: google/b'), '5:15'],
  ])('when it is %s, then it is refused by name', (_, text, place) => {
    expect(toldOf(text)).toEqual([`${place} claude: ${ACROSS}`]);
  });
});

describe('given a file that cannot be taken in as it is', () => {
  it.each([
    ['nothing', '', 'null:null The file names no speaker: ai_models must have an entry for each speaker'],
    ['a text', 'hello', '1:1 The file names no speaker'],
    ['a list', '- a', '1:1 The file names no speaker'],
    ['nobody', 'ai_models: {}', '1:12 The file names no speaker'],
    ['a list of speakers', 'ai_models:\n  - claude', '2:3 The file names no speaker'],
    [
      'an entry that is a text',
      'ai_models:\n  claude: anthropic/a',
      '2:11 ai_models.claude must be an object with a model.',
    ],
    ['no model', entry('enabled: true'), '3:5 ai_models.claude has no model. Add "model: provider/model".'],
    [
      'a model without a provider that is known',
      entry('model: claude-sonnet-4'),
      '3:12 ai_models.claude.model names no provider, "claude-sonnet-4": use "provider/model", such as "anthropic/claude-sonnet-4" or "router/anthropic/claude-sonnet-4", or add "provider:".',
    ],
    [
      'a model without a provider that nobody knows',
      entry('model: mine'),
      '3:12 ai_models.claude.model names no provider, "mine": use "provider/model", such as "anthropic/mine", or add "provider:".',
    ],
    [
      'a model that is a number',
      entry('model: 4'),
      '3:12 ai_models.claude.model must be a model written as "provider/model".',
    ],
    [
      'a model with a blank before its name',
      entry('model: "anthropic/ a"'),
      '3:12 ai_models.claude.model must be a model written as "provider/model".',
    ],
    [
      'a model with what cannot be seen',
      entry('model: "anthropic/a\\u202eb"'),
      '3:12 ai_models.claude.model must be a model written as "provider/model".',
    ],
    [
      'a fallback that is a list',
      entry('model: a/b', 'fallback: [a/c]'),
      '4:15 ai_models.claude.fallback must be a model written as "provider/model".',
    ],
    [
      'a provider with a slash',
      entry('provider: a/b', 'model: c'),
      '3:15 ai_models.claude.provider must be a name without spaces and slashes, such as "anthropic".',
    ],
    [
      'a switch that is none',
      entry('enabled: maybe', 'model: a/b'),
      '3:14 ai_models.claude.enabled must be true or false.',
    ],
    [
      'a name with a blank',
      'ai_models:\n  "Claude 4": { model: a/b }',
      '2:15 ai_models: "Claude 4" must be a name of 1 to 40 characters without blanks, other than "all".',
    ],
    ['the name that stands for all', 'ai_models: { all: { model: a/b } }', '1:19 ai_models: "all" must be a name'],
    [
      'a wait of no time',
      `latency: { blacksmith_timeout_ms: 0 }\n${entry('model: a/b')}`,
      '1:35 latency.blacksmith_timeout_ms must be a whole number of milliseconds from 1 to',
    ],
    [
      'a switch of figures that is none',
      `observability: { enable_metrics: 3 }\n${entry('model: a/b')}`,
      '1:34 observability.enable_metrics must be true or false.',
    ],
    [
      'a crowd',
      `ai_models:\n${Array.from({ length: 101 }, (_, at) => `  s${at}: { model: a/b }`).join('\n')}`,
      '2:3 ai_models has 101 entries; at most 100 are allowed.',
    ],
    [
      'a key twice',
      entry('model: a/b', 'model: a/c'),
      '4:5 The file cannot be read: this is not YAML: Map keys must be unique.',
    ],
    [
      'a name twice',
      'ai_models:\n  a: { model: a/b }\n  a: { model: a/c }',
      '3:3 The file cannot be read: this is not YAML: Map keys must be unique.',
    ],
    ['tabs', 'ai_models:\n\tclaude: {}', 'The file cannot be read: this is not YAML:'],
    ['an open bracket', 'ai_models: { claude: ', 'The file cannot be read: this is not YAML:'],
    ['an alias of nothing', 'ai_models: *gone', 'The file cannot be read: an alias has no anchor above it.'],
    [
      'two documents',
      'ai_models: {}\n---\nai_models: {}',
      'null:null The file cannot be read: it holds more than one document.',
    ],
    ['what it holds in itself', 'ai_models: &a { claude: *a }', 'ai_models.claude has no model.'],
    [
      'a billion laughs',
      `a: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefghi'.replaceAll(/./g, (key) => `${key}: &${key} [${`*${String.fromCharCode(key.charCodeAt(0) - 1)}, `.repeat(9)}]\n`)}ai_models: { claude: *i }`,
      'null:null The file cannot be read: it repeats parts of itself too often.',
    ],
    [
      'brackets without an end',
      `ai_models: ${'['.repeat(5_000)}`,
      'null:null The file cannot be read: it is nested too deep.',
    ],
    [
      'maps in maps without an end',
      `ai_models: ${'{a: '.repeat(2_000)}`,
      'null:null The file cannot be read: it is nested too deep.',
    ],
    ['a program in it', 'ai_models: !!js/function "function () {}"', 'The file'],
    ['zeros', '\0\0\0\0', 'The file'],
  ])('when it has %s, then it says what is wrong, and where', (_, text, says) => {
    const told = toldOf(text);
    expect(told[0]).toContain(says);
  });

  it('when several things are wrong, then each is told', () => {
    const text = 'ai_models:\n  a: { model: x }\n  b: { model: c/d, fallback: e/f }\n  "c d": { model: a/b }\n';
    expect(toldOf(text)).toHaveLength(3);
  });
});
