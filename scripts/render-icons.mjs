// Renders tray icons (from resources/tray-source) and package icons (from the panel's icon) with Chromium in each
// platform's formats and sizes. Run after a change of a drawing: node scripts/render-icons.mjs
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { chromium } from 'playwright';
import { ensureChromium } from './ensure-chromium.mjs';
import { ICNS_SIZES, icns, ico } from './icon-files.mjs';

const root = join(import.meta.dirname, '..');
const SOURCES = 'resources/tray-source';
const APP_SOURCE = 'src/renderer/icon.svg';
const MANIFEST = `${SOURCES}/manifest.json`;
const TRAY_ICO_SIZES = [16, 20, 24, 32, 48];
const APP_ICO_SIZES = [16, 24, 32, 48, 64, 128, 256];
const BLACK = '#000000';
const WHITE = '#ffffff';
/** Filled share of the square: macOS needs a margin, and so does a rim. */
const MAC_APP_FILL = 824 / 1024;
const LINUX_FILL = 11 / 12;
/** Filled part of the level's track at the bottom edge, of 14. */
const LEVELS = { near: 11, full: 14 };
const BARS = [
  { name: 'light', ink: BLACK, bar: '#f3f3f3' },
  { name: 'dark', ink: WHITE, bar: '#202020' },
];

const read = (path) => readFileSync(join(root, path));
const states = readdirSync(join(root, SOURCES))
  .filter((name) => name.endsWith('.svg'))
  .map((name) => name.slice(0, -4))
  .sort();
const sourceOf = (state) => `${SOURCES}/${state}.svg`;
/** Each state, without and with each level. */
const ICONS = states.flatMap((state) => {
  const svg = read(sourceOf(state)).toString();
  const levels = Object.entries(LEVELS).map(([level, width]) => ({
    name: `${state}-${level}`,
    svg: leveled(svg, width),
  }));
  return [{ name: state, svg }, ...levels];
});

const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu', '--disable-background-networking'],
});
try {
  const page = await browser.newPage();
  const files = { ...(await trayFiles(page)), ...(await appFiles(page)) };
  rmSync(join(root, 'resources/tray'), { recursive: true, force: true });
  for (const [path, content] of Object.entries(files)) write(path, content);
  write(MANIFEST, manifestOf(files));
  for (const bar of BARS) write(`docs/screens/tray-icons-${bar.name}.png`, await contactSheet(page, bar));
} finally {
  await browser.close();
}

/**
 * A drawing with a level below. Moves it up by a whole pixel of the smallest size, so that edges stay sharp, and cuts
 * off parts closer to the level than a pixel, which would touch it visibly.
 */
function leveled(svg, width) {
  const size = 'width="16" height="16" viewBox="0 0 16 16"';
  if (!svg.includes(size)) throw new Error(`A drawing does not begin with ${size}.`);
  const level = (wide, more = '') => `<rect x="1" y="15" width="${wide}" height="1" fill="currentColor"${more}/>`;
  const drawing = svg.replace(size, 'width="16" height="14" viewBox="0 1 16 14"');
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${drawing}${level(14, ' opacity=".35"')}${level(width)}</svg>`;
}

async function trayFiles(page) {
  const files = {};
  for (const { name: icon, svg } of ICONS) {
    const draw = (size, color, more) => drawn(page, { svg: svg.replaceAll('currentColor', color), size, ...more });
    files[`resources/tray/mac/${icon}Template.png`] = await draw(16, BLACK);
    files[`resources/tray/mac/${icon}Template@2x.png`] = await draw(32, BLACK);
    // The bar's brightness is unknown; a dark rim shows a white icon on a bright one.
    files[`resources/tray/linux/${icon}.png`] = await draw(48, WHITE, { halo: BLACK, fill: LINUX_FILL });
    for (const { name, ink } of BARS) {
      const pictures = [];
      for (const size of TRAY_ICO_SIZES) pictures.push({ size, png: await draw(size, ink) });
      files[`resources/tray/windows/${name}/${icon}.ico`] = ico(pictures);
    }
  }
  return files;
}

async function appFiles(page) {
  const svg = read(APP_SOURCE).toString();
  const pictures = async (sizes, fill) => {
    const all = [];
    for (const size of sizes) all.push({ size, png: await drawn(page, { svg, size, fill }) });
    return all;
  };
  return {
    'resources/icon.png': await drawn(page, { svg, size: 512 }),
    'resources/icon.ico': ico(await pictures(APP_ICO_SIZES)),
    'resources/icon.icns': icns(await pictures(ICNS_SIZES, MAC_APP_FILL)),
  };
}

/** A PNG. `halo` is the colour of its rim; `fill` is its share of the square. */
async function drawn(page, picture) {
  const url = await page.evaluate(async ({ svg, size, halo, fill = 1 }) => {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size });
    const context = canvas.getContext('2d');
    const edge = (size * (1 - fill)) / 2;
    const put = () => context.drawImage(image, edge, edge, size - 2 * edge, size - 2 * edge);
    if (halo) {
      // Repeated, because one shadow alone is too faint for an outline.
      Object.assign(context, { shadowColor: halo, shadowBlur: size / 16 });
      for (let times = 0; times < 6; times += 1) put();
      context.shadowColor = 'transparent';
    }
    put();
    return canvas.toDataURL('image/png');
  }, picture);
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

function manifestOf(files) {
  const hash = (content) => createHash('sha256').update(content).digest('hex');
  const sources = Object.fromEntries([...states.map(sourceOf), APP_SOURCE].map((path) => [path, hash(read(path))]));
  const rendered = Object.fromEntries(Object.entries(files).map(([path, content]) => [path, hash(content)]));
  return `${JSON.stringify({ sources, rendered }, null, 2)}\n`;
}

async function contactSheet(page, { ink, bar }) {
  const cells = [];
  for (const { name, svg: source } of ICONS) {
    const svg = source.replaceAll('currentColor', ink);
    const images = [];
    for (const size of TRAY_ICO_SIZES) images.push((await drawn(page, { svg, size })).toString('base64'));
    const sized = images.map((png) => `<img src="data:image/png;base64,${png}">`);
    cells.push(`<figure>${sized[0]}<figcaption>${name}</figcaption><p>${sized.join('')}</p></figure>`);
  }
  await page.setContent(`<style>
    body { display: inline-grid; grid-template-columns: repeat(6, 176px); gap: 16px; margin: 0; padding: 16px;
      background: ${bar}; color: ${ink}; font: 13px sans-serif; }
    figure { margin: 0; } figure > img { width: 128px; image-rendering: pixelated; }
    p { display: flex; align-items: center; gap: 8px; margin: 8px 0; }
  </style>${cells.join('')}`);
  return await page.locator('body').screenshot();
}

function write(path, content) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
