import { part } from './catalogue';

/** Chains, and how they are put in order. */
export const chainTexts = part('chains', {
  page: {
    noChain: 'No chain is set.',
    lede: (chains: string, projects: number) =>
      `${chains} armed in ${projects} project${projects === 1 ? '' : 's'}, from model-fallback.json.`,
    missing: (agent: string) => `${agent} has no chain to edit.`,
    missingMore: 'Fallback is off in its project, no model of it is known yet, or its chain has just been taken out.',
    unprotected: 'Without a chain nothing is protected: when a model fails, work stops.',
    nextStep: 'Next step',
    addChain: 'Add a chain for every agent',
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
    unknown: 'not known here',
    remove: (model: string) => `Remove ${model}`,
    removeHint: 'Remove (Delete)',
    position: (model: string) => `Position of ${model}`,
    moveUp: (model: string) => `Move ${model} up`,
    moveDown: (model: string) => `Move ${model} down`,
    upHint: 'Move up (Alt+↑)',
    downHint: 'Move down (Alt+↓)',
    isNew: 'new',
    was: (position: number) => `was ${position}`,
    removed: (model: string) => `${model} is out of the draft.`,
  },
  compare: {
    name: 'Now, configured and draft',
    effective: 'Effective now',
    noSession: 'No live session: the next one begins with the first.',
    configured: 'Configured',
    firstOf: (count: number) => `first of ${count}`,
    from: ', from ',
    othersFrom: ', not in the list. The others are in ',
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
    removeIt: 'Remove it',
  },
  removal: {
    nobody: (agent: string) => `${agent} then has no fallback: if its model fails, work stops.`,
    allNobody: 'Agents without a chain of their own then have no fallback: if their model fails, work stops.',
    rest: (agent: string, models: string) => `${agent} then goes by the chain for every other agent: ${models}.`,
    own: (agent: string, models: string) => `Another file has a chain for ${agent}, which is then in force: ${models}.`,
  },
  apply: {
    working: 'Working out the change…',
    same: 'The file says so already.',
    consequence: 'In force from the next decision, also in a turn that is under way.',
    written: (agent: string) => `${agent} has its new chain.`,
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
    malformed: (model: string) => `${model} is no model: write provider/model.`,
    twice: (model: string) => `${model} is in the chain twice.`,
    pattern: (model: string) => `${model} is a pattern: it stands for every model that fits it.`,
    unknown: (model: string) => `Nobody has used ${model} here yet: see that its name is right.`,
    needsYou: (model: string, remedy: string) => `${model} needs you. ${remedy}`,
    noVision: (model: string) => `${model} cannot read images: turns that have one skip it.`,
    noTools: (model: string) => `${model} cannot use tools: turns that need them skip it.`,
    price: (model: string, times: number, lead: string) => `${model} costs about ${times} times what ${lead} does.`,
    shrinks: (from: string, to: string, before: string, after: string) =>
      `Context shrinks from ${from} to ${to} when ${before} hands over to ${after}.`,
    leads: (agent: string, to: string, from: string) => `${agent}: ${to} leads, not ${from}.`,
    empty: 'An empty chain means no fallback: if the model fails, work stops.',
  },
});
