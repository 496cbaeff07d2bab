import { describe, expect, it } from 'vitest';
import { effectiveValues, parseConfig } from '../../../src/core/config';
import { withVariables } from '../../../src/core/config/substitution';

const PATH = '/home/u/.config/opencode/model-fallback.json';
const parse = (knowledge: unknown) => parseConfig(JSON.stringify({ council: { parallel: 2, knowledge } }), PATH);
const told = (knowledge: unknown) => parse(knowledge).problems.map(({ message }) => message);

const LOCAL = { command: ['npx', '-y', 'it'], environment: { KEY: 'a-key' }, tool: 'search', argument: 'q' };
const REMOTE = { url: 'https://known.test/mcp?a=1', headers: { Authorization: 'Bearer a-key' }, tool: 'search' };

describe('given a source of knowledge in a file', () => {
  it.each([[LOCAL], [REMOTE], [{ command: ['it'], tool: 'search' }]])(
    'when it is %j, then it is read as it stands',
    (knowledge) => {
      const { config, problems } = parse(knowledge);
      expect([config?.council?.knowledge, problems]).toEqual([knowledge, []]);
    },
  );

  it.each(['http://localhost:8000/mcp', 'http://127.0.0.1/mcp', 'http://[::1]:9/mcp', 'http://127.9.9.9'])(
    'when it is on this machine, %s, then it may be in the clear',
    (url) => {
      expect(told({ url, tool: 'search' })).toEqual([]);
    },
  );

  it.each([
    'http://known.test/mcp',
    'http://127.0.0.1.known.test',
    'http://localhost.known.test',
    'https://name:word@known.test',
    'ftp://known.test',
    'file:///etc/passwd',
    'known.test',
    '',
  ])('when its address is "%s", then it is out of force, and that is told', (url) => {
    const { config } = parse({ url, tool: 'search' });
    expect(config?.council).toEqual({ parallel: 2 });
    expect(told({ url, tool: 'search' }).join('\n')).toContain(
      'council.knowledge.url must be an address that begins with https://',
    );
  });

  it.each<[unknown, string]>([
    [
      { ...LOCAL, ...REMOTE },
      'council.knowledge.url cannot be combined with "command", not "https://known.test/mcp?a=1". It is ignored.',
    ],
    [
      { tool: 'search' },
      'council.knowledge.command is missing. It must be a list of a program and its arguments, such as ["npx", "-y", "some-server"], unless "url" is set. council.knowledge is ignored.',
    ],
    [
      { command: ['it'] },
      'council.knowledge.tool is missing. It must be a name of 1 to 100 characters. council.knowledge is ignored.',
    ],
    [
      { command: [], tool: 'search' },
      'council.knowledge.command must be a list of a program and its arguments, such as ["npx", "-y", "some-server"], not []. It is ignored.',
    ],
    [
      { command: 'npx it', tool: 'search' },
      'council.knowledge.command must be a list of a program and its arguments, such as ["npx", "-y", "some-server"], not "npx it". It is ignored.',
    ],
    [{ ...LOCAL, tools: 'search' }, 'Unknown key "tools" in council.knowledge. Did you mean "tool"?'],
    [
      { ...LOCAL, environment: { 'A=B': 'x' } },
      'council.knowledge.environment: "A=B" must be the name of a variable. It is ignored.',
    ],
  ])('when it is %j, then that is told', (knowledge, message) => {
    expect(told(knowledge)).toContain(message);
  });

  it('when a value that may be a key is wrong, then what is told does not hold it', () => {
    const secret = 'Bearer very-secret';
    for (const headers of [secret, { Authorization: [secret] }, { Authorization: secret.repeat(600) }]) {
      const messages = told({ ...REMOTE, headers });
      expect(messages.length).toBeGreaterThan(0);
      expect(messages.join()).not.toContain('very-secret');
    }
  });

  it('when the values in force are listed, then keys are named and not shown', () => {
    for (const knowledge of [LOCAL, REMOTE]) {
      const values = effectiveValues({ global: { path: PATH, ...parse(knowledge) }, project: null });
      expect(JSON.stringify(values)).not.toContain('a-key');
      expect(values).toContainEqual(expect.objectContaining({ key: 'council.knowledge.tool', value: 'search' }));
    }
    const values = effectiveValues({ global: { path: PATH, ...parse(REMOTE) }, project: null });
    expect(values).toContainEqual({
      key: 'council.knowledge.headers.Authorization',
      value: '(hidden)',
      path: PATH,
      line: 1,
    });
  });
});

describe('given a text with variables in it', () => {
  it.each([
    ['{env:A}', '1'],
    ['x {env:A}{env:B} {env:A}', 'x 12 1'],
    ['{env:GONE}', ''],
    ['{env:A', '{env:A'],
    ['{file:/etc/passwd} {env:not a name}', '{file:/etc/passwd} {env:not a name}'],
    ['{env:NESTED}', '{env:A}'],
  ])('when it is %j, then it is %j', (text, filled) => {
    expect(withVariables(text, { A: '1', B: '2', NESTED: '{env:A}' })).toBe(filled);
  });
});
