/** What is known of which record a model's values are kept under. */
export type KnownNames = Readonly<{
  records: ReadonlySet<string>;
  /** A published table: the record of an id. */
  aliases: ReadonlyMap<string, string>;
  /** What a person has said of an id: its record, or null where it is none of those there are. */
  confirmed: ReadonlyMap<string, string | null>;
}>;

/** Says how or when a model is served, not which one it is. */
const BESIDE: ReadonlySet<string> = new Set(['free', 'preview', 'latest']);
/** A whole day, as in `claude-opus-4-20250514` or `gpt-4o-2024-08-06`; `2507` is the number of a version. */
const DAY = /(?<!\d)20\d{2}[-_.]?(?:0[1-9]|1[0-2])[-_.]?(?:0[1-9]|[12]\d|3[01])(?!\d)/g;
/** What letters and figures a name is made of: `qwen3` and `qwen-3` are the same. */
const PARTS = /\p{L}+|\d+/gu;
const LETTER = /^\p{L}/u;
const FIGURE = /^\d/;
/** Names that share less than this are not worth a person's look. */
const LEAST_LIKENESS = 0.85;
/** More would not help a person to choose. */
const SUGGESTED_MOST = 5;

/** A variant of OpenCode, as in `anthropic/claude-opus-4-6#high`, is the model with another setting. */
export const withoutVariant = (model: string): string => model.replace(/#[^#/]*$/, '');

/**
 * The record whose values are a model's: as a person has said, else of the very same id, else by the published table.
 *
 * @param model `provider/model` of OpenCode, with or without a variant, or a record that may be another one's.
 * @returns null where none of them says it; what only looks alike is for `createSuggest`.
 */
export function recordFor(model: string, known: KnownNames): string | null {
  const id = withoutVariant(model);
  const said = known.confirmed.get(id);
  if (said !== undefined) return said;
  if (known.records.has(id)) return id;
  const published = known.aliases.get(id);
  return published !== undefined && known.records.has(published) ? published : null;
}

/** Records that may be a model's, the likest first. */
export type Suggest = (model: string, limit?: number) => string[];

/**
 * Suggests records that may be a model's, by how alike the names are: for a person to confirm, and never more than that. Names
 * are compared without provider, separators, days and words such as `free` and `preview`, and only where their figures agree:
 * those tell versions apart.
 */
export function createSuggest(known: KnownNames): Suggest {
  const byFigures = new Map<string, Readonly<{ record: string; parts: readonly string[] }>[]>();
  const add = (name: string, record: string): void => {
    const parts = partsOf(name);
    const figures = figuresIn(parts);
    const alike = byFigures.get(figures);
    if (alike) alike.push({ record, parts });
    else byFigures.set(figures, [{ record, parts }]);
  };
  for (const record of known.records) add(record, record);
  for (const [name, record] of known.aliases) if (known.records.has(record)) add(name, record);
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

/** The share of parts two names have in common, in whatever order; 0 where these are figures alone. */
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
