// Fetch functions of login plugins, most of which fail.
import { request } from 'node:http';

const stored = globalThis.fetch;
const stream = (start) =>
  new Response(new ReadableStream({ start }), { headers: { 'content-type': 'text/event-stream' } });
const LIMIT = { error: { message: 'All accounts rate limited. Try again in 42s' } };

export const SHAPES = {
  throws: async () => {
    throw new Error('Token refresh failed: 401');
  },
  rejects: () => fetch('http://127.0.0.1:9/login'),
  limits: async () => Response.json(LIMIT, { status: 429, headers: { 'retry-after': '42' } }),
  stores: (input, init) => stored(input, init),
  hangs: () => new Promise(() => undefined),
  passes: (input, init) => fetch(input, init),
  ...Object.fromEntries(
    [401, 402, 403, 404, 500, 503, 529].map((status) => [
      `answers${status}`,
      async () => Response.json({ error: { message: 'made up' } }, { status }),
    ]),
  ),
  rejectsText: () => Promise.reject('made-up fault'),
  rejectsType: () => Promise.reject(new TypeError('fetch failed')),
  rejectsNothing: () => Promise.reject(),
  cuts: async () => stream((controller) => controller.error(new Error('socket hang up'))),
  falls: async () => stream(() => undefined),
  ends: async () => stream((controller) => controller.close()),
  logsIn: async () => {
    await fetch('http://127.0.0.1:9/login').catch(() => undefined);
    return new Promise(() => undefined);
  },
  asks: (input, init) =>
    new Promise((resolve, reject) => {
      const { method, body } = init;
      const headers = { ...Object.fromEntries(new Headers(init.headers)), 'content-type': 'application/json' };
      request(String(input), { method, headers }, (response) => {
        resolve(new Response(null, { status: response.statusCode }));
      })
        .on('error', reject)
        .end(body);
    }),
  expires: async (input, init, login) => {
    if ((await login()).key === 'old') throw new Error('Token refresh failed: 401');
    return fetch(input, init);
  },
};
