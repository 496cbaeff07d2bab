import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOpencode } from '../../src/node/opencode';
import { openStage, type Stage } from '../support/stage';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

describe('given a question that nobody can answer', () => {
  it('when `opencode run` meets it, then it prints it, waits a minute, and ends with one sentence', async () => {
    const { binary, sandbox, home, provider } = stage;
    const { directory, ids } = await stage.makeCase({ defaults: { policy: 'council' } });
    provider.script(ids[0] ?? '', [{ kind: 'status', status: 401 }]);
    const run = await runOpencode({ binary, sandbox, directory, args: ['One'], env: { UNDERSTUDY_HOME: home } });
    expect(run.stdout).toMatch(/build asks you whether understudy1-model-1 may continue: .*Answer with \/yes or \/no/);
    expect(run.stderr).toContain('build is paused in this session');
    expect(provider.requests().length).toBe(1);
  });
});
