/** Primary first. */
type Chain = Readonly<{ agent: string; models: readonly string[] }>;
type OpenCodeConfig = Readonly<{ agents: Readonly<Record<string, unknown>> }>;

/** Shape of OpenCode's issue 7602, for users who leave. It has no default chain. */
export function openCodeConfig(chains: readonly Chain[]): OpenCodeConfig {
  const entries = chains.map(({ agent, models }) => [agent, { model: { fallback: models } }] as const);
  return { agents: Object.fromEntries(entries) };
}

export const openCodeConfigText = (chains: readonly Chain[]): string =>
  `${JSON.stringify(openCodeConfig(chains), null, 2)}\n`;

type TheseusConfig = Readonly<{ fallback: Readonly<{ chains: Readonly<Record<string, readonly string[]>> }> }>;

/** Shape of `oh-my-opencode-theseus.json`. */
export const theseusConfig = (chains: readonly Chain[]): TheseusConfig => ({
  fallback: { chains: Object.fromEntries(chains.map(({ agent, models }) => [agent, models])) },
});

export const theseusConfigText = (chains: readonly Chain[]): string =>
  `${JSON.stringify(theseusConfig(chains), null, 2)}\n`;
