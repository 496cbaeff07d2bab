import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLog } from '../../src/node/data/own-data';
import { playDay } from '../recorded/day';
import { recordedFiles, VERSIONS } from '../recorded/open';
import { saveRecording } from '../recorded/save';

/** Events and messages that a recording without them would not protect. */
const EVENTS = [
  ...['answer.continued', 'drill.ended', 'fleet.heard', 'headroom.seen', 'health.reset'],
  ...['lease.requested', 'money.counted', 'notice.told', 'person.acted', 'switch.carried', 'tool.failed'],
];
const FILES = [/^home\/u\/config-writes\//, /journal\.jsonl$/, /^socket-companion-1/, /^socket-companion-2/];

describe('given this version and both generations of OpenCode', () => {
  it('when a day is played, then its recording holds what later versions have to read', async () => {
    const root = await mkdtemp(join(tmpdir(), 'day-'));
    try {
      const day = await playDay(root);
      const version = process.env.UNDERSTUDY_RECORD;
      const folder = version ? join(VERSIONS, version) : join(root, 'recording');
      await saveRecording(root, day, folder, version ?? 'this');
      const types = new Set((await readLog(join(root, 'u'))).map(({ event }) => event.type));
      expect(EVENTS.filter((type) => !types.has(type as never))).toEqual([]);
      const files = await recordedFiles(folder);
      expect(FILES.filter((pattern) => !files.some((file) => pattern.test(file)))).toEqual([]);
    } finally {
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});
