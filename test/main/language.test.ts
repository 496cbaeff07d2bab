import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSpeech } from '../../src/main/language';
import { spokenLanguage, trayTexts } from '../../src/texts';

const run = promisify(execFile);
let folder: string;
const quit = () => trayTexts().quit;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'understudy-language-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

describe('given the language of the shell', () => {
  it('when nobody chose one, then it is English; when the page chooses one, then it is said at once and after the next start', async () => {
    const onChange = vi.fn();
    const path = join(folder, 'language');
    const speech = createSpeech(path, onChange);
    expect(speech.say(quit)).toBe('Quit');
    await speech.choose('de');
    await speech.choose('de');
    expect([speech.say(quit), onChange.mock.calls.length, await readFile(path, 'utf8')]).toEqual(['Beenden', 1, 'de']);
    expect(createSpeech(path, onChange).say(quit)).toBe('Beenden');
  });

  it('when it has said something, then everything else in the process is still in English', async () => {
    const path = join(folder, 'language');
    const speech = createSpeech(path, () => {});
    await speech.choose('de');
    const refuse = () =>
      speech.say(() => {
        throw new Error('no');
      });
    expect(refuse).toThrow('no');
    expect([spokenLanguage(), quit()]).toEqual(['en', 'Quit']);
  });

  it.each(['xx', 'constructor', ''])('when the file says "%s", then it is English', async (said) => {
    await writeFile(join(folder, 'language'), said);
    expect(createSpeech(join(folder, 'language'), () => {}).say(quit)).toBe('Quit');
  });

  it.each([
    ['a pipe that nobody writes into', (path: string) => run('mkfifo', ['-m', '600', path])],
    ['a link to a device without an end', (path: string) => symlink('/dev/zero', path)],
    ['a folder', (path: string) => mkdir(path)],
    ['a gigabyte', (path: string) => writeFile(path, 'de', { mode: 0o600 }).then(() => truncate(path, 2 ** 30))],
  ])('when there is %s in the place of its file, then it is English at once', async (_, put) => {
    const path = join(folder, 'language');
    await put(path);
    expect(createSpeech(path, () => {}).say(quit)).toBe('Quit');
  });

  it('when it cannot be remembered, then that is said where programs say such things, and it is spoken all the same', async () => {
    const complain = vi.spyOn(console, 'error').mockImplementation(() => {});
    const speech = createSpeech(join(folder, 'none', 'language'), () => {});
    await speech.choose('de');
    expect([speech.say(quit), complain.mock.calls.length]).toEqual(['Beenden', 1]);
  });
});
