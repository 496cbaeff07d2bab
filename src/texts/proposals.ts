import { part } from './catalogue';

export const proposalTexts = part('proposals', {
  why: {
    present: 'in use now',
    first: 'OpenCode’s default for this provider',
    other_vendor: 'another vendor',
    other_provider: 'same vendor through another provider',
    same_provider: 'same provider: no help if the provider is down',
    smaller: 'less than half the context of the first model',
    local: 'local: last resort',
  },
  problem: {
    unlisted:
      'OpenCode has not listed its models yet. Install the companion, restart OpenCode and open it in a project.',
    none: 'None of OpenCode’s models can use tools, so none can be a fallback model.',
    singleVendor:
      'Only one vendor is connected: if it is down, every chain fails. Log in to a second one with "opencode auth login".',
    unfit: (agent: string, model: string) =>
      `${agent}: no model of another vendor is comparable to ${model} in size and price.`,
    locked: (agent: string, model: string) =>
      `${agent}: its chain uses only the vendor of ${model} (council, or vendorLock), and no other model of that vendor fits: it has no fallback.`,
    unlistedLead: (agent: string, model: string) =>
      `${agent} uses ${model}, which OpenCode does not list: unknown, retired, or without an API key.`,
  },
});
