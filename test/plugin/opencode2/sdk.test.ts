import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { beginCall, callOf } from '../../../src/plugin/opencode2/request/calls';
import { EMPTY, onLanguage } from '../../../src/plugin/opencode2/session/sdk';
import type { LanguageEvent, LanguageModel, StreamPart } from '../../../src/plugin/opencode2/session/types';
import { asking, openInstance } from '../support/opencode2-instance';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type Begin = LanguageModel['doStream'];
const modelOf = (doStream: Begin): LanguageModel => ({
  ...{ specificationVersion: 'v3', provider: 'lead', modelId: 'one', supportedUrls: {}, doStream },
  doGenerate: async () => 'generated',
});
const streamOf =
  (...parts: StreamPart[]): Begin =>
  async () => ({
    stream: new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        if (parts.at(-1)?.type === 'finish') controller.close();
      },
    }),
  });

/** The model as OpenCode uses it once the hook was called. */
function used(languageModel: LanguageEvent['sdk']['languageModel'], language?: LanguageModel) {
  const opened = openInstance();
  const event: LanguageEvent = {
    model: { providerID: 'lead', id: 'one', modelID: 'real-one' },
    sdk: { languageModel },
    ...(language ? { language } : {}),
  };
  onLanguage(opened.instance, event);
  return { ...opened, model: event.language as LanguageModel };
}

/** The types of all parts, or the message of the error that ends the stream. */
async function read(model: LanguageModel, signal?: AbortSignal): Promise<unknown> {
  try {
    const { stream } = await model.doStream(signal ? { abortSignal: signal } : {});
    const types: string[] = [];
    for await (const { type } of stream as unknown as AsyncIterable<StreamPart>) types.push(type);
    return types;
  } catch (error) {
    return (error as Error).message;
  }
}

const START = { type: 'stream-start' };
const TEXT = { type: 'text-delta' };
const FINISH = { type: 'finish' };

describe('given a model of a package that sends no request', () => {
  it('when it answers, then its parts are passed on, and everything else of the model is its own', async () => {
    const { model } = used(() => modelOf(streamOf(START, TEXT, FINISH)));
    expect(await read(model)).toEqual(['stream-start', 'text-delta', 'finish']);
    expect([model.modelId, await model.doGenerate({})]).toEqual(['one', 'generated']);
  });

  it.each<[string, Begin]>([
    ['never begins', () => new Promise(() => undefined)],
    ['begins and falls silent', streamOf(START)],
  ])('when it %s, then it ends with an error at the limit for a first token', async (_, begin) => {
    let signal: AbortSignal | undefined;
    const { model, instance } = used(() =>
      modelOf((options) => {
        signal = options.abortSignal;
        return begin(options);
      }),
    );
    const { firstTokenTimeoutMs } = instance.companion.limits();
    const reading = read(model);
    await vi.advanceTimersByTimeAsync(firstTokenTimeoutMs - 1);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([await reading, signal?.aborted]).toEqual([`no answer within ${firstTokenTimeoutMs} ms`, true]);
  });

  it('when its first word has come, then no limit ends it', async () => {
    const { model, instance } = used(() => modelOf(streamOf(START, TEXT)));
    let isOver = false;
    void read(model).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(instance.companion.limits().firstTokenTimeoutMs * 2);
    expect(isOver).toBe(false);
  });

  it('when its answer is empty, then that is an error', async () => {
    expect(await read(used(() => modelOf(streamOf(START, FINISH))).model)).toBe(EMPTY);
  });

  it('when it was sent as a request, then the hooks of the request decide', async () => {
    const { model, instance } = used(() => modelOf(streamOf(START, FINISH)));
    await beginCall(instance, asking());
    callOf(instance, asking())?.cameBy.abort();
    expect(await read(model)).toEqual(['stream-start', 'finish']);
  });

  it('when the package rejects the model, then a request to it fails with that error', async () => {
    const { model } = used((id) => {
      throw new Error(`Unknown model ID: ${id}`);
    });
    expect(await read(model)).toBe('OpenCode cannot start this model: Error: Unknown model ID: real-one');
  });

  it('when another plugin has given a model, then that is used; a stop of OpenCode reaches it', async () => {
    let reason: unknown;
    const never: Begin = ({ abortSignal }) =>
      new Promise((_, reject) => {
        abortSignal?.addEventListener('abort', () => {
          reason = abortSignal.reason;
          reject(reason);
        });
      });
    const { model } = used(() => modelOf(streamOf(FINISH)), modelOf(never));
    const stop = new AbortController();
    const reading = read(model, stop.signal);
    stop.abort(new Error('stopped'));
    expect([await reading, (reason as Error).message]).toEqual(['stopped', 'stopped']);
  });
});
