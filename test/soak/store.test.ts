import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ledgerOf, reportOf } from '../../src/engine/scorecard';
import type { AppLink } from '../../src/node/app-link';
import { connectToApp } from '../../src/node/socket-client';
import { socketAddress } from '../../src/node/state-home';
import { openDatabase } from '../../src/node/store/driver';
import { openStore, storePath } from '../../src/node/store/open-store';
import { readToken } from '../../src/node/token';
import type { CompanionEvent } from '../../src/protocol';
import { CHAIN, COMPANION, configured, prompted, started, succeeded } from '../core/virtual-core';
import { startPanel } from '../support/panel-process';

const BURSTS = 100;
const TURNS_IN_BURST = 15;
/** Kills come at any moment of the batch of 250 ms, and after it. */
const KILL_WITHIN_MS = 400;

/** A companion whose numbers and unheard events outlive the app, as the real one's do. */
function companion(home: string) {
  const said: CompanionEvent[] = [];
  let link: AppLink | null = null;
  let onAnswer = (): void => undefined;
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
      link.onMessage((message) => {
        if (message.type === 'lease.answer') onAnswer();
      });
      for (let at = (link.welcome.haveSeq ?? -1) + 1; at < said.length; at++) send(at);
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
    close: () => link?.close(),
  };
}

describe('given an app that is killed at random moments of 100 bursts of 15 turns', () => {
  it('when it has started again each time, then the store opens, and every attempt is in it once', async () => {
    const home = await mkdtemp(join(tmpdir(), 'us-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    const { say, connect, heard, close } = companion(home);
    say(configured());
    for (let burst = 0; burst < BURSTS; burst++) {
      const panel = await startPanel(home);
      await connect();
      for (let n = 0; n < TURNS_IN_BURST; n++) {
        const turn = `t${burst}-${n}`;
        for (const event of [
          prompted({ turn, session: `s${burst}` }),
          started({ attempt: `${turn}:1`, turn, session: `s${burst}` }),
          succeeded(`${turn}:1`),
        ])
          say(event);
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * KILL_WITHIN_MS));
      await panel.kill();
      close();
    }
    const panel = await startPanel(home);
    await connect();
    await heard();
    close();
    expect(await panel.stop()).toBe(0);

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
