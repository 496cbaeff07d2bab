import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProbePort } from '../../../src/core/ports/ports';
import { createModelProbe } from '../../../src/node/opencode/model-probe';
import { type RefreshProgress, refreshModels } from '../../../src/node/ranking/refresh';
import { writeProgram } from '../../support/write-program';
import { tempFolder } from '../temp-folder';

const MODELS = ['a/one', 'b/two', 'c/three'] as const;

/** Answers as each model is told to, and says who was asked. */
function probeOf(answers: Readonly<Record<string, string | null>>) {
  const asked: Parameters<ProbePort>[0][] = [];
  let underWay = 0;
  let most = 0;
  const probe: ProbePort = async (question) => {
    asked.push(question);
    underWay += 1;
    most = Math.max(most, underWay);
    await Promise.resolve();
    underWay -= 1;
    const reason = answers[question.model] ?? null;
    if (reason === null) return { ok: true, tookMs: 40, cost: 0.001 };
    return { ok: false, tookMs: 70, kind: 'auth', status: 401, reason };
  };
  return { probe, asked, most: () => most };
}

describe('given three models', () => {
  it('when they are asked, then one after another is, and each is told of', async () => {
    const { probe, asked, most } = probeOf({ 'b/two': 'The key is not valid.' });
    const progress: RefreshProgress[] = [];
    const heard = await refreshModels({
      models: MODELS,
      directory: '/p',
      probe,
      onProgress: (now) => progress.push(now),
    });
    expect([...heard]).toEqual([
      ['a/one', { answered: true, reason: null, ms: 40 }],
      ['b/two', { answered: false, reason: 'The key is not valid.', ms: 70 }],
      ['c/three', { answered: true, reason: null, ms: 40 }],
    ]);
    expect(asked).toEqual(MODELS.map((model) => ({ model, directory: '/p' })));
    expect(most()).toBe(1);
    expect(progress.map(({ model, done, total }) => [model, done, total])).toEqual([
      ['a/one', 1, 3],
      ['b/two', 2, 3],
      ['c/three', 3, 3],
    ]);
  });

  it('when one is named twice, then it is asked once', async () => {
    const { probe, asked } = probeOf({});
    await refreshModels({ models: ['a/one', 'a/one'], directory: null, probe });
    expect(asked).toEqual([{ model: 'a/one', directory: null }]);
  });

  it('when it is stopped after the first, then no other is asked', async () => {
    const { probe, asked } = probeOf({});
    const stop = new AbortController();
    const options = { models: MODELS, directory: null, probe, signal: stop.signal, onProgress: () => stop.abort() };
    expect([...(await refreshModels(options)).keys()]).toEqual(['a/one']);
    expect(asked).toHaveLength(1);
  });

  it('when it is stopped while the second is silent, then the first stays known, at once', async () => {
    const stop = new AbortController();
    const { probe } = probeOf({});
    const silent: ProbePort = (question) => {
      if (question.model !== 'b/two') return probe(question);
      stop.abort();
      return new Promise(() => undefined);
    };
    const heard = await refreshModels({ models: MODELS, directory: null, probe: silent, signal: stop.signal });
    expect([...heard.keys()]).toEqual(['a/one']);
  });

  it('when it was stopped before, then nobody is asked', async () => {
    const { probe, asked } = probeOf({});
    await refreshModels({ models: MODELS, directory: null, probe, signal: AbortSignal.abort() });
    expect(asked).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('given a stand-in for OpenCode that knows one of two models', () => {
  it('when both are asked through it, then one answers, and the other one’s error is the reason', async () => {
    const folder = await tempFolder();
    const bin = join(folder, 'opencode');
    const error = { type: 'error', error: { name: 'APIError', data: { message: 'No such model', statusCode: 404 } } };
    const finish = { type: 'step_finish', sessionID: 'ses_1', part: { cost: 0.002 } };
    writeProgram(
      bin,
      [
        '#!/bin/sh',
        'case "$*" in',
        '  --version) echo 1.18.34 ;;',
        `  *a/one*) echo '${JSON.stringify(finish)}' ;;`,
        `  *b/two*) echo '${JSON.stringify(error)}' ;;`,
        'esac',
        '',
      ].join('\n'),
    );
    const probe = createModelProbe({ ...process.env, OPENCODE_BIN: bin });
    const heard = await refreshModels({ models: ['a/one', 'b/two'], directory: folder, probe });
    expect([...heard]).toEqual([
      ['a/one', { answered: true, reason: null, ms: expect.any(Number) }],
      ['b/two', { answered: false, reason: 'No such model', ms: expect.any(Number) }],
    ]);
  });
});
