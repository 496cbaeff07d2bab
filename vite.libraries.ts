import type { Plugin } from 'vite';

/**
 * What libraries bring along that has no place in Understudy, or in the process of somebody else that it runs in, and what stands in
 * for it. Texts of CommonJS modules.
 */
const NOTHING = 'module.exports = {};';

/**
 * proper-lockfile brings helpers that change the process they run in: `fs` itself, `process.emit` and what a signal does.
 * OpenCode's process is not ours, and a lock that is left behind grows stale anyway.
 */
export const WITHOUT_SIDE_EFFECTS: Plugin = {
  name: 'without-side-effects',
  enforce: 'pre',
  resolveId: (id) =>
    id === 'graceful-fs' ? { id: 'node:fs', external: true } : id === SIGNAL_EXIT ? SIGNAL_EXIT : null,
  load: (id) => (id === SIGNAL_EXIT ? 'module.exports = () => () => undefined;' : null),
};
const SIGNAL_EXIT = 'signal-exit';

/**
 * The library for MCP checks what tools answer by compiling their schemas, which is a third of it. Understudy reads text alone, and gives it
 * something that checks nothing.
 */
export const WITHOUT_AJV: Plugin = {
  name: 'without-ajv',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith(AJV) ? AJV : null),
  load: (id) => (id === AJV ? 'export class AjvJsonSchemaValidator {}' : null),
};
const AJV = '/validation/ajv-provider.js';

/**
 * iovalkey writes to the terminal what it sends, passwords too, where somebody has set `DEBUG` for something else: it gets a `debug` that
 * is never on. Clusters and sentinels, of which a fleet has none, are a third of it, and an engine reads all text at its start.
 */
export const PLAIN_IOVALKEY: Plugin = {
  name: 'plain-iovalkey',
  enforce: 'pre',
  resolveId: (id, importer) =>
    importer !== undefined && IOVALKEY.test(importer) && id in INSTEAD ? `\0${IOVALKEY_INSTEAD}${id}` : null,
  load: (id) =>
    id.startsWith(`\0${IOVALKEY_INSTEAD}`) ? (INSTEAD[id.slice(IOVALKEY_INSTEAD.length + 1)] ?? null) : null,
};
const IOVALKEY = /[\\/]iovalkey[\\/]built[\\/]/;
const IOVALKEY_INSTEAD = 'in-iovalkey:';
const QUIET = `const quiet = () => Object.assign(() => undefined, { enabled: false });
module.exports = Object.assign(quiet, { default: quiet });`;
const INSTEAD: Readonly<Record<string, string>> = {
  debug: QUIET,
  './cluster': NOTHING,
  './SentinelConnector': NOTHING,
  './connectors/SentinelConnector': NOTHING,
};
