/**
 * A replica's key ring: forgets all that it remembers as soon as a key has become worthless anywhere, which the
 * shared board says before the revocation is acknowledged.
 */
import { type KeyRingPorts, LiveKeyRing } from '../actor/key-ring.ts';
import type { KeyGrant, KeyRing } from '../shop/shop-access.ts';
import type { SharedBoard } from './shared-board.ts';

export interface ReplicaKeysPorts extends Omit<KeyRingPorts, 'log'> {
  readonly log: Pick<KeyRingPorts['log'], 'findKey' | 'readKeyUse'>;
  readonly board: SharedBoard;
  /** Tells the owner when keys were last used. */
  readonly tellUses: (uses: ReadonlyMap<string, number>) => void;
}

export class ReplicaKeys implements KeyRing {
  readonly #board: SharedBoard;
  readonly #ring: LiveKeyRing;
  #epoch: number;

  constructor({ log, board, tellUses, ...ports }: ReplicaKeysPorts) {
    this.#board = board;
    this.#epoch = board.keyEpoch;
    this.#ring = new LiveKeyRing({
      ...ports,
      log: {
        findKey: (secretSha256) => log.findKey(secretSha256),
        readKeyUse: (keyId) => log.readKeyUse(keyId),
        writeKeyUse: async (uses) => tellUses(uses),
      },
    });
  }

  find(authorization: string): KeyGrant | null {
    const { keyEpoch } = this.#board;
    if (keyEpoch !== this.#epoch) {
      this.#ring.forgetAll();
      this.#epoch = keyEpoch;
    }
    return this.#ring.find(authorization);
  }

  lastUsedAtMs(keyId: string): number | null {
    return this.#ring.lastUsedAtMs(keyId);
  }

  /** Tells the owner what it does not know yet. */
  flush(): Promise<void> {
    return this.#ring.flush();
  }
}
