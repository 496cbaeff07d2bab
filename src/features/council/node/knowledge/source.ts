import { withVariables } from '../../../../core/config/substitution';
import type { Environment } from '../../../../node/base/state-home';
import { configPaths } from '../../../../node/config/config-files';
import { loadConfig } from '../../../../node/config/config-reader';

/** A server that the user has named, with all that it is reached with: never written down, and told to nobody else. */
export type KnowledgeSource = Readonly<{
  /** The tool that is asked, and the argument of it that takes what is asked. */
  tool: string;
  argument: string;
  /** How long it may take, in ms. */
  timeoutMs: number;
}> &
  (
    | Readonly<{ command: readonly string[]; environment: Readonly<Record<string, string>> }>
    | Readonly<{ url: string; headers: Readonly<Record<string, string>> }>
  );

const DEFAULT_TIMEOUT_MS = 3_000;
const DEFAULT_ARGUMENT = 'query';

/**
 * The source of knowledge as the user's own file names it now; null where it names none. No project is asked: what goes to such a server, and that
 * it is started, is the user's to say.
 */
export async function knowledgeSource(env: Environment): Promise<KnowledgeSource | null> {
  const { sources } = await loadConfig(configPaths(null, env));
  const { knowledge, latency } = sources.global?.config?.council ?? {};
  if (knowledge === undefined) return null;
  const { command, environment = {}, url, headers = {}, tool, argument = DEFAULT_ARGUMENT } = knowledge;
  const timeoutMs = latency?.blacksmith_timeout_ms ?? DEFAULT_TIMEOUT_MS;
  const asked = { tool, argument, timeoutMs };
  const filled = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, withVariables(value, env)]));
  if (command !== undefined) return { ...asked, command, environment: filled(environment) };
  return url === undefined ? null : { ...asked, url, headers: filled(headers) };
}
