// `node scripts/record-demo.mjs`: runs the demo, captures terminal and panel, and creates the animations and four
// stills of docs/demo. Needs a build, ffmpeg and gifsicle, and takes two and a half minutes because of the cooldown.
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { chromium } from 'playwright';
import { ensureChromium } from './ensure-chromium.mjs';
import { ensureOpencode } from './ensure-opencode.mjs';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '..');
const folder = join(root, 'docs', 'demo');

const THEMES = /** @type {const} */ (['dark', 'light']);
const PANEL = { width: 900, height: 400 };
const TERMINAL_ROWS = 12;
const PICTURE_HEIGHT = 700;
/** Rare enough not to slow down the panel. */
const SHOT_EVERY_MS = 300;
/** Time in which the panel shows an event. */
const SETTLED_MS = 700;
/** A cooldown ends a moment after its time. */
const COOLDOWN_MARGIN_MS = 2_000;

const COLOURS = {
  dark: { back: '#0d0f13', text: '#e6e8ec', quiet: '#8b919d', bad: '#ff8a80', good: '#7ddba3', caption: '#262a4d' },
  light: { back: '#ffffff', text: '#1c1f26', quiet: '#5d6470', bad: '#b3261e', good: '#14713f', caption: '#e4e6ff' },
};
const TONES = {
  failed: 'bad',
  switched: 'good',
  answered: 'good',
  returned: 'good',
  measured: 'quiet',
  transcript: 'quiet',
};

/** Starts the demo. @returns its lines with times, and functions to wait for one, send Enter and end it. */
function startDemo(opencode) {
  const env = { ...process.env, OPENCODE_BIN: opencode, NO_COLOR: '1' };
  const child = spawn(process.execPath, [join(root, 'out', 'cli', 'understudy.js'), 'demo', '--no-open'], { env });
  const lines = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const parts = `${rest}${chunk}`.split('\n');
    rest = parts.pop() ?? '';
    for (const text of parts) lines.push({ text, at: Date.now() });
  });
  child.stderr.pipe(process.stderr);
  const ended = new Promise((resolve) => child.on('close', resolve));
  let hasEnded = false;
  ended.then(() => {
    hasEnded = true;
  });
  const until = async (label, from = 0) => {
    for (;;) {
      const index = lines.findIndex(({ text }, at) => at >= from && text.startsWith(`  ${label}`));
      if (index >= 0) return index;
      if (hasEnded) throw new Error(`The demo ended before it told "${label}".`);
      await pause(20);
    }
  };
  const end = () => {
    child.kill('SIGINT');
    return ended;
  };
  return { lines, until, enter: () => child.stdin.write('\n'), end };
}

/** Captures the panel in each theme until stopped. @returns the pictures of one theme by time. */
async function openCamera(browser, url) {
  const shots = { dark: [], light: [] };
  const pages = [];
  for (const theme of THEMES) {
    const context = await browser.newContext({ viewport: PANEL, colorScheme: theme, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByText('Connected', { exact: true }).waitFor();
    pages.push({ page, theme });
  }
  let isFilming = false;
  let filming = Promise.resolve();
  const film = async () => {
    while (isFilming) {
      for (const { page, theme } of pages) shots[theme].push({ at: Date.now(), png: await page.screenshot() });
      await pause(SHOT_EVERY_MS);
    }
  };
  return {
    start() {
      isFilming = true;
      filming = film();
    },
    async stop() {
      isFilming = false;
      await filming;
    },
    shotAt: (theme, moment) => shots[theme].findLast(({ at }) => at <= moment) ?? shots[theme][0],
  };
}

/** Plays two turns: the primary fails in the first and is back in the second. */
async function play(demo, browser) {
  const panel = await demo.until('panel');
  const url = /http:\S+/.exec(demo.lines[panel].text)?.[0];
  await demo.until('connected');
  const camera = await openCamera(browser, url);
  camera.start();
  const first = await demo.until('transcript');
  await pause(SETTLED_MS);
  await camera.stop();
  const failed = await demo.until('failed');
  const answer = demo.lines.slice(failed, failed + 3).map(({ text }) => text.trim());
  const waitMs = Number(/(\d+) seconds/.exec(answer.join(' '))?.[1]) * 1_000;
  console.log('The first turn is recorded; waiting for the lead…');
  await pause(demo.lines[failed].at + waitMs + COOLDOWN_MARGIN_MS - Date.now());
  camera.start();
  demo.enter();
  const last = await demo.until('transcript', first + 1);
  await pause(SETTLED_MS);
  await camera.stop();
  return { camera, first, last };
}

async function scenesOf(demo, { first, last }) {
  const [chain, asked, classified, switched, answered] = await Promise.all(
    ['chain', 'asked', 'classified', 'switched', 'answered'].map((label) => demo.until(label)),
  );
  const [leads, speaks] = [demo.lines[asked].at, demo.lines[answered].at];
  const rests = demo.lines[first].at + SETTLED_MS;
  const scene = (caption, toLine, panelAt, holdMs, still) => ({ caption, from: chain, toLine, panelAt, holdMs, still });
  return [
    scene('The model fails in the middle of a turn. The next one finishes it.', first, rests, 1_700),
    scene('1 · You ask. aurora-large leads.', asked, leads, 1_500, 'step-1'),
    scene('2 · aurora-large is rate limited: 429.', classified - 1, leads, 1_600),
    scene('2 · aurora-large is rate limited: 429.', classified, leads, 900, 'step-2'),
    scene('3 · swift-mini takes over the same turn.', switched, speaks, 2_000, 'step-3'),
    scene('3 · The answer arrives. Your message was sent once.', first, rests, 2_000),
    scene('4 · Two minutes later the primary is well, and is asked first again.', last, Date.now(), 2_300, 'step-4'),
  ];
}

const escaped = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.codePointAt(0)};`);

function terminalHtml(lines) {
  const rows = lines.slice(-TERMINAL_ROWS).map(({ text }) => {
    const label = /^ {2}(\S+)/.exec(text)?.[1] ?? '';
    const tone = TONES[label];
    if (tone === undefined) return escaped(text);
    if (tone === 'quiet') return `<i class="quiet">${escaped(text)}</i>`;
    return escaped(text).replace(label, `<i class="${tone}">${label}</i>`);
  });
  return rows.join('\n');
}

function pictureHtml(scene, lines, theme, png) {
  const { back, text, quiet, bad, good, caption } = COLOURS[theme];
  return `<!doctype html><style>
    * { box-sizing: border-box; margin: 0 } i { font-style: normal }
    body { width: ${PANEL.width}px; background: ${back}; color: ${text}; font: 15px/1.4 'DejaVu Sans', sans-serif }
    h1 { height: 52px; padding: 13px 20px; font-size: 19px; background: ${caption} }
    pre { height: ${PICTURE_HEIGHT - PANEL.height - 52}px; padding: 12px 20px; font: 13.5px/18.5px 'DejaVu Sans Mono', monospace }
    img { display: block } .quiet { color: ${quiet} } .bad { color: ${bad} } .good { color: ${good} }
  </style><h1>${escaped(scene.caption)}</h1><pre>${terminalHtml(lines.slice(scene.from, scene.toLine + 1))}</pre>
  <img width="${PANEL.width}" height="${PANEL.height}" src="data:image/png;base64,${png.toString('base64')}">`;
}

const ffmpeg = (args) => execute('ffmpeg', ['-v', 'error', '-y', ...args]);
// Separate palettes without dithering keep colours flat and text sharp.
const PALETTE = 'split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=none';

async function makePictures(browser, demo, scenes, camera, theme, work) {
  const page = await browser.newPage({ viewport: { width: PANEL.width, height: PICTURE_HEIGHT } });
  for (const [index, scene] of scenes.entries()) {
    const { png } = camera.shotAt(theme, scene.panelAt);
    await page.setContent(pictureHtml(scene, demo.lines, theme, png));
    const file = join(work, `${theme}-${index}.png`);
    await page.screenshot({ path: file });
    if (scene.still) await ffmpeg(['-i', file, '-vf', PALETTE, join(folder, `${scene.still}-${theme}.png`)]);
  }
  await page.close();
  const raw = join(work, `${theme}.gif`);
  await ffmpeg(['-i', join(work, `${theme}-%d.png`), '-vf', PALETTE, raw]);
  // gifsicle uses hundredths of a second.
  const holds = scenes.flatMap(({ holdMs }, index) => [`-d${holdMs / 10}`, `#${index}`]);
  await execute('gifsicle', ['-O3', '--loopcount=forever', raw, ...holds, '-o', join(folder, `demo-${theme}.gif`)]);
}

async function main() {
  const executablePath = await ensureChromium();
  const demo = startDemo(await ensureOpencode());
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args: [...args, '--disable-gpu'] });
  const work = await mkdtemp(join(tmpdir(), 'understudy-record-'));
  try {
    const played = await play(demo, browser);
    const scenes = await scenesOf(demo, played);
    await mkdir(folder, { recursive: true });
    for (const theme of THEMES) await makePictures(browser, demo, scenes, played.camera, theme, work);
  } finally {
    await demo.end();
    await browser.close();
    await rm(work, { recursive: true, force: true });
  }
}

await main();
