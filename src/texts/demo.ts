import { part } from './catalogue';

/** The demo that the panel offers, and how it says that it is one. */
export const demoTexts = part('demo', {
  mark: 'Demo. Every model here is scripted on this computer: nothing is asked of a provider, and nothing is paid. What you write here goes into the demo’s own folder, never into your files, and ends with it.',
  recorded:
    'Demo, recorded. No OpenCode was found on this computer, so you see what a real one did in the demo before, over and over: nothing runs, nothing is asked of a provider, and nothing is paid. What you write here goes into the demo’s own folder, never into your files, and ends with it.',
  title: 'See it work without your own models',
  lede: 'A real OpenCode in a temporary home, whose models are scripted and fail in one way after another. Your own OpenCode and its rows here are not touched.',
  start: 'Start the demo',
  starting: 'Starting an OpenCode. It takes some seconds…',
  running: 'The demo runs in a panel of its own.',
  open: 'Open its panel',
  copy: 'Copy its address',
  stop: 'End the demo',
  failed: (reason: string) => `The demo could not run: ${reason.replace(/\.$/, '')}.`,
  needs:
    'It uses the OpenCode on this computer, on the PATH or named by OPENCODE_BIN; without one it plays a recording.',
  again: 'Try again',
  noAnswer: 'Understudy did not answer. Try again.',
});
