/** Interface through which readers count what their live simulations used (contract section 10.5). */
import type { PlacedConfig } from '../domain/shop-event.ts';
import { UseCounter } from '../evaluate/use-counter.ts';

export interface UseWatch {
  /** A shop was loaded into memory; `config` gives its live configuration. */
  open(shopId: string, config: () => PlacedConfig): UseCounter;
  /** The shop was evicted from memory. */
  closed(shopId: string): void;
  /** Adds uses that another thread counted: their JSON text in UTF-8. */
  add(shopId: string, uses: Uint8Array): void;
}

/** For threads that hand their counts over, and for processes that keep none. */
export const UNWATCHED_USES: UseWatch = {
  open: () => new UseCounter(),
  closed: () => {},
  add: () => {},
};
