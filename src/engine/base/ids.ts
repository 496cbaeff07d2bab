/** `provider/model`; everything after the first slash belongs to the model (`openrouter/vendor/model:free`). */
export type ModelId = string;
/** OpenCode's id of the user message: one turn. */
export type TurnId = string;
/** `instance:session:message:n`; the companion creates it when it detects the request. */
export type AttemptId = string;
/** Key of a model's health: its id, or `provider@partition/name` in a directory's own partition. Source: ADR 0028. */
export type HealthKey = ModelId;

/** Text before the first slash, or all of it without a slash. */
export function providerOf(model: ModelId): string {
  const slash = model.indexOf('/');
  return slash < 0 ? model : model.slice(0, slash);
}

export function nameOf(model: ModelId): string {
  return model.slice(model.indexOf('/') + 1);
}

/** `provider@account/model` selects another of the user's accounts. */
const ACCOUNT = /^([^/@]+)@([^/]+)(?=\/|$)/;

/** Label of the account in a model id; null for the account that the host uses. */
export const accountIn = (model: ModelId): string | null =>
  model.includes('@') ? (ACCOUNT.exec(model)?.[2] ?? null) : null;

/** Removes the account from a model or provider id. */
export const unaccounted = (model: ModelId): ModelId => (model.includes('@') ? model.replace(ACCOUNT, '$1') : model);
