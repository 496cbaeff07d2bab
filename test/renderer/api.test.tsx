import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LinkState } from '../../src/contract/contract';
import type { NoticePush } from '../../src/contract/notices';
import type { Snapshot } from '../../src/contract/snapshot';
import { checkedApi, httpTransport, NoAnswer } from '../../src/renderer/app/api';
import { connectStore, createPanelStore, staleCause } from '../../src/renderer/app/store';
import { patiently } from '../support/eventually';
import { sampleSnapshot } from '../support/sample-snapshot';

/** The browser's stream of server-sent events, driven by hand. */
class HandStream extends EventTarget {
  static readonly all: HandStream[] = [];
  readonly OPEN = 1;
  readyState = 0;
  isClosed = false;
  constructor(readonly url: string) {
    super();
    HandStream.all.push(this);
  }
  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  fail(): void {
    this.readyState = 0;
    this.dispatchEvent(new Event('error'));
  }
  say(name: string, data: string): void {
    this.dispatchEvent(new MessageEvent(name, { data }));
  }
  close(): void {
    this.isClosed = true;
  }
}

function connect(respond: (url: string, body: unknown) => Response) {
  const requests: { url: string; body: unknown }[] = [];
  const send = async (url: string | URL | Request, init?: RequestInit) => {
    const body: unknown = JSON.parse(String(init?.body));
    requests.push({ url: String(url), body });
    return respond(String(url), body);
  };
  const api = checkedApi(
    httpTransport({ fetch: send as typeof fetch, EventSource: HandStream as unknown as typeof EventSource }),
  );
  return { api, requests };
}

const answerWith = (value: unknown) => () => Response.json({ ok: true, value });

describe('given the panel in a browser', () => {
  it('when an answer breaks off half way, then nobody has answered, so that a view asks again', async () => {
    const broken = () => new ReadableStream({ pull: (to) => to.error(new DOMException('', 'TimeoutError')) });
    const { api } = connect(() => new Response(broken()));
    await expect(
      api.ask('usage.get', { range: { kind: 'days', days: 7 }, splitBy: 'model', timeZone: 'UTC' }),
    ).rejects.toThrow(NoAnswer);
  });

  it('when snapshots arrive, then only those that fit the contract replace the last one', () => {
    const { api } = connect(answerWith(null));
    const store = createPanelStore();
    const end = connectStore(store, api);
    const stream = HandStream.all.at(-1)!;
    const good = sampleSnapshot();
    stream.say('snapshot', JSON.stringify(good));
    expect(store.getState().snapshot).toEqual(good);
    stream.say('snapshot', '{"v":1,"rev":');
    stream.say('snapshot', JSON.stringify({ ...good, rev: 42, models: [{ model: 'openai/gpt-5', state: 'fine' }] }));
    stream.say('snapshot', JSON.stringify({ ...good, v: 2, rev: 43 }));
    expect(store.getState().snapshot).toEqual(good);
    stream.say('snapshot', JSON.stringify({ ...good, rev: 44 }));
    expect(store.getState().snapshot?.rev).toBe(44);
    end();
    expect(stream.isClosed).toBe(true);
  });

  it('when a change follows, then the panel has the newer snapshot; when one was missed, then it asks for all of it', async () => {
    const first = sampleSnapshot();
    const whole = { ...first, rev: first.rev + 9, unknownPhrases: 9 };
    const { api, requests } = connect(answerWith(whole));
    const heard: Snapshot[] = [];
    const end = api.on('snapshot', (snapshot) => heard.push(snapshot));
    const stream = HandStream.all.at(-1)!;
    const say = (base: number, rev: number, change: object) =>
      stream.say('change', JSON.stringify({ base, rev, ...change }));
    stream.say('snapshot', JSON.stringify(first));
    say(first.rev, first.rev + 1, { models: [[1, first.models.length - 1]] });
    expect(heard.at(-1)).toEqual({ ...first, rev: first.rev + 1, models: first.models.slice(1) });
    say(first.rev, first.rev + 2, {});
    say(first.rev + 7, first.rev + 8, {});
    await patiently(() => expect(heard.at(-1)).toEqual(whole));
    expect(requests.map(({ url }) => url)).toEqual(['rpc/snapshot.get']);
    say(whole.rev, whole.rev + 1, { unknownPhrases: 0 });
    expect(heard.at(-1)?.unknownPhrases).toBe(0);
    end();
  });

  it('when the stream opens, fails and opens, then the link says so and one stream served all listeners', () => {
    const { api } = connect(answerWith(null));
    const before = HandStream.all.length;
    const states: LinkState[] = [];
    const heard: Snapshot[] = [];
    const ends = [api.onLink((state) => states.push(state)), api.on('snapshot', (snapshot) => heard.push(snapshot))];
    const stream = HandStream.all.at(-1)!;
    stream.open();
    stream.fail();
    stream.open();
    expect(states).toEqual(['connecting', 'open', 'lost', 'open']);
    expect(HandStream.all.length - before).toBe(1);
    expect(stream.url).toBe('events');
    for (const end of ends) end();
  });

  it('when only notices are listened to for a while, then the stream goes on, and snapshots come whole again', async () => {
    const first = sampleSnapshot();
    const { api } = connect(answerWith({ ...first, rev: first.rev + 5 }));
    const notices: NoticePush[] = [];
    const heard: number[] = [];
    const hear = () => api.on('snapshot', ({ rev }) => heard.push(rev));
    const endNotices = api.on('notice', (push) => notices.push(push));
    const endSnapshots = hear();
    const stream = HandStream.all.at(-1)!;
    stream.say('snapshot', JSON.stringify(first));
    endSnapshots();
    stream.say('change', JSON.stringify({ base: first.rev, rev: first.rev + 4 }));
    stream.say('notice', JSON.stringify({ type: 'withdraw', key: 'one' }));
    stream.say('notice', JSON.stringify({ type: 'withdraw' }));
    expect([stream.isClosed, notices, heard]).toEqual([false, [{ type: 'withdraw', key: 'one' }], [first.rev]]);
    const end = hear();
    stream.say('change', JSON.stringify({ base: first.rev + 4, rev: first.rev + 5 }));
    await patiently(() => expect(heard).toEqual([first.rev, first.rev + 5]));
    for (const each of [end, endNotices]) each();
    expect(stream.isClosed).toBe(true);
  });

  it('when the link is lost, then the snapshot is stale', () => {
    const { api } = connect(answerWith(sampleSnapshot()));
    const store = createPanelStore();
    const end = connectStore(store, api);
    const stream = HandStream.all.at(-1)!;
    stream.say('snapshot', JSON.stringify(sampleSnapshot()));
    stream.open();
    expect(staleCause(store.getState())).toBeNull();
    stream.fail();
    expect(staleCause(store.getState())).toBe('link');
    end();
  });
});

describe('given a page that nobody sees any more', () => {
  const turn = (isHidden: boolean) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden });
    document.dispatchEvent(new Event('visibilitychange'));
  };
  afterEach(() => {
    Reflect.deleteProperty(document, 'hidden');
    vi.useRealTimers();
  });

  it('when 10 minutes pass, then it has no stream, no timer and no question; when it is seen, then it hears and asks', async () => {
    vi.useFakeTimers();
    const { api, requests } = connect(answerWith({ ...sampleSnapshot(), rev: 50 }));
    const store = createPanelStore();
    const end = connectStore(store, api);
    const stream = HandStream.all.at(-1)!;
    stream.say('snapshot', JSON.stringify(sampleSnapshot()));
    stream.open();
    await vi.advanceTimersByTimeAsync(1);
    requests.length = 0;
    turn(true);
    await vi.advanceTimersByTimeAsync(600_000);
    expect([stream.isClosed, vi.getTimerCount(), requests]).toEqual([true, 0, []]);
    turn(false);
    HandStream.all.at(-1)?.open();
    await vi.advanceTimersByTimeAsync(1);
    expect(requests.map(({ url }) => url)).toEqual(['rpc/snapshot.get']);
    expect([store.getState().snapshot?.rev, staleCause(store.getState())]).toEqual([50, null]);
    HandStream.all.at(-1)?.fail();
    expect(staleCause(store.getState())).toBe('link');
    end();
    expect([HandStream.all.at(-1)?.isClosed, vi.getTimerCount()]).toEqual([true, 0]);
  });
});

describe('given a question over HTTP', () => {
  it('when the core answers, then the input went by POST to its name and the answer is checked', async () => {
    const { api, requests } = connect(answerWith({ accepted: true, rev: 42 }));
    await expect(api.ask('health.reset', { target: { all: true }, rev: 41 })).resolves.toEqual({
      accepted: true,
      rev: 42,
    });
    expect(requests).toEqual([{ url: 'rpc/health.reset', body: { input: { target: { all: true }, rev: 41 } } }]);
  });

  it('when the answer does not fit the contract, then it is refused', async () => {
    const { api } = connect(answerWith({ accepted: 'yes' }));
    await expect(api.ask('health.reset', { target: { all: true }, rev: 1 })).rejects.toThrow('cannot read');
  });

  it('when the core refuses, then its reason is the error', async () => {
    const { api } = connect(() => Response.json({ ok: false, code: 'failed', reason: 'Not now.' }, { status: 500 }));
    await expect(api.ask('snapshot.get', null)).rejects.toThrow('Not now.');
  });

  it('when the server turns the page away, then the status is told', async () => {
    const { api } = connect(() => new Response('Forbidden', { status: 403 }));
    await expect(api.ask('snapshot.get', null)).rejects.toThrow('403');
  });

  it('when nothing answers, then it says so', async () => {
    const { api } = connect(() => {
      throw new TypeError('fetch failed');
    });
    await expect(api.ask('snapshot.get', null)).rejects.toThrow('Understudy cannot be reached.');
  });
});
