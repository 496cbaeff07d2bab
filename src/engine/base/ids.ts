/** `provider/model`; everything after the first slash belongs to the model (`openrouter/vendor/model:free`). */
export type ModelId = string;
/** A user message id of OpenCode: one turn. */
export type TurnId = string;
/** `instance:session:message:n`, minted by the companion where it sees the request. */
export type AttemptId = string;
/**
 * Under what the health of a model is kept: its own id, or `provider@book/name` where a directory keeps a book of its own for
 * that provider. Source: ADR 0028.
 */
export type HealthKey = ModelId;

/** The provider of a model: what stands before the first slash, or the whole text when there is none. */
export function providerOf(model: ModelId): string {
  const slash = model.indexOf('/');
  return slash < 0 ? model : model.slice(0, slash);
}

/** The model's own name: what stands after the first slash. */
export function nameOf(model: ModelId): string {
  return model.slice(model.indexOf('/') + 1);
}

/** What stands between a provider and its model where another of a user's accounts is meant: `provider@account/model`. */
const ACCOUNT = /^([^/@]+)@([^/]+)(?=\/|$)/;

/** The account that is asked for a model, by its label; null where it is whichever the host has in use. */
export const accountIn = (model: ModelId): string | null =>
  model.includes('@') ? (ACCOUNT.exec(model)?.[2] ?? null) : null;

/** The same model, or provider, whichever account is asked for it. */
export const unaccounted = (model: ModelId): ModelId => (model.includes('@') ? model.replace(ACCOUNT, '$1') : model);
