import type { ProbePort } from '../../core/ports/ports';

/** Whether a model answered one smallest request, why not, and how long it took, OpenCode's start included, in ms. */
export type ModelAnswer = Readonly<{ answered: boolean; reason: string | null; ms: number }>;

/** What has been heard so far. */
export type RefreshProgress = Readonly<{ model: string; answer: ModelAnswer; done: number; total: number }>;

export type RefreshOptions = Readonly<{
  /** As `provider/model`. */
  models: readonly string[];
  /** The project they are asked from; null for none. */
  directory: string | null;
  probe: ProbePort;
  signal?: AbortSignal;
  onProgress?(progress: RefreshProgress): void;
}>;

/**
 * Asks models one after another whether they answer, each by one real request, which costs what a few words cost. Stopped, it
 * asks no further one, and gives what it has heard until then; the request under way comes to its own end, unheard.
 */
export async function refreshModels({
  models,
  directory,
  probe,
  signal,
  onProgress,
}: RefreshOptions): Promise<ReadonlyMap<string, ModelAnswer>> {
  const asked = [...new Set(models)];
  const heard = new Map<string, ModelAnswer>();
  const stopped = new Promise<null>((resolve) => {
    if (signal?.aborted) resolve(null);
    signal?.addEventListener('abort', () => resolve(null), { once: true });
  });
  for (const model of asked) {
    if (signal?.aborted) break;
    const result = await Promise.race([probe({ model, directory }), stopped]);
    if (result === null) break;
    const answer = { answered: result.ok, reason: result.ok ? null : result.reason, ms: result.tookMs };
    heard.set(model, answer);
    onProgress?.({ model, answer, done: heard.size, total: asked.length });
  }
  return heard;
}
