import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { build, normalizePath, type Plugin, type Rollup, type UserConfig } from 'vite';

const inPlugin = (path: string): string => normalizePath(resolve('src/plugin', path));
const inFeature = (path: string): string => normalizePath(resolve('src/features', path));

/** The generations of OpenCode: the entry loads one of them. */
const GENERATIONS = { opencode1: inPlugin('opencode1/plugin.ts'), opencode2: inPlugin('opencode2/plugin.ts') };
/** Modules that are loaded when a feature is used, by the name of their file. */
const LATER: Readonly<Record<string, string>> = {
  'council-opencode1': inFeature('council/plugin/opencode1/council.ts'),
  'council-opencode2': inFeature('council/plugin/opencode2/council.ts'),
  fleet: inFeature('fleet/plugin/fleet-part.ts'),
  reports: inPlugin('stores/report-writer.ts'),
  status: inPlugin('user/status-part.ts'),
};
/** Libraries that are loaded when they are used. */
const LIBRARIES: readonly (readonly [ending: string, file: string])[] = [
  ['/src/core/config/front-matter.ts', 'yaml'],
  ['/src/features/council/node/knowledge/client.ts', 'knowledge'],
  ['/iovalkey/built/index.js', 'valkey'],
];
const HASH_DIGITS = 12;

/**
 * Builds the generations and all they load into a folder beside the entry, which leads to it. Its name is the hash of its content:
 * two builds may share a version. Source: ADR 0092.
 *
 * @param banner the first line of each file. @param configFor gives the other options of such a build.
 */
export function inParts(banner: string, configFor: (plugins: readonly Plugin[]) => UserConfig): Plugin {
  let parts: readonly Part[] | null = null;
  let folder = '';
  return {
    name: 'in-parts',
    enforce: 'pre',
    async buildStart() {
      parts = await partsOf(banner, configFor);
      folder = `understudy-${hashOf(parts)}`;
    },
    async resolveId(source, importer) {
      const id = (await this.resolve(source, importer, { skipSelf: true }))?.id ?? '';
      const [name] = Object.entries(GENERATIONS).find(([, path]) => path === normalizePath(id)) ?? [];
      return name === undefined ? null : { id: `./${folder}/${name}.js`, external: 'relative' };
    },
    generateBundle: {
      order: 'post',
      handler() {
        for (const { fileName, source } of parts ?? [])
          this.emitFile({
            type: 'asset',
            fileName: fileName.endsWith('.js') ? `${folder}/${fileName}` : fileName,
            source,
          });
      },
    },
  };
}

type Part = Readonly<{ fileName: string; source: string | Uint8Array }>;

/** The program's files, the licences of its libraries among them. */
async function partsOf(
  banner: string,
  configFor: (plugins: readonly Plugin[]) => UserConfig,
): Promise<readonly Part[]> {
  const files = fileNames();
  const config = configFor([files.plugin]);
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'warn',
    build: {
      ...config.build,
      write: false,
      ssr: true,
      license: { fileName: 'third-party.md' },
      rolldownOptions: {
        ...config.build?.rolldownOptions,
        input: GENERATIONS,
        output: {
          ...config.build?.rolldownOptions?.output,
          banner,
          entryFileNames: '[name].js',
          chunkFileNames: ({ name, facadeModuleId }) => `${laterName(facadeModuleId) ?? name}.js`,
          codeSplitting: { groups: files.groups },
        },
      },
    },
  });
  const outputs = [built].flat().flatMap((result) => ('output' in result ? result.output : []));
  return outputs.map((output) =>
    output.type === 'chunk' ? { ...output, source: output.code } : { fileName: output.fileName, source: output.source },
  );
}

/** Which file each module goes to. All that both generations need at their start is `runtime.js`. */
function fileNames() {
  const reached = new Map<string, ReadonlySet<string>>();
  const isIn = (id: string, ...names: readonly string[]): boolean => names.some((name) => reached.get(name)?.has(id));
  const isEager = (id: string): boolean => isIn(id, 'opencode1', 'opencode2');
  const plugin: Plugin = {
    name: 'file-names',
    buildEnd() {
      const library = ([ending, file]: (typeof LIBRARIES)[number]) =>
        [file, [...this.getModuleIds()].find((id) => normalizePath(id).endsWith(ending)) ?? ''] as const;
      const starts = [...Object.entries({ ...GENERATIONS, ...LATER }), ...LIBRARIES.map(library)];
      for (const [name, start] of starts) {
        if (this.getModuleInfo(start) === null) throw new TypeError(`No module is the beginning of ${name}.js.`);
        reached.set(
          name,
          reachedFrom(start, (id) => this.getModuleInfo(id)?.importedIds ?? []),
        );
      }
    },
  };
  const groups = [
    { name: 'runtime', test: (id: string) => isIn(id, 'opencode1') && isIn(id, 'opencode2') },
    { name: 'opencode1', test: (id: string) => isIn(id, 'opencode1') && !isIn(id, 'opencode2') },
    { name: 'opencode2', test: (id: string) => isIn(id, 'opencode2') && !isIn(id, 'opencode1') },
    ...[...LIBRARIES.map(([, file]) => file), 'fleet', 'reports', 'status'].map((name) => ({
      name,
      test: (id: string) => isIn(id, name) && !isEager(id),
    })),
    {
      name: 'council',
      test: (id: string) =>
        isIn(id, 'council-opencode1', 'council-opencode2') &&
        !isEager(id) &&
        !Object.values(LATER).includes(normalizePath(id)),
    },
  ];
  return { plugin, groups };
}

const laterName = (id: string | null): string | undefined =>
  Object.entries(LATER).find(([, path]) => id !== null && path === normalizePath(id))?.[0];

/** A module and all that it imports, without what it loads later. */
function reachedFrom(start: string, importsOf: (id: string) => readonly string[]): ReadonlySet<string> {
  const reached = new Set([start]);
  // A set is walked on while it grows.
  for (const id of reached) for (const imported of importsOf(id)) reached.add(imported);
  return reached;
}

function hashOf(parts: readonly Part[]): string {
  const hash = createHash('sha256');
  for (const { fileName, source } of parts.toSorted((one, other) => (one.fileName < other.fileName ? -1 : 1)))
    hash.update(`${fileName}\n${source.length}\n`).update(source);
  return hash.digest('hex').slice(0, HASH_DIGITS);
}

/** The same program in ASCII alone: Bun takes each byte of a file that begins with `// @bun` for a letter. */
export const IN_ASCII: Plugin = {
  name: 'in-ascii',
  generateBundle: {
    // A printer that runs later would write the letters again.
    order: 'post',
    handler(_: Rollup.NormalizedOutputOptions, bundle: Rollup.OutputBundle) {
      for (const output of Object.values(bundle)) if (output.type === 'chunk') output.code = inAscii(output.code);
    },
  },
};

const ASCII_END = 0x7f;

/** In texts, templates and patterns an escape means the letter; after a backslash and in raw texts it does not. */
function inAscii(code: string): string {
  let ascii = '';
  for (let at = 0; at < code.length; at++) {
    const unit = code.charCodeAt(at);
    if (unit <= ASCII_END) ascii += code[at];
    else if (code[at - 1] === '\\') throw new TypeError('An escaped letter cannot be put into ASCII.');
    else ascii += `\\u${unit.toString(16).padStart(4, '0')}`;
  }
  if (ascii.length > code.length && code.includes('String.raw'))
    throw new TypeError('A raw text cannot be put into ASCII.');
  return ascii;
}
