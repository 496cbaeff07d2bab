import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const model = (body: string): string =>
  `export const createMade = () => ({ languageModel: (modelId) => ({
    specificationVersion: 'v3', provider: 'made', modelId, supportedUrls: {}, ...{ ${body} } }) });`;

/** Sources of provider packages that fail without a request; null for a missing file. */
const PACKAGES = {
  'is absent': null,
  'throws when it is loaded': 'throw new Error("made-up fault of the package");',
  'does not have the model':
    'export const createMade = () => ({ languageModel(id) { throw new Error("Unknown model ID: " + id); } });',
  'throws an error of its own': model(
    'doStream: async () => { throw new Error("claude process exited with code 1"); }',
  ),
  'throws an error of the API': model(`doStream: async () => {
    const marks = { [Symbol.for('vercel.ai.error')]: true, [Symbol.for('vercel.ai.error.AI_APICallError')]: true };
    throw Object.assign(new Error('Too many requests'), { name: 'AI_APICallError', ...marks, statusCode: 429, isRetryable: true,
      responseHeaders: { 'retry-after': '42' }, url: 'made', requestBodyValues: {} });
  }`),
  'yields an error': model(`doStream: async () => ({ stream: new ReadableStream({ start(controller) {
    controller.enqueue({ type: 'stream-start', warnings: [] });
    controller.enqueue({ type: 'error', error: new Error('Claude usage limit reached') });
    controller.enqueue({ type: 'finish', finishReason: { unified: 'error', raw: 'error' },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 0 } } });
    controller.close();
  } }) })`),
  'begins a stream and falls silent': model(`doStream: async () => ({ stream: new ReadableStream({ start(controller) {
    controller.enqueue({ type: 'stream-start', warnings: [] });
  } }) })`),
  'answers nothing': model(`doStream: async () => ({ stream: new ReadableStream({ start(controller) {
    controller.enqueue({ type: 'stream-start', warnings: [] });
    controller.enqueue({ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 0 } } });
    controller.close();
  } }) })`),
  'never answers': model('doStream: () => new Promise(() => undefined)'),
} as const;
export type Fault = keyof typeof PACKAGES;
export const FAULTS = Object.keys(PACKAGES) as Fault[];
/** OpenCode cannot start a model with these. */
export const UNSTARTABLE: readonly Fault[] = ['is absent', 'throws when it is loaded', 'does not have the model'];

let written = 0;
export async function packageIn(folder: string, fault: Fault): Promise<string> {
  const path = join(folder, `package-${process.pid}-${++written}.mjs`);
  const source = PACKAGES[fault];
  if (source !== null) await writeFile(path, source);
  return pathToFileURL(path).href;
}
