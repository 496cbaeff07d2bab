import { build, type Rolldown } from 'vite';

/** The chunks of a module and everything it imports, built for a browser, minified, every export kept. */
export async function bundled(entry: string): Promise<readonly Rolldown.OutputChunk[]> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: 'strict',
        output: { format: 'es', minify: true },
      },
    },
  })) as Rolldown.RolldownOutput;
  return output.filter((each) => each.type === 'chunk');
}

/** The code of all chunks. */
export const codeOf = (chunks: readonly Rolldown.OutputChunk[]): string => chunks.map(({ code }) => code).join('');
