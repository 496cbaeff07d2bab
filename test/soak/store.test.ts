import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ledgerOf, reportOf } from '../../src/engine/scorecard';
import { socketAddress } from '../../src/node/base/state-home';
import { readToken } from '../../src/node/base/token';
import { readLog } from '../../src/node/data/own-data';
import type { AppLink } from '../../src/node/socket/app-link';
import { connectToApp } from '../../src/node/socket/socket-client';
import { openDatabase } from '../../src/node/store/driver';
import { openStore, storePath } from '../../src/node/store/open-store';
import type { CompanionEvent } from '../../src/protocol';
import { CHAIN, COMPANION, configured, prompted, started, succeeded } from '../core/virtual-core';
import { startPanel } from '../support/panel-process';

const BURSTS = 200;
const TURNS_IN_BURST = 15;
/** Kills come at any moment of the store's batch of 250 ms and after it, most of them within the log's batch of 20 ms. */
const KILL_WITHIN_MS = 400;

/** A companion whose numbers and unheard events outlive the app, as the real one's do. */
function companion(home: string) {
  const said: CompanionEvent[] = [];
  /** What the app has acknowledged is forgotten, and cannot be said again. */
  let ackSeq = -1;
  let link: AppLink | null = null;
  let onAnswer = (): void => undefined;
  let onAcknowledged = (): void => undefined;
  const send = (at: number): void => {
    const event = said[at];
    if (event) link?.send({ type: 'event', seq: at, ageMs: 0, sentAt: Date.now(), event });
  };
  return {
    async connect(): Promise<void> {
      const connected = await connectToApp({
        addressFor: (token) => socketAddress(home, token),
        readToken: () => readToken(home),
        hello: { role: 'companion', ...COMPANION },
        keepsProcessAlive: true,
      });
      if (!connected.ok) throw new Error(connected.message);
      link = connected.link;
      const { haveSeq } = link.welcome;
      link.onMessage((message) => {
        if (message.type === 'lease.answer') onAnswer();
        if (message.type !== 'acknowledged') return;
        ackSeq = message.seq;
        // What an earlier life has written is acknowledged at once.
        if (ackSeq > (haveSeq ?? -1)) onAcknowledged();
      });
      expect(haveSeq ?? -1, 'what was acknowledged is there').toBeGreaterThanOrEqual(ackSeq);
      for (let at = Math.max(haveSeq ?? -1, ackSeq) + 1; at < said.length; at++) send(at);
    },
    say(event: CompanionEvent): void {
      said.push(event);
      send(said.length - 1);
    },
    /** Resolves when the app has heard all that was said: it answers in order. */
    heard: () =>
      new Promise<void>((resolve) => {
        onAnswer = resolve;
        link?.send({ type: 'lease.request', id: 'last', model: CHAIN[0] });
      }),
    /** Calls back at once, the next time something new is acknowledged. */
    whenAcknowledged: (act: () => void) => {
      onAcknowledged = () => {
        onAcknowledged = () => undefined;
        act();
      };
    },
    close: () => link?.close(),
    acknowledged: () => ackSeq,
    last: () => said.length - 1,
  };
}

/** Says the turns of one burst. */
function sayBurst(say: (event: CompanionEvent) => void, burst: number): void {
  for (let n = 0; n < TURNS_IN_BURST; n++) {
    const turn = `t${burst}-${n}`;
    const session = `s${burst}`;
    for (const event of [
      prompted({ turn, session }),
      started({ attempt: `${turn}:1`, turn, session }),
      succeeded(`${turn}:1`),
    ])
      say(event);
  }
}

const numbersIn = async (home: string): Promise<readonly number[]> =>
  (await readLog(home)).flatMap(({ from }) => (from ? [from.seq] : []));
const upTo = (last: number): readonly number[] => Array.from({ length: last + 1 }, (_, seq) => seq);

const TITLE =
  'when it has started again each time, then all it acknowledged was in the log at that moment, each event stands there once, each attempt once in the store';

describe(`given an app that is killed in ${BURSTS} bursts of 15 turns, at random or the moment it acknowledges`, () => {
  it(TITLE, async () => {
    const home = await mkdtemp(join(tmpdir(), 'us-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    const { say, connect, heard, whenAcknowledged, close, acknowledged, last } = companion(home);
    let unacknowledged = 0;
    let atTheWord = 0;
    say(configured());
    for (let burst = 0; burst < BURSTS; burst++) {
      const panel = await startPanel(home);
      await connect();
      const isAtTheWord = burst % 2 === 1;
      // The word is worth what the disk holds when it arrives, not some ms later.
      const killed = new Promise<void>((resolve) => {
        if (isAtTheWord) whenAcknowledged(() => resolve(panel.kill()));
        else setTimeout(() => resolve(panel.kill()), Math.random() ** 3 * KILL_WITHIN_MS);
      });
      sayBurst(say, burst);
      await killed;
      const held = await numbersIn(home);
      expect(held.slice(0, acknowledged() + 1), `burst ${burst}`).toEqual(upTo(acknowledged()));
      atTheWord += isAtTheWord ? 1 : 0;
      unacknowledged += last() - acknowledged();
      close();
    }
    const panel = await startPanel(home);
    await connect();
    await heard();
    await expect.poll(acknowledged).toBe(last());
    close();
    expect(await panel.stop()).toBe(0);
    // The kills have met the moment between the word and the write.
    expect(unacknowledged).toBeGreaterThan(0);
    expect(await numbersIn(home)).toEqual(upTo(last()));
    console.log(
      `app killed ${BURSTS} times, ${atTheWord} of them at its word: ${last() + 1} events in the log, each once; ` +
        `${unacknowledged} were told again, 0 lost`,
    );

    const { store, notice } = await openStore({ path: storePath(home) });
    expect(notice).toBeNull();
    const { overall } = reportOf(ledgerOf(store?.figures({}) ?? []), { now: Date.now() }, null);
    await store?.close();
    const database = openDatabase(storePath(home));
    const [check] = database?.all('PRAGMA integrity_check') ?? [];
    const [counted] = database?.all("SELECT count(*) AS n, sum(outcome = 'success') AS ok FROM attempts") ?? [];
    database?.close();
    const all = BURSTS * TURNS_IN_BURST;
    expect([{ ...check }, { ...counted }, overall.totalCalls, overall.successes]).toEqual([
      { integrity_check: 'ok' },
      { n: all, ok: all },
      all,
      all,
    ]);
  });
});
