import { createStore, type StoreApi } from 'zustand/vanilla';

export type Notice = Readonly<{
  id: number;
  text: string;
  /** `text` is the reason. */
  isRefusal: boolean;
  /** Works once and dismisses the notice. */
  undo: (() => void) | null;
}>;

export type Notices = Readonly<{
  store: StoreApi<Readonly<{ notice: Notice | null }>>;
  tell(notice: Omit<Notice, 'id'>): void;
  dismiss(): void;
}>;

export function createNotices(): Notices {
  const store = createStore<Readonly<{ notice: Notice | null }>>(() => ({ notice: null }));
  let count = 0;
  const dismiss = () => store.setState({ notice: null });
  const once = (undo: () => void) => () => {
    dismiss();
    undo();
  };
  return {
    store,
    tell: (notice) => store.setState({ notice: { ...notice, id: ++count, undo: notice.undo && once(notice.undo) } }),
    dismiss,
  };
}
