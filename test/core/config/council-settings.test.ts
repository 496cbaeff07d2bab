import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/core/config';
import { type CouncilSection, councilSettings, type KnownModels } from '../../../src/features/council/core/settings';
import { DEFAULT_MAX_COST, DEFAULT_PARALLEL, RETRIES } from '../../../src/features/council/rules/base/settings';

const PATH = '/home/u/.config/opencode/model-fallback.json';
const CLAUDE = 'anthropic/claude-sonnet-4';
const OLDER = 'anthropic/claude-3-5-sonnet';
const GROK = 'xai/grok-beta';
const GEMINI = 'google/gemini-2.5-pro';
const NOTHING: KnownModels = { catalogue: {}, models: null, defaultModel: null, chains: [] };

const parse = (council: unknown) => parseConfig(JSON.stringify({ council }), PATH);
const told = (council: unknown) => parse(council).problems.map(({ message }) => message);

const settingsOf = (section: CouncilSection | undefined, known: Partial<KnownModels> = {}) =>
  councilSettings(section, { ...NOTHING, ...known });
function castOf(section: CouncilSection | undefined, known: Partial<KnownModels> = {}) {
  const found = settingsOf(section, known);
  if ('problems' in found) throw new Error(found.problems.join('\n'));
  const { speakers, oracle, heroes } = found.settings;
  return {
    speakers: speakers.map(({ name, model, fallback, vendor }) => [name, model, fallback, vendor]),
    ...{ oracle, heroes },
  };
}
const problemsOf = (section: CouncilSection | undefined, known: Partial<KnownModels> = {}) => {
  const found = settingsOf(section, known);
  return 'problems' in found ? found.problems : [];
};

const POET = { id: 'poet', name: 'Poet', title: 'Word Smith', examines: 'messages', persona: 'You read aloud.' };

describe('given the section of a council in a file', () => {
  it('when all its keys are there, then it is read as it stands', () => {
    const council = {
      speakers: {
        claude: { enabled: true, model: CLAUDE, fallback: OLDER, vendor: 'anthropic' },
        grok: { model: GROK, fallback: null, vendor: 'xai' },
      },
      models: { oracle: CLAUDE, heroes: [GROK] },
      ...{ parallel: 10, maxCost: 0.5, heroes: [POET] },
      latency: { blacksmith_timeout_ms: 3_000 },
      observability: { enable_metrics: false },
    };
    const { config, problems } = parse(council);
    expect([config?.council, problems]).toEqual([council, []]);
    expect(parse({ maxCost: null }).config?.council).toEqual({ maxCost: null });
  });

  it.each<[unknown, string]>([
    [{ speaker: {} }, 'Unknown key "speaker" in council. Did you mean "speakers"?'],
    [{ max_cost: 1 }, 'Unknown key "max_cost" in council. Did you mean "maxCost"?'],
    [
      { speakers: { claude: { model: CLAUDE, fallbacks: null } } },
      'Unknown key "fallbacks" in council.speakers.claude. Did you mean "fallback"?',
    ],
    [
      { latency: { blacksmith_timeout: 1 } },
      'Unknown key "blacksmith_timeout" in council.latency. Did you mean "blacksmith_timeout_ms"?',
    ],
    [{ parallel: 11 }, 'council.parallel must be a whole number from 1 to 10, not 11. It is ignored.'],
    [{ maxCost: 0 }, 'council.maxCost must be a number of US dollars above 0, or null, not 0. It is ignored.'],
    [
      { speakers: { all: { model: CLAUDE } } },
      'council.speakers: "all" must be a name of 1 to 40 characters without blanks, other than "all". It is ignored.',
    ],
    [
      { speakers: { claude: { fallback: null } } },
      'council.speakers.claude.model is missing. It must be a model written as "provider/model". council.speakers.claude is ignored.',
    ],
    [
      { heroes: [{ ...POET, id: 'oracle' }] },
      'council.heroes[0].id must be an id such as "poet" of small letters, digits and hyphens, other than "oracle", not "oracle". It is ignored.',
    ],
    [
      { observability: { enable_metrics: 1 } },
      'council.observability.enable_metrics must be true or false, not 1. It is ignored.',
    ],
  ])('when it says %j, then that key alone is out of force, and that is told', (council, message) => {
    const { config } = parse({ ...(council as object), models: { oracle: CLAUDE } });
    expect(config?.council?.models).toEqual({ oracle: CLAUDE });
    expect(told(council)).toContain(message);
  });
});

describe('given who may speak in a council', () => {
  it('when speakers are written, then those that are on speak, in order, with the vendor that is written or known', () => {
    const section = {
      speakers: {
        claude: { model: CLAUDE, fallback: OLDER, vendor: 'Anthropic' },
        off: { enabled: false, model: GEMINI },
        router: { model: 'openrouter/x-ai/grok', fallback: 'openrouter/x-ai/grok' },
        mine: { model: 'local/model' },
      },
    };
    expect(castOf(section, { catalogue: { 'local/model': { vendor: 'meta' } } })).toEqual({
      speakers: [
        ['claude', CLAUDE, OLDER, 'anthropic'],
        ['router', 'openrouter/x-ai/grok', 'openrouter/x-ai/grok', 'x-ai'],
        ['mine', 'local/model', null, 'meta'],
      ],
      oracle: 'claude',
      heroes: ['claude', 'router', 'mine'],
    });
  });

  it('when models are written for Oracle and heroes, then speakers that have them play them, and others are added', () => {
    const speakers = { claude: { model: CLAUDE }, grok: { model: GROK } };
    expect(castOf({ speakers, models: { oracle: GEMINI, heroes: [GROK, GROK, 'b/grok-beta'] } })).toEqual({
      speakers: [
        ['claude', CLAUDE, null, 'anthropic'],
        ['grok', GROK, null, 'xai'],
        ['grok-beta', 'b/grok-beta', null, 'b'],
        ['gemini-2.5-pro', GEMINI, null, 'google'],
      ],
      oracle: 'gemini-2.5-pro',
      heroes: ['grok', 'grok-beta'],
    });
  });

  it('when only models are written, then each is a speaker by its short name, and no two have the same', () => {
    const models = { oracle: 'c/all', heroes: [GROK, 'b/grok-beta', 'c/d/grok-beta'] };
    expect(castOf({ models }, { chains: [CLAUDE] })).toEqual({
      speakers: [
        ['grok-beta', GROK, null, 'xai'],
        ['grok-beta-2', 'b/grok-beta', null, 'b'],
        ['grok-beta-3', 'c/d/grok-beta', null, 'd'],
        ['all-2', 'c/all', null, 'c'],
      ],
      oracle: 'all-2',
      heroes: ['grok-beta', 'grok-beta-2', 'grok-beta-3'],
    });
  });

  it('when a speaker is switched off, then its model comes back by no other key', () => {
    const speakers = { claude: { model: CLAUDE }, grok: { enabled: false, model: GROK } };
    expect(castOf({ speakers, models: { oracle: GROK, heroes: [GROK] } })).toMatchObject({
      speakers: [['claude', CLAUDE, null, 'anthropic']],
      oracle: 'claude',
      heroes: ['claude'],
    });
  });

  it.each<[string, CouncilSection | undefined]>([
    ['no file says anything', undefined],
    ['no speaker is written', { speakers: {} }],
  ])(
    'when %s, then the first model of each vendor of the chains speaks, the next of it is its fallback',
    (_, section) => {
      const chains = [CLAUDE, GEMINI, CLAUDE, 'openrouter/anthropic/claude-opus', OLDER, 'google/gone'];
      expect(castOf(section, { chains, models: [CLAUDE, OLDER, GEMINI] })).toEqual({
        speakers: [
          ['anthropic', CLAUDE, OLDER, 'anthropic'],
          ['google', GEMINI, null, 'google'],
        ],
        oracle: 'anthropic',
        heroes: ['anthropic', 'google'],
      });
    },
  );

  it('when only a model for the Oracle is written, then the chains give the others', () => {
    expect(castOf({ models: { oracle: GROK } }, { chains: [CLAUDE, OLDER] })).toMatchObject({
      speakers: [
        ['anthropic', CLAUDE, OLDER, 'anthropic'],
        ['grok-beta', GROK, null, 'xai'],
      ],
      oracle: 'grok-beta',
    });
  });

  it('when there are no chains either, then the default model speaks alone', () => {
    expect(castOf(undefined, { defaultModel: CLAUDE })).toEqual({
      speakers: [['claude-sonnet-4', CLAUDE, null, 'anthropic']],
      oracle: 'claude-sonnet-4',
      heroes: ['claude-sonnet-4'],
    });
  });
});

describe('given what else a council runs with', () => {
  it('when nothing of it is written, then the defaults hold and no hero is added', () => {
    expect(settingsOf(undefined, { defaultModel: CLAUDE })).toMatchObject({
      settings: { parallel: DEFAULT_PARALLEL, maxCost: DEFAULT_MAX_COST, retries: RETRIES },
      heroes: [],
    });
  });

  it('when it is written, then it holds, and no cap is no cap', () => {
    expect(settingsOf({ parallel: 1, maxCost: null, heroes: [POET] }, { defaultModel: CLAUDE })).toMatchObject({
      settings: { parallel: 1, maxCost: null },
      heroes: [POET],
    });
  });
});

describe('given a council that cannot meet', () => {
  it('when a fallback is of another vendor, then that refuses it by name', () => {
    const speakers = { claude: { model: CLAUDE, fallback: GEMINI, vendor: 'anthropic' }, grok: { model: GROK } };
    expect(problemsOf({ speakers })).toEqual([
      'claude: Cannot fallback across vendors (anthropic → google). Fallbacks must stay within model family.',
    ]);
  });

  it('when OpenCode has no such model, then that refuses it, with the one that was probably meant', () => {
    const speakers = {
      claude: { model: 'anthropic/claude-sonet-4', fallback: 'anthropic/nothing-like-it' },
      grok: { model: GROK, fallback: GROK },
    };
    expect(problemsOf({ speakers }, { models: [CLAUDE] })).toEqual([
      'claude: OpenCode has no model "anthropic/claude-sonet-4". Did you mean "anthropic/claude-sonnet-4"?',
      'claude: OpenCode has no model "anthropic/nothing-like-it".',
      'grok: OpenCode has no model "xai/grok-beta".',
    ]);
  });

  it.each([null, []])('when OpenCode has listed %j, then no model is doubted', (models) => {
    expect(problemsOf({ speakers: { grok: { model: GROK } } }, { models })).toEqual([]);
  });

  it('when there is nobody at all, then it says what to write', () => {
    expect(problemsOf(undefined)).toEqual([expect.stringContaining('"council": { "speakers": { "claude": { "model":')]);
    expect(problemsOf({ speakers: { grok: { enabled: false, model: GROK } } }, { defaultModel: CLAUDE })).toEqual([
      'Every speaker in council.speakers is disabled. Set "enabled": true for one of them.',
    ]);
  });
});

describe('given models by one of several accounts', () => {
  const HOST = { models: ['openai/gpt', 'xai/grok'], chains: ['openai@work/gpt', 'xai/grok'] };

  it.each([HOST, { ...HOST, models: null }])(
    'when chains name them, then nobody speaks by them: a council asks whichever account is in use: %#',
    (known) => {
      expect(castOf(undefined, known).speakers.map(([, model]) => model)).toEqual(['xai/grok']);
    },
  );

  it.each([HOST, { ...HOST, models: null }])(
    'when a speaker is written so, then the run is refused, and how to write it is said: %#',
    (known) => {
      const speakers = { gpt: { model: 'openai/gpt', fallback: 'openai@work/gpt' } };
      expect(problemsOf({ speakers }, known)).toEqual([
        'gpt: a council uses the active account of openai. Write "openai/gpt" instead of "openai@work/gpt".',
      ]);
    },
  );
});
