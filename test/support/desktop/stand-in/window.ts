import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions, Rectangle } from 'electron';
import { prevented } from '../../electron-double';
import { only } from './only';
import type { Runtime } from './runtime';
import { WebContents } from './web-contents';

export type WindowWorld = Readonly<{
  runtime: Runtime;
  windows: Set<StandInWindow>;
  contentsMade(contents: WebContents): void;
  lastClosed(): void;
}>;

export class StandInWindow extends EventEmitter {
  readonly webContents: WebContents;
  readonly #world: WindowWorld;
  #isVisible: boolean;
  #isMinimized = false;
  #isDestroyed = false;
  #background = '';
  #bounds: Rectangle;

  constructor(world: WindowWorld, options: BrowserWindowConstructorOptions) {
    super();
    this.#world = world;
    this.#isVisible = options.show !== false;
    this.#background = options.backgroundColor ?? '';
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.#bounds = { x, y, width, height };
    const contents = new WebContents(world.runtime, options.webPreferences ?? {});
    contents.once('did-finish-load', () => this.emit('ready-to-show'));
    this.webContents = only('webContents', contents);
    contents.resize(this.#bounds);
    world.windows.add(this);
    world.contentsMade(this.webContents);
  }

  loadURL(address: string): Promise<void> {
    return this.webContents.loadURL(address);
  }
  show(): void {
    this.#turn('show', true, false);
  }
  hide(): void {
    this.#turn('hide', false, this.#isMinimized);
  }
  minimize(): void {
    this.#turn('minimize', this.#isVisible, true);
  }
  restore(): void {
    this.#turn('restore', true, false);
  }
  focus(): void {
    this.emit('focus');
  }
  /** No other window exists. */
  isFocused(): boolean {
    return this.#isVisible && !this.#isMinimized;
  }
  isVisible(): boolean {
    return this.#isVisible;
  }
  isMinimized(): boolean {
    return this.#isMinimized;
  }
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
  setBackgroundColor(color: string): void {
    this.#background = color;
  }
  getBackgroundColor(): string {
    return this.#background;
  }
  setBounds(bounds: Rectangle): void {
    this.#bounds = bounds;
    this.webContents.resize(bounds);
  }
  getBounds(): Rectangle {
    return this.#bounds;
  }
  /** As a click elsewhere. */
  blur(): void {
    this.emit('blur');
  }
  /** As a click on its close button. */
  close(): void {
    if (!this.#isDestroyed && !prevented(this, 'close')) this.destroy();
  }
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#world.windows.delete(this);
    void this.webContents.destroy();
    this.emit('closed');
    if (this.#world.windows.size === 0) this.#world.lastClosed();
  }

  #turn(name: string, isVisible: boolean, isMinimized: boolean): void {
    this.#isVisible = isVisible;
    this.#isMinimized = isMinimized;
    this.webContents.hide(!isVisible || isMinimized);
    this.emit(name);
  }
}
