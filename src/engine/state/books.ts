import type { ScopeConfig } from '../base/config';
import { type HealthKey, type ModelId, nameOf, providerOf } from '../base/ids';
import { entries, get, type Table } from '../base/table';

/** A partition's name has twelve hexadecimal digits. */
const BOOK = /@[\da-f]{12}(?=\/|$)/;

export function keyBy(scope: Pick<ScopeConfig, 'books'> | undefined, model: ModelId): HealthKey {
  const books = scope?.books;
  if (!books) return model;
  const provider = providerOf(model);
  const book = Object.hasOwn(books, provider) ? books[provider] : books['*'];
  return book ? `${provider}@${book}/${nameOf(model)}` : model;
}

export const keyIn = (state: Pick<Books, 'scopes'>, directory: string, model: ModelId): HealthKey =>
  keyBy(get(state.scopes, directory), model);

export const accountFor = (state: Pick<Books, 'scopes'>, directory: string, model: ModelId): HealthKey =>
  providerOf(keyIn(state, directory, model));

/** Removes the partition from a key. */
export const unbooked = (key: HealthKey): ModelId => (key.includes('@') ? key.replace(BOOK, '') : key);

export function modelsOf({ agents, backupModel }: ScopeConfig): readonly ModelId[] {
  const models = Object.values(agents).flatMap(({ chain }) => chain);
  return backupModel === null ? models : [...models, backupModel];
}

/** Also true for partitions of the name. */
export const isNamed = (key: HealthKey, named: string): boolean => key === named || unbooked(key) === named;

/** The model, or the key if several open partitions store its health. */
export const shownAs = (state: Books, key: HealthKey): HealthKey => shownIn(state)(key);

type Books = Readonly<{ scopes: Table<ScopeConfig>; models: Table<unknown> }>;

export function shownIn({ scopes, models }: Books): (key: HealthKey) => HealthKey {
  let books: ReadonlyMap<ModelId, ReadonlySet<HealthKey>> | null = null;
  return (key) => {
    const model = unbooked(key);
    if (key === model) return key;
    books ??= booksIn(scopes);
    const others = books.get(model);
    const isAlone = !get(models, model) && (others === undefined || (others.size === 1 && others.has(key)));
    return isAlone ? model : key;
  };
}

function booksIn(scopes: Books['scopes']): ReadonlyMap<ModelId, ReadonlySet<HealthKey>> {
  const books = new Map<ModelId, Set<HealthKey>>();
  for (const [, scope] of entries(scopes))
    for (const model of modelsOf(scope)) books.set(model, (books.get(model) ?? new Set()).add(keyBy(scope, model)));
  return books;
}
