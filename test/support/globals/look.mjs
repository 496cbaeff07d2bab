// Plain JavaScript, because OpenCode loads it as well.
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';

/** Modules whose exports a library could replace for the whole process. */
const MODULES =
  'async_hooks buffer child_process crypto dns events fs fs/promises http https module net os path perf_hooks stream timers tls url util zlib';
/** Compared levels of own properties: a global, its `prototype`, and a method of that. */
const DEPTH = 3;
/** Lists of loaded modules, and a stream that Bun opens on inspection. */
const SKIPPED = ['node:module._cache', 'process.moduleLoadList', 'globalThis.process.stdin'];
/** Intrinsic objects without a global name. */
const HIDDEN = {
  TypedArray: Object.getPrototypeOf(Int8Array),
  AsyncFunction: Object.getPrototypeOf(async () => undefined),
  GeneratorFunction: Object.getPrototypeOf(function* () {}),
  AsyncGeneratorFunction: Object.getPrototypeOf(async function* () {}),
  ArrayIterator: Object.getPrototypeOf([].values()),
};
const require = createRequire(import.meta.url);
const modules = new Map(MODULES.split(' ').map((name) => [`node:${name}`, require(`node:${name}`)]));

/** Ids of values. Holds the values, because Bun creates a new function for a collected native getter. */
const ids = new Map();

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

/** @returns the same text for the same value of this process. */
function nameOf(value) {
  if (!isObject(value)) return typeof value === 'string' ? JSON.stringify(value) : String(value);
  if (!ids.has(value)) ids.set(value, ids.size);
  return `${typeof value} ${ids.get(value)}`;
}

const describe = ({ value, get, set, ...flags }) =>
  [get || set ? `get ${nameOf(get)} set ${nameOf(set)}` : nameOf(value), JSON.stringify(flags)].join(' ');

/** @returns globals of this process, as texts by path. */
export function lookAtGlobals() {
  const seen = new Set();
  const found = new Map();
  const walk = (path, owner, depth) => {
    if (seen.has(owner)) return;
    seen.add(owner);
    found.set(`${path}.[[Prototype]]`, nameOf(Object.getPrototypeOf(owner)));
    if (owner instanceof Map || owner instanceof Set) found.set(`${path}.[[Size]]`, String(owner.size));
    for (const key of Reflect.ownKeys(owner)) {
      if (SKIPPED.includes(`${path}.${String(key)}`)) continue;
      const descriptor = Object.getOwnPropertyDescriptor(owner, key);
      found.set(`${path}.${String(key)}`, describe(descriptor));
      if (isObject(descriptor.value) && depth > 1) walk(`${path}.${String(key)}`, descriptor.value, depth - 1);
    }
  };
  // The first read of a lazy property replaces its getter.
  for (const owner of [globalThis, ...modules.values()]) for (const key of Reflect.ownKeys(owner)) void owner[key];
  walk('globalThis', globalThis, DEPTH);
  for (const [name, value] of Object.entries(HIDDEN)) walk(name, value, DEPTH);
  for (const [name, exports] of modules) walk(name, exports, DEPTH);
  walk('process', process, 2);
  for (const name of ['exitCode', 'title']) found.set(`process.${name}`, nameOf(process[name]));
  found.set('process.cwd()', process.cwd());
  found.set('defaultMaxListeners', nameOf(EventEmitter.defaultMaxListeners));
  for (const name of process.eventNames())
    found.set(`process.on(${String(name)})`, process.rawListeners(name).map(nameOf).join());
  return found;
}

/** @returns `added`, `removed` or `changed` with each differing path; nothing below such a path. */
export function differences(before, after) {
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  const isBelow = (path) => paths.some((other) => path.startsWith(`${other}.`));
  const verb = (path) => (before.has(path) ? (after.has(path) ? 'changed' : 'removed') : 'added');
  return paths
    .filter((path) => !isBelow(path))
    .map((path) => `${verb(path)} ${path}`)
    .sort();
}
