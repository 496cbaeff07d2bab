// `npm run release -- check` compares tag, version and changelog. `npm run release -- describe <folder>` writes
// checksums, release notes and update files next to the packages.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..');

/** @returns {string} the changelog section of a version. @throws Error if there is none. */
export function notesOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split(/[\s\n]/)[0]?.replace(/[[\]]/g, '') === version);
  const notes = section?.slice(section.indexOf('\n')).trim();
  if (!notes) throw new Error(`CHANGELOG.md says nothing of ${version}: name its section "## ${version}".`);
  return notes;
}

/**
 * @returns {string
 * null} why a tag cannot be released.
 */
export function tagProblem(tag, version) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return `${version} is no version that can be released.`;
  return tag === `v${version}` ? null : `The tag is ${tag}, and package.json says ${version}.`;
}

/**
 * Update files by name: macOS reads the package to install, Windows the page to open.
 * @param {readonly string[]} names The packages. @param {string} releases Address of the releases page.
 */
export function updateFiles(names, version, releases) {
  const files = {};
  for (const name of names) {
    const arch = /-mac-(x64|arm64)\.zip$/.exec(name)?.[1];
    if (arch) files[`update-darwin-${arch}.json`] = { version, url: `${releases}/download/v${version}/${name}` };
    if (name.endsWith('.exe'))
      for (const each of ['x64', 'arm64'])
        files[`update-win32-${each}.json`] = { version, url: `${releases}/tag/v${version}` };
  }
  return files;
}

function describe(folder, { version, changelog, releases }) {
  const names = readdirSync(folder).filter((name) => name.startsWith('Understudy-'));
  if (names.length === 0) throw new Error(`There are no packages in ${folder}.`);
  writeFileSync(join(folder, 'notes.md'), `${notesOf(changelog, version)}\n`);
  const updates = Object.entries(updateFiles(names, version, releases));
  for (const [name, content] of updates) writeFileSync(join(folder, name), `${JSON.stringify(content)}\n`);
  const sums = [...names, ...updates.map(([name]) => name)].sort().map((name) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    return `${sum}  ${name}\n`;
  });
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
}

function main([command, folder]) {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const { GITHUB_REF_NAME: tag = '', UNDERSTUDY_RELEASES: releases = '' } = process.env;
  if (command === 'describe' && folder) describe(folder, { version, changelog, releases });
  else if (command === 'check') {
    const problem = tagProblem(tag, version);
    if (problem) throw new Error(problem);
    notesOf(changelog, version);
  } else throw new Error('Expected "check", or "describe" and a folder.');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
