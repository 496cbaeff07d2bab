import type { Node } from 'jsonc-parser';
import { writtenModel } from '../../contract/written-model';
import type { KeyPath } from '../config';
import { pathText } from '../config';
import { type Document, type Edited, nodeAt } from './edit';

export type List = Readonly<{ path: KeyPath; node: Node }>;

export function wrongKind(document: Document, agent: string): Edited | null {
  const shouldBe: readonly (readonly [KeyPath, Node['type']])[] = [
    [['agents'], 'object'],
    [['agents', agent], 'object'],
    [['agents', agent, 'fallbackModels'], 'array'],
    [['agents', agent, 'tiers'], 'array'],
  ];
  for (const [path, type] of shouldBe) {
    const node = nodeAt(document, path);
    if (node !== null && node.type !== type)
      return document.refuse(`${pathText(path)} must be ${type === 'array' ? 'a list' : 'an object'}`, node);
  }
  for (const { path, node } of listsOf(document, agent)) {
    if (node.type !== 'array') return document.refuse(`${pathText(path)} must be a list`, node);
    const strange = node.children?.find(({ type }) => type !== 'string');
    if (strange !== undefined) return document.refuse(`${pathText(path)} must hold models only`, strange);
  }
  return null;
}

/** Adds the variants written in the file to models given without one. */
export function asWritten(document: Document, agent: string, models: readonly string[]): readonly string[] {
  const written = new Map(
    listsOf(document, agent)
      .flatMap(({ node }) => node.children ?? [])
      .filter(({ value }) => typeof value === 'string' && !models.includes(value))
      .map(({ value }) => [writtenModel(value).model, value as string] as const),
  );
  return models.map((model) => written.get(model) ?? model);
}

/** In order: `fallbackModels`, then each tier. */
export function listsOf(document: Document, agent: string): List[] {
  const paths: KeyPath[] = [['agents', agent, 'fallbackModels']];
  const tiers = nodeAt(document, ['agents', agent, 'tiers'])?.children ?? [];
  for (const index of tiers.keys()) paths.push(['agents', agent, 'tiers', index, 'models']);
  return paths.flatMap((path) => {
    const node = nodeAt(document, path);
    return node === null ? [] : [{ path, node }];
  });
}
