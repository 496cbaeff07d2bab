/** An agent and the models that answer for it, the lead first. */
type Chain = Readonly<{ agent: string; models: readonly string[] }>;
type OpenCodeConfig = Readonly<{ agents: Readonly<Record<string, unknown>> }>;

/** Chains as OpenCode's issue 7602 asks for them, for whoever leaves. That shape has no place for all other agents. */
export function openCodeConfig(chains: readonly Chain[]): OpenCodeConfig {
  const entries = chains.map(({ agent, models }) => [agent, { model: { fallback: models } }] as const);
  return { agents: Object.fromEntries(entries) };
}

/** The same as the text of a file. */
export const openCodeConfigText = (chains: readonly Chain[]): string =>
  `${JSON.stringify(openCodeConfig(chains), null, 2)}\n`;
