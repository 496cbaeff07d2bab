import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followUpdates, type UpdatesParts } from '../../src/main/updates';

const RELEASES = 'https://example.org/u/releases';
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const facts = { platform: 'darwin', arch: 'arm64', isPackaged: true, releases: RELEASES };
const offer = (version: string) => ({ version, url: `${RELEASES}/download/v${version}/x.zip` });

let updater: UpdaterDouble;
let ready: string[];
let asked: string[];

/** Electron's updater; without a signature it takes no address. */
class UpdaterDouble extends EventEmitter {
  readonly feeds: string[] = [];
  checks = 0;

  constructor(private readonly isSigned = true) {
    super();
  }
  setFeedURL({ url }: { url: string }): void {
    if (this.isSigned) this.feeds.push(url);
    else this.emit('error', new Error('Could not get code signature for running application'));
  }
  checkForUpdates(): void {
    if (this.isSigned) this.checks += 1;
    else this.emit('error', new Error('Update URL is not set'));
  }
}

function follow(change: Partial<UpdatesParts> = {}, answer: unknown = offer('0.2.0')) {
  return followUpdates({
    autoUpdater: updater as unknown as UpdatesParts['autoUpdater'],
    facts,
    version: '0.1.0',
    isAsked: async () => true,
    read: async (address) => {
      asked.push(address);
      return answer;
    },
    onReady: (version) => ready.push(version),
    ...change,
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  updater = new UpdaterDouble();
  [ready, asked] = [[], []];
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('given a signed app on macOS, and a user who wants updates', () => {
  it('when a newer version is offered, then it is read, told of once it is there, and the app goes on', async () => {
    const stop = follow();
    await vi.advanceTimersByTimeAsync(MINUTE_MS - 1);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    const ask = `${RELEASES}/latest/download/update-darwin-arm64.json`;
    expect([asked, updater.feeds, updater.checks, ready]).toEqual([[ask], [ask], 1, []]);
    updater.emit('update-downloaded');
    await vi.advanceTimersByTimeAsync(3 * DAY_MS);
    expect([ready, updater.checks]).toEqual([['0.2.0'], 1]);
    stop();
    await vi.advanceTimersByTimeAsync(3 * DAY_MS);
    expect(asked.length).toBe(4);
  });

  it('when an older version is offered, then nothing is read', async () => {
    follow({}, offer('0.0.9'));
    await vi.advanceTimersByTimeAsync(2 * DAY_MS);
    expect([updater.checks, ready]).toEqual([0, []]);
  });

  it('when the page cannot be read, then the console says why, and it is tried again the next day', async () => {
    const complaints = vi.spyOn(console, 'error').mockReturnValue();
    follow({
      read: async (address) => {
        asked.push(address);
        throw new Error('answers 503');
      },
    });
    await vi.advanceTimersByTimeAsync(MINUTE_MS + DAY_MS);
    expect([asked.length, complaints.mock.calls[0], ready]).toEqual([2, ['No update: answers 503'], []]);
  });
});

describe('given what must not be updated by itself', () => {
  it('when the app is not signed, then the console says so, and nothing else happens', async () => {
    const complaints = vi.spyOn(console, 'error').mockReturnValue();
    updater = new UpdaterDouble(false);
    follow();
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(complaints.mock.calls[0]).toEqual(['No update: Could not get code signature for running application']);
    expect([updater.checks, ready]).toEqual([0, []]);
  });

  it('when nobody has asked for it, then nothing is asked of a network, until somebody does', async () => {
    let isAsked = false;
    follow({ isAsked: async () => isAsked });
    await vi.advanceTimersByTimeAsync(10 * DAY_MS);
    expect(asked).toEqual([]);
    isAsked = true;
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(asked.length).toBe(1);
  });

  it('when it runs on Windows, then a newer version is only told of, once', async () => {
    follow({ facts: { ...facts, platform: 'win32', arch: 'x64' } });
    await vi.advanceTimersByTimeAsync(3 * DAY_MS);
    expect([ready, updater.feeds]).toEqual([['0.2.0'], []]);
  });

  it('when it runs on Linux, then there is not even a timer', () => {
    follow({ facts: { ...facts, platform: 'linux' } });
    expect(vi.getTimerCount()).toBe(0);
  });
});
