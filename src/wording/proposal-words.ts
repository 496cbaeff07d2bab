import type { ProposalCode, ProposalProblem } from '../contract/proposal';
import { proposalTexts } from '../texts';

/** The reason for a proposed model: "another vendor". */
export const proposalPhrase = (code: ProposalCode): string => proposalTexts().why[code];

/** The obstacle to a good proposal and its remedy, as a sentence. */
export function proposalProblemSentence({ code, agent, model }: ProposalProblem): string {
  const texts = proposalTexts().problem;
  switch (code) {
    case 'models.unlisted':
      return texts.unlisted;
    case 'models.none':
      return texts.none;
    case 'vendor.single':
      return texts.singleVendor;
    case 'vendor.unfit':
      return texts.unfit(agent ?? '*', model ?? '?');
    case 'vendor.locked':
      return texts.locked(agent ?? '*', model ?? '?');
    case 'lead.unlisted':
      return texts.unlistedLead(agent ?? '*', model ?? '?');
  }
}
