import { randomBytes } from 'node:crypto';
import { variablesOf } from '../base/state-home';
import type { OpencodeBinary } from './binary';
import { contentIn } from './config-content';
import { type Opencode2Server, startOpencode2 } from './opencode2';

/** Where a user asks, with what environment, and how long they wait. */
export type Place = Readonly<{
  directory: string;
  env: Readonly<Record<string, string | undefined>>;
  limitMs: number;
}>;

/** OpenCode 2 has no flag for it: whatever else its lists of plugins name is off, and its own are on. */
const NO_PLUGINS = ['-*', 'opencode.*'];

/**
 * Starts an OpenCode 2 of our own as its user, without any plugin, for as long as `ask` takes; their background service is
 * left alone. The project is open then, with the models of its configuration, which OpenCode knows only after a while.
 *
 * @throws Error when it does not come up within `limitMs`, or as `ask` does.
 */
export async function withOwnOpencode2<Value>(
  binary: OpencodeBinary,
  { directory, env, limitMs }: Place,
  ask: (server: Opencode2Server, signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const signal = AbortSignal.timeout(limitMs);
  const password = randomBytes(24).toString('base64url');
  const server = await startOpencode2({
    binary,
    sandbox: { directory, env: given(env) },
    // Of the two names for it the user may have set one.
    env: { OPENCODE_PASSWORD: password, OPENCODE_SERVER_PASSWORD: password, PWD: directory },
    signal,
  });
  try {
    const events = await server.events();
    await server.openProject(directory);
    await events.waitFor(({ type }) => type === 'plugin.updated', limitMs);
    return await ask(server, signal);
  } finally {
    await server.stop();
  }
}

/** The user's environment, with plugins off. */
function given(env: Place['env']): Record<string, string> {
  const content = JSON.stringify(withoutPlugins(env.OPENCODE_CONFIG_CONTENT));
  return { ...variablesOf(env), OPENCODE_CONFIG_CONTENT: content };
}

function withoutPlugins(content: string | undefined): Readonly<Record<string, unknown>> {
  const theirs = contentIn(content ?? '{}');
  const plugins = Array.isArray(theirs.plugins) ? theirs.plugins : [];
  return { ...theirs, plugins: [...plugins, ...NO_PLUGINS] };
}

/** Every model the user could use in a directory, as `provider/model`; null when OpenCode does not tell. */
export async function listModels2(binary: OpencodeBinary, place: Place): Promise<readonly string[] | null> {
  const path = `/model?${new URLSearchParams({ 'location[directory]': place.directory })}`;
  const listed = withOwnOpencode2(binary, place, (server, signal) =>
    server.request<readonly ListedModel[]>('GET', path, { signal }),
  );
  // silent: a server that lists nothing has no model to offer
  const models = (await listed.catch(() => [])).map(({ providerID, id }) => `${providerID}/${id}`);
  return models.length === 0 ? null : models;
}

type ListedModel = Readonly<{ providerID: string; id: string }>;
