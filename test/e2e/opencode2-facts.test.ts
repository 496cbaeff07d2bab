import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../src/demo/scripted-provider';
import {
  createSandbox,
  type EventStream,
  isOf,
  type Opencode2Server,
  OpencodeRequestError,
  type Sandbox,
  startOpencode2,
} from '../../src/node/opencode';
import { CUT_AFTER_MS, PARTIAL, WELL } from '../support/matrix/row';
import { LONG_TEXT, SUMMARY } from '../support/opencode2/promises';
import { opencode2Binary } from '../support/opencode2/real';
import { type Case, type CaseOptions, lean, makeCase } from '../support/stage';

/**
 * A plugin that is not ours: it notes what it is told, and where a lead fails it has the session asked of the understudy of
 * the same number.
 */
const PROBE = (log: string): string => `
import { appendFileSync } from 'node:fs';
const note = (what) => appendFileSync(${JSON.stringify(log)}, JSON.stringify(what) + '\\n');
export default {
  id: 'probe',
  async setup({ location, model, event, session }) {
    const { directory } = location;
    const list = async (when) => {
      const listed = await model.list();
      note({ directory, when, models: (listed.data ?? listed).map(({ providerID }) => providerID) });
    };
    await list('setup');
    session.hook('retry', async (failed) => {
      const { sessionID, model: { providerID, id } } = failed;
      const spare = (name) => name.replace('lead', 'understudy1');
      await session.switchModel({ sessionID, model: { providerID: spare(providerID), id: spare(id) } });
      failed.decision = { retry: true, delay: 0 };
    });
    const gone = new AbortController();
    (async () => {
      for await (const { type, location: place, data } of event.subscribe({ signal: gone.signal })) {
        if (type === 'model.updated') await list('updated');
        if (type === 'session.model.selected') note({ directory, session: data.sessionID, place: place?.directory ?? null });
      }
    })();
    return () => gone.abort();
  },
};
`;

type Noted = Readonly<{
  directory: string;
  when?: 'setup' | 'updated';
  models?: readonly string[];
  session?: string;
  place?: string | null;
}>;

const DOWN = { kind: 'status', status: 503 } as const;
const SAVED = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;
/** Far longer than a provider is told to wait. */
const SILENCE_MS = 2_000;
/** A start of OpenCode and a turn, on a busy machine. */
const TURN_LIMIT_MS = 120_000;

let root: string;
let provider: ScriptedProvider;
let sandbox: Sandbox;
let server: Opencode2Server;
let events: EventStream;
let cases = 0;

async function open(options: CaseOptions = {}): Promise<Case> {
  const place = { sandbox, providerUrl: provider.url, refused: '', number: ++cases };
  return makeCase(place, { fallback: false, ...options });
}
const script = ({ ids }: Case, at: number, ...steps: readonly unknown[]): void =>
  provider.script(ids[at] ?? '', steps as never);
const asked = ({ ids }: Case): readonly number[] => ids.map((id) => provider.requests(id).length);
const noted = async (): Promise<readonly Noted[]> =>
  (await readFile(join(root, 'noted.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

async function sit(
  { directory }: Case,
  options: Parameters<Opencode2Server['createSession']>[1] = {},
): Promise<string> {
  return (await server.createSession(directory, options)).id;
}
async function ask(session: string, text: string): Promise<void> {
  await server.prompt(session, text);
  await server.settled(session);
}
const modelOf = async (session: string): Promise<string | undefined> => (await server.session(session)).model?.id;

describe.skipIf(opencode2Binary().path === '')('given OpenCode 2 in a git repository, without Understudy', () => {
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'us2-'));
    provider = await startScriptedProvider();
    const folder = join(root, 'probe');
    await mkdir(folder);
    await writeFile(join(folder, 'server.js'), PROBE(join(root, 'noted.jsonl')));
    const config = { plugins: [pathToFileURL(folder).href] };
    sandbox = await lean(await createSandbox({ root, git: true, config }));
    server = await startOpencode2({ binary: opencode2Binary(), sandbox, env: {} });
    events = await server.events();
  }, TURN_LIMIT_MS);
  afterAll(async () => {
    await server?.stop();
    await provider?.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });

  it('when a plugin is set up, then the models of the configuration are not listed yet; an event tells when they are', async () => {
    const project = await open();
    await server.openProject(project.directory);
    const listed = async (when: Noted['when']) =>
      (await noted())
        .filter(({ directory, when: at }) => directory === project.directory && at === when)
        .some(({ models }) => models?.includes(`lead-${cases}`));
    await expect.poll(() => listed('updated')).toBe(true);
    expect(await listed('setup')).toBe(false);
  });

  it('when a retry hook switches the model, then the next try of the turn asks that one, and the session keeps it', async () => {
    const project = await open();
    script(project, 0, DOWN);
    script(project, 1, SAVED);
    const session = await sit(project);
    await ask(session, 'One');
    expect([asked(project), await modelOf(session)]).toEqual([[1, 1], project.ids[1]]);
    // The companions of all projects hear of a switch that a plugin makes, and not where it was made.
    const places = (await noted()).filter((entry) => entry.session === session).map(({ place }) => place);
    expect(new Set(places)).toEqual(new Set([null]));
  });

  it('when it does so for a summary, then the next try asks the model that the summary began with', async () => {
    const project = await open();
    script(project, 0, WELL, DOWN, SUMMARY);
    script(project, 1, SUMMARY);
    const session = await sit(project);
    await ask(session, LONG_TEXT);
    const ended = events.next(
      (event) => /^session\.compaction\.(ended|failed)$/.test(event.type) && isOf(session)(event),
      TURN_LIMIT_MS,
    );
    await server.request('POST', `/session/${session}/compact`, { body: {} });
    expect([(await ended).type, asked(project), await modelOf(session)]).toEqual([
      'session.compaction.ended',
      [3, 0],
      project.ids[1],
    ]);
  });

  it('when a model breaks off after words, then its step stays with its error, and the next one is told to go on', async () => {
    const project = await open();
    script(project, 0, { kind: 'cut', text: PARTIAL, afterMs: CUT_AFTER_MS });
    script(project, 1, SAVED);
    const session = await sit(project);
    const isShown = events.next(
      (event) => isOf(session)(event) && JSON.stringify(event.properties).includes(PARTIAL),
      TURN_LIMIT_MS,
    );
    void isShown.then(() => provider.release(project.ids[0] ?? ''));
    await ask(session, 'One');
    const seen = (await server.messages(session)).filter(({ type }) => type === 'assistant' || type === 'synthetic');
    expect(
      seen.map(({ type, error, text }) => [type, error !== undefined, /continue|go on/i.test(text ?? '')]),
    ).toEqual([
      ['assistant', true, false],
      ['synthetic', false, true],
      ['assistant', false, false],
    ]);
  });

  it('when nobody has chosen a model for a session, then it asks the default, whatever model its agent has', async () => {
    const project = await open({
      config: (chain) => ({ agent: { helper: { mode: 'primary', description: 'Helps', model: chain[1] } } }),
    });
    script(project, 0, WELL);
    const session = await sit(project, { agent: 'helper' });
    await ask(session, 'One');
    expect([asked(project), await modelOf(session)]).toEqual([[1, 0], undefined]);
  });

  it('when a model was chosen for a session, then that cannot be taken back', async () => {
    const project = await open();
    const session = await sit(project);
    const [providerID = '', id = ''] = project.chain[1]?.split('/') ?? [];
    const choose = (model: unknown) => server.request('POST', `/session/${session}/model`, { body: { model } });
    await choose({ providerID, id });
    for (const none of [null, {}, undefined]) await expect(choose(none)).rejects.toThrow(OpencodeRequestError);
    expect(await modelOf(session)).toBe(id);
  });

  it('when a model sends nothing, not even headers, then no setting of its provider ends that', async () => {
    const project = await open();
    const path = join(project.directory, 'opencode.json');
    const config = JSON.parse(await readFile(path, 'utf8'));
    const [lead = ''] = project.chain[0]?.split('/') ?? [];
    const limits = { timeout: 300, headerTimeout: 300, chunkTimeout: 300 };
    config.provider[lead].options = { ...config.provider[lead].options, ...limits };
    await writeFile(path, JSON.stringify(config));
    script(project, 0, { kind: 'hang' });
    const session = await sit(project);
    await server.prompt(session, 'One');
    await expect.poll(() => asked(project)).toEqual([1, 0]);
    const given = events.next(
      (event) => /^session\.(retry\.scheduled|execution\.failed)$/.test(event.type) && isOf(session)(event),
      SILENCE_MS,
    );
    await expect(given).rejects.toThrow();
    expect(asked(project)).toEqual([1, 0]);
    await server.request('POST', `/session/${session}/interrupt`);
    await server.settled(session);
  });
});
