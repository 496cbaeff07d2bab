import { describe, it } from 'vitest';
import type { SeenWindow } from '../../src/engine';
import { get } from '../../src/engine/tools';
import { createBrain } from '../../src/plugin/brain';
import { shareHealth } from '../../src/plugin/shared-health';
import { CHAIN, DIRECTORY, scopeOf, virtualClock } from '../core/virtual-core';
import { tempFolder } from '../node/temp-folder';
const HOUR = 3_600_000;
const [LEAD] = CHAIN;
const log = (...x: unknown[]) => console.log(...x.map((y) => (typeof y === 'string' ? y : JSON.stringify(y))));
describe('zz share', () => {
  for (const isKnown of [true, false])
    it(`known ${isKnown}`, async () => {
      const home = await tempFolder();
      const clock = virtualClock();
      const open = (id: string) => {
        const brain = createBrain(() => clock.now(), () => 0.5, id);
        const sharing = shareHealth(brain, { home, warn: () => undefined, clock });
        brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: { ...scopeOf(), headroom: { act: 'move', moveAt: 0.97 } } });
        const prompt = (t: string) => brain.decide({ type: 'prompt.submitted', turn: t, session: t, directory: DIRECTORY, agent: 'build', model: LEAD, hostLead: LEAD, isExplicit: false });
        const start = (t: string) => { prompt(t); brain.tell({ type: 'attempt.started', turn: t, session: t, directory: DIRECTORY, agent: 'build', model: LEAD, attempt: `a-${id}${t}`, purpose: 'turn' }); return `a-${id}${t}`; };
        return { brain, sharing, start, prompt, windows: () => get(brain.state().windows, 'lead')?.map((x) => [x.used, x.owed.length]) ?? 'none' };
      };
      const [a, b] = [open('a'), open('b')];
      const first = a.start('first');
      const second = a.start('second');
      clock.advance(500);
      const window: SeenWindow = { id: 'unified-5h', unit: 'share', lengthMs: 5 * HOUR, of: 'account', used: 0.985, limit: null, remaining: null, resetInMs: HOUR, refills: 'at_reset', charges: 'used' };
      a.brain.tell({ type: 'headroom.seen', attempt: isKnown ? first : 'of a council', directory: DIRECTORY, model: LEAD, windows: [window] });
      await a.sharing.flush(); await b.sharing.refresh();
      log(String(isKnown), 'B knows', b.windows(), b.prompt('x1')?.code);
      clock.advance(700);
      a.brain.tell({ type: 'attempt.succeeded', attempt: first, durationMs: 5, firstTokenMs: 1, outputChars: 9 });
      await a.sharing.flush(); await b.sharing.refresh();
      log(String(isKnown), 'after A ended one: B', b.windows(), b.prompt('x2')?.code, 'A', a.windows(), a.prompt('y2')?.code);
      clock.advance(700);
      a.brain.tell({ type: 'attempt.succeeded', attempt: second, durationMs: 5, firstTokenMs: 1, outputChars: 9 });
      await a.sharing.flush(); await b.sharing.refresh(); await b.sharing.flush(); await a.sharing.refresh();
      log(String(isKnown), 'after A ended two: B', b.windows(), b.prompt('x3')?.code, 'A', a.windows(), a.prompt('y3')?.code);
    });
});
