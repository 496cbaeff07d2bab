import { appendFileSync } from 'node:fs';

/**
 * The companion's part of a plugin for OpenCode 1, with a mark at each border of it: the hooks that OpenCode waits for, and both
 * sides of its fetch. Once the request after a failed one leaves, a line of `file` gets the time that went by inside, in ms.
 */
export const marked = (companion, file) => ({
  id: 'marked',
  async server(input) {
    let failedAt = null;
    let spans = [];
    let begin = 0;
    const now = () => performance.now();
    const isModels = (address) => String(address?.url ?? address).includes('/chat/completions');
    const provider = globalThis.fetch;
    const inner = async (address, init) => {
      if (!isModels(address)) return provider(address, init);
      spans.push([begin, now()]);
      if (failedAt !== null) appendFileSync(file, `${JSON.stringify(lengthOf(spans, failedAt, now()))}\n`);
      const response = await provider(address, init);
      begin = now();
      spans = [];
      failedAt = response.ok ? null : begin;
      return response;
    };
    globalThis.fetch = Object.assign(inner, provider);
    const hooks = await companion.server(input);
    const ours = globalThis.fetch;
    const outer = async (address, init) => {
      if (!isModels(address)) return ours(address, init);
      begin = now();
      try {
        return await ours(address, init);
      } finally {
        spans.push([begin, now()]);
      }
    };
    globalThis.fetch = Object.assign(outer, ours);
    const timed = ([name, hook]) => [
      name,
      (...args) => {
        const from = now();
        const end = () => void spans.push([from, now()]);
        const result = hook(...args);
        // OpenCode waits for no answer to an event.
        if (name !== 'event' && typeof result?.then === 'function') return result.finally(end);
        end();
        return result;
      },
    ];
    return Object.fromEntries(Object.entries(hooks).map(timed));
  },
});

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
