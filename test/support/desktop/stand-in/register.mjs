// Has `import … from 'electron'` find the stand-in that STAND_IN names.
import { register } from 'node:module';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const target = JSON.stringify(pathToFileURL(process.env.STAND_IN).href);
const hooks = `export const resolve = (name, context, next) =>
  name === 'electron' ? { url: ${target}, shortCircuit: true } : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
