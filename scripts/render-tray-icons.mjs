// Draws the tray's icons from resources/tray/source/*.svg, black and white, in the sizes the bars of the world want.
// Run after a change of a drawing: node scripts/render-tray-icons.mjs
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { chromium } from 'playwright-core';

const SIZES = [16, 32, 48];
const TONES = { black: '#000000', white: '#ffffff' };
const folder = join(import.meta.dirname, '..', 'resources', 'tray');

const browser = await chromium.launch({
  ...(existsSync('/usr/bin/chromium') ? { executablePath: '/usr/bin/chromium' } : { channel: 'chrome' }),
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
try {
  const page = await browser.newPage();
  for (const name of readdirSync(join(folder, 'source')).sort()) {
    const svg = readFileSync(join(folder, 'source', name), 'utf8');
    for (const [tone, color] of Object.entries(TONES)) await draw(page, { svg, tone, color, name: name.slice(0, -4) });
  }
} finally {
  await browser.close();
}

async function draw(page, { svg, tone, color, name }) {
  mkdirSync(join(folder, tone), { recursive: true });
  for (const size of SIZES) {
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(
      `<style>html,body{margin:0;color:${color}}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`,
    );
    await page.screenshot({ path: join(folder, tone, `${name}-${size}.png`), omitBackground: true });
  }
  process.stdout.write(`${tone}/${name}\n`);
}
