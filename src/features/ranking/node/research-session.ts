import { randomUUID } from 'node:crypto';
import { redact } from '../../../engine';
import type { Environment } from '../../../node/base/state-home';
import { askOpencode } from '../../../node/opencode/ask';
import { findOpencodes, generationOf, type OpencodeBinary } from '../../../node/opencode/binary';
import { contentIn } from '../../../node/opencode/config-content';
import { costOf, type RunEvent, readRunEvents, runErrorText } from '../../../node/opencode/run-events';

/** Agent and title of the session, which is removed afterwards. */
const AGENT = 'understudy-research';
/** Random, so that a project cannot extend the agent's permissions by its name. */
const agentName = (): string => `${AGENT}-${randomUUID()}`;
const TITLE = 'Understudy research';
/** The first exists only if the user enabled it. */
const SEARCH_TOOLS = ['websearch', 'webfetch'] as const;
/** Tools of the user's servers, such as `exa_*`; none of OpenCode's own. */
const TOOL_SHAPE = /^[A-Za-z\d-]{1,64}_[\w-]{0,64}\*?$/;

/** Time for some dozen pages. */
const LIMIT_MS = 900_000;
const CLEAN_UP_LIMIT_MS = 60_000;

/** `env` contains the user's login. */
export type ResearchOptions = Readonly<{
  prompt: string;
  model: string;
  directory: string;
  env: Environment;
  tools?: readonly string[];
  signal?: AbortSignal;
  limitMs?: number;
}>;

/** The text must not be stored; the cost is in US dollars. */
export type ResearchSaid =
  | Readonly<{ ok: true; text: string; cost: number }>
  | Readonly<{ ok: false; code: 'refused' | 'stopped' | 'late' | 'failed'; reason: string }>;

/**
 * Runs an OpenCode session that may only search and read pages: their text must not run or change anything here. It
 * loads no plugin and is removed afterwards. Never rejects.
 */
export async function askResearch(options: ResearchOptions): Promise<ResearchSaid> {
  const { prompt, model, directory, env, tools = [], signal, limitMs = LIMIT_MS } = options;
  const refused = (reason: string) => ({ ok: false, code: 'refused', reason }) as const;
  if (tools.some((tool) => !TOOL_SHAPE.test(tool)))
    return refused('A search tool must begin with its server’s name, such as exa_*.');
  const binary = (await findOpencodes(env)).find((found) => generationOf(found) === 1);
  if (binary === undefined)
    return refused('This needs OpenCode 1: OpenCode 2 cannot be restricted to its search tool.');
  const agent = agentName();
  const place = { directory, env: { ...env, OPENCODE_CONFIG_CONTENT: contentWithAgent(env, tools, agent) } };
  const args = ['run', '--pure', '--format', 'json', '--title', TITLE, '--agent', agent, '--model', model, prompt];
  const ran = await askOpencode(binary, { ...place, args, limitMs, signal });
  const events = readRunEvents(ran.output);
  await removeSession(binary, events, { directory, env });
  if (signal?.aborted) return { ok: false, code: 'stopped', reason: 'Stopped before the answer.' };
  if (ran.isLate)
    return { ok: false, code: 'late', reason: `No answer within ${Math.round(limitMs / 60_000)} minutes.` };
  return saidIn(events);
}

function saidIn(events: readonly RunEvent[]): ResearchSaid {
  const error = events.find(({ type }) => type === 'error')?.error;
  if (error !== undefined) return { ok: false, code: 'failed', reason: redact(runErrorText(error)) };
  const text = events.flatMap(({ type, part }) => (type === 'text' ? [part?.text ?? ''] : [])).join('\n');
  if (text.trim() === '') return { ok: false, code: 'failed', reason: 'OpenCode ended without an answer.' };
  return { ok: true, text, cost: costOf(events) };
}

/** Adds the agent: its rules override all others, and the last match applies. */
function contentWithAgent({ OPENCODE_CONFIG_CONTENT }: Environment, tools: readonly string[], name: string): string {
  const theirs = contentIn(OPENCODE_CONFIG_CONTENT ?? '{}');
  const allowed = [...SEARCH_TOOLS, ...tools].map((tool) => [tool, 'allow'] as const);
  const agent = {
    description: 'Searches for published benchmark results.',
    mode: 'primary',
    permission: { '*': 'deny', ...Object.fromEntries(allowed) },
  };
  return JSON.stringify({ ...theirs, agent: { ...(theirs.agent as object | undefined), [name]: agent } });
}

async function removeSession(
  binary: OpencodeBinary,
  events: readonly RunEvent[],
  place: Readonly<{ directory: string; env: Environment }>,
): Promise<void> {
  const session = events.find(({ sessionID }) => sessionID !== undefined)?.sessionID;
  if (session === undefined) return;
  await askOpencode(binary, { ...place, args: ['session', 'delete', session, '--pure'], limitMs: CLEAN_UP_LIMIT_MS });
}
