import { describe, it } from 'vitest';
import { windowsIn } from '../../../src/core/headroom/read-windows';
import { CompanionEvent } from '../../../src/protocol';
import { get } from '../../../src/engine/tools';
import { initialState, step } from '../../../src/engine';
import { DAY, DIRECTORY, HOUR, MINUTE, SECOND, outline } from '../world';
import { Near, planAt, tokensWith, spends } from './seen';

const log = (...x: unknown[]) => console.log(...x.map((y) => (typeof y === 'string' ? y : JSON.stringify(y))));

describe('zz', () => {
  it('19 more than 40 windows in one response', () => {
    const headers: [string, string][] = [];
    for (let i = 0; i < 60; i++) headers.push([`anthropic-ratelimit-unified-${i + 1}d_fam${i}-utilization`, '0.5']);
    const { windows } = windowsIn(headers, { provider: 'anthropic', seenAt: 0 });
    const parsed = CompanionEvent.safeParse({ type: 'headroom.seen', attempt: 'x', directory: '/p', model: 'a/1', windows });
    log('19', windows.length, parsed.success ? 'sent' : parsed.error.issues.map((i: any) => i.message));
  });

  it('20 the app on the second message', () => {
    const w = new Near(['a/1', 'b/1']);
    const app = new Near(['a/1', 'b/1']);
    const both = (event: any) => {
      const { decisions: [d] } = w.tell(event);
      const decided = d && { kind: d.action.kind, code: d.code, ...('to' in d.action ? { to: d.action.to } : {}) };
      app.now = w.now;
      const r = app.tell(decided ? { ...event, decided } : event);
      return [d, r.decisions[0]] as const;
    };
    const about = (t: string, model: string) => ({ turn: t, session: 's', directory: DIRECTORY, agent: 'build', model });
    const turn = (t: string, model: string, seen: any) => {
      const [own, apps] = both({ type: 'prompt.submitted', ...about(t, model), hostLead: 'a/1', isExplicit: false });
      const to = own && 'to' in own.action ? own.action.to : model;
      both({ type: 'attempt.started', ...about(t, to), attempt: `x${t}`, purpose: 'turn' });
      if (seen) both({ type: 'headroom.seen', attempt: `x${t}`, directory: DIRECTORY, model: to, windows: [seen] });
      both({ type: 'attempt.succeeded', attempt: `x${t}`, durationMs: 1, firstTokenMs: 1, outputChars: 4 });
      both({ type: 'session.idle', session: 's' });
      w.wait(MINUTE);
      log('20', t, 'companion', own?.code, own?.action, !!own?.short, '| app', apps?.code, apps?.action, !!apps?.short, 'why in the app', get(app.state.speakers, 's|build')?.why?.short?.code ?? get(app.state.speakers, 's|build')?.why, 'why here', get(w.state.speakers, 's|build')?.why?.short?.code ?? null);
    };
    turn('t0', 'a/1', planAt(0.98, { resetInMs: 3 * HOUR }));
    turn('t1', 'a/1', null);
    turn('t2', 'b/1', null);
    turn('t3', 'b/1', null);
  });
  it('21 perf', () => {
    const chain = Array.from({ length: 8 }, (_, i) => `a/${i}`);
    const w = new Near([...chain, 'b/1']);
    w.hears('a/0', Array.from({ length: 40 }, (_, i) => planAt(0.98, { id: 'w' + i })));
    for (let i = 0; i < 200; i++) { w.prompt('p' + i, { session: 'p' + i, model: 'b/1', hostLead: 'b/1', isExplicit: true }); }
    w.state = { ...w.state, elsewhere: Array.from({ length: 500 }, (_, i) => ({ attempt: 'e' + i, account: 'a', model: 'a/1', at: 0 })) };
    const t = performance.now();
    for (let i = 0; i < 50; i++) w.prompt('q' + i, { model: 'a/0', hostLead: 'a/0' });
    log('21 ms per prompt, 40 windows, 500 under way, chain of 9', (performance.now() - t) / 50);
  });
  it('22 compaction', () => { });
});
