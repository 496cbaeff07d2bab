// Login plugins as OpenCode 1 loads them: each gives the provider `login-<shape>` a fetch of its own.
const stored = globalThis.fetch;
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

export const Throws = pluginFor('throws');
export const Rejects = pluginFor('rejects');
export const Limits = pluginFor('limits');
export const Stores = pluginFor('stores');
export const Hangs = pluginFor('hangs');
export const Passes = pluginFor('passes');
export const Expires = pluginFor('expires');
