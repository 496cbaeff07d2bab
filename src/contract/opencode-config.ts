/** The lead comes first. */
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

type TheseusConfig = Readonly<{ fallback: Readonly<{ chains: Readonly<Record<string, readonly string[]>> }> }>;

/** Chains as `oh-my-opencode-theseus.json` has them. */
export const theseusConfig = (chains: readonly Chain[]): TheseusConfig => ({
  fallback: { chains: Object.fromEntries(chains.map(({ agent, models }) => [agent, models])) },
});

/** The same as the text of that file. */
export const theseusConfigText = (chains: readonly Chain[]): string =>
  `${JSON.stringify(theseusConfig(chains), null, 2)}\n`;
