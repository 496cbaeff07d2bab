import { part } from './catalogue';

/** Chains that are proposed: why each model, and what stands in the way. */
export const proposalTexts = part('proposals', {
  why: {
    present: 'in use now',
    first: 'OpenCode’s own choice of this provider',
    other_vendor: 'another vendor',
    other_provider: 'the same vendor by way of another provider',
    same_provider: 'the same provider: helps when one model is out, not when all are',
    smaller: 'holds less than half of the first',
    local: 'on this machine: there when nothing else is',
  },
  problem: {
    unlisted:
      'OpenCode has not told which models it has. Install the companion, restart OpenCode and open it in a project.',
    none: 'None of the models OpenCode has can use tools, so none can stand in for an agent.',
    singleVendor:
      'Only one vendor is connected: when it is down, so is every chain. Log in to a second one with "opencode auth login".',
    unfit: (agent: string, model: string) =>
      `${agent}: no model of another vendor is comparable to ${model} in size and price.`,
    locked: (agent: string, model: string) =>
      `${agent}: its chain keeps to the vendor of ${model} (council, or vendorLock), and no other model of that one fits: nobody would take over.`,
    unlistedLead: (agent: string, model: string) =>
      `${agent} is configured with ${model}, which OpenCode does not have: unknown, retired, or its provider has no key.`,
  },
});
