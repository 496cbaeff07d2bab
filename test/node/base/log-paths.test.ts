import { describe, expect, it } from 'vitest';
import { logPaths } from '../../../src/node/base/log-paths';

const LINUX = { env: {}, homedir: '/home/ada', platform: 'linux' } as const;
const WINDOWS = { env: {}, homedir: 'C:\\Users\\ada', platform: 'win32' } as const;

describe('given a path as the configuration has it', () => {
  it.each([
    ['~/logs/f.log', '/home/ada/logs/f.log', '/home/ada/logs/f.jsonl'],
    ['~', '/home/ada', '/home/ada.jsonl'],
    ['~bob/f.log', '/p/~bob/f.log', '/p/~bob/f.jsonl'],
    ['logs/f.txt', '/p/logs/f.txt', '/p/logs/f.jsonl'],
    ['/var/log/f', '/var/log/f', '/var/log/f.jsonl'],
    ['/var/log/f.jsonl', '/var/log/f.jsonl', '/var/log/f.jsonl.jsonl'],
    [null, '/home/ada/.local/share/opencode/logs/model-fallback.log', expect.stringMatching(/model-fallback\.jsonl$/)],
  ])('when it is %s, then the lines lie in %s and the records in %s', (written, text, recordsPath) => {
    expect(logPaths(written, '/p', LINUX)).toEqual({ text, records: recordsPath });
  });

  it('when data has a folder of its own, then the default lies there', () => {
    expect(logPaths(null, '/p', { ...LINUX, env: { XDG_DATA_HOME: '/data' } }).text).toBe(
      '/data/opencode/logs/model-fallback.log',
    );
  });

  it.each([
    ['~\\logs\\f.log', 'C:\\Users\\ada\\logs\\f.log'],
    ['~/logs/f.log', 'C:\\Users\\ada\\logs\\f.log'],
    ['D:\\f.log', 'D:\\f.log'],
    ['logs\\f.log', 'C:\\p\\logs\\f.log'],
    ['\\\\server\\share\\f.log', '\\\\server\\share\\f.log'],
    [null, 'C:\\Users\\ada\\.local\\share\\opencode\\logs\\model-fallback.log'],
  ])('when it is %s under Windows, then the lines lie in %s', (written, text) => {
    expect(logPaths(written, 'C:\\p', WINDOWS).text).toBe(text);
  });
});
