export const PRELOAD_WORLD = 'preload';
/** Function through which the preload's world calls this process. */
export const BINDING = '__standInSend';

const TO_PAGE = '__standInToPage';
const FROM_PAGE = '__standInFromPage';

/**
 * Runs before any script of the page: builds the objects that the preload exposes, and can report a hidden window.
 * Values pass between worlds as JSON, functions as numbers.
 */
const MAIN_WORLD = `(() => {
  if (window.top !== window) return;
  let isHidden = false;
  Object.defineProperty(document, 'hidden', { get: () => isHidden });
  Object.defineProperty(document, 'visibilityState', { get: () => (isHidden ? 'hidden' : 'visible') });
  const functions = new Map(), waiting = new Map();
  let count = 0, returned;
  const wrap = (value) => {
    if (typeof value !== 'function') return { value };
    functions.set(++count, value);
    return { callback: count };
  };
  const unwrap = (packed) => {
    if (packed.promise !== undefined) return new Promise((...settle) => waiting.set(packed.promise, settle));
    if (packed.callback !== undefined) return call.bind(null, packed.callback);
    if (packed.thrown !== undefined) throw new Error(packed.thrown);
    return packed.value;
  };
  const call = (id, ...given) => {
    returned = { value: undefined };
    const detail = JSON.stringify({ id, given: given.map(wrap) });
    window.dispatchEvent(new CustomEvent('${FROM_PAGE}', { detail }));
    return unwrap(returned);
  };
  window.addEventListener('${TO_PAGE}', (event) => {
    const news = JSON.parse(event.detail);
    if (news.returned) returned = news.returned;
    if (news.settled) {
      const [resolve, reject] = waiting.get(news.settled) ?? [];
      waiting.delete(news.settled);
      if (news.error === undefined) resolve?.(news.value);
      else reject?.(new Error(news.error));
    }
    if (news.called) functions.get(news.called)?.(...news.given);
    if (news.hidden !== undefined) {
      isHidden = news.hidden;
      document.dispatchEvent(new Event('visibilitychange'));
    }
    if (news.exposed) {
      const api = Object.fromEntries(Object.entries(news.api).map(([name, packed]) => [name, unwrap(packed)]));
      Object.defineProperty(window, news.exposed, { value: Object.freeze(api), enumerable: true });
    }
  });
})();`;

const PRELOAD_START = `(() => {
  if (window.top !== window) return;
  const functions = new Map(), waiting = new Map(), listeners = new Map();
  let count = 0;
  const tell = (news) => window.dispatchEvent(new CustomEvent('${TO_PAGE}', { detail: JSON.stringify(news) }));
  const wrap = (value) => {
    if (typeof value === 'function') {
      functions.set(++count, value);
      return { callback: count };
    }
    if (!(value instanceof Promise)) return { value };
    const promise = ++count;
    value.then(
      (settled) => tell({ settled: promise, value: settled }),
      (error) => tell({ settled: promise, error: error.message }),
    );
    return { promise };
  };
  const unwrap = ({ callback, value }) =>
    callback === undefined ? value : (...given) => tell({ called: callback, given });
  window.addEventListener('${FROM_PAGE}', (event) => {
    const { id, given } = JSON.parse(event.detail);
    try {
      tell({ returned: wrap(functions.get(id)(...given.map(unwrap))) });
    } catch (error) {
      tell({ returned: { thrown: error.message } });
    }
  });
  const only = (name, parts) =>
    new Proxy(parts, {
      get(target, key) {
        if (Object.hasOwn(target, key)) return target[key];
        throw new TypeError('The stand-in has no ' + name + '.' + String(key) + '.');
      },
    });
  const ipcRenderer = {
    invoke: (channel, ...given) =>
      new Promise((resolve, reject) => {
        waiting.set(++count, { resolve, reject });
        globalThis.${BINDING}(JSON.stringify({ id: count, channel, given }));
      }),
    on: (channel, listener) => void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
    off: (channel, listener) =>
      void listeners.set(channel, (listeners.get(channel) ?? []).filter((other) => other !== listener)),
  };
  const contextBridge = {
    exposeInMainWorld: (exposed, api) =>
      tell({ exposed, api: Object.fromEntries(Object.entries(api).map(([name, part]) => [name, wrap(part)])) }),
  };
  globalThis.__standIn = {
    hide: (hidden) => tell({ hidden }),
    deliver: (channel, data) => (listeners.get(channel) ?? []).forEach((listener) => listener({}, data)),
    settle: (id, answer) => {
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      if (answer.error === undefined) resolve(answer.value);
      else reject(new Error(answer.error));
    },
  };
  const require = (name) => {
    if (name !== 'electron') throw new Error('module not found: ' + name);
    return only('electron', {
      contextBridge: only('contextBridge', contextBridge),
      ipcRenderer: only('ipcRenderer', ipcRenderer),
      webUtils: only('webUtils', { getPathForFile: () => '' }),
    });
  };
  const module = { exports: {} };
  ((require, module, exports) => {
`;

export function pageScripts(preload: string): Readonly<{ page: string; preload: string }> {
  return { page: MAIN_WORLD, preload: `${PRELOAD_START}${preload}\n})(require, module, module.exports);\n})();` };
}
