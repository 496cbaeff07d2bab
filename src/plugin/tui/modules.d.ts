/** Provided by OpenCode to terminal plugins. Observed on 1.18.33 and 2.0.15. */
declare module '@opentui/solid' {
  export function createElement(kind: 'text'): object;
  export function insert(element: object, content: () => string): void;
  export function setProp(element: object, name: 'fg' | 'wrapMode', value: unknown): void;
  export function effect(run: () => void): void;
}
declare module 'solid-js' {
  export function createSignal<T>(value: T): [read: () => T, write: (value: T) => void];
}
