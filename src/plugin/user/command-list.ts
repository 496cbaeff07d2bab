export const COMMANDS: Readonly<Record<string, string>> = {
  'fallback-status': 'Show the model of each agent, the state of each model, and when unavailable ones return',
  retry: 'Use a model, a provider or an agent again: /retry NAME, or /retry all',
  yes: 'Approve the next model, when Understudy asks',
  no: 'Pause the agent in this session, when Understudy asks',
  council: 'Have several models review this folder: /council ., then status, stop, export or resume',
};
