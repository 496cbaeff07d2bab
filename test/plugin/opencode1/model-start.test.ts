import { describe, expect, it } from 'vitest';
import type { ModelId } from '../../../src/engine';
import { entries } from '../../../src/engine/tools';
import { endLook } from '../../../src/plugin/opencode1/login-fetch';
import { findUnstartable } from '../../../src/plugin/opencode1/model-start';
import { DIRECTORY, openDouble } from '../support/opencode-double';

const ERROR = { name: 'UnknownError', data: { message: 'ProviderInitError' } };
const MODELS = ['lead/one', 'spare/two', 'foreign/three'];

/** An instance that lists three models of packages that may refuse to start, of which `broken` do. */
function starting(broken: readonly ModelId[]) {
  const { instance } = openDouble();
  const tried: ModelId[] = [];
  const session = {
    ...instance.client.session,
    create: async () => ({ data: { id: `ses_try_${tried.length}` } }),
    prompt: async ({ path, body }: { path: { id: string }; body: Record<string, unknown> }) => {
      const { providerID, modelID } = body.model as { providerID: string; modelID: string };
      tried.push(`${providerID}/${modelID}`);
      if (broken.includes(`${providerID}/${modelID}`)) return { data: { info: { role: 'assistant', error: ERROR } } };
      const look = instance.asides.get(path.id)?.look;
      expect(look && (() => endLook(look))).toThrow('Understudy looked');
      return { data: { info: { role: 'assistant', error: { name: 'MessageAbortedError' } } } };
    },
  };
  const listed = { ...instance.listed, models: MODELS, uncertain: new Set(MODELS) };
  Object.assign(instance, { client: { ...instance.client, session }, listed });
  return { instance, tried };
}

describe('given models whose package may refuse to start', () => {
  it('when OpenCode cannot start one, then it counts as not listed with the reason, and models outside the chains are not tried', async () => {
    const { instance, tried } = starting(['lead/one']);
    expect(await findUnstartable(instance)).toBe(true);
    expect([tried, instance.listed.models, [...instance.unstartable]]).toEqual([
      ['lead/one', 'spare/two'],
      ['spare/two', 'foreign/three'],
      [['lead/one', 'OpenCode cannot start this model: ProviderInitError']],
    ]);
  });

  it('when all start, then nothing changes', async () => {
    const { instance } = starting([]);
    expect([await findUnstartable(instance), instance.listed.models]).toEqual([false, MODELS]);
  });

  it('when the project was closed meanwhile, then none is tried', async () => {
    const { instance, tried } = starting(['lead/one']);
    instance.isGone = true;
    expect([await findUnstartable(instance), tried]).toEqual([false, []]);
  });

  it.each([
    ['ends', 'OpenCode could not start it and now can', undefined, [], null],
    ['stays', 'OpenCode still cannot start it', undefined, ['spare/two'], 'model_not_found'],
    ['stays', 'its provider answered 404', 404, [], 'model_not_found'],
  ] as const)('when one is blocked, then that %s if %s', async (_end, _reason, status, broken, kind) => {
    const { instance } = starting([...broken]);
    const { brain } = instance.companion;
    const about = { attempt: 'a', turn: 't', session: 's', directory: DIRECTORY, agent: 'build', model: 'spare/two' };
    brain.tell({ type: 'attempt.started', ...about, purpose: 'internal' });
    const evidence = { phase: 'headers', message: 'x', mapped: { kind: 'model_not_found' } } as const;
    const seen = status ? { ...evidence, status } : evidence;
    brain.tell({ type: 'attempt.failed', attempt: 'a', evidence: seen, durationMs: 0 });
    await findUnstartable(instance);
    const [health] = entries(brain.state().models).map(([, each]) => each);
    expect(health?.block?.kind ?? null).toBe(kind);
  });
});
