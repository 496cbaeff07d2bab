import type { Rectangle } from 'electron';
import { GLANCE_ADDRESS } from '../contract/shell';
import type { Electron } from './electron';
import { glancePlace } from './glance-place';
import { createPageWindow, type PageWindow, type WindowParts } from './page-window';
import { PANEL_URL } from './security';

export type GlanceOptions = WindowParts & Readonly<{ electron: Pick<Electron, 'screen'> }>;

export type Glance = Pick<PageWindow, 'hide' | 'push' | 'tellWhole' | 'isOurs' | 'repaint' | 'close'> &
  Readonly<{
    toggle(icon: Rectangle): void;
  }>;

const SHAPE = {
  // On macOS it floats on every desktop; other systems lack this type.
  type: 'panel',
  frame: false,
  resizable: false,
  movable: false,
  minimizable: false,
  maximizable: false,
  fullscreenable: false,
  skipTaskbar: true,
  alwaysOnTop: true,
} as const;

/** A click on the icon first blurs the popover; within this time it is the same click. */
const SAME_CLICK_MS = 250;

export function createGlance(options: GlanceOptions): Glance {
  let place: Rectangle | null = null;
  let leftAtMs = Number.NEGATIVE_INFINITY;
  const window = createPageWindow({
    ...options,
    home: `${PANEL_URL}${GLANCE_ADDRESS}`,
    // The error page is too large; the next click tries again.
    safe: null,
    shape: () => ({ ...SHAPE, ...place }),
    whenClosed: (_window, hide) => hide(),
    listen: (opened, hide) =>
      void opened.on('blur', () => {
        leftAtMs = performance.now();
        hide();
      }),
  });
  return {
    ...window,
    toggle(icon) {
      if (window.isSeen()) {
        window.hide();
        return;
      }
      if (performance.now() - leftAtMs < SAME_CLICK_MS) return;
      place = glancePlace(icon, options.electron.screen.getDisplayMatching(icon));
      window.current()?.setBounds(place);
      window.show();
    },
  };
}
