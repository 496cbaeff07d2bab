import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { many, type Place, type Shape } from './place';
import { FOLDERS, SOURCES, type Source } from './sources';

type Fault = Readonly<{
  name: string;
  make(place: Place, source: Source): Promise<unknown>;
  /** True if the text is wrong, not the file: its owner reports it. */
  isText?: boolean;
  /** Needs no report. */
  isQuiet?: boolean;
  /** The folder of agents may contain folders. */
  isFolder?: boolean;
}>;

/** A file outside that would apply if it were read. */
async function lure({ outside }: Place, { path, good }: Source): Promise<string> {
  const target = join(outside, basename(path));
  await mkdir(outside, { recursive: true });
  await writeFile(target, good('p0/m1'));
  return target;
}

const FAULTS: readonly Fault[] = [
  { name: 'a link out', make: async (at, source) => at.link(source.path, await lure(at, source)) },
  {
    name: 'a relative link out',
    make: async (at, source) =>
      at.link(source.path, relative(join(at.project, dirname(source.path)), await lure(at, source))),
  },
  {
    name: 'a link to a link out',
    async make(at, source) {
      await at.link('inner', await lure(at, source));
      await at.link(source.path, join(at.project, 'inner'));
    },
  },
  {
    name: 'a file in a folder that is a link out',
    async make(at, source) {
      await lure(at, source);
      await at.link('vendor', at.outside);
      await at.link(source.path, join(at.project, 'vendor', basename(source.path)));
    },
  },
  { name: 'a link to nothing out there', make: (at, { path }) => at.link(path, join(at.outside, 'nothing')) },
  { name: 'a link to nothing', make: (at, { path }) => at.link(path, join(at.project, 'nothing')), isQuiet: true },
  { name: 'a link to itself', make: (at, { path }) => at.link(path, basename(path)) },
  {
    name: 'one of two links to each other',
    async make(at, { path }) {
      await at.link('other', join(at.project, path));
      await at.link(path, join(at.project, 'other'));
    },
  },
  {
    name: 'the last of fifty links',
    async make(at, source) {
      await at.put('end', source.good('p0/m1'));
      for (let n = 0; n < 50; n++) await at.link(`l${n}`, n === 0 ? 'end' : `l${n - 1}`);
      await at.link(source.path, join(at.project, 'l49'));
    },
  },
  { name: 'an endless device', make: (at, { path }) => at.link(path, '/dev/zero') },
  { name: 'a device that waits', make: (at, { path }) => at.link(path, '/dev/tty') },
  { name: 'a file of the kernel', make: (at, { path }) => at.link(path, '/proc/self/environ') },
  { name: 'a pipe', make: (at, { path }) => at.pipe(path) },
  { name: 'a socket', make: (at, { path }) => at.socket(path) },
  { name: 'a folder', make: (at, { path }) => at.put(`${path}/x`, ''), isFolder: true },
  { name: 'a byte too long', make: (at, { path, good }) => at.put(path, good('p0/m1').padEnd(131_073)) },
  { name: '8 GiB', make: (at, { path }) => at.sparse(path, 2 ** 33) },
  {
    name: 'UTF-16',
    make: (at, { path, good }) => at.put(path, Buffer.from(`\ufeff${good('p0/m1')}`, 'utf16le')),
  },
  { name: 'no text', make: (at, { path }) => at.put(path, Uint8Array.of(0x7b, 0xff, 0xfe, 0x00, 0x7d)) },
  { name: 'nothing but zeros', make: (at, { path }) => at.put(path, new Uint8Array(100_000)), isText: true },
  { name: 'empty', make: (at, { path }) => at.put(path, ''), isText: true },
  { name: 'nested without end', make: (at, { path }) => at.put(path, '['.repeat(120_000)), isText: true },
  {
    name: 'nested in objects',
    make: (at, { path }) => at.put(path, `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
    isText: true,
  },
  { name: 'a list', make: (at, { path }) => at.put(path, '[["a"]]'), isText: true },
  { name: 'cut off', make: (at, { path, good }) => at.put(path, good('p0/m1').slice(0, 12)), isText: true },
  { name: 'one long line', make: (at, { path }) => at.put(path, `{"${'a'.repeat(130_000)}`), isText: true },
  { name: 'a comment without end', make: (at, { path }) => at.put(path, `/*${'*'.repeat(130_000)}`), isText: true },
];

/** Number of files that OpenCode does not read; they come first. */
const OURS = SOURCES.filter(({ isOpenCodes }) => !isOpenCodes).length;

const FILE_SHAPES: readonly Shape[] = SOURCES.flatMap((source, row) =>
  FAULTS.map(({ name, make, isText = false, isQuiet = false, isFolder = false }, column) => ({
    name: `${source.path} is ${name}`,
    make: (place: Place) => make(place, source),
    isTold: !isQuiet && (!isText || source.isOurs) && !(isFolder && source.path.endsWith('.md')),
    isOpenCodes: source.isOpenCodes,
    // Each fault in one file that OpenCode does not read and in one that it does.
    isChosen: row === column % OURS || row === OURS + (column % (SOURCES.length - OURS)),
  })),
);

const FOLDER_FAULTS: readonly Readonly<{ name: string; make(place: Place, path: string): Promise<unknown> }>[] = [
  {
    name: 'a link out',
    async make(at, path) {
      for (const source of SOURCES.filter((each) => each.path.startsWith(`${path}/`))) {
        const target = join(at.outside, relative(path, source.path));
        await mkdir(dirname(target), { recursive: true });
        await writeFile(target, source.good('p0/m1'));
      }
      await at.link(path, at.outside);
    },
  },
  { name: 'a link to the whole system', make: (at, path) => at.link(path, '/') },
  { name: 'a link to /proc', make: (at, path) => at.link(path, '/proc') },
  { name: 'a link to itself', make: (at, path) => at.link(path, basename(path)) },
  { name: 'a link to the project', make: (at, path) => at.link(path, at.project) },
  { name: 'a file', make: (at, path) => at.put(path, '{}') },
  { name: 'a pipe', make: (at, path) => at.pipe(path) },
  { name: 'a socket', make: (at, path) => at.socket(path) },
  {
    name: 'closed',
    async make(at, path) {
      await at.put(`${path}/build.md`, '');
      await chmod(join(at.project, path), 0o000);
    },
  },
  {
    name: 'full',
    make: (at, path) => Promise.all(many(1_500, (n) => writeInto(at, `${path}/f${n}/`, `n${n}.txt`))),
  },
  { name: 'deep', make: (at, path) => at.put(`${path}/${many(100, () => 'd').join('/')}/build.md`, '') },
  {
    name: 'full of links to itself',
    async make(at, path) {
      for (let n = 0; n < 40; n++) await at.link(`${path}/l${n}`, '.');
    },
  },
];

async function writeInto({ project }: Place, folder: string, name: string): Promise<void> {
  await mkdir(join(project, folder), { recursive: true });
  await writeFile(join(project, folder, name), '');
}

const FOLDER_SHAPES: readonly Shape[] = FOLDERS.flatMap(({ path, isOpenCodes }) =>
  FOLDER_FAULTS.map(({ name, make }) => ({
    name: `${path} is ${name}`,
    make: (place: Place) => make(place, path),
    isOpenCodes,
    isChosen: true,
  })),
);

/** All objects that may be in place of a file or folder that is read; none is applied. */
export const PLACE_SHAPES: readonly Shape[] = [...FILE_SHAPES, ...FOLDER_SHAPES];
