/** OpenCode copies unknown agent keys into every provider request, where some providers refuse them. */
const OWN_KEYS = ['fallback_models', 'fallback', 'currentModel', 'fallbackModels'] as const;

/** Also an option of OpenRouter: ours only beside `currentModel` or directly under the agent. */
const SHARED_KEY = 'models';

export function usesSharedKey(agent: Readonly<Record<string, unknown>>): boolean {
  return Object.hasOwn(agent, SHARED_KEY);
}

export function stripOwnKeys(options: Record<string, unknown>, isSharedKeyOurs: boolean): void {
  if (isSharedKeyOurs || Object.hasOwn(options, 'currentModel')) delete options[SHARED_KEY];
  for (const key of OWN_KEYS) delete options[key];
}
