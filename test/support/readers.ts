import type { RecordedRequest, Script, ScriptedProvider, ScriptedStep } from '../../src/demo/scripted-provider';
import { hasToolResult } from '../../src/demo/scripted-steps';
import { type Opencode2Server, type OpencodeServer, textsIn } from '../../src/node/opencode';
import { WRITE } from './matrix/row';
import { sharedStage2 } from './opencode2/shared';
import { editProviders, PNG_PART, PNG_URL, sendParts } from './prompt-parts';
import { textOf } from './said';
import { sharedStage } from './shared-stage';
import type { Case, CaseOptions } from './stage';
import { refusalOf, sealOf } from './strict-provider';

export type Sitting = Readonly<{
  id: string;
  ask(text: string, more?: Readonly<{ hasImage?: boolean }>): Promise<string>;
  toolsRun(): Promise<number>;
  messages(): Promise<readonly unknown[]>;
}>;

export type Bench = Readonly<{
  provider: ScriptedProvider;
  home: string;
  makeCase(options: CaseOptions): Promise<Case>;
  sit(directory: string): Promise<Sitting>;
  close(): Promise<void>;
}>;

const READS = {
  attachment: true,
  reasoning: true,
  modalities: { input: ['text', 'image'], output: ['text'] },
} as const;

/**
 * A project of models that think and read images. `names` are prefixes of model names by position; a Claude thinks as
 * Anthropic's wire requires.
 */
export async function caseOf(
  { makeCase }: Pick<Bench, 'makeCase'>,
  options: CaseOptions,
  names: readonly (string | undefined)[] = [],
): Promise<Case> {
  const made = await makeCase(options);
  const ids = made.ids.map((id, at) => (names[at] ? `${names[at]}-${id}` : id));
  await editProviders(made.directory, ({ models }, at) => {
    const options = names[at]?.startsWith('claude') ? { thinking: { type: 'enabled', budgetTokens: 1_024 } } : {};
    for (const model of Object.values(models)) Object.assign(model, READS, { id: ids[at], options });
  });
  return { ...made, ids };
}

/** Opens a session of OpenCode 1, a new one without an id. */
export async function sit1(server: OpencodeServer, directory: string, id?: string): Promise<Sitting> {
  const session = id === undefined ? await server.createSession(directory) : { id, directory, title: '' };
  const messages = () => server.messages(session);
  return {
    id: session.id,
    messages,
    async ask(text, { hasImage = false } = {}) {
      const parts = [{ type: 'text', text }, ...(hasImage ? [PNG_PART] : [])];
      return textOf(await sendParts(server, session, { parts }));
    },
    toolsRun: async () => toolsDone((await messages()).flatMap(({ parts }) => parts)),
  };
}

export async function sit2(server: Opencode2Server, directory: string, given?: string): Promise<Sitting> {
  const id = given ?? (await server.createSession(directory)).id;
  const messages = () => server.messages(id);
  return {
    id,
    messages,
    async ask(text, { hasImage = false } = {}) {
      const files = hasImage ? [{ uri: PNG_URL, name: 'dot.png' }] : [];
      await server.request('POST', `/session/${id}/prompt`, { body: { text, files } });
      await server.settled(id);
      const all = await messages();
      const error = all.findLast(({ type }) => type === 'assistant')?.error;
      return error ? `${error.type}: ${error.message}` : (textsIn(all).at(-1) ?? '');
    },
    toolsRun: async () => toolsDone((await messages()).flatMap(({ content = [] }) => content)),
  };
}

export async function bench1(): Promise<Bench> {
  const stage = await sharedStage();
  return { ...stage, sit: (directory) => sit1(stage.server, directory) };
}

export async function bench2(): Promise<Bench> {
  const stage = await sharedStage2();
  return { ...stage, sit: (directory) => sit2(stage.server, directory) };
}

const toolsDone = (parts: readonly Readonly<{ type: string; state?: unknown }>[]): number =>
  parts.filter(({ type, state }) => type === 'tool' && isDone(state)).length;

const isDone = (state: unknown): boolean => (state as { status?: string } | undefined)?.status === 'completed';

export const LOOKS = 'I LOOK FIRST.';

export const sealedBy = (issuer: string): ScriptedStep => ({
  kind: 'sealed',
  seal: sealOf(issuer),
  thinking: 'HM',
  text: LOOKS,
  call: { name: 'write', arguments: WRITE },
});

/** A model with an account that reads only its own sealed values; uses `then` for a request it can read. */
export const strict =
  (issuer: string, then: (request: RecordedRequest) => ScriptedStep): Script =>
  (request) =>
    refusalOf(request, issuer) ?? then(request);

export const callsThen =
  (issuer: string, then: ScriptedStep) =>
  (request: RecordedRequest): ScriptedStep =>
    hasToolResult(request) ? then : sealedBy(issuer);

export function callsEachTime(issuer: string, then: ScriptedStep): () => ScriptedStep {
  let isCalling = false;
  return () => {
    isCalling = !isCalling;
    return isCalling ? sealedBy(issuer) : then;
  };
}
