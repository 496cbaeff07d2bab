export type KnownNames = Readonly<{
  records: ReadonlySet<string>;
  aliases: ReadonlyMap<string, string>;
  /** The user's choice of a record; null for none of them. */
  confirmed: ReadonlyMap<string, string | null>;
}>;

/** Describes how a model is served, not the model. */
const BESIDE: ReadonlySet<string> = new Set(['free', 'preview', 'latest']);
/** A whole day, as in `claude-opus-4-20250514` or `gpt-4o-2024-08-06`; `2507` is a version. */
const DAY = /(?<!\d)20\d{2}[-_.]?(?:0[1-9]|1[0-2])[-_.]?(?:0[1-9]|[12]\d|3[01])(?!\d)/g;
/** Splits letters from digits: `qwen3` equals `qwen-3`. */
const PARTS = /\p{L}+|\d+/gu;
const LETTER = /^\p{L}/u;
const FIGURE = /^\d/;
const LEAST_LIKENESS = 0.85;
/** More would not help to choose. */
const SUGGESTED_MOST = 5;

/** A variant such as `anthropic/claude-opus-4-6#high` is the same model with another setting. */
export const withoutVariant = (model: string): string => model.replace(/#[^#/]*$/, '');

/**
 * The record of a model: by the user, else the same id, else the published table.
 * @param model `provider/model` of OpenCode, or a record of another source.
 * @returns null for none; `createSuggest` finds similar names.
 */
export function recordFor(model: string, names: KnownNames): string | null {
  const id = withoutVariant(model);
  const confirmed = names.confirmed.get(id);
  if (confirmed !== undefined) return confirmed;
  if (names.records.has(id)) return id;
  const published = names.aliases.get(id);
  return published !== undefined && names.records.has(published) ? published : null;
}

export type Suggest = (model: string, limit?: number) => string[];

/**
 * Compares without provider, separators, days and words such as `free`, and only names with equal digits, which
 * distinguish versions.
 */
export function createSuggest(names: KnownNames): Suggest {
  const byFigures = new Map<string, Readonly<{ record: string; parts: readonly string[] }>[]>();
  const add = (name: string, record: string): void => {
    const parts = partsOf(name);
    const figures = figuresIn(parts);
    const alike = byFigures.get(figures);
    if (alike) alike.push({ record, parts });
    else byFigures.set(figures, [{ record, parts }]);
  };
  for (const record of names.records) add(record, record);
  for (const [name, record] of names.aliases) if (names.records.has(record)) add(name, record);
  return (model, limit = SUGGESTED_MOST) => {
    const [id, wanted] = [withoutVariant(model), partsOf(model)];
    const likeness = new Map<string, number>();
    for (const { record, parts } of byFigures.get(figuresIn(wanted)) ?? []) {
      const alike = likenessOf(wanted, parts);
      if (record !== id && alike >= LEAST_LIKENESS && alike > (likeness.get(record) ?? 0)) likeness.set(record, alike);
    }
    const ranked = [...likeness].sort(
      ([one, alike], [other, otherAlike]) => otherAlike - alike || (one < other ? -1 : 1),
    );
    return ranked.slice(0, limit).map(([record]) => record);
  };
}

function partsOf(name: string): readonly string[] {
  const last = withoutVariant(name).split('/').at(-1) ?? '';
  const parts = last.toLowerCase().replace(DAY, ' ').match(PARTS) ?? [];
  return parts.filter((part) => !BESIDE.has(part));
}

function likenessOf(one: readonly string[], other: readonly string[]): number {
  const left = [...other];
  const common = one.filter((part) => {
    const at = left.indexOf(part);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return common.some((part) => LETTER.test(part)) ? (2 * common.length) / (one.length + other.length) : 0;
}

const figuresIn = (parts: readonly string[]): string =>
  parts
    .filter((part) => FIGURE.test(part))
    .toSorted()
    .join(' ');
