/** One task of a button at a time, so that a second press before the end of the first does nothing. */
import { useRef, useState } from 'preact/hooks';

export interface Busy {
  readonly isBusy: boolean;
  /** The same at any moment of a task; `isBusy` is that of the last rendering. */
  readonly busy: { readonly current: boolean };
  /** The result of the task; null where another one runs. */
  readonly whileBusy: <T>(task: () => Promise<T>) => Promise<T | null>;
}

export function useBusy(): Busy {
  const [isBusy, setBusy] = useState(false);
  const busy = useRef(false);
  const whileBusy: Busy['whileBusy'] = async (task) => {
    if (busy.current) return null;
    busy.current = true;
    setBusy(true);
    try {
      return await task();
    } finally {
      busy.current = false;
      setBusy(false);
    }
  };
  return { isBusy, busy, whileBusy };
}
