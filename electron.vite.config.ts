import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { NAMES_ALONE, OWN_ZOD, PLAIN_IOVALKEY, SMALL_MARKDOWN } from './vite.libraries.ts';

const { version } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { version: string };

export default defineConfig({
  main: {
    plugins: [PLAIN_IOVALKEY, OWN_ZOD, SMALL_MARKDOWN],
    define: {
      __UNDERSTUDY_VERSION__: JSON.stringify(version),
      __UNDERSTUDY_RELEASES__: JSON.stringify(process.env.UNDERSTUDY_RELEASES ?? ''),
    },
    build: {
      outDir: 'out/main',
      license: { fileName: 'third-party.md' },
      externalizeDeps: false,
      rollupOptions: { input: { index: resolve('src/main/index.ts') } },
    },
  },
  preload: {
    plugins: [NAMES_ALONE],
    build: {
      outDir: 'out/preload',
      externalizeDeps: false,
      // A sandboxed preload must be CommonJS.
      rollupOptions: {
        input: { index: resolve('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    build: {
      outDir: 'out/renderer',
      license: { fileName: 'third-party.md' },
      minify: true,
      // Inline scripts and data: styles would need a weaker content security policy.
      assetsInlineLimit: 0,
      // What comes first is held by a test, compressed; one file of it is larger than the usual warning.
      chunkSizeWarningLimit: 800,
      modulePreload: { polyfill: false },
      rollupOptions: {
        input: { index: resolve('src/renderer/index.html'), safe: resolve('src/renderer/safe.html') },
        // Texts of a page come with that page: declaring them does nothing to anybody else.
        treeshake: {
          moduleSideEffects: (id: string) =>
            !/[\\/]src[\\/](?:features[\\/]\w+[\\/])?(?:texts|contract|wording|rules)[\\/]/.test(id),
        },
      },
    },
    plugins: [OWN_ZOD, react()],
  },
});
