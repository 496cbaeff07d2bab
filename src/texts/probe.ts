import { part } from './catalogue';

export const probeTexts = part('probe', {
  button: 'Probe…',
  title: (name: string) => `Probe ${name} now?`,
  ask: 'Send probe',
  how: 'Method',
  now: 'Now, with one minimal request',
  nextTurn: 'With your next message',
  allow: 'Allow',
  costs: (price: string) => `A real request with your login: about ${price}, mostly for OpenCode’s own prompt.`,
  costsUnknown: 'A real request with your login, price unknown. OpenCode’s own prompt has about 8,000 tokens.',
  costsNothing: 'A real request with your login, to a free model.',
  whenAnswers: 'If it answers, it is ready.',
  whenFails: 'If it fails, nothing changes.',
  order: 'No chain changes.',
  held: 'It stays out of use even if it answers, because you hold it.',
  asking: (name: string) => `Probing ${name}. This may take a minute and a half…`,
  answered: (name: string, took: string, price: string) => `${name} answered in ${took}, for ${price}.`,
  isBack: 'It is in use again.',
  failed: (name: string, kind: string, took: string) => `${name} did not answer: ${kind}, after ${took}.`,
  notAsked: (name: string, reason: string) => `${name} was not probed: ${reason}`,
});
