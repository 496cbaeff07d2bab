import { part } from './catalogue';

const sum = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

/** What projects ask for that the user's own limits forbid, and what the user has allowed them. */
export const trustTexts = part('trust', {
  none: 'No project asks for more than you allow.',
  more: 'A project may always be stricter than you are. Where it would be looser, yours stands until you say yes.',
  states: {
    late: 'Its files are slow to read: it may ask for more.',
    closed: 'OpenCode has not opened it: what it asks for now is not looked at.',
    gone: 'This folder is gone.',
  },
  asks: (count: number) => (count === 0 ? 'asks for nothing more' : `asks for ${count}`),
  askedTable: (project: string) => `What ${project} asks for`,
  allowedTable: (project: string) => `What ${project} is allowed`,
  setting: 'Setting',
  theirs: 'The project asks for',
  own: 'Yours, in force',
  given: 'You have allowed',
  act: 'Change',
  allow: 'Allow…',
  allowThis: (setting: string, project: string) => `Allow ${setting} in ${project}`,
  revoke: 'Take back',
  revokeThis: (setting: string, project: string) => `Take back ${setting} in ${project}`,
  unasked: 'It does not ask for this now.',
  patterns: 'What failures are called',
  policy: 'What happens at a failure, every agent',
  policyOf: (agent: string) => `What happens at a failure, ${agent}`,
  lead: 'Who leads, every agent',
  leadOf: (agent: string) => `Who leads ${agent}`,
  hostLead: 'whom OpenCode asks',
  means: (kind: string | null, provider: string | null, agent: string | null) =>
    [kind && `means ${kind}`, provider && `of ${provider}`, agent && `for ${agent}`].filter(Boolean).join(', '),
  phrases: (count: number) => (count === 0 ? 'no phrases of its own' : sum(count, 'phrase', 'phrases')),
  otherPhrases: (count: number) => `and ${count} more`,
  title: (project: string) => `Allow ${project} this?`,
  action: 'Allow',
  counts: 'It counts in this project from the next message on, without a restart.',
  again: 'Another value is another question, and it can be taken back at any time.',
  allowed: (setting: string) => `${setting} is allowed.`,
  notAllowed: (setting: string, why: string) => `${setting} was not allowed: ${why}`,
  revoked: (setting: string) => `${setting} is revoked. Your own value applies.`,
  notRevoked: (setting: string, why: string) => `${setting} was not revoked: ${why}`,
  look: 'See it and decide',
});
