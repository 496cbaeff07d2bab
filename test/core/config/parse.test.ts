import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/core/config';
import { PUBLISHED } from './published-example';

const PATH = '/p/model-fallback.json';

/** Problems as a person sees them, one line each. */
function told(text: string): string[] {
  return parseConfig(text, PATH).problems.map(
    ({ severity, line, column, message }) => `${line}:${column} ${severity} ${message}`,
  );
}

describe('given the published example', () => {
  it('when it is read, with its comments and trailing commas, then nothing is wrong and every key is kept', () => {
    const { config, problems } = parseConfig(PUBLISHED, PATH);
    expect(problems).toEqual([]);
    expect(Object.keys(config ?? {})).toHaveLength(9);
    expect(config?.agents?.oracle?.tiers?.[1]?.models).toEqual(['free/openrouter/free', 'lmstudio-local/*']);
  });

  it('when it begins with a byte order mark and ends its lines as Windows does, then positions stay right', () => {
    expect(told(`\ufeff${'{\n  "enabled": 1\n}'.replaceAll('\n', '\r\n')}`)).toEqual([
      '2:14 warning enabled must be true or false, not 1. It is ignored.',
    ]);
  });
});

describe('given a file that is not a configuration at all', () => {
  it.each([
    ['an empty file', '', '1:1 error The file cannot be read: the file is empty.'],
    ['only a comment', '// later', '1:9 error The file cannot be read: a value is missing.'],
    [
      'a missing comma',
      '{\n  "enabled": true\n  "logging": true\n}',
      '3:3 error The file cannot be read: a comma is missing.',
    ],
    ['a missing brace', '{\n  "agents": {\n  }\n', '4:1 error The file cannot be read: a closing } is missing.'],
    ['an open text', '{\n  "logPath": "abc\n}', '2:14 error The file cannot be read: the text does not end.'],
    ['a bare word', '{ "enabled": yes }', '1:14 error The file cannot be read: this is not JSON.'],
    ['a key without quotes', '{ enabled: true }', '1:3 error The file cannot be read: this is not JSON.'],
    ['two documents', '{}\n{}', '2:1 error The file cannot be read: the file should end here.'],
    ['a list', '\n[]', '2:1 error The file cannot be read: it must be an object in { }.'],
    ['null', 'null', '1:1 error The file cannot be read: it must be an object in { }.'],
    ['nesting without end', '['.repeat(100_000), '1:1 error The file cannot be read: it is nested too deep.'],
  ])('when it is %s, then there is no configuration and one error', (_, text, problem) => {
    expect({ config: parseConfig(text, PATH).config, told: told(text) }).toEqual({ config: null, told: [problem] });
  });
});

describe('given one wrong value', () => {
  it.each([
    ['{ "enabled": "yes" }', '1:14 warning enabled must be true or false, not "yes". It is ignored.'],
    [
      '{\n  "defaults": { "cooldownMs": "5m" }\n}',
      '2:31 warning defaults.cooldownMs must be a number of milliseconds from 0 to 2147483647, not "5m". The default 300000 applies.',
    ],
    [
      '{ "defaults": { "restMs": -1 } }',
      '1:27 warning defaults.restMs must be a number of milliseconds from 0 to 2147483647, not -1. The default 60000 applies.',
    ],
    [
      '{ "defaults": { "firstTokenTimeoutMs": 0 } }',
      '1:40 warning defaults.firstTokenTimeoutMs must be a number of milliseconds from 1 to 2147483647, not 0. The default 60000 applies.',
    ],
    [
      '{ "defaults": { "circuitBreaker": { "failureThreshold": 2.5 } } }',
      '1:57 warning defaults.circuitBreaker.failureThreshold must be a whole number from 1 to 1000, not 2.5. The default 3 applies.',
    ],
    [
      '{ "defaults": { "onExhausted": "natve" } }',
      '1:32 warning defaults.onExhausted must be one of error, native, not "natve". Did you mean "native"? The default "error" applies.',
    ],
    [
      '{ "defaults": { "backupModel": "gpt-4o" } }',
      '1:32 warning defaults.backupModel must be a model written as "provider/model", not "gpt-4o". The default null applies.',
    ],
    [
      '{ "defaults": { "fallbackOn": "5xx" } }',
      '1:31 warning defaults.fallbackOn must be a list of words, not "5xx". It is ignored.',
    ],
    ['{ "defaults": [] }', '1:15 warning defaults must be an object, not []. It is ignored.'],
    [
      '{ "agents": { "build": { "fallbackModels": ["a/b", "gpt-4o"] } } }',
      '1:52 warning agents.build.fallbackModels[1] must be a model written as "provider/model", not "gpt-4o". It is ignored.',
    ],
    [
      '{ "agents": { "build": { "fallbackModels": "a/b" } } }',
      '1:44 warning agents.build.fallbackModels must be a list of models, not "a/b". It is ignored.',
    ],
    ['{ "agents": { "build": ["a/b"] } }', '1:24 warning agents.build must be an object, not ["a/b"]. It is ignored.'],
    ['{ "agents": { "": {} } }', '1:15 warning agents: "" must be a name of 1 to 100 characters. It is ignored.'],
    [
      '{ "agents": { "o": { "tiers": [{ "name": "top" }] } } }',
      '1:32 warning agents.o.tiers[0].models is missing. It must be a list of models. agents.o.tiers[0] is ignored.',
    ],
    [
      '{ "patterns": [{ "phrase": "full", "kind": "qota" }] }',
      '1:44 warning patterns[0].kind must be a kind of failure such as "rate_limit" or "quota", not "qota". Did you mean "quota"? It is ignored.',
    ],
    [
      '{ "patterns": [7] }',
      '1:16 warning patterns[0] must be a phrase or { "phrase": …, "kind": … }, not 7. It is ignored.',
    ],
    [
      '{ "triage": { "exportFormat": ["xml"] } }',
      '1:32 warning triage.exportFormat[0] must be one of json, csv, html, md, not "xml". It is ignored.',
    ],
    ['{ "logPath": "" }', '1:14 warning logPath must be a path, not "". It is ignored.'],
    ['{ "$schema": 1 }', '1:14 warning $schema must be the address of a schema, not 1. It is ignored.'],
  ])('when the file is %s, then exactly that is told', (text, problem) => {
    expect(told(text)).toEqual([problem]);
  });

  it('when a model id hides an invisible character, then it is refused and shown without it', () => {
    expect(told('{ "defaults": { "backupModel": "a/b\u202ec" } }')).toEqual([
      '1:32 warning defaults.backupModel must be a model written as "provider/model", not "a/bc". The default null applies.',
    ]);
  });
});

describe('given an unknown key', () => {
  it.each([
    ['{ "enable": true }', '1:3 warning Unknown key "enable". Did you mean "enabled"?'],
    ['{ "agent": {} }', '1:3 warning Unknown key "agent". Did you mean "agents"?'],
    ['{ "cooldownMs": 1 }', '1:3 warning Unknown key "cooldownMs". Did you mean "defaults.cooldownMs"?'],
    ['{ "zebra": 1 }', '1:3 warning Unknown key "zebra". It is ignored.'],
    [
      '{ "agents": { "b": { "fallback_models": ["a/b"] } } }',
      '1:22 warning Unknown key "fallback_models" in agents.b. Did you mean "fallbackModels"?',
    ],
    [
      '{ "agents": { "b": { "chain": ["a/b"] } } }',
      '1:22 warning Unknown key "chain" in agents.b. Did you mean "fallbackModels"?',
    ],
    [
      '{ "defaults": { "circuitBreaker": { "failureTreshold": 2 } } }',
      '1:37 warning Unknown key "failureTreshold" in defaults.circuitBreaker. Did you mean "failureThreshold"?',
    ],
    [
      '{ "policies": { "mine": { "rows": { "ratelimit": ["switch"] } } } }',
      '1:37 warning Unknown key "ratelimit" in policies.mine.rows. Did you mean "rate_limit"?',
    ],
    [
      '{ "agents": { "o": { "tiers": [{ "nam": "x", "models": ["a/b"] }] } } }',
      '1:34 warning Unknown key "nam" in agents.o.tiers[0]. Did you mean "name"?',
    ],
    ['{ "__proto__": { "enabled": false } }', '1:3 warning Unknown key "__proto__". It is ignored.'],
  ])('when the file is %s, then it is told with what was meant', (text, problem) => {
    expect(told(text)).toEqual([problem]);
  });
});

describe('given several faults in one file', () => {
  const text = `{
  "enabled": "no",
  "logging": false,
  "defaults": { "cooldownMs": true, "restMs": 5, "colour": 1 },
  "agents": { "build": { "fallbackModels": ["x", "a/b", 5, "c/d"] } },
  "logging": true
}`;

  it('when it is read, then each is told in order and everything else holds', () => {
    expect(told(text)).toEqual([
      '2:14 warning enabled must be true or false, not "no". It is ignored.',
      '3:3 warning logging is written twice; the last one counts.',
      '4:31 warning defaults.cooldownMs must be a number of milliseconds from 0 to 2147483647, not true. The default 300000 applies.',
      '4:50 warning Unknown key "colour" in defaults. It is ignored.',
      '5:45 warning agents.build.fallbackModels[0] must be a model written as "provider/model", not "x". It is ignored.',
      '5:57 warning agents.build.fallbackModels[2] must be a model written as "provider/model", not 5. It is ignored.',
    ]);
    expect(parseConfig(text, PATH).config).toEqual({
      defaults: { restMs: 5 },
      agents: { build: { fallbackModels: ['a/b', 'c/d'] } },
      logging: true,
    });
  });

  it('when every word of a list is wrong, then the list counts as absent and not as empty', () => {
    expect(parseConfig('{ "defaults": { "fallbackOn": ["rate_limits"] } }', PATH).config).toEqual({ defaults: {} });
  });

  it('when 2,000 keys are unknown, then 100 are told', () => {
    const keys = Array.from({ length: 2_000 }, (_, index) => `"${index.toString(36)}":1`).join();
    expect(told(`{${keys}}`)).toHaveLength(100);
  });
});

describe('given any text', () => {
  it('when it is read, then nothing is thrown and what is kept is right by its own schema', () => {
    const junk = fc.json();
    const part = fc.constantFrom(
      'enabled',
      'defaults',
      'agents',
      'policies',
      'patterns',
      'triage',
      'logging',
      '__proto__',
    );
    const file = fc
      .array(fc.tuple(part, junk), { maxLength: 6 })
      .map((pairs) => `{${pairs.map(([key, value]) => `"${key}":${value}`).join()}}`);
    fc.assert(
      fc.property(fc.oneof(file, junk, fc.string()), (text) => {
        const { config } = parseConfig(text, PATH);
        if (config !== null) expect(parseConfig(JSON.stringify(config), PATH)).toMatchObject({ config, problems: [] });
      }),
      { numRuns: 500 },
    );
  });
});
