import type { HttpResponseEvent, ModelRef } from '../../../src/plugin/opencode2/session/types';
import { CallFailure, failureOf, Interrupted } from './failures';
import { type Answer, readChat, type Turn, within } from './wire';
import { type Asked, agentOf, type Offered, type Row, type World } from './world';

/** Begins the message to the model of an agent without a step left. [seen: 2.0.15] */
const LAST_STEP = 'MAXIMUM STEPS REACHED';

type Asking = Asked & Readonly<{ model: ModelRef; answer: Answer }>;

/** Sends one request, from the preparing hooks to the end of its stream, into `answer`. @throws CallFailure */
export async function ask(world: World, asking: Asking): Promise<void> {
  const { session, kind, model, signal, answer, isLast = false } = asking;
  const offered = resolve(world, model);
  const base = { sessionID: session.id, agent: agentOf(world, asking), model };
  const context = { ...base, system: [], messages: turnsOf(session.rows), tools: toolsOf(world) };
  if (kind === 'primary') await world.hooks.run('context', context);
  const build = { ...base, kind, baseURL: offered.baseURL, headers: {} as Record<string, string> };
  await world.hooks.run('model.request', build);
  const turns: Turn[] =
    kind === 'primary'
      ? [...(context.messages as Turn[]), ...(isLast ? [{ role: 'assistant', content: LAST_STEP } as const] : [])]
      : [{ role: 'user', content: `Make a ${kind}.` }];
  const request = new Request(`${build.baseURL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer not-a-real-key', ...build.headers },
    body: JSON.stringify({
      model: model.id,
      stream: true,
      messages: turns,
      ...(kind === 'primary' ? { tools: Object.values(context.tools) } : {}),
      ...(isLast ? { tool_choice: 'none' } : {}),
    }),
    signal,
  });
  const sent = { ...base, kind, request };
  await world.hooks.run('http.request', sent);
  const response = await fetched(world, world.knobs.takesRequest ? sent.request : request);
  const received = await throughHooks(world, { ...base, kind, request: sent.request, response }, signal);
  if (received.status >= 400) throw await failureOf(received);
  await readChat(received, answer, world.limits.chunkMs);
}

function resolve({ models }: World, model: ModelRef): Offered {
  const found = models.find(({ ref }) => ref.providerID === model.providerID && ref.id === model.id);
  if (found && !found.isBroken) return found;
  const message = `There is no route to ${model.providerID}/${model.id}`;
  throw new CallFailure({ type: 'provider.no-route', message }, 'resolution');
}

async function fetched({ limits }: World, request: Request): Promise<Response> {
  try {
    return await within(fetch(request), limits.headerMs, 'header timeout');
  } catch (error) {
    if (error instanceof CallFailure) throw error;
    throw new CallFailure({ type: 'provider.transport', message: String(error) });
  }
}

async function throughHooks({ hooks, knobs }: World, came: HttpResponseEvent, signal: AbortSignal): Promise<Response> {
  const event = { ...came };
  const { response } = came;
  if (knobs.response === 'frozen') Object.defineProperty(event, 'response', { get: () => response });
  await orStopped(hooks.run('http.response', event), signal);
  return knobs.response === 'replaceable' ? event.response : response;
}

/** A stop no longer waits for a running hook, but does not end it. */
function orStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Interrupted());
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

const toolsOf = ({ tools }: World): Record<string, unknown> =>
  Object.fromEntries([...tools.keys()].map((name) => [name, { type: 'function', function: { name } }]));

export function turnsOf(rows: readonly Row[]): Turn[] {
  return rows.flatMap((row): Turn[] => {
    if (row.type === 'model-switched') return [];
    if (row.type !== 'assistant') return [{ role: 'user', content: row.text }];
    const calls = row.answer.calls.filter(({ id }) => row.results.has(id));
    if (calls.length === 0) return row.answer.text === '' ? [] : [{ role: 'assistant', content: row.answer.text }];
    const called = calls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    }));
    const given = calls.map(({ id }): Turn => ({ role: 'tool', tool_call_id: id, content: row.results.get(id) ?? '' }));
    return [{ role: 'assistant', content: row.answer.text, tool_calls: called }, ...given];
  });
}
