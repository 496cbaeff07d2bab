import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bundled, codeOf } from './bundled';

/**
 * What a browser may pay for the engine, in bytes after gzip. The house style starts at 16 kB; budgets, questions, leases, accounts
 * and manual controls together need more, and so do the many shapes of what must not be kept, the limits that come near, what a person enters of them, limits per day or of nothing,
 * the shapes of 254 error bodies, and what a turn waits for.
 */
const GZIP_MAX_BYTES = 39_800;
const ENGINE = resolve('src/engine');

describe('given the engine bundled for a browser', () => {
  it(`when it is built, then it imports nothing and is at most ${GZIP_MAX_BYTES} bytes after gzip`, async () => {
    const chunks = await bundled(join(ENGINE, 'index.ts'));
    expect(
      chunks.map(({ imports, dynamicImports, exports }) => [imports, dynamicImports, exports.includes('step')]),
    ).toEqual([[[], [], true]]);
    const sizeBytes = gzipSync(codeOf(chunks)).length;
    expect(sizeBytes, `the engine is ${sizeBytes} bytes after gzip`).toBeLessThanOrEqual(GZIP_MAX_BYTES);
  }, 180_000);
});

describe('given the sources of the engine', () => {
  const sources = readdirSync(ENGINE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

  it('when they are read, then none asks a clock, chance, a timer or its host', () => {
    const hits = sources.flatMap((name) => {
      const text = readFileSync(join(ENGINE, name), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      const hit =
        /\bDate\b\s*[.(]|\bnew Date\b|Math\.random|\bset(?:Timeout|Interval)\b|\bprocess\.|\bperformance\.|(?<!typeof )\bglobalThis\b/.exec(
          text,
        );
      return hit ? [`${name}: ${hit[0]}`] : [];
    });
    expect([sources.length > 20, hits]).toEqual([true, []]);
  });

  it('when their imports are read, then all stay inside the engine', () => {
    const outside = sources.flatMap((name) => {
      const text = readFileSync(join(ENGINE, name), 'utf8');
      const paths = [...text.matchAll(/from '([^']+)'/g)].map(([, path]) => path ?? '');
      return paths
        .filter((path) => !path.startsWith('.') || !resolve(ENGINE, name, '..', path).startsWith(ENGINE))
        .map((path) => `${name}: ${path}`);
    });
    expect(outside).toEqual([]);
  });
});
