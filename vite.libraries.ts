import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { minifySync, normalizePath, type Plugin, runnerImport } from 'vite';

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
  resolveId: (id) => (id in HARMLESS ? id : null),
  load: (id) => HARMLESS[id] ?? null,
};
const HARMLESS: Readonly<Record<string, string>> = {
  // The library caches the precision of a disk on this object.
  'graceful-fs': 'module.exports = Object.create(require("node:fs"));',
  'signal-exit': 'module.exports = () => () => undefined;',
  // prom-client needs it for default metrics, and the panel has none.
  '@opentelemetry/api': NOTHING,
};

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

/** The same library signs people in by OAuth, which Understudy, that sends a token of the user's at most, never asks of it. */
export const WITHOUT_OAUTH: Plugin = {
  name: 'without-oauth',
  enforce: 'pre',
  resolveId: (id, importer) => (id === './auth.js' && importer?.endsWith(STREAMABLE) ? OAUTH : null),
  load: (id) =>
    id === OAUTH
      ? `export class UnauthorizedError extends Error {}
export const auth = () => Promise.reject(new UnauthorizedError('Nobody is signed in here'));
export const extractWWWAuthenticateParams = () => ({});`
      : null,
};
const STREAMABLE = '/client/streamableHttp.js';
const OAUTH = '\0no-oauth';

/**
 * iovalkey writes to the terminal what it sends, passwords too, where somebody has set `DEBUG` for something else: it gets a `debug` that
 * is never on. An engine reads all text at its start, and half of that is of no use here: clusters and sentinels, of which a fleet has none,
 * the list of all commands there are, and what was written for engines of before.
 */
export const PLAIN_IOVALKEY: Plugin = {
  name: 'plain-iovalkey',
  enforce: 'pre',
  resolveId: (id, importer) =>
    // What ends like the name of a file of JSON is read as that.
    importer !== undefined && IOVALKEY.test(importer) && id in INSTEAD ? `\0${IOVALKEY_INSTEAD}${id}#` : null,
  load: (id) =>
    id.startsWith(`\0${IOVALKEY_INSTEAD}`) ? (INSTEAD[id.slice(IOVALKEY_INSTEAD.length + 1, -1)] ?? null) : null,
};
const IOVALKEY = /[\\/]iovalkey[\\/]built[\\/]|[\\/]@iovalkey[\\/]commands[\\/]/;
const IOVALKEY_INSTEAD = 'in-iovalkey:';
const QUIET = `const quiet = () => Object.assign(() => undefined, { enabled: false });
module.exports = Object.assign(quiet, { default: quiet });`;
/** What the library itself sends, and what a fleet asks of it by name. */
const COMMANDS = ['auth', 'client', 'eval', 'evalsha', 'info', 'quit', 'script', 'select', 'subscribe', 'unsubscribe'];
const commandsKept = (): string => {
  const path = createRequire(createRequire(import.meta.url).resolve('iovalkey')).resolve('@iovalkey/commands');
  const all = JSON.parse(readFileSync(join(dirname(path), 'commands.json'), 'utf8')) as Record<string, unknown>;
  const missing = COMMANDS.filter((name) => !(name in all));
  if (missing.length > 0) throw new TypeError(`iovalkey knows no command ${missing.join(', ')}.`);
  return `module.exports = ${JSON.stringify(Object.fromEntries(COMMANDS.map((name) => [name, all[name]])))};`;
};
const INSTEAD: Readonly<Record<string, string>> = {
  debug: QUIET,
  './commands.json': commandsKept(),
  'cluster-key-slot': NOTHING,
  'lodash.isarguments': `module.exports = (value) => Object.prototype.toString.call(value) === '[object Arguments]';`,
  'lodash.defaults': `module.exports = (object, ...sources) => {
  for (const source of sources)
    for (const key in source) if (object[key] === undefined) object[key] = source[key];
  return object;
};`,
  './cluster': NOTHING,
  './SentinelConnector': NOTHING,
  './connectors/SentinelConnector': NOTHING,
};

/**
 * Gives a bundle its own zod configuration and registry: zod's are on `globalThis`, where OpenCode's zod reads them. Schemas are
 * interpreted, because the panel's content security policy forbids compiled ones. Source: ADR 0077.
 *
 * @throws Error when the text of zod has changed.
 */
export const OWN_ZOD: Plugin = {
  name: 'own-zod',
  enforce: 'pre',
  transform(code, id) {
    const edits = Object.entries(ZOD_EDITS).find(([file]) => normalizePath(id).endsWith(file))?.[1];
    return edits?.reduce((text, [from, to]) => replacedOnce(text, from, to), code);
  },
};
const CONFIG = 'globalThis.__zod_globalConfig';
const REGISTRY = 'globalThis.__zod_globalRegistry';
/** Replacements by the end of a file's path. */
const ZOD_EDITS: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  '/zod/v4/core/core.js': [
    ['(_a = globalThis).__zod_globalConfig ?? (_a.__zod_globalConfig = {});', ''],
    [`export const globalConfig = ${CONFIG};`, 'export const globalConfig = { jitless: true };'],
    [`${CONFIG}?.postProcessor`, 'globalConfig.postProcessor'],
  ],
  '/zod/v4/core/registries.js': [
    ['(_a = globalThis).__zod_globalRegistry ?? (_a.__zod_globalRegistry = registry());', ''],
    [`export const globalRegistry = ${REGISTRY};`, 'export const globalRegistry = registry();'],
  ],
};
const replacedOnce = (text: string, from: string, to: string): string => {
  const parts = text.split(from);
  if (parts.length !== 2)
    throw new Error(`zod has changed: expected "${from}" once, found it ${parts.length - 1} times.`);
  return parts.join(to);
};

/** Replaces the preload script's lists of names, which come from the contract, by their values: a window needs no schemas. */
export const NAMES_ALONE = {
  name: 'names-alone',
  enforce: 'pre',
  async load(id: string): Promise<string | null> {
    if (!normalizePath(id).endsWith('/src/preload/names.ts')) return null;
    const { module } = await runnerImport<Readonly<Record<string, readonly string[]>>>(id);
    return Object.entries(module)
      .map(([name, values]) => `export const ${name} = ${JSON.stringify(values)};`)
      .join('\n');
  },
} as const satisfies Plugin;
/**
 * markdown-it without its parts for links, raw HTML and typography, all of which `src/features/council/core/report-html.ts` disables, and
 * without tables of named entities: reports have only the names that `rules/report/escape.ts` writes. The rest has short names, since
 * only a report needs it.
 */
export const SMALL_MARKDOWN: Plugin = {
  name: 'small-markdown',
  enforce: 'pre',
  resolveId: (id, importer) =>
    importer !== undefined && MARKDOWN.test(normalizePath(importer)) && id in FOR_MARKDOWN ? `\0markdown:${id}` : null,
  load(id) {
    if (id.startsWith('\0markdown:')) return FOR_MARKDOWN[id.slice('\0markdown:'.length)] ?? null;
    return DISABLED_RULES.test(normalizePath(id)) ? NO_RULE : null;
  },
  transform: (code, id) => (MARKDOWN.test(normalizePath(id)) ? minifySync(id, code, { module: true }).code : null),
};
const MARKDOWN = /\/markdown-it\/lib\//;
const DISABLED_RULES =
  /\/markdown-it\/lib\/rules_(?:core\/(?:linkify|replacements|smartquotes)|block\/(?:html_block|lheading|reference)|inline\/(?:autolink|html_inline|image|link|linkify|strikethrough))\.mjs$/;
const NO_RULE = `const rule = () => false;
export default Object.assign(rule, { tokenize: rule, postProcess: rule });`;
const FOR_MARKDOWN: Readonly<Record<string, string>> = {
  'linkify-it': 'export default class {}',
  mdurl: 'export const [parse, format, encode, decode] = Array(4).fill((text) => text);',
  'punycode.js': 'export default {};',
  'uc.micro': 'export const P = /\\p{P}/u, S = /\\p{S}/u;',
  entities: `const NAMES = { lt: '<', gt: '>', amp: '&', quot: '"' };
export const decodeHTML = (text) => text.replace(/&(lt|gt|amp|quot);/g, (_, name) => NAMES[name]);
export const decodeHTMLStrict = decodeHTML;`,
};
