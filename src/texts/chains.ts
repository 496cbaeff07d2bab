import { part } from './catalogue';

/** Chains, and how they are put in order. */
export const chainTexts = part('chains', {
  page: {
    noChain: 'No chain is configured.',
    lede: (chains: string, projects: number) =>
      `${chains} in ${projects} project${projects === 1 ? '' : 's'}, from model-fallback.json.`,
    missing: (agent: string) => `${agent} has no chain to edit.`,
    missingMore: 'Fallback is off in its project, none of its models is known yet, or its chain was just removed.',
    unprotected: 'Without a chain, work stops when a model fails.',
    nextStep: 'Next step',
    addChain: 'Add a chain for all agents',
  },
  agents: {
    list: 'Agents',
    find: 'Find an agent',
    usable: (count: number, of: number) => `${count}/${of} usable`,
    noFallback: 'no fallback',
  },
  list: {
    name: (agent: string) => `Chain of ${agent}`,
    empty: 'No model: this agent has no fallback.',
    ownLead: 'Primary, not in the list',
    tier: (index: number) => `Tier ${index}`,
    copy: 'Copy as OpenCode config',
  },
  row: {
    grip: (model: string, position: number, of: number) => `Move ${model}, position ${position} of ${of}`,
    active: 'active',
    unknown: 'unknown here',
    remove: (model: string) => `Remove ${model}`,
    removeHint: 'Remove (Delete)',
    position: (model: string) => `Position of ${model}`,
    moveUp: (model: string) => `Move ${model} up`,
    moveDown: (model: string) => `Move ${model} down`,
    upHint: 'Move up (Alt+↑)',
    downHint: 'Move down (Alt+↓)',
    isNew: 'new',
    was: (position: number) => `was ${position}`,
    removed: (model: string) => `${model} was removed from the draft.`,
  },
  compare: {
    name: 'Current, configured and draft',
    effective: 'In use now',
    noSession: 'No session is running.',
    configured: 'Configured',
    firstOf: (count: number) => `first of ${count}`,
    from: ', from ',
    othersFrom: ', set in OpenCode. The fallback models are in ',
    draft: 'Draft',
    draftOf: (count: number) => `first of ${count}, not applied yet`,
    draftEmpty: 'no fallback, not applied yet',
  },
  draft: {
    name: 'Draft',
    changes: (count: number) => `${count} ${count === 1 ? 'change' : 'changes'}, not applied`,
    undo: 'Undo',
    discard: 'Discard',
    apply: 'Apply',
    remove: (model: string) => `Remove ${model} from the draft`,
    removeIt: 'Remove',
  },
  removal: {
    nobody: (agent: string) => `${agent} then has no fallback: if its model fails, work stops.`,
    allNobody: 'Agents without their own chain then have no fallback: if their model fails, work stops.',
    rest: (agent: string, models: string) => `${agent} then uses the chain for all other agents: ${models}.`,
    own: (agent: string, models: string) => `A chain for ${agent} in another file then applies: ${models}.`,
  },
  apply: {
    working: 'Calculating the change…',
    same: 'The file already has this chain.',
    consequence: 'Takes effect immediately, also in running turns.',
    written: (agent: string) => `The new chain of ${agent} is saved.`,
    diff: 'The change',
  },
  moving: {
    instructions:
      'Press Space to lift, the arrow keys, Home or End to move, Space again to drop, Escape to cancel. Alt and an arrow key move without lifting.',
    lifted: (model: string, position: number, of: number) => `${model}, position ${position} of ${of}. Lifted.`,
    over: (model: string, position: number, of: number, tier: string | null) =>
      `${model}, over position ${position} of ${of}${tier === null ? '' : `, ${tier}`}.`,
    moved: (model: string, position: number, of: number, to: number, tier: string | null) =>
      `${model}, position ${position} of ${of}. Moved to ${to}${tier === null ? '' : `, ${tier}`}. Not applied yet.`,
    putBack: (model: string, position: number, of: number) => `${model}, position ${position} of ${of}. Put back.`,
  },
  notes: {
    malformed: (model: string) => `${model} is not a model: write provider/model.`,
    twice: (model: string) => `${model} is in the chain twice.`,
    pattern: (model: string) => `${model} is a pattern: it includes every matching model.`,
    unknown: (model: string) => `${model} has not been used here yet: check its name.`,
    needsYou: (model: string, remedy: string) => `${model} needs your action. ${remedy}`,
    noVision: (model: string) => `${model} cannot read images: turns with images skip it.`,
    noTools: (model: string) => `${model} cannot use tools: turns that need them skip it.`,
    price: (model: string, times: number, lead: string) => `${model} costs about ${times} times as much as ${lead}.`,
    shrinks: (from: string, to: string, before: string, after: string) =>
      `Context shrinks from ${from} to ${to} when ${after} takes over from ${before}.`,
    leads: (agent: string, to: string, from: string) => `${to} becomes ${agent}’s primary instead of ${from}.`,
    empty: 'An empty chain has no fallback: if the model fails, work stops.',
  },
});
