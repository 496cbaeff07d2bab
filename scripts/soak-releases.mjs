// `npm run soak -- releases [version …] [group …]`: plays the promises on releases of OpenCode and writes what was seen into
// docs/releases.json and docs/releases.md. What is not played keeps its figures.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchRelease } from './ensure-opencode.mjs';
import { playGroup } from './play-release.mjs';
import { GROUPS, generationOf, pageOf, RELEASES, summaryOf, totalOf, withResult } from './promises.mjs';

const root = join(import.meta.dirname, '..');
const RESULTS = join(root, 'docs', 'releases.json');
const PAGE = join(root, 'docs', 'releases.md');

/** What was seen so far, by version and group. */
export const readResults = () => JSON.parse(readFileSync(RESULTS, 'utf8'));

/**
 * What shall be played: each release with the groups of its generation.
 * @param {readonly string[]} words Versions and names of groups; where none of a kind is given, all are meant.
 * @throws RangeError where a word is neither, or nothing is left to play.
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

/** @returns {Promise<number>} the exit code: 1 when a promise failed or something could not be played. */
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

/** Writes down what a group came to at once: the whole takes an hour. @returns {number} how many promises failed. */
function record({ version, group, promises }) {
  const summary = summaryOf(promises, new Date().toISOString().slice(0, 10));
  const results = withResult(readResults(), version, group.name, summary);
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(PAGE, pageOf(results));
  const { held, known, failed } = totalOf(summary);
  console.log(`OpenCode ${version}, ${group.name}: ${held} held, ${known} known, ${failed} failed`);
  return failed;
}
