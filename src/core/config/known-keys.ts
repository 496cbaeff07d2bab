import type * as z from 'zod';
import type { KeyPath } from './problem';
import { ConfigFile } from './schema';
import { nearest } from './suggest';

/** Names in other fallback plugins. */
const SYNONYMS: Readonly<Record<string, string>> = {
  models: 'fallbackModels',
  fallback: 'fallbackModels',
  fallbacks: 'fallbackModels',
  chain: 'fallbackModels',
  fallback_models: 'fallbackModels',
  agent: 'agents',
};

/** A path from the root if the key belongs elsewhere. */
export function suggestKey(path: KeyPath, key: string): string | null {
  const here = keysAt(path);
  const near = nearest(key, here);
  if (near !== null) return near;
  const synonym = Object.hasOwn(SYNONYMS, key) ? SYNONYMS[key] : undefined;
  if (synonym !== undefined && here.includes(synonym)) return synonym;
  return path.length === 0 && keysAt(['defaults']).includes(key) ? `defaults.${key}` : null;
}

export function keysAt(path: KeyPath): readonly string[] {
  let schema: Schema | null = ConfigFile as unknown as Schema;
  for (const key of path) schema = schema === null ? null : child(open(schema), key);
  const { def } = schema === null ? { def: null } : open(schema);
  if (def?.shape !== undefined) return Object.keys(def.shape);
  return def?.type === 'record' && def.keyType?.def.entries !== undefined ? Object.keys(def.keyType.def.entries) : [];
}

// The library types each schema class apart.
type Schema = Readonly<{ def: Definition; unwrap?(): Schema }>;
type Definition = Readonly<{
  type: z.ZodType['def']['type'];
  shape?: Readonly<Record<string, Schema>>;
  innerType?: Schema;
  valueType?: Schema;
  keyType?: Readonly<{ def: Readonly<{ entries?: object }> }>;
  element?: Schema;
  options?: readonly Schema[];
}>;

function open(schema: Schema): Schema {
  if (schema.def.type === 'lazy' && schema.unwrap) return open(schema.unwrap());
  if (schema.def.innerType !== undefined) return open(schema.def.innerType);
  return schema.def.options?.map(open).find((option) => option.def.shape !== undefined) ?? schema;
}

function child({ def }: Schema, key: string | number): Schema | null {
  if (typeof key === 'number') return def.element ?? null;
  if (def.shape !== undefined) return Object.hasOwn(def.shape, key) ? (def.shape[key] ?? null) : null;
  return def.valueType ?? null;
}
