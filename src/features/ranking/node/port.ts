import { randomUUID } from 'node:crypto';
import type { ProbePort } from '../../../core/ports/ports';
import { hashOf } from '../../../node/config/config-journal';
import { previewOf } from '../../../node/config/seen';
import { findOpencode } from '../../../node/opencode';
import type { SetupPlace } from '../../../node/setup/install';
import type { RankingBook, RankingPort } from '../core/port';
import { dayOf } from '../rules/base/day';
import { valuesFrom } from '../rules/sources/artificial-analysis';
import { API_KEY, FREE_LIST, fetchArtificialAnalysis } from './artificial-analysis';
import { rankingWorld } from './world';
import { applyProposal, planProposal } from './write';

type Parts = Omit<SetupPlace, 'directory'> &
  Readonly<{
    book: RankingBook;
    live: RankingPort['live'];
    /** Absent in the demo, which sends no external requests. */
    probe?: ProbePort;
  }>;

export function createRankingPort({ book, live, probe, ...place }: Parts): RankingPort {
  const { env } = place;
  const ownKey = (): string | null => (probe === undefined ? null : env[API_KEY] || null);
  return {
    book,
    live,
    world: (directory, agent) => rankingWorld({ ...place, directory }, agent),
    async plan(write) {
      const planned = await planProposal(write, env);
      return planned.ok ? { ok: true, files: planned.plans.map(previewOf) } : planned;
    },
    apply: (write, seen) => applyProposal(write, seen, place),
    digest: (text) => hashOf(Buffer.from(text)),
    newId: () => randomUUID(),
    async whyNoProbe() {
      if (probe === undefined) return NOBODY;
      const found = await findOpencode(env);
      return found.ok ? null : found.reason;
    },
    async probe(model, directory) {
      if (probe === undefined) return { isAnswered: false, reason: NOBODY };
      const result = await probe({ model, directory });
      return { isAnswered: result.ok, reason: result.ok ? null : result.reason };
    },
    async artificialAnalysis(typed, { signal }) {
      if (probe === undefined) return { ok: false, reason: NOBODY };
      const key = typed ?? ownKey();
      if (key === null) return { ok: false, reason: `There is no key: set ${API_KEY}, or enter one.` };
      const answer = await fetchArtificialAnalysis({ key, signal });
      if (!answer.ok) return answer;
      return {
        ok: true,
        values: valuesFrom(answer.response, dayOf(Date.now())),
        isIndicesOnly: answer.list === FREE_LIST,
      };
    },
    hasArtificialAnalysisKey: () => ownKey() !== null,
  };
}

const NOBODY = 'The demo sends no external requests.';
