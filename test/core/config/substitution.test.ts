import { describe, expect, it } from 'vitest';
import { parseForeign } from '../../../src/core/config';
import { hidesKeys } from '../../../src/core/config/substitution';

const GATEWAY = '"provider":{"acme":{"models":{"x":{"cost":{"input":0,"output":0}}}}}';

describe('given an OpenCode file in whose text OpenCode replaces variables and files', () => {
  it.each([
    ['the key of a provider', '{"provider":{"{env:NAME}":{"models":{}}}}'],
    ['the key of a model', '{"provider":{"acme":{"models":{"{file:name}":{}}}}}'],
    ['part of a key', '{"pro{file:rest}":{}}'],
    ['a key with a comment before its colon', '{"{file:name}" /* of */ // it\n : {}}'],
    ['the place of a value', '{"provider": {file:all}}'],
    ['the place of a key', '{ {file:all} }'],
    ['a comment that a file may end', `{ /* {file:end} ${GATEWAY} /* */ }`],
    ['a comment that it reaches out of', `{ // {env:\n /* }\n ${GATEWAY}\n // */\n }`],
    ['a value that it reaches out of', `{"a": "{file:x", "b": "}"}`],
    ['a value that another makes it reach out of', `{"a": "{file:x{env:NAME}", "b": {}}`],
    ['a variable that may hold anything', '{"a": "{env:BASH_FUNC_x%%}"}'],
    ['a text that ends within it', '{"a": "{env:NAME'],
  ])('when one is %s, then it may hold any key', (_, text) => {
    expect(hidesKeys(text)).toBe(true);
  });

  it.each([
    ['there is none', `{${GATEWAY}}`],
    ['a key comes from the environment', '{"provider":{"acme":{"options":{"apiKey":"{env:ACME_KEY}"}}}}'],
    ['a prompt is a file', '{"agent":{"build":{"prompt":"{file:./prompts/build.md}"}}, "x": 1}'],
    ['two stand in one value', '{"a":{"url":"https://{env:HOST}/{env:PATH_OF_IT}"}}'],
    ['one stands in a list', '{"instructions":["{file:a.md}", "b"]}'],
    ['one stands in a comment of one line', '{ // "apiKey": "{env:OLD_KEY}"\n "a": 1 }'],
    ['a brace is written as an escape', '{"\\u007benv:NAME}": 1}'],
  ])('when %s, then its keys are what its text shows', (_, text) => {
    expect(hidesKeys(text)).toBe(false);
  });

  it('when a key is replaced, then every provider is kept apart, and none when only a value is', () => {
    const providers = (text: string) => parseForeign(text, '/p/opencode.json', { type: 'opencode' })?.providers;
    expect(providers('{"provider":{"{file:name}":{"models":{}}}}')).toEqual(['*']);
    expect(providers('{"provider":{"acme":{"options":{"apiKey":"{env:ACME_KEY}"}}}}')).toEqual(['acme']);
    expect(providers('{"agent":{"build":{"prompt":"{file:p.md}"}}}')).toBe(undefined);
  });
});
