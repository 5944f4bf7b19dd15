/** What all pages share: the place, the key that is signed in, its shop, and whether a changeset is active. */
import { type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { CallFailure, CallOutcome } from '../client/call-outcome.ts';
import type { Schemas } from '../client/call-table.ts';
import type { GuardedCalls, Reads } from './guarded-calls.ts';
import { formatPlace, type Place, parsePlace } from './place.ts';
import { type CurrentKey, callsWith, type Shop } from './service.ts';

/** The key is kept for this tab only, and never in a link. */
const STORED_KEY = 'ratewright-key';

export interface SignedIn {
  readonly calls: Reads;
  /** For `useWrite`, which knows what guards a write. */
  readonly writesWith: GuardedCalls['writesWith'];
  readonly key: CurrentKey;
  readonly shop: Shop;
}

export type Changeset = Pick<Schemas['ShadowedStaging'], 'id' | 'changes' | 'enteredAt'>;

export class AppState {
  readonly place: Signal<Place> = signal(parsePlace(location.hash));
  readonly signedIn: Signal<SignedIn | null> = signal(null);
  /** True once a call was refused because of its key: the pages stay, with a request to sign in over them. */
  readonly isKeyRefused = signal(false);
  readonly changeset: Signal<Changeset | null> = signal(null);
  /** Counts writes of this page, so that what was read before is read again. */
  readonly writes = signal(0);
  /** What was typed into records and is not saved, by page and id of the record. */
  readonly drafts = new Map<string, unknown>();
  /** The id that was given last to a record of an editor: the editor of the new record is now that of this one. */
  created = '';
  /** One sentence about what was done last, for everyone and for screen readers. */
  readonly message = signal('');

  constructor() {
    addEventListener('hashchange', () => {
      this.place.value = parsePlace(location.hash);
    });
    addEventListener('beforeunload', (event) => {
      if (this.drafts.size > 0) event.preventDefault();
    });
  }

  /** Goes to a place; `replace` leaves no entry in the history, as typing should not. */
  go(place: Place, replace = false): void {
    history[replace ? 'replaceState' : 'pushState'](null, '', formatPlace(place));
    this.place.value = place;
  }

  /** Changes parameters of the page; "" removes one. */
  set(parameters: Readonly<Record<string, string>>, replace = true): void {
    const { page, parameters: given } = this.place.value;
    this.go({ page, parameters: { ...given, ...parameters } }, replace);
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
    sessionStorage.setItem(STORED_KEY, secret);
    // Before the pages are shown: its banner stands above them.
    if (staging.ok) this.changeset.value = staging.value.staging;
    this.signedIn.value = { calls, writesWith, key: key.value.key, shop: shop.value.shop };
    this.isKeyRefused.value = false;
    return null;
  }

  signOut(): void {
    sessionStorage.removeItem(STORED_KEY);
    this.signedIn.value = null;
    this.changeset.value = null;
  }

  async readChangeset(): Promise<void> {
    const staging = await this.signedIn.value?.calls.getStaging();
    if (staging?.ok) this.changeset.value = staging.value.staging;
  }

  /** Looks at every outcome: a refused key asks to sign in again. */
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

/** What a page below the sign-in can rely on. */
export function useSignedIn(): SignedIn {
  const { signedIn } = useApp();
  if (signedIn.value === null) throw new Error('this part is shown to a signed-in reader only');
  return signedIn.value;
}
