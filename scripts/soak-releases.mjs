// `npm run soak -- releases [version …] [group …]`: plays the promises on OpenCode releases and updates
// docs/releases.json and docs/releases.md. Other groups keep their figures.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchRelease } from './ensure-opencode.mjs';
import { playGroup } from './play-release.mjs';
import { GROUPS, generationOf, pageOf, RELEASES, summaryOf, totalOf, withResult } from './promises.mjs';

const root = join(import.meta.dirname, '..');
const RESULTS = join(root, 'docs', 'releases.json');
const PAGE = join(root, 'docs', 'releases.md');

export const readResults = () => JSON.parse(readFileSync(RESULTS, 'utf8'));

/**
 * Releases to play, with groups of their generation.
 * @param {readonly string[]} words Versions and group names; all if none of a kind is given.
 * @throws RangeError for an unknown word or an empty plan.
 */
export function planOf(words) {
  const names = words.filter((word) => GROUPS.some(({ name }) => name === word));
  const versions = words.filter((word) => !names.includes(word));
  const chosen = versions.length === 0 ? RELEASES.flatMap((release) => release.versions) : versions;
  const isWanted = ({ name }) => names.length === 0 || names.includes(name);
  const plan = chosen.flatMap((version) => {
    const generation = generationOf(version);
    const groups = GROUPS.filter((group) => group.generation === generation && isWanted(group));
    return groups.length === 0 ? [] : [{ version, groups }];
  });
  if (plan.length === 0) throw new RangeError(`${words.join(' ')}: these releases have no such group`);
  return plan;
}

/** @returns {Promise<number>} the exit code: 1 if a promise failed or a group could not run. */
export async function soakReleases(words) {
  let isWell = true;
  for (const { version, groups } of planOf(words)) {
    const binary = await fetchRelease(generationOf(version), version).catch((error) => {
      console.error(`${error.message}. Left out.`);
      return null;
    });
    isWell &&= binary !== null;
    for (const group of binary === null ? [] : groups) {
      const played = await playGroup({ version, binary, group });
      const failed = 'promises' in played ? record({ version, group, promises: played.promises }) : 1;
      if ('unplayed' in played) console.error(`OpenCode ${version}, ${group.name}: ${played.unplayed}`);
      isWell &&= failed === 0;
    }
  }
  return isWell ? 0 : 1;
}

/** Writes a group's result at once, because the whole takes an hour. @returns {number} failed promises. */
function record({ version, group, promises }) {
  const summary = summaryOf(promises, new Date().toISOString().slice(0, 10));
  const results = withResult(readResults(), version, group.name, summary);
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(PAGE, pageOf(results));
  const { held, known, failed } = totalOf(summary);
  console.log(`OpenCode ${version}, ${group.name}: ${held} held, ${known} known, ${failed} failed`);
  return failed;
}
