import { appendFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SpentLine } from '../../src/core/budget/spent';
import { openSpending } from '../../src/node/data/spending';
import { type BenchRow, rowOf } from './bench-row';

const REQUESTS = 5_000;
/** Source: the most that a request may wait for its reservation, in ms. */
const TARGET_MS = 1;

/** The write of a reservation before its request leaves, beside Node's own append of the same text. */
export async function ledgerBench(): Promise<BenchRow[]> {
  const home = await mkdtemp(join(tmpdir(), 'us-ledger-'));
  try {
    const spending = openSpending(home, () => undefined);
    const at = Date.now();
    const estimate: SpentLine = {
      ...{ at, for: 'turn', provider: 'anthropic', agent: 'build', directory: '/p', session: 's' },
      ...{ tokens: 1_000, cost: 0.01 },
    };
    const line = { at, by: '1-x', asker: 's', turn: 't', model: 'anthropic/claude', estimate };
    const ours: number[] = [];
    const peers: number[] = [];
    for (let n = 0; n < REQUESTS; n++) {
      const reserved = { ...line, reserved: `1-x:s:t:${n}` };
      let startedAt = performance.now();
      spending.add(reserved);
      ours.push(performance.now() - startedAt);
      startedAt = performance.now();
      appendFileSync(join(home, 'peer.jsonl'), `${JSON.stringify(reserved)}\n`);
      peers.push(performance.now() - startedAt);
    }
    await spending.flush();
    return [
      rowOf('reservation of a request, written', 'ms', ours, { target: TARGET_MS }),
      rowOf('appendFileSync of the same text', 'ms', peers),
    ];
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
