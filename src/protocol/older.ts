/** Peers of version 0.1.0 disconnect at this kind of failure. */
export const TAKES_LOGIN = 'login';

/** A failed login becomes a rejected key, and the condition `repeated` is omitted. */
export function inOlderWords<T>(message: T): T {
  return JSON.parse(
    JSON.stringify(message, (key, value) => {
      if (key === 'policy' && typeof value === 'object') return { ...value, [TAKES_LOGIN]: undefined };
      if (key === 'when' && value === 'repeated') return undefined;
      return key === 'kind' && value === TAKES_LOGIN ? 'auth' : value;
    }),
  );
}
