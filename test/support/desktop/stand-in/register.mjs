// Has `import … from 'electron'` find the stand-in that STAND_IN names.
import { register } from 'node:module';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

// The shell and what it sets up for a system are one program for all of them.
const { STAND_IN_PLATFORM: platform } = process.env;
if (platform) Object.defineProperty(process, 'platform', { value: platform });

const target = JSON.stringify(pathToFileURL(process.env.STAND_IN).href);
const hooks = `export const resolve = (name, context, next) =>
  name === 'electron' ? { url: ${target}, shortCircuit: true } : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
