import { hrefOf } from '../routes';

type Listener = () => void;
let isWished = false;
const listeners = new Set<Listener>();

export function wishNewRun(): void {
  isWished = true;
  window.location.hash = hrefOf('council');
  for (const listener of listeners) listener();
}

/** Also calls back at once for a pending request. */
export function takeWish(listener: Listener): () => void {
  const take = () => {
    isWished = false;
    listener();
  };
  if (isWished) take();
  listeners.add(take);
  return () => void listeners.delete(take);
}
