import { whyUnstartable } from '../../user/unasked';
import type { Instance } from './instance';
import { nameOf } from './model-ref';
import type { LanguageEvent, LanguageModel, StreamPart } from './types';

/** `evidence.ts` matches these texts. */
export const SILENT = 'no answer within';
export const EMPTY = 'the answer was empty';

const CONTENT = /^(?:text-delta|reasoning-delta|tool-|file|source|error)/;

/**
 * For packages that send no HTTP request: silence before content, an empty answer or a rejected model becomes an
 * error, so that OpenCode calls the `retry` hook. [observed: 2.0.15]
 */
export function onLanguage(instance: Instance, event: LanguageEvent): void {
  const name = nameOf(event.model);
  try {
    event.language ??= event.sdk.languageModel(event.model.modelID);
  } catch (error) {
    event.language = unusable(event.model.modelID, error);
    return;
  }
  event.language = watched(instance, name, event.language);
}

function unusable(modelId: string, error: unknown): LanguageModel {
  const doStream = (): Promise<never> => Promise.reject(new Error(whyUnstartable(String(error))));
  return {
    specificationVersion: 'v3',
    provider: 'understudy',
    modelId,
    supportedUrls: {},
    doStream,
    doGenerate: doStream,
  };
}

function watched(instance: Instance, name: string, model: LanguageModel): LanguageModel {
  return new Proxy(model, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      if (key !== 'doStream') return value.bind(target);
      return (options: Readonly<{ abortSignal?: AbortSignal }>) =>
        stream(instance, name, (signal) =>
          target.doStream({ ...options, abortSignal: AbortSignal.any([options.abortSignal ?? signal, signal]) }),
        );
    },
  });
}

/** HTTP hooks already limit these requests. */
const hasRequest = ({ sessions }: Instance, name: string): boolean =>
  [...sessions.values()].some(({ calls }) =>
    [...calls.values()].some(({ host, end, cameBy }) => host === name && end === 'open' && cameBy.signal.aborted),
  );

type Begin = (signal: AbortSignal) => ReturnType<LanguageModel['doStream']>;

async function stream(instance: Instance, name: string, begin: Begin): ReturnType<LanguageModel['doStream']> {
  const { signal, timer } = silenceLimit(instance, name);
  const silence = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  silence.catch(() => undefined); // silent: the race below rejects with it
  try {
    const result = await Promise.race([begin(signal), silence]);
    const isUnseen = (): boolean => !hasRequest(instance, name);
    return { ...result, stream: result.stream.pipeThrough(checked(isUnseen, timer, silence)) };
  } catch (error) {
    clearTimeout(timer);
    throw error;
  }
}

function silenceLimit(instance: Instance, name: string): Readonly<{ signal: AbortSignal; timer: NodeJS.Timeout }> {
  const gone = new AbortController();
  const limitMs = instance.companion.limits().firstTokenTimeoutMs;
  const timer = setTimeout(() => {
    if (!instance.isGone && !hasRequest(instance, name)) gone.abort(new Error(`${SILENT} ${limitMs} ms`));
  }, limitMs);
  return { signal: gone.signal, timer: timer.unref() };
}

function checked(
  isUnseen: () => boolean,
  timer: NodeJS.Timeout,
  silence: Promise<never>,
): TransformStream<StreamPart, StreamPart> {
  let hasContent = false;
  return new TransformStream({
    start(controller) {
      silence.catch((error) => controller.error(error));
    },
    transform(part, controller) {
      hasContent ||= CONTENT.test(part.type);
      if (hasContent) clearTimeout(timer);
      if (part.type === 'finish' && !hasContent && isUnseen()) controller.error(new Error(EMPTY));
      else controller.enqueue(part);
    },
    flush: () => clearTimeout(timer),
  });
}
