import { appendFileSync } from 'node:fs';

/**
 * The companion of OpenCode 1 with a mark at each of its borders: its hooks, both sides of its fetch, and the message that it
 * has OpenCode rewrite. When the request after a failed one leaves, a line of `file` gets the time spent inside, in ms.
 */
export const marked = (companion, file) => {
  let failedAt = null;
  let spans = [];
  /** Null while OpenCode rewrites the message. */
  let begin = null;
  let isWrapped = false;
  const now = () => performance.now();
  const leave = () => {
    if (begin !== null) spans.push([begin, now()]);
    begin = null;
  };
  const isModels = (address) => String(address?.url ?? address).includes('/chat/completions');
  const wrapInner = () => {
    const provider = globalThis.fetch;
    const inner = async (address, init) => {
      if (!isModels(address)) return provider(address, init);
      leave();
      if (failedAt !== null) appendFileSync(file, `${JSON.stringify(lengthOf(spans, failedAt, now()))}\n`);
      const response = await provider(address, init);
      begin = now();
      spans = [];
      failedAt = response.ok ? null : begin;
      return response;
    };
    globalThis.fetch = Object.assign(inner, provider);
  };
  const wrapOuter = () => {
    const ours = globalThis.fetch;
    const outer = async (address, init) => {
      if (!isModels(address)) return ours(address, init);
      begin = now();
      try {
        return await ours(address, init);
      } finally {
        leave();
      }
    };
    globalThis.fetch = Object.assign(outer, ours);
  };
  const timed = ([name, hook]) => [
    name,
    (...args) => {
      const from = now();
      if (args[0]?.event?.type === 'message.updated') begin ??= from;
      const end = () => void spans.push([from, now()]);
      const result = hook(...args);
      // OpenCode waits for no answer to an event.
      if (name !== 'event' && typeof result?.then === 'function') return result.finally(end);
      end();
      return result;
    },
  ];
  return {
    id: 'marked',
    async server(input) {
      const isFirst = !isWrapped;
      isWrapped = true;
      if (isFirst) wrapInner();
      const { session } = input.client;
      const prompt = session.prompt.bind(session);
      session.prompt = (...args) => {
        leave();
        return prompt(...args);
      };
      const hooks = await companion.server(input);
      if (isFirst) wrapOuter();
      return Object.fromEntries(Object.entries(hooks).map(timed));
    },
  };
};

/** How much of a time some spans cover together. */
function lengthOf(spans, from, to) {
  let length = 0;
  let covered = from;
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    length += Math.max(0, Math.min(end, to) - Math.max(start, covered));
    covered = Math.max(covered, Math.min(end, to));
  }
  return length;
}
