/** @module-tag nightly */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDemoChild } from '../../src/node/opencode/demo-child';
import { leaveBrowser, openBrowser } from '../support/browser';
import { patiently } from '../support/eventually';
import { startJourney } from '../support/journey';
import { opencodeBinary } from '../support/opencode-binary';

const PROGRAM = join(import.meta.dirname, '..', '..', 'out', 'cli', 'understudy.js');
/** What a user and the project they stand in have; the demo must leave it alone, and add nothing to it. */
const THEIRS = {
  'home/.config/opencode/opencode.json': '{ "model": "a/1" }\n',
  'home/.config/opencode/model-fallback.json': '{ "agents": { "build": { "fallbackModels": ["b/2"] } } }\n',
  'home/.local/state/understudy/preferences.json': '{}\n',
  'home/.local/share/opencode/auth.json': '{}\n',
  'named/opencode.json': '{}\n',
  'project/opencode.json': '{}\n',
  'project/.opencode/model-fallback.json': '{}\n',
} as const;

let browser: Browser;
let root: string;
let user: string;
let temporary: string;
let page: Page;
let end: () => Promise<unknown>;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => leaveBrowser(browser));
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'us-'));
  [user, temporary] = [join(root, 'user'), join(root, 't')];
  await mkdir(temporary);
  for (const [name, text] of Object.entries(THEIRS)) {
    await mkdir(dirname(join(user, name)), { recursive: true });
    await writeFile(join(user, name), text);
  }
});
afterEach(async () => {
  await page?.close();
  await end?.();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

/** Bytes and the moment of the last change of all that the user has. */
async function print(): Promise<Readonly<Record<string, string>>> {
  const names = ['.', ...(await readdir(user, { recursive: true })).toSorted()];
  const prints = names.map(async (name) => {
    const path = join(user, name);
    const { mtimeMs, mode, ...info } = await stat(path);
    const bytes =
      info.size > 0 && mode & 0o100000
        ? createHash('sha256')
            .update(await readFile(path))
            .digest('hex')
        : '';
    return [name, `${bytes} ${mtimeMs} ${mode}`] as const;
  });
  return Object.fromEntries(await Promise.all(prints));
}

const variables = (change: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...process.env,
  ...{ HOME: join(user, 'home'), USERPROFILE: join(user, 'home'), OPENCODE_CONFIG: join(user, 'named/opencode.json') },
  ...{ TMPDIR: temporary, TEMP: temporary, TMP: temporary },
  ...change,
});

/** The demo in a terminal, in the user's project. @returns the address of its panel. */
async function inTerminal(): Promise<string> {
  const env = variables({ OPENCODE_BIN: (await opencodeBinary()).path });
  const child = spawn(process.execPath, [PROGRAM, 'demo', '--no-open'], { env, cwd: join(user, 'project') });
  end = () => ended(child);
  let output = '';
  return await new Promise((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      output += chunk;
      if (output.includes('Ctrl+C ends')) resolve(/http:\/\/127\.0\.0\.1:\d+\/\?t=[\w-]+/.exec(output)?.[0] ?? '');
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', () => reject(new Error(`the demo has ended: ${output}`)));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGINT');
  await gone;
}

/** The demo that a panel has started. @returns the address of its own panel. */
async function besidePanel(change: NodeJS.ProcessEnv): Promise<string> {
  const demo = createDemoChild({ commandLine: [process.execPath, PROGRAM], env: variables(change) });
  end = () => demo.close();
  const started = await demo.start();
  if (started.state !== 'running') throw new Error(JSON.stringify(started));
  return started.url;
}

const RECORDED = 'beside a panel, without an OpenCode';
const ENTRIES: Readonly<Record<string, () => Promise<string>>> = {
  'in a terminal': inTerminal,
  'beside a panel, on a real OpenCode': async () => besidePanel({ OPENCODE_BIN: (await opencodeBinary()).path }),
  [RECORDED]: () => besidePanel({ OPENCODE_BIN: '', PATH: '', Path: '' }),
};

let journey: ReturnType<typeof startJourney>;
const click = (name: string): Promise<void> => {
  journey.did('click');
  return page.getByRole('button', { name, exact: true }).first().click();
};
const says = (text: string): Promise<void> => page.getByText(text).first().waitFor();
const open = async (address: string): Promise<void> => void (await page.evaluate(`location.hash = '${address}'`));
const inDialog = (name: string): Promise<void> => {
  journey.did('click');
  return page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
};

/** A try that is made again, in ms. */
const SOON = { timeout: 2_000 };

/** Every path that a dialog or a card has shown before it was written to. */
const shown = new Set<string>();
async function notePaths(): Promise<void> {
  for (const text of await page.locator('dialog[open] .path, h2.path, table.changes .path').allTextContents())
    shown.add(text.trim());
  for (const text of await page.locator('.draft-where').allTextContents()) {
    const path = /^Apply writes (?<path>.+); nothing else/.exec(text)?.groups?.path;
    if (path !== undefined) shown.add(path);
  }
}

/** The companion's line, put in or taken out, and brought back by what was written last. */
async function writeSetup(): Promise<void> {
  await open('#/setup');
  const add = page.getByRole('button', { name: 'Add the line' });
  const remove = page.getByRole('button', { name: 'Uninstall…' });
  await add.or(remove).first().waitFor();
  if (await add.isVisible()) {
    await page.locator('h2.path').waitFor();
    await notePaths();
    await add.click();
    await says('The companion is in OpenCode’s configuration. Restart OpenCode to load it.');
  }
  await remove.click();
  await page.getByRole('dialog').locator('.diff-del').first().waitFor();
  await notePaths();
  await inDialog('Remove');
  await says('The companion is removed from OpenCode’s configuration.');
  await add.waitFor();
  await click('Add the line');
  await says('The companion is in OpenCode’s configuration. Restart OpenCode to load it.');
  // Until it stands there, the first row is of the write before, which the file does not hold any more.
  const folded = page.locator('section[aria-labelledby=changes] details:not([open]) summary');
  if (await folded.isVisible()) await folded.click();
  const latest = page.locator('table.changes tbody tr').first();
  await latest.filter({ hasText: /(?<!un)install the companion, by panel/ }).waitFor();
  await latest.getByRole('button', { name: 'Restore…' }).click();
  await notePaths();
  await inDialog('Restore');
  await says('Undone.');
}

async function writeChain(): Promise<void> {
  await open('#/chains/build');
  // What the file says may come after the first look: it is another order then, or stands beside the draft to choose from.
  const apply = page.getByRole('button', { name: 'Apply', exact: true });
  const mine = page.getByRole('button', { name: 'Keep mine' });
  const move = page.locator('[aria-label^="Move swift-mini "]:not([aria-disabled="true"])').first();
  await patiently(async () => {
    if (await mine.isVisible()) await mine.click(SOON);
    if (!(await apply.isVisible())) await move.click(SOON);
    await page.locator('.draft-where', { hasText: 'Apply writes' }).waitFor(SOON);
    await notePaths();
    await apply.click(SOON);
  });
  await says('The new chain of');
  await click('Undo');
}

/** Values of the demo's models, and a proposal. They run on this machine, so nobody scores them, and there is nothing to apply. */
async function writeRanking(entry: string): Promise<void> {
  await open('#/ranking');
  // A recording lists no models.
  if (entry === RECORDED) return await says('OpenCode has not listed its models yet.');
  await page.locator('.hm').waitFor();
  await click('Import…');
  await page
    .locator('dialog textarea')
    .fill('model,benchmark,value,unit\naurora/aurora-large,gpqa,50,percent\ncirrus/cirrus-pro,gpqa,52,percent');
  await page.locator('dialog input.field:not([type])').fill('Invented for tests');
  await page.locator('dialog [type=submit]').click();
  await says('2 values taken in');
  await page.keyboard.press('Escape');
  await click('Propose');
  await says('Propose again');
}

async function writeSettings(): Promise<void> {
  await open('#/settings/breaker');
  await click('Edit');
  await page.getByRole('textbox', { name: 'Steps when a model is not answering in time' }).fill('retry:2 switch');
  await click('Apply…');
  await page.getByRole('dialog').locator('.diff-add').first().waitFor();
  await notePaths();
  await inDialog('Apply');
  await says('Policy changed.');
  await open('#/settings/advanced');
  await page.getByRole('checkbox', { name: 'Let programs read metrics from this panel' }).click();
  await says('Settings changed.');
}

async function writeData(): Promise<void> {
  await open('#/settings/data');
  await click('Back up the history');
  await says('History backed up to');
  expect(await page.getByRole('button', { name: 'Import from OpenCode' }).isVisible()).toBe(true);
  await click('Delete all my data…');
  await page.getByRole('dialog').getByRole('textbox').fill('delete');
  await inDialog('Delete');
  await says('Recording starts again.');
}

describe.each(Object.entries(ENTRIES))('given the demo %s', (entry, start) => {
  it('when everything in its panel that writes is clicked, then no file of the user’s home and project has changed', {
    timeout: 300_000,
  }, async () => {
    const before = await print();
    page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
    const address = await start();
    page.setDefaultTimeout(30_000);
    await page.goto(address);
    await says('Your files are not touched');
    shown.clear();
    await page.locator('.map-agent').first().waitFor({ timeout: 90_000 });
    journey = startJourney(`all that writes in the demo ${entry}`);
    for (const write of [writeSetup, writeChain, writeRanking, writeSettings, writeData]) await write(entry);
    expect(journey.end().click).toBeGreaterThanOrEqual(10);
    const [demos = ''] = (await readdir(temporary)).filter((name) => name.startsWith('understudy-'));
    expect(shown.size).toBeGreaterThan(1);
    expect([...shown].filter((path) => !path.includes(join(temporary, demos)))).toEqual([]);
    expect(await print()).toEqual(before);
    await page.close();
    await end();
    expect(await print()).toEqual(before);
    expect((await readdir(temporary)).filter((name) => name.startsWith('understudy-'))).toEqual([]);
  });
});

describe('given the demo of a council in a terminal', () => {
  it('when it has run, then no file of the user’s home and project has changed', async () => {
    const before = await print();
    const env = variables({ OPENCODE_BIN: (await opencodeBinary()).path });
    const child = spawn(process.execPath, [PROGRAM, 'demo', 'council', '--once'], { env, cwd: join(user, 'project') });
    end = () => ended(child);
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk;
    });
    child.stdout.resume();
    expect([await new Promise((resolve) => child.once('close', resolve)), errors]).toEqual([0, '']);
    expect(await print()).toEqual(before);
    expect((await readdir(temporary)).filter((name) => name.startsWith('understudy-'))).toEqual([]);
  }, 300_000);
});
