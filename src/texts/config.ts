import { part } from './catalogue';

/** Configuration files: what is wrong with them, and the smallest that works. Between backticks is code. */
export const configTexts = part('config', {
  problems: 'Configuration problems',
  hasError: 'has an error',
  needsALook: 'needs a look',
  place: (line: number, column: number) => `Line ${line}, column ${column}: `,
  broken: 'Nothing stopped: the last good configuration stays in force. Save the file again and it is read anew.',
  inForce: 'The rest of the file is in force.',
  example:
    "Save this as `.opencode/model-fallback.json` in the project, or as `model-fallback.json` beside OpenCode's own configuration for all projects. `*` stands for every agent; name the models you can use, best first. It is read as soon as it is saved.",
});
