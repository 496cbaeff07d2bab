/** `provider/model`; everything after the first slash belongs to the model (`openrouter/vendor/model:free`). */
export type ModelId = string;
/** OpenCode's id of the user message. */
export type TurnId = string;
/** `instance:session:message:n`, created by the companion. */
export type AttemptId = string;
/** The model's id, or `provider@partition/name` in a directory's partition. Source: ADR 0028. */
export type HealthKey = ModelId;

export function providerOf(model: ModelId): string {
  const slash = model.indexOf('/');
  return slash < 0 ? model : model.slice(0, slash);
}

export function nameOf(model: ModelId): string {
  return model.slice(model.indexOf('/') + 1);
}

/** `provider@account/model` selects one of the user's accounts. */
const ACCOUNT = /^([^/@]+)@([^/]+)(?=\/|$)/;

/** Null for the host's current account. */
export const accountIn = (model: ModelId): string | null =>
  model.includes('@') ? (ACCOUNT.exec(model)?.[2] ?? null) : null;

export const unaccounted = (model: ModelId): ModelId => (model.includes('@') ? model.replace(ACCOUNT, '$1') : model);
