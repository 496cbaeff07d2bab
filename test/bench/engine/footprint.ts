import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundled, codeOf } from '../../engine/bundled';
import { type BenchRow, type Measured, rowOf } from '../bench-row';
import { inOwnProcess } from './own-process';
import type { Subject, Weight } from './weigh';
import { COCKATIEL, OPOSSUM, opossumFolder } from './wrappers';

/** What the engine weighs in memory and on the wire, and the timers it keeps, beside its peers. */
export async function footprintRows(): Promise<readonly BenchRow[]> {
  const peer = await opossumFolder().catch((error: Error) => error);
  const folder = peer instanceof Error ? '' : peer;
  const weights: (readonly [string, Weight])[] = [
    ['our engine, a model', await weightOf('engine')],
    ['our createFallback', await weightOf('face')],
    [COCKATIEL, await weightOf('cockatiel')],
  ];
  if (folder !== '') weights.push([OPOSSUM, await weightOf('opossum', folder)]);
  const sizes: (readonly [string, string])[] = [
    ['our engine', resolve('src/engine/index.ts')],
    ['our createFallback, engine included', resolve('src/engine/fallback/create-fallback.ts')],
    [COCKATIEL, resolve('node_modules/cockatiel/dist/esm/index.js')],
  ];
  return [
    ...weights.map(memoryRow),
    ...weights.map(timersRow),
    ...(await Promise.all(sizes.map(sizeRow))),
    ...(peer instanceof Error ? [{ name: `${OPOSSUM}: memory, timers`, why: peer.message }] : []),
  ];
}

const weightOf = (subject: Subject, folder = ''): Promise<Weight> => inOwnProcess<Weight>('weigh', subject, folder);

function memoryRow([name, { count, bytesEach }]: readonly [string, Weight], at: number): Measured {
  const note = `of ${count.toLocaleString('en')}`;
  return rowOf(`${name}: memory`, 'B', [bytesEach], at === 0 ? { target: 512, note } : { note });
}

function timersRow([name, { count, timers }]: readonly [string, Weight], at: number): Measured {
  const note = `of ${count.toLocaleString('en')}`;
  return rowOf(`${name}: timers while idle`, 'timers', [timers], at < 2 ? { target: 0, note } : { note });
}

async function sizeRow([name, entry]: readonly [string, string]): Promise<Measured> {
  const sizeBytes = gzipSync(codeOf(await bundled(entry))).length;
  return rowOf(`${name}: bundle, minified and gzipped`, 'kB', [sizeBytes / 1_000]);
}
