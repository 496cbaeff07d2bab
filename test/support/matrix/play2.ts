import { type Opencode2Message, type OpencodeEvent, runOpencode } from '../../../src/node/opencode';
import { opencode2Binary, type RealStage, type Seat } from '../opencode2/real';
import type { App, Neighbour } from '../stage';
import { healthOf, isOfRow, isPrefilled, isSentAgain, ROLES, SETTLE_LIMIT_MS, settled, visible } from './play';
import { CALM, PARTIAL, type Project, type Role, type Row, type Seen, type Told } from './row';

export type Seen2 = Pick<
  Seen,
  'answer' | 'lead' | 'backInMinutes' | 'switches' | 'requests' | 'errorsShown' | 'retries' | 'isPrefilled'
> &
  Readonly<{
    /** `succeeded` or an error message; `exit 0` under `opencode run`. */
    end: string;
    /** The conversation, one line per message as on OpenCode 1; `!` marks an error. */
    history: readonly string[];
    /** True if the next model is the primary, or no model was chosen or moved. */
    isHome: boolean;
  }>;

export type Scene2 = Readonly<{ stage: RealStage; project: Project; seat: Seat; roles: readonly Role[] }>;
export type Send2 = (scene: Scene2) => Promise<Told>;

const sendOne: Send2 = (scene) => sendPrompt2(scene, 'One');

export async function sendPrompt2({ seat }: Scene2, text: string): Promise<Told> {
  const ended = await seat.ask(text);
  const answer = (await seat.said()).at(-1) ?? '';
  return { answer, error: typeof ended === 'string' ? ended : ended.message };
}

export async function run2({ stage, project }: Scene2): Promise<Told> {
  const { sandbox, home } = stage;
  const args = ['--standalone', 'One'];
  const env = { UNDERSTUDY_HOME: home };
  const { directory } = project;
  const { exitCode, stdout } = await runOpencode({ binary: opencode2Binary(), sandbox, directory, args, env });
  return { answer: visible(stdout).trim(), error: `exit ${exitCode}` };
}

export type Row2 = Row & Readonly<{ send2?: Send2; expected2: Partial<Seen2> }>;

export type Played2 = Readonly<{ seen: Seen2; requestsNow: () => readonly Role[] }>;

/** Plays a row in a shared project if `home` is set, else in its own, and collects the results. */
export async function play2(stage: RealStage, app: App, row: Row2, home: Neighbour | null): Promise<Played2> {
  const { options = {}, models, roles = ROLES, send2 = sendOne, expected2 } = row;
  const project: Project = home ?? (await stage.makeCase({ ...options, defaults: { ...CALM, ...options.defaults } }));
  project.ids.forEach((id, at) => {
    const script = models[at] === undefined ? [{ kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const] : models[at];
    if (script !== null) stage.provider.script(id, script);
  });
  const seat = await stage.sitIn(project.directory, home ? chosenIn(home) : {});
  const leave = cutWhatIsRead(stage, project, seat);
  const asked = () =>
    stage.provider.requests().filter(({ model, headers }) => project.ids.includes(model) && !isSentAgain(headers));
  const requestsNow = (): Role[] => {
    const seen = asked().flatMap(({ model }) => roles[project.ids.indexOf(model)] ?? []);
    return row.isUnordered ? seen.sort() : seen;
  };
  try {
    const scene: Scene2 = { stage, project, seat, roles };
    const told = await send2(scene).catch((error: unknown): Told => ({ answer: '', error: String(error) }));
    const lead = project.chain[roles.indexOf('lead')] ?? '';
    const health = await healthOf(app, { lead, isOwn: isOfRow(project, seat.id), expected: expected2 });
    const history = expected2.history
      ? await settled(() => historyOf(scene), expected2.history, { stream: stage.events })
      : await historyOf(scene);
    // The companion restores the primary once OpenCode reports the end of the turn.
    const isHome = await settled(() => isAtHome(scene), expected2.isHome ?? true, { stream: stage.events });
    const seen = {
      answer: told.answer,
      end: String(told.error),
      ...health,
      ...heard(scene),
      requests: requestsNow(),
      isPrefilled: isPrefilled(asked().at(-1)),
      history,
      isHome,
    };
    return { seen, requestsNow };
  } finally {
    leave();
    // A hundred open projects slow each other down.
    if (home === null) await stage.server.closeProject(project.directory);
  }
}

async function isAtHome({ stage, project, seat }: Scene2): Promise<boolean> {
  const { model } = await stage.server.session(seat.id);
  return model === undefined || `${model.providerID}/${model.id}` === project.chain[0];
}

/** Without a chosen model OpenCode 2 uses its default, not the model of the agent. */
function chosenIn({ agent, chain, ids }: Neighbour) {
  const [providerID = ''] = chain[0]?.split('/') ?? [];
  return { agent, model: { providerID, id: ids[0] ?? '' } };
}

/** Cuts waiting connections once OpenCode shows their text, as on OpenCode 1. */
function cutWhatIsRead({ provider, events }: RealStage, { ids }: Project, { id: seat }: Seat): () => void {
  const lastWord = PARTIAL.split(' ').at(-1) ?? '';
  let isOver = false;
  const own = new Set<unknown>([seat]);
  const shows = ({ type, properties }: OpencodeEvent): boolean => {
    if (type === 'session.created' && own.has(properties.parentID)) own.add(properties.sessionID);
    return own.has(properties.sessionID) && isShown(type, properties);
  };
  const isShown = (type: string, properties: OpencodeEvent['properties']): boolean =>
    /^session\.(?:text|tool)/.test(type) && (type.includes('tool') || JSON.stringify(properties).includes(lastWord));
  const release = (): void => ids.forEach(provider.release);
  void (async () => {
    while (!isOver)
      await events.next((event) => isOver || shows(event), SETTLE_LIMIT_MS).then(release, () => undefined);
  })();
  return () => {
    isOver = true;
  };
}

/** Events of a row's sessions: failed turns, and retries that OpenCode announced. */
function heard({ stage, seat }: Scene2): Pick<Seen2, 'errorsShown' | 'retries'> {
  const own = new Set<unknown>([seat.id]);
  const types = stage.events.seen().flatMap(({ type, properties }) => {
    if (type === 'session.created' && own.has(properties.parentID)) own.add(properties.sessionID);
    return own.has(properties.sessionID) ? [type] : [];
  });
  const count = (wanted: string): number => types.filter((type) => type === wanted).length;
  return { errorsShown: count('session.execution.failed'), retries: count('session.retry.scheduled') };
}

async function historyOf({ stage, project, seat }: Scene2): Promise<readonly string[]> {
  const others = project.agent === undefined ? await othersIn({ stage, project, seat }) : [];
  const histories = await Promise.all([seat.id, ...others].map((id) => stage.server.messages(id)));
  return histories.flat().flatMap(linesIn);
}

async function othersIn({ stage, project, seat }: Omit<Scene2, 'roles'>): Promise<readonly string[]> {
  const sessions = await stage.server.request<readonly { id: string }[]>(
    'GET',
    `/session?directory=${encodeURIComponent(project.directory)}&order=asc`,
  );
  return sessions.map(({ id }) => id).filter((id) => id !== seat.id);
}

function linesIn({ type, text, error, content = [] }: Opencode2Message): readonly string[] {
  // A sub-agent's first message begins with its role.
  if (type === 'user') return [`user: ${text?.split('\n').at(-1)}`];
  if (type !== 'assistant') return [];
  const shown = content.flatMap((part) => {
    if (part.type === 'text') return part.text ? [part.text] : [];
    if (part.type === 'reasoning') return ['[reasoning]'];
    if (part.type !== 'tool') return [];
    const status = (part.state as { status?: string } | undefined)?.status;
    return [`[${part.name === 'subagent' ? 'task' : part.name} ${status}]`];
  });
  return [['assistant:', ...shown, ...(error ? ['!'] : [])].join(' ')];
}
