export const COMMANDS: Readonly<Record<string, string>> = {
  'fallback-status': 'Which models are well, who speaks, and when the others are back',
  retry: 'Use a model, a provider or an agent again: /retry NAME, or /retry all',
  yes: 'Let the next model take over, when Understudy asks',
  no: 'Leave the agent out of this session, when Understudy asks',
  council: 'Have several models review this folder: /council ., then status, stop, export or resume',
};
