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
