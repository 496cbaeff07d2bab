import { answer, type Handlers, type QueryInput, type QueryName, type QueryOutput } from '../contract/contract';
import { writeFileAtomic } from '../node/base/atomic-file';
import { failureText } from '../node/base/failure';
import { trayTexts } from '../texts';
import type { Electron } from './electron';
import type { Speech } from './language';
import { TRAY_FORMATS, type TrayAction } from './tray-menu';

export type TrayActParts = Readonly<{
  electron: Pick<Electron, 'dialog' | 'shell'>;
  handlers: Handlers;
  say: Speech['say'];
  open(): void;
  go(hash: string): void;
  quit(): void;
}>;

const ACTOR = 'tray';
const HOUR_MS = 3_600_000;

/** Null for the shell's own actions. */
export const TRAY_QUESTIONS = {
  act: 'person.act',
  reset: 'health.reset',
  probe: 'model.probe',
  council: 'council.say',
  mute: 'settings.set',
  export: 'scorecard.export',
  go: null,
  open: null,
  quit: null,
} as const satisfies Readonly<Record<TrayAction['kind'], QueryName | null>>;

export function createTrayActs(parts: TrayActParts): (action: TrayAction) => void {
  const { electron, handlers, say } = parts;
  return (action) => {
    void refusalOf(action, parts, ask(handlers))
      .catch(failureText)
      .then((reason) => {
        if (reason === null) return;
        const { title, close } = say(() => trayTexts().refused);
        return electron.dialog.showMessageBox({ type: 'info', message: title, detail: reason, buttons: [close] });
      });
  };
}

type Ask = <Q extends QueryName>(name: Q, input: QueryInput<Q>) => Promise<QueryOutput<Q>>;

const ask =
  (handlers: Handlers): Ask =>
  async (name, input) => {
    const reply = await answer(handlers, name, input);
    if (!reply.ok) throw new Error(reply.reason);
    // Checked by `answer`.
    return reply.value as never;
  };

async function refusalOf(action: TrayAction, parts: TrayActParts, ask: Ask): Promise<string | null> {
  switch (action.kind) {
    case 'open':
      parts.open();
      return null;
    case 'go':
      parts.go(action.hash);
      return null;
    case 'quit':
      parts.quit();
      return null;
    case 'act':
      return reasonIn(await ask(TRAY_QUESTIONS.act, { act: action.act, rev: action.rev, actor: ACTOR }));
    case 'reset':
      return reasonIn(
        await ask(TRAY_QUESTIONS.reset, { target: { model: action.model }, rev: action.rev, actor: ACTOR }),
      );
    case 'probe':
      // The result is an event, which the menu shows.
      return reasonIn(await ask(TRAY_QUESTIONS.probe, { model: action.model, rev: action.rev }));
    case 'council': {
      const response = await ask(TRAY_QUESTIONS.council, { run: action.run, word: action.word });
      return response.ok ? null : response.reason;
    }
    case 'mute':
      return await mute(action.span, ask);
    case 'export':
      return await exportScorecard(action, parts, ask);
  }
}

const reasonIn = (response: Readonly<{ accepted: true } | { accepted: false; reason: string }>): string | null =>
  response.accepted ? null : response.reason;

async function mute(span: Extract<TrayAction, { kind: 'mute' }>['span'], ask: Ask): Promise<string | null> {
  const { rev } = await ask('settings.get', null);
  const mutedUntil = span === null ? null : span === 'hour' ? Date.now() + HOUR_MS : endOfToday();
  const response = await ask(TRAY_QUESTIONS.mute, { patch: { notices: { mutedUntil } }, rev });
  return response.ok ? null : response.reason;
}

const endOfToday = (): number => new Date().setHours(24, 0, 0, 0);

type Export = Extract<TrayAction, { kind: 'export' }>;

async function exportScorecard({ format, session }: Export, parts: TrayActParts, ask: Ask): Promise<string | null> {
  const { dialog, shell } = parts.electron;
  const made = await ask(TRAY_QUESTIONS.export, { format, ...(session === null ? {} : { session }) });
  const { canceled, filePath } = await dialog.showSaveDialog({
    title: parts.say(() => trayTexts().exports.dialog),
    defaultPath: made.name,
    filters: [{ name: TRAY_FORMATS[format], extensions: [format] }],
  });
  if (canceled || filePath === '') return null;
  const written = await writeFileAtomic(filePath, made.text);
  if (!written.ok) return written.reason;
  shell.showItemInFolder(filePath);
  return null;
}
