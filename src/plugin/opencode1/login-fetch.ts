import { readFile } from 'node:fs/promises';
import type { ModelId } from '../../engine';
import { placeOf } from '../../node/base/log-paths';
import { placesIn } from '../runtime/places';
import { heedLogins } from '../user/changed-logins';
import type { Fetch } from './memory/fetch-wrap';
import type { Instance } from './memory/instance';
import type { LiveProvider } from './memory/types';
import { lookAt } from './model-start';
import { routed } from './request/fetch-hook';

/** OpenCode removes its default before it creates a client. */
const HEADER_TIMEOUT_MS = 300_000;

const wrapped = new WeakSet<object>();

/** A changed option makes OpenCode create a new client for models not called so far. [observed: 1.17.19, 1.18.34] */
export function wrapLogin({ logins }: Instance, { options }: LiveProvider): void {
  const own = options?.fetch;
  if (!options || typeof own !== 'function' || wrapped.has(own)) return;
  const ours: Fetch = (input, init) => routed(own as Fetch, input, init, 'login');
  wrapped.add(ours);
  const { headerTimeout } = options;
  options.fetch = ours;
  options.headerTimeout = typeof headerTimeout === 'number' ? headerTimeout + 1 : HEADER_TIMEOUT_MS;
  logins.push(() => {
    if (options.fetch === ours) Object.assign(options, { fetch: own, headerTimeout });
  });
}

/** OpenCode shows no error of an abort. */
export function endLook(look: { hasStarted: boolean }): never {
  look.hasStarted = true;
  throw new DOMException('Understudy checked this provider.', 'AbortError');
}

/**
 * Begins a request to each login plugin's provider in the chains. The model it names stays unseen: one of no chain,
 * else the last. Never rejects.
 */
export async function lookAtLogins(instance: Instance): Promise<void> {
  const places = placesIn(instance);
  const placeOf = (model: ModelId): number => places.get(model) ?? Number.MAX_SAFE_INTEGER;
  const spares = instance.listed.loggedIn.flatMap((models) => {
    const [spare] = models.toSorted((one, other) => placeOf(other) - placeOf(one));
    return spare && models.length > 1 && models.some((model) => places.has(model)) ? [spare] : [];
  });
  await lookAt(instance, spares);
}

/** Never rejects. [observed: 1.17.19, 1.18.34] */
export const heedFile = (instance: Instance): Promise<void> =>
  heedLogins(instance, async () =>
    JSON.parse(await readFile(placeOf(null, { usual: ['auth.json'], directory: instance.directory }), 'utf8')),
  );
