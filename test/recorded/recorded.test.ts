import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type PushName, pushes, type QueryName, queries } from '../../src/contract/contract';
import { parseAppMessage, parsePeerMessage } from '../../src/protocol';
import { openRecording, recordings } from './open';
import type { TappedMessage } from './tap';

const linesOf = (path: string): TappedMessage[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TappedMessage);

const versions = recordings().map((folder) => [basename(folder), folder] as const);
// The recorded paths are those of a system with `/home`.
describe.skipIf(process.platform === 'win32').each(versions)('given the files of a user of version %s', (_, folder) => {
  const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Record<string, unknown>;
  let answers: Record<string, unknown>;
  beforeAll(async () => {
    answers = await openRecording(folder);
  });

  it.each(Object.keys(expected))('when this version opens them, then "%s" is as recorded', (key) => {
    expect(answers[key]).toEqual(expected[key]);
  });

  it('when this version opens them, then it has as many answers as the version that recorded them', () => {
    expect(Object.keys(answers)).toEqual(Object.keys(expected));
  });

  const conversations = readdirSync(folder).filter((file) => file.startsWith('socket-'));
  it.each(conversations)('when the messages of %s are parsed, then no field is lost', (file) => {
    const requested = new Map<unknown, QueryName>();
    for (const { from, message } of linesOf(join(folder, file))) {
      const line = JSON.stringify(message);
      const parsed = from === 'app' ? parseAppMessage(line) : parsePeerMessage(line);
      expect(parsed).toStrictEqual({ ok: true, message });
      const { type, id, name, input, value, data } = message;
      if (type === 'ask') requested.set(id, name as QueryName);
      if (type === 'ask') expect(queries[name as QueryName].input.parse(input)).toStrictEqual(input);
      const query = requested.get(id);
      if (type === 'answer' && query && message.ok) expect(queries[query].output.parse(value)).toStrictEqual(value);
      if (type === 'push') expect(pushes[name as PushName].parse(data)).toStrictEqual(data);
    }
  });
});
