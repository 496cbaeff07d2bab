import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ScriptedStep } from '../../src/cli/demo/scripted-provider';
import { textOf } from '../../src/node/opencode';
import { type App, type CaseOptions, openStage, type Stage } from '../support/stage';

let stage: Stage;
let app: App;

beforeAll(async () => {
  stage = await openStage();
  app = await stage.openApp();
});
afterAll(async () => {
  await app?.close();
  await stage?.close();
});
beforeEach(() => stage.provider.clear());

type Fault = Readonly<{
  name: string;
  step: ScriptedStep | null;
  options?: CaseOptions;
  state: string;
  /** Requests before the turn leaves the lead; one unless it is told. */
  asked?: number;
}>;

const FAULTS: readonly Fault[] = [
  { name: 'answers 429', step: { kind: 'status', status: 429 }, state: 'cooling' },
  { name: 'answers 503', step: { kind: 'status', status: 503 }, state: 'resting' },
  { name: 'answers 401', step: { kind: 'status', status: 401 }, state: 'blocked' },
  { name: 'refuses the connection', step: null, options: { refusedAt: 0 }, state: 'resting' },
  {
    name: 'sends nothing',
    step: { kind: 'hang' },
    options: { defaults: { firstTokenTimeoutMs: 700 } },
    state: 'resting',
  },
  { name: 'breaks mid-stream', step: { kind: 'cut', text: 'partial words' }, state: 'resting' },
  // It is told to go on once, before it is left.
  { name: 'ends without finish', step: { kind: 'noFinish', text: 'half an answer' }, state: 'resting', asked: 2 },
  { name: 'answers empty', step: { kind: 'emptyStop' }, state: 'resting' },
];

describe('given a chain of two on a real OpenCode, in a git repository with snapshots on', () => {
  for (const fault of FAULTS) {
    it(`when the lead ${fault.name}, then the understudy finishes the turn and the lead is asked again only when it is well`, async () => {
      const { provider, server } = stage;
      const { directory, chain, ids, configure } = await stage.makeCase(fault.options);
      const [lead = '', understudy = ''] = ids;
      const asked = fault.step ? (fault.asked ?? 1) : 0;
      const steps = Array.from({ length: asked }, () => fault.step as ScriptedStep);
      if (asked > 0) provider.script(lead, [...steps, { kind: 'text', text: 'LEAD IS BACK' }]);
      provider.script(understudy, [{ kind: 'text', text: 'UNDERSTUDY ANSWERS' }]);
      const session = await server.createSession(directory);

      const first = await server.prompt(session, { text: 'One' });
      expect(textOf(first)).toBe('UNDERSTUDY ANSWERS');
      const after = await app.until((snapshot) =>
        snapshot.models.some((row) => row.model === chain[0] && row.failed === Math.max(1, asked)),
      );
      expect(after.models.find((row) => row.model === chain[0])?.state).toBe(fault.state);
      const second = await server.prompt(session, { text: 'Two' });
      expect(textOf(second)).toBe('UNDERSTUDY ANSWERS');
      expect(provider.requests(lead)).toHaveLength(asked);

      const users = (await server.messages(session)).filter((message) => message.info.role === 'user');
      expect(users.map((message) => message.parts.map((part) => part.text))).toEqual([['One'], ['Two']]);

      if (fault.state === 'blocked') await configure({ restMs: 1_600 });
      else
        await app.until((snapshot) =>
          snapshot.models.some((row) => row.model === chain[0] && (row.state === 'ready' || row.state === 'degraded')),
        );
      const third = await server.prompt(session, { text: 'Three' });
      if (fault.step) expect(textOf(third)).toBe('LEAD IS BACK');
    });
  }
});
