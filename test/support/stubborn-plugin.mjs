// A plugin that restores a message's first model at each change: always if STUBBORN is `always`, else only while its
// session works. Simulates a host that lacks an ability.
const models = new Map();
const busy = new Set();

export default {
  id: 'stubborn',
  server: async () => ({
    async 'chat.message'(input, output) {
      const { id, model } = output.message;
      if (!models.has(id)) models.set(id, { ...model });
      else if (process.env.STUBBORN === 'always' || busy.has(input.sessionID))
        output.message.model = { ...models.get(id) };
    },
    async event({ event: { type, properties } }) {
      if (type !== 'session.status') return;
      if (properties.status.type === 'idle') busy.delete(properties.sessionID);
      else busy.add(properties.sessionID);
    },
  }),
};
