// A login plugin for OpenCode 2. The provider name `login-<place>-<shape>` selects the failing hook and its failure.
import { SHAPES } from './login-shapes.mjs';

const partsOf = ({ providerID }) => /^login-(\w+)-(\w+)$/.exec(providerID)?.slice(1) ?? [];
const fails = {
  throws: async () => {
    throw new Error('Token refresh failed: 401');
  },
  hangs: () => new Promise(() => undefined),
};

export default {
  id: 'made-up-login',
  async setup({ aisdk, session }) {
    await aisdk.hook('sdk', (event) => {
      const [place, shape] = partsOf(event.model);
      const { fetch: inner } = event.options;
      if (place === 'fetch') event.options.fetch = (input, init) => SHAPES[shape](input, init);
      if (place === 'around') event.options.fetch = (input, init) => (fails[shape] ?? inner)(input, init);
    });
    await aisdk.hook('language', (event) => {
      const [place, shape] = partsOf(event.model);
      if (place !== 'language') return;
      const model = event.sdk.languageModel(event.model.modelID);
      event.language = { ...model, specificationVersion: 'v3', doStream: fails[shape] };
    });
    for (const hook of ['http.request', 'model.request'])
      await session.hook(hook, async ({ model }) => {
        const [place, shape] = partsOf(model);
        if (place === hook.replace('.request', '')) await fails[shape]();
      });
  },
};
