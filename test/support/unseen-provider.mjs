// A provider package that bypasses fetch wrappers by using node:http.
import { request } from 'node:http';

/** OpenCode calls the first export that begins with "create". */
export function createUnseen({ baseURL }) {
  return { languageModel: (modelId) => modelOf(baseURL, modelId) };
}

function modelOf(baseURL, modelId) {
  const ask = async ({ abortSignal: signal }) => {
    const url = `${baseURL}/chat/completions`;
    const { status, headers, body } = await post(url, { body: { model: modelId, stream: true }, signal });
    if (status >= 400) throw failureOf(status, headers, body);
    return body;
  };
  return {
    specificationVersion: 'v3',
    provider: 'unseen',
    modelId,
    supportedUrls: {},
    doGenerate: async (call) => ({ ...END, content: [{ type: 'text', text: textIn(await ask(call)) }], warnings: [] }),
    async doStream(call) {
      const text = textIn(await ask(call));
      const parts = [
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: text },
        { type: 'text-end', id: '1' },
        { type: 'finish', ...END },
      ];
      const stream = new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      return { stream };
    },
  };
}

const END = {
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
};

const textIn = (body) =>
  [...body.matchAll(/^data: (\{.*\})$/gm)]
    .map(([, json]) => JSON.parse(json).choices?.[0]?.delta?.content ?? '')
    .join('');

function failureOf(statusCode, responseHeaders, responseBody) {
  const message = JSON.parse(responseBody).error?.message ?? 'failed';
  const isRetryable = statusCode === 429 || statusCode >= 500;
  const marks = { [Symbol.for('vercel.ai.error')]: true, [Symbol.for('vercel.ai.error.AI_APICallError')]: true };
  const said = { statusCode, responseHeaders, responseBody, isRetryable, url: 'unseen', requestBodyValues: {} };
  return Object.assign(new Error(message), { name: 'AI_APICallError', ...marks, ...said });
}

function post(url, { body, signal }) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(url, { method: 'POST', headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    signal?.addEventListener('abort', () => {
      sent.destroy();
      reject(signal.reason);
    });
    sent.end(JSON.stringify(body));
  });
}
