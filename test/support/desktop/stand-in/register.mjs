// Resolves `electron` to the file in STAND_IN, and makes the shell detect the platform in STAND_IN_PLATFORM;
// everything else keeps the real platform.
import { register } from 'node:module';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const target = JSON.stringify(pathToFileURL(process.env.STAND_IN).href);
const platform = process.env.STAND_IN_PLATFORM;
const hooks = `
  export const resolve = (name, context, next) =>
    name === 'electron' ? { url: ${target}, shortCircuit: true } : next(name, context);
  export async function load(url, context, next) {
    const loaded = await next(url, context);
    if (!url.endsWith('/out/main/index.js') || ${platform === undefined}) return loaded;
    const parts = Buffer.from(loaded.source).toString().split(/(?<=\\bplatform: )[\\w$]+\\.platform(?=,\\s+builtRoot\\b)/);
    if (parts.length !== 2) throw new Error('The shell is not given its platform where the stand-in looks for it.');
    return { ...loaded, source: parts.join('"${platform}"') };
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
