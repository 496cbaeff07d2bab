import process from 'node:process';
import { shippedBeside } from '../node/base/shipped';
import { PANEL_HELP, readPanelArguments } from './arguments';
import { leave, runPanelHere } from './process';

const wish = readPanelArguments(process.argv.slice(2));
switch (wish.kind) {
  case 'help':
    console.log(PANEL_HELP);
    break;
  case 'version':
    console.log(__UNDERSTUDY_VERSION__);
    break;
  case 'wrong':
    console.error(`${wish.reason}\nSee --help.`);
    process.exitCode = 2;
    break;
  case 'serve':
    leave(
      await runPanelHere({
        ...{ ...wish, ...shippedBeside(import.meta.dirname) },
        ...{ version: __UNDERSTUDY_VERSION__, runtime: `node ${process.versions.node}` },
      }),
    );
    break;
}
