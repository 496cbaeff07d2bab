import { withVariables } from '../../../../core/config/substitution';
import type { Environment } from '../../../../node/base/state-home';
import { configPaths } from '../../../../node/config/config-files';
import { loadConfig } from '../../../../node/config/config-reader';

/** Has credentials: never stored, and sent only to the server. */
export type KnowledgeSource = Readonly<{
  tool: string;
  argument: string;
  timeoutMs: number;
}> &
  (
    | Readonly<{ command: readonly string[]; environment: Readonly<Record<string, string>> }>
    | Readonly<{ url: string; headers: Readonly<Record<string, string>> }>
  );

const DEFAULT_TIMEOUT_MS = 3_000;
const DEFAULT_ARGUMENT = 'query';

/** Only the user, not a project, may start such a server and send it data. */
export async function knowledgeSource(env: Environment): Promise<KnowledgeSource | null> {
  const { sources } = await loadConfig(configPaths(null, env));
  const { knowledge, latency } = sources.global?.config?.council ?? {};
  if (knowledge === undefined) return null;
  const { command, environment = {}, url, headers = {}, tool, argument = DEFAULT_ARGUMENT } = knowledge;
  const timeoutMs = latency?.blacksmith_timeout_ms ?? DEFAULT_TIMEOUT_MS;
  const request = { tool, argument, timeoutMs };
  const filled = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, withVariables(value, env)]));
  if (command !== undefined) return { ...request, command, environment: filled(environment) };
  return url === undefined ? null : { ...request, url, headers: filled(headers) };
}
