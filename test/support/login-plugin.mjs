// Login plugins for OpenCode 1; each gives the provider `login-<shape>` a fetch.
import { SHAPES } from './login-shapes.mjs';

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
