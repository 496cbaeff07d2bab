import { part } from './catalogue';

/** Asking a model for real. */
export const probeTexts = part('probe', {
  button: 'Probe…',
  title: (name: string) => `Ask ${name} now?`,
  ask: 'Ask',
  how: 'How',
  now: 'Now, with one smallest request',
  nextTurn: 'Let the next real turn ask it',
  allow: 'Allow',
  costs: (price: string) =>
    `It is a real request with your login: about ${price}, mostly for what OpenCode itself sends along.`,
  costsUnknown:
    'It is a real request with your login. Its price is not known; OpenCode itself sends some 8,000 tokens along.',
  costsNothing: 'It is a real request with your login, to a model that costs nothing.',
  whenAnswers: 'If it answers, it counts as ready.',
  whenFails: 'If it fails, all stays as it is.',
  order: 'No chain changes its order.',
  held: 'It stays out of use even if it answers, because somebody holds it there.',
  asking: (name: string) => `Asking ${name}. It may take a minute and a half…`,
  answered: (name: string, took: string, price: string) => `${name} answered in ${took}, for ${price}.`,
  isBack: 'It is used again.',
  failed: (name: string, kind: string, took: string) => `${name} does not answer: ${kind}, after ${took}.`,
  notAsked: (name: string, reason: string) => `${name} was not asked: ${reason}`,
});
