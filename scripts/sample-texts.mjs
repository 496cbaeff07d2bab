// `node scripts/sample-texts.mjs sentences|german|comments|names [SEED] [COUNT]`: draws texts for a new reader.
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { textsOf } from './plain-english.mjs';

const DEFAULT_COUNT = 100;

/** @returns `count` items in the order of a seeded shuffle (mulberry32, then Fisher-Yates). */
export function draw(items, seed, count = DEFAULT_COUNT) {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const drawn = [...items];
  for (let last = drawn.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [drawn[last], drawn[other]] = [drawn[other], drawn[last]];
  }
  return drawn.slice(0, count);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [kind = 'sentences', seed = '1', count = String(DEFAULT_COUNT)] = process.argv.slice(2);
  for (const { path, text } of draw(textsOf(kind), Number(seed), Number(count))) console.log(`${path}: ${text}`);
}
