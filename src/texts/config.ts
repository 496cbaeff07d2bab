import { part } from './catalogue';

/** Problems of configuration files. Backticks enclose code. */
export const configTexts = part('config', {
  problems: 'Configuration problems',
  hasError: 'has an error',
  needsALook: 'has a problem',
  place: (line: number, column: number) => `Line ${line}, column ${column}: `,
  broken: 'The last valid configuration still applies. Fix and save the file; it is read again automatically.',
  inForce: 'Everything else in the file applies.',
  example:
    "Save this as `.opencode/model-fallback.json` in the project, or next to OpenCode's own configuration as `model-fallback.json` for all projects. `*` means every agent. List models you can use, best first. Changes apply when you save.",
});
