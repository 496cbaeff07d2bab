import { part } from './catalogue';

export const demoTexts = part('demo', {
  mark: 'Demo: simulated models, no cost. Your files are not touched; the demo’s own folder is deleted when it ends.',
  recorded:
    'Demo, recorded: no OpenCode was found on this computer, so a recording repeats. No models run, no cost. Your files are not touched; the demo’s own folder is deleted when it ends.',
  title: 'Try it without your own models',
  lede: 'A real OpenCode in a temporary folder with simulated models that fail in different ways. Your own OpenCode and its data here are not touched.',
  start: 'Start the demo',
  starting: 'Starting OpenCode. This takes some seconds…',
  running: 'The demo runs in its own panel.',
  open: 'Open its panel',
  copy: 'Copy its address',
  stop: 'Stop the demo',
  failed: (reason: string) => `The demo could not start: ${reason.replace(/\.$/, '')}.`,
  needs: 'It uses OpenCode from the PATH or OPENCODE_BIN. Without OpenCode it plays a recording.',
  again: 'Try again',
  noAnswer: 'Understudy did not answer. Try again.',
});
