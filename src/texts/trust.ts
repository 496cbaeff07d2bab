import { part } from './catalogue';

const sum = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

/** Requests of projects beyond the user’s limits, and their approvals. */
export const trustTexts = part('trust', {
  none: 'No project asks for more than you allow.',
  more: 'A project can always be stricter than you. To be looser, it needs your approval; until then your value applies.',
  states: {
    late: 'Its files load slowly: there may be more requests.',
    closed: 'It is not open in OpenCode, so its current requests are not read.',
    gone: 'This folder does not exist.',
  },
  asks: (count: number) => (count === 0 ? 'no requests' : `${count} ${count === 1 ? 'request' : 'requests'}`),
  askedTable: (project: string) => `Requests of ${project}`,
  allowedTable: (project: string) => `Permissions of ${project}`,
  setting: 'Setting',
  theirs: 'Requested by the project',
  own: 'Your value, in force',
  given: 'Allowed by you',
  act: 'Change',
  allow: 'Allow…',
  allowThis: (setting: string, project: string) => `Allow ${setting} in ${project}`,
  revoke: 'Revoke',
  revokeThis: (setting: string, project: string) => `Revoke ${setting} in ${project}`,
  unasked: 'Not requested now.',
  patterns: 'Error patterns',
  policy: 'Policy, all agents',
  policyOf: (agent: string) => `Policy, ${agent}`,
  lead: 'Primary, all agents',
  leadOf: (agent: string) => `Primary, ${agent}`,
  hostLead: 'the model set in OpenCode',
  means: (kind: string | null, provider: string | null, agent: string | null) =>
    [kind && `means ${kind}`, provider && `of ${provider}`, agent && `for ${agent}`].filter(Boolean).join(', '),
  phrases: (count: number) => (count === 0 ? 'no own patterns' : sum(count, 'pattern', 'patterns')),
  otherPhrases: (count: number) => `and ${count} more`,
  title: (project: string) => `Allow this for ${project}?`,
  action: 'Allow',
  counts: 'It takes effect in this project with the next message, without a restart.',
  again: 'A different value needs a new approval. You can revoke it at any time.',
  allowed: (setting: string) => `${setting} is allowed.`,
  notAllowed: (setting: string, why: string) => `${setting} was not allowed: ${why}`,
  revoked: (setting: string) => `${setting} is revoked. Your own value applies.`,
  notRevoked: (setting: string, why: string) => `${setting} was not revoked: ${why}`,
  look: 'Review',
});
