import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/node/opencode';
import { leaveBrowser, openBrowser } from '../support/browser';
import { eventually } from '../support/eventually';
import { filesBelow } from '../support/files-below';
import { opencode2Binary, openRealStage } from '../support/opencode2/real';
import { type PanelProcess, startPanel } from '../support/panel-process';
import { type Case, type CaseOptions, openStage } from '../support/stage';

/** As only OpenCode could call a session, after what its user wrote. */
const TITLE = 'Zweihundert Zebras im Warenkorb';
const LEAD = { kind: 'text', text: 'LEAD ANSWERS' } as const;
/** The title has a model of its own: it is asked beside the turn. */
const TITLED: CaseOptions = {
  config: ([, titler]) => ({ agent: { title: { disable: false, model: titler } } }),
};

/** A generation of OpenCode with a session in it. */
type Played = Readonly<{
  home: string;
  sandbox: Sandbox;
  makeCase(options: CaseOptions): Promise<Case>;
  script(id: string, text: string): void;
  /** Opens a session and asks it; resolves when it rests and OpenCode has its title. */
  begin(made: Case): Promise<string>;
  ask(session: string): Promise<unknown>;
  close(): Promise<void>;
}>;

async function playOne(): Promise<Played> {
  const stage = await openStage();
  const sessions = new Map<string, Awaited<ReturnType<typeof stage.server.createSession>>>();
  const ask = async (id: string): Promise<unknown> => {
    const session = sessions.get(id);
    return session && stage.server.prompt(session, { text: 'Zebras' });
  };
  return {
    ...stage,
    script: (id, text) => stage.provider.script(id, [{ kind: 'text', text }]),
    ask,
    async begin(made) {
      const session = await stage.server.createSession(made.directory);
      sessions.set(session.id, session);
      await ask(session.id);
      await eventually(async () => {
        const { directory } = made;
        const { title } = await stage.server.request<{ title: string }>('GET', `/session/${session.id}`, { directory });
        return title === TITLE;
      });
      return session.id;
    },
  };
}

async function playTwo(): Promise<Played> {
  const stage = await openRealStage();
  const seats = new Map<string, Awaited<ReturnType<typeof stage.sitIn>>>();
  return {
    ...stage,
    script: (id, text) => stage.provider.script(id, [{ kind: 'text', text }]),
    ask: async (id) => seats.get(id)?.ask('Zebras'),
    async begin(made) {
      const seat = await stage.sitIn(made.directory);
      seats.set(seat.id, seat);
      await seat.ask('Zebras');
      await eventually(async () => {
        const { title } = (await stage.server.session(seat.id)) as { title?: string };
        return title === TITLE;
      });
      return seat.id;
    },
  };
}

/** Files of a folder that hold a text, as they lie on the disk. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const files = await filesBelow(folder);
  const found = await Promise.all(
    files.map(async (file) => (await readFile(file).catch(() => Buffer.alloc(0))).includes(text)),
  );
  return files.filter((_, at) => found[at]);
}

const GENERATIONS = [
  ['1', playOne],
  ['2', playTwo],
] as const;

for (const [generation, play] of GENERATIONS) declare(generation, play);

function declare(generation: string, play: () => Promise<Played>): void {
  // One generation for each merge: the companion and the app treat titles alike.
  const tags = generation === '1' && opencode2Binary().path !== '' ? ['nightly'] : [];
  describe(`given a real OpenCode ${generation} that gives its sessions titles`, { tags }, () => {
    const isHere = generation === '1' || opencode2Binary().path !== '';
    let played: Played;
    let panel: PanelProcess | undefined;
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      if (!isHere) return;
      [played, browser] = await Promise.all([play(), openBrowser()]);
      const context = await browser.newContext({ viewport: { width: 1280, height: 820 } });
      page = await context.newPage();
    });
    afterAll(async () => {
      await panel?.stop();
      await Promise.all([leaveBrowser(browser), played?.close()]);
    });

    const ownFile = (): string => join(played.sandbox.configDirectory, 'model-fallback.json');
    const openPanel = async (): Promise<void> => {
      await panel?.stop();
      panel = await startPanel(played.home, { ...process.env, ...played.sandbox.env });
      await page.goto(`${panel.url}#/sessions`);
      await page.locator('tbody [data-row]').first().waitFor();
    };
    const nameOf = (session: string) => page.locator(`[data-row="${session}"]`).textContent();
    const begin = async (options: CaseOptions = {}): Promise<Readonly<{ session: string; made: Case }>> => {
      const made = await played.makeCase({ ...TITLED, ...options });
      const [lead = '', titler = ''] = made.ids;
      played.script(lead, LEAD.text);
      played.script(titler, TITLE);
      return { session: await played.begin(made), made };
    };

    it.skipIf(!isHere)(
      'when nobody has allowed it, then no file of ours and no page has a title, and sessions differ',
      async () => {
        const asking = JSON.stringify({ sessions: { titles: true }, agents: { '*': { fallbackModels: ['a/b'] } } });
        const { session } = await begin();
        // A project is a stranger: it cannot turn it on.
        const loosened = await begin({ fallback: asking });
        await openPanel();
        const names = [await nameOf(session), await nameOf(loosened.session)];
        expect(names).toEqual([
          expect.stringMatching(/^(?:\w+ \d+, )?\d\d:\d\d · build · lead-model-\d+$/),
          expect.stringMatching(/^(?:\w+ \d+, )?\d\d:\d\d · build · lead-model-\d+$/),
        ]);
        expect(names[0]).not.toBe(names[1]);
        expect(await page.content()).not.toContain(TITLE);
        await panel?.stop();
        expect(await filesWith(played.home, TITLE)).toEqual([]);
      },
    );

    it.skipIf(!isHere)(
      'when the user allows it, then it is on the page, where no project forbids it, and on no disk of ours',
      async () => {
        await writeFile(ownFile(), JSON.stringify({ sessions: { titles: true } }));
        try {
          const shown = await begin();
          const forbidden = await begin({ fallback: JSON.stringify({ sessions: { titles: false } }) });
          await openPanel();
          await page.getByRole('link', { name: TITLE }).waitFor();
          expect([await nameOf(shown.session), await nameOf(forbidden.session)]).toEqual([
            TITLE,
            expect.stringMatching(/^(?:\w+ \d+, )?\d\d:\d\d · build · lead-model-\d+$/),
          ]);
          // It is searched by, and heads its own page; the app that starts anew is told again.
          await page.locator('input[type=search]').fill('zebras im');
          await eventually(async () => (await page.locator('tbody [data-row]').count()) === 1);
          await page.getByRole('link', { name: TITLE }).click();
          await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
          // Taken back, it is gone at once, whether or not OpenCode has read that yet.
          await writeFile(ownFile(), JSON.stringify({ sessions: { titles: false } }));
          await page.getByRole('heading', { level: 1, name: / · build · lead-model-/ }).waitFor();
          expect(await page.content()).not.toContain(TITLE);
          // Allowed again, it is back with the next message that comes after the app has read that.
          await writeFile(ownFile(), JSON.stringify({ sessions: { titles: true } }));
          const heading = page.getByRole('heading', { level: 1, name: TITLE });
          await eventually(async () => {
            await played.ask(shown.session);
            return heading.isVisible();
          });
          await panel?.stop();
          expect(await filesWith(played.home, TITLE)).toEqual([]);
        } finally {
          await rm(ownFile(), { force: true });
        }
      },
    );
  });
}
