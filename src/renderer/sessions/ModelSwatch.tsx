import { lookOf } from './gantt';

/** The classes that give something the hue and the pattern of a model. */
export function lookClass(slot: number): string {
  const { hue, pattern } = lookOf(slot);
  return `hue-${hue} pat-${pattern}`;
}

/** A model's own hue and pattern, beside its name. */
export function ModelSwatch({ slot }: Readonly<{ slot: number }>) {
  return <i className={`sw ${lookClass(slot)}`} aria-hidden="true" />;
}
