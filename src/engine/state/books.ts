import type { ScopeConfig } from '../base/config';
import { type HealthKey, type ModelId, nameOf, providerOf } from '../base/ids';
import { entries, get, type Table } from '../base/table';

/** A book is named by twelve hexadecimal digits. */
const BOOK = /@[\da-f]{12}(?=\/|$)/;

/** The key of a model's health by one configuration. */
export function keyBy(scope: Pick<ScopeConfig, 'books'> | undefined, model: ModelId): HealthKey {
  const books = scope?.books;
  if (!books) return model;
  const provider = providerOf(model);
  const book = Object.hasOwn(books, provider) ? books[provider] : books['*'];
  return book ? `${provider}@${book}/${nameOf(model)}` : model;
}

/** The key of a model's health in a directory. */
export const keyIn = (state: Pick<Books, 'scopes'>, directory: string, model: ModelId): HealthKey =>
  keyBy(get(state.scopes, directory), model);

/** The account whose health a model's is kept with in a directory. */
export const accountFor = (state: Pick<Books, 'scopes'>, directory: string, model: ModelId): HealthKey =>
  providerOf(keyIn(state, directory, model));

/** The model, or the provider, whose health is kept under a key. */
export const unbooked = (key: HealthKey): ModelId => (key.includes('@') ? key.replace(BOOK, '') : key);

/** Every model that a directory may ask. */
export function modelsOf({ agents, backupModel }: ScopeConfig): readonly ModelId[] {
  const models = Object.values(agents).flatMap(({ chain }) => chain);
  return backupModel === null ? models : [...models, backupModel];
}

/** Whether a key is what somebody named: itself, or a book of that model or provider. */
export const isNamed = (key: HealthKey, named: string): boolean => key === named || unbooked(key) === named;

/** What people are shown for a key: the model, unless its health stands in more than one book that is open. */
export const shownAs = (state: Books, key: HealthKey): HealthKey => shownIn(state)(key);

type Books = Readonly<{ scopes: Table<ScopeConfig>; models: Table<unknown> }>;

/** The same for many keys: the scopes are gone through once, and not at all where no book is asked for. */
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
