/** What all pages share: the place, the key that is signed in, its shop, and whether a changeset is active. */
import { type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { CallFailure, CallOutcome } from '../client/call-outcome.ts';
import type { Schemas } from '../client/call-table.ts';
import type { GuardedCalls, Reads } from './guarded-calls.ts';
import { linkTo, type Place, parsePlace } from './place.ts';
import { type CurrentKey, callsWith, type Shop } from './service.ts';

/** The key is kept for this tab only, and never in a link. */
const STORED_KEY = 'ratewright-key';

export interface SignedIn {
  readonly calls: Reads;
  /** For `useWrite`, which knows what guards a write. */
  readonly writesWith: GuardedCalls['writesWith'];
  readonly key: CurrentKey;
  /** The key may change the configuration. */
  readonly mayWrite: boolean;
  readonly shop: Shop;
}

export type Changeset = Pick<Schemas['ShadowedStaging'], 'id' | 'changes' | 'enteredAt'>;

export class AppState {
  readonly place: Signal<Place> = signal(parsePlace(location.hash));
  readonly signedIn: Signal<SignedIn | null> = signal(null);
  /** True once a call was refused because of its key: the pages stay, with a request to sign in over them. */
  readonly isKeyRefused = signal(false);
  readonly changeset: Signal<Changeset | null> = signal(null);
  /** Counts the writes that succeeded: after each, all answers on the page are read again. */
  readonly writes = signal(0);
  /** What was typed into records and is not saved, by page and id of the record. */
  readonly drafts = new Map<string, unknown>();
  /** The shop that the drafts are of. */
  #shopId = '';
  /** The id of the record that was created last, whose editor stays open. */
  created = '';
  /** One sentence about the last action, shown and announced by screen readers. */
  readonly message = signal('');

  constructor() {
    addEventListener('hashchange', () => {
      this.place.value = parsePlace(location.hash);
    });
    addEventListener('beforeunload', (event) => {
      if (this.drafts.size > 0) event.preventDefault();
    });
  }

  /** Changes parameters of the page; "" removes one. `replace` adds no entry to the history, as typing should not. */
  set(parameters: Place['parameters'], replace = true): void {
    const { page, parameters: given } = this.place.value;
    const fragment = linkTo(page, { ...given, ...parameters });
    history[replace ? 'replaceState' : 'pushState'](null, '', fragment);
    this.place.value = parsePlace(fragment);
  }

  get storedKey(): string | null {
    return sessionStorage.getItem(STORED_KEY);
  }

  /** Signs in with this key; the failure when it is not accepted. */
  async signIn(secret: string): Promise<CallFailure | null> {
    const { reads: calls, writesWith } = callsWith(secret);
    const [key, shop, staging] = await Promise.all([
      calls.getCurrentKey(),
      calls.getShop(),
      calls.getStaging(),
    ]);
    if (!key.ok) return key;
    if (!shop.ok) return shop;
    // Without it no page can say where writes go.
    if (!staging.ok) return staging;
    sessionStorage.setItem(STORED_KEY, secret);
    const { id } = shop.value.shop;
    if (id !== this.#shopId) this.drafts.clear();
    this.#shopId = id;
    this.changeset.value = staging.value.staging;
    const mayWrite = key.value.key.permission !== 'read';
    this.signedIn.value = { calls, writesWith, key: key.value.key, mayWrite, shop: shop.value.shop };
    this.isKeyRefused.value = false;
    return null;
  }

  signOut(): void {
    sessionStorage.removeItem(STORED_KEY);
    this.signedIn.value = null;
    this.changeset.value = null;
  }

  /** Reads which changeset is active; false when it is not the one that was shown. */
  async readChangeset(): Promise<boolean> {
    const shown = this.changeset.value?.id;
    const staging = await this.signedIn.value?.calls.getStaging();
    if (staging?.ok) this.changeset.value = staging.value.staging;
    return this.changeset.value?.id === shown;
  }

  /** False, with a message, when a changeset began or ended since the page said where writes go. */
  async isDestinationShown(): Promise<boolean> {
    const isShown = await this.readChangeset();
    if (!isShown)
      this.message.value =
        this.view === 'live'
          ? 'Nothing was saved: the changeset has ended. What you save now is live'
          : 'Nothing was saved: a changeset is active. What you save now goes to it';
    return isShown;
  }

  /** What is edited: the changeset while one is active. */
  get view(): 'live' | 'staged' {
    return this.changeset.value === null ? 'live' : 'staged';
  }

  /** Returns the outcome; a refused key makes the page ask for another. */
  seen<T>(outcome: CallOutcome<T>): CallOutcome<T> {
    if (!outcome.ok && outcome.code === 'UNAUTHORIZED') this.isKeyRefused.value = true;
    return outcome;
  }
}

export const AppContext = createContext<AppState | null>(null);

export function useApp(): AppState {
  const app = useContext(AppContext);
  if (app === null) throw new Error('no state of the console above this part');
  return app;
}

/** The currency of a cart: its own, else that of the shop. */
export function useCurrency(cart: { readonly currency?: string | null }): string {
  const { shop } = useSignedIn();
  return cart.currency?.toUpperCase() ?? shop.currency;
}

/** Only for parts that are shown after signing in. */
export function useSignedIn(): SignedIn {
  const { signedIn } = useApp();
  if (signedIn.value === null) throw new Error('this part is shown to a signed-in reader only');
  return signedIn.value;
}
