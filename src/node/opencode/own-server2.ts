import { randomBytes } from 'node:crypto';
import { variablesOf } from '../base/state-home';
import type { OpencodeBinary } from './binary';
import { contentIn } from './config-content';
import { type Opencode2Server, startOpencode2 } from './opencode2';

export type Place = Readonly<{
  directory: string;
  env: Readonly<Record<string, string | undefined>>;
  limitMs: number;
}>;

/** Disables all but built-in plugins: OpenCode 2 has no flag for it. */
const NO_PLUGINS = ['-*', 'opencode.*'];

/**
 * Never the user's background service. `ask` runs once the configured models are listed.
 * @throws Error if OpenCode does not start within `limitMs`, or as `ask` does.
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
    // The user may have set one of its two names.
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

function given(env: Place['env']): Record<string, string> {
  const content = JSON.stringify(withoutPlugins(env.OPENCODE_CONFIG_CONTENT));
  return { ...variablesOf(env), OPENCODE_CONFIG_CONTENT: content };
}

function withoutPlugins(content: string | undefined): Readonly<Record<string, unknown>> {
  const theirs = contentIn(content ?? '{}');
  const plugins = Array.isArray(theirs.plugins) ? theirs.plugins : [];
  return { ...theirs, plugins: [...plugins, ...NO_PLUGINS] };
}

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
