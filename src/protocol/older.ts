/** The kind of failure that a peer of version 0.1.0 does not know: it would end the connection. */
export const TAKES_LOGIN = 'login';

/** A message in the words of such a peer: a failed login is a refused key, and no step has the condition `repeated`. */
export function inOlderWords<T>(message: T): T {
  return JSON.parse(
    JSON.stringify(message, (key, value) => {
      if (key === 'policy' && typeof value === 'object') return { ...value, [TAKES_LOGIN]: undefined };
      if (key === 'when' && value === 'repeated') return undefined;
      return key === 'kind' && value === TAKES_LOGIN ? 'auth' : value;
    }),
  );
}
