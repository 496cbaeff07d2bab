// Login plugins as OpenCode 1 loads them: each gives the provider `login-<shape>` a fetch of its own.
import { request } from 'node:http';

const stored = globalThis.fetch;
const stream = (start) =>
  new Response(new ReadableStream({ start }), { headers: { 'content-type': 'text/event-stream' } });
const LIMIT = { error: { message: 'All accounts rate limited. Try again in 42s' } };

const SHAPES = {
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

const pluginFor = (shape) => async () => ({
  auth: {
    provider: `login-${shape}`,
    methods: [{ type: 'api', label: 'Made up' }],
    loader: async (login) => ({ apiKey: 'made-up', fetch: (input, init) => SHAPES[shape](input, init, login) }),
  },
});

// OpenCode 1 calls each export as a plugin.
export const [Throws, Rejects, Limits, Stores, Hangs, Passes, Answers401, Answers402, Answers403, Answers404] =
  Object.keys(SHAPES).slice(0, 10).map(pluginFor);
export const [Answers500, Answers503, Answers529, RejectsText, RejectsType, RejectsNothing, Cuts, Falls, Ends, LogsIn] =
  Object.keys(SHAPES).slice(10, 20).map(pluginFor);
export const [Asks, Expires] = Object.keys(SHAPES).slice(20).map(pluginFor);
