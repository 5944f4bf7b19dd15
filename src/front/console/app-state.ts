/** What all pages share: the place, the key that is signed in, its shop, and whether a changeset is active. */
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { CallFailure, CallOutcome } from '../client/call-outcome.ts';
import type { Schemas } from '../client/call-table.ts';
import { Drafts } from './drafts.ts';
import type { GuardedCalls, Reads } from './guarded-calls.ts';
import { hideMessage, showMessage } from './parts/message.tsx';
import { FIRST_PAGE, linkTo, type Place, parsePlace } from './place.ts';
import { type CurrentKey, callsWith, operatedPath, operatorCallsWith, type Shop } from './service.ts';
import { Shared } from './shared.ts';
import { forgetCarts } from './tester/recent-carts.ts';

/** The key is kept in this browser until the reader signs out, at most a day, and never in a link. */
const STORED_KEY = 'ratewright-key';
const KEPT_MS = 24 * 3_600_000;
const DEVELOPER = 'ratewright-developer';
/** The operator's key opens every shop: it is kept in this tab only, with the shop that is open. */
const OPERATOR_KEY = 'ratewright-operator-key';
const OPERATED_SHOP = 'ratewright-operated-shop';
/** As an operator's request is: no key of the shop. */
const OPERATORS_KEY: CurrentKey = {
  ...{ id: '', label: 'Operator', permission: 'admin' },
  ...{ prefix: '', createdAt: '', expiresAt: null },
};

export interface SignedIn {
  readonly calls: Reads;
  /** For `useWrite`, which knows what guards a write. */
  readonly writesWith: GuardedCalls['writesWith'];
  /** Before the path of each route: "", or where an operator names the shop. */
  readonly shopPath: string;
  readonly key: CurrentKey;
  /** The key may change the configuration. */
  readonly mayWrite: boolean;
  readonly shop: Shop;
}

export interface Operator {
  readonly calls: ReturnType<typeof operatorCallsWith>;
  /** The calls of one shop. */
  readonly callsOf: (shopId: string) => GuardedCalls;
}

export type Changeset = Pick<
  Schemas['ShadowedStaging'],
  'id' | 'name' | 'changes' | 'enteredAt' | 'enteredBy'
>;

export type UncertainWrites = Map<string, { readonly content: string; readonly idempotencyKey: string }>;

interface Content {
  readonly ok: true;
  readonly shop: Shop;
  readonly staging: Changeset | null;
}

/** What every page shows of a shop. */
async function contentOf(calls: Reads): Promise<Content | CallFailure> {
  const [shop, staging] = await Promise.all([calls.getShop(), calls.getStaging()]);
  if (!shop.ok) return shop;
  // Without it no page can say where writes go.
  if (!staging.ok) return staging;
  return { ok: true, shop: shop.value.shop, staging: staging.value.staging };
}

export class AppState {
  readonly #listeners = new Set<() => void>();
  /** Counts the changes of shared values. */
  #changes = 0;
  readonly place = this.#shared<Place>(parsePlace(location.hash));
  readonly signedIn = this.#shared<SignedIn | null>(null);
  /** Null with the key of one shop. */
  readonly operator = this.#shared<Operator | null>(null);
  /** True once a call was refused because of its key: the pages stay, with a request to sign in over them. */
  readonly isKeyRefused = this.#shared(false);
  readonly changeset = this.#shared<Changeset | null>(null);
  /** Counts the readings of the changeset: the answer to one may come after that to a later one, and is older. */
  #readings = 0;
  /** The reading that is shown. */
  #known = 0;
  /** Why calls wait; null while none does. */
  readonly waiting = this.#shared<CallFailure | null>(null);
  /** Ids and commands for a shell are shown. */
  readonly isDeveloper = this.#shared(localStorage.getItem(DEVELOPER) !== null);
  /** Counts the writes that succeeded, and those of others that a save met: after each, all answers on the page are read again. */
  readonly writes = this.#shared(0);
  /** What was typed into records and is not saved, by page and id of the record. */
  readonly drafts = new Drafts(() => {
    this.#unsaved.value = this.drafts.size;
  });
  /** How many of them there are: those who show it are told of a change. */
  readonly #unsaved = this.#shared(0);
  /** Writes of records that may be done, by page and id: the same one again is sent under the same key. */
  readonly uncertain: UncertainWrites = new Map();
  /** The shop that the drafts are of. */
  #shopId = '';
  /** The id of the record that was created last, whose editor stays open. */
  created = '';
  /** Counts the messages. */
  #said = 0;
  /** Counts what was asked for in turn: a key, a shop, to leave it. What comes late to an earlier one opens nothing. */
  #asked = 0;
  /** The key that this tab signed in with; other tabs may have kept another one since. */
  #secret = '';

  constructor() {
    addEventListener('hashchange', () => this.#take(location.hash));
    // Signed out in another tab.
    addEventListener('storage', ({ key, newValue }) => {
      if (key === STORED_KEY && newValue === null && sessionStorage.getItem(OPERATOR_KEY) === null)
        this.signOut();
    });
    // Another admin may have opened or ended a draft since the tab was last looked at.
    addEventListener('visibilitychange', () => {
      if (!document.hidden) void this.readChangeset();
    });
    addEventListener('beforeunload', (event) => {
      if (this.drafts.size > 0 && (this.signedIn.value ?? this.operator.value) !== null)
        event.preventDefault();
    });
  }

  #shared<T>(value: T): Shared<T> {
    return new Shared(value, () => this.#changed());
  }

  #changed(): void {
    this.#changes++;
    for (const listener of [...this.#listeners]) listener();
  }

  readonly #waits = (refusal: CallFailure | null): void => {
    this.waiting.value = refusal;
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly changes = (): number => this.#changes;

  /** Changes parameters of the page; "" removes one. `replace` adds no entry to the history, as typing should not. */
  set(parameters: Place['parameters'], replace = true): void {
    const { page, parameters: given } = this.place.value;
    this.#goTo(linkTo(page, { ...given, ...parameters }), replace);
  }

  /** The same where the link still leads to this record: the reader may have gone elsewhere while it was written. */
  setOf(page: string, open: string, parameters: Place['parameters']): void {
    const { page: shown, parameters: given } = parsePlace(location.hash);
    if (shown === page && (given['open'] ?? '') === open) this.set(parameters);
  }

  #goTo(fragment: string, replace = true): void {
    history[replace ? 'replaceState' : 'pushState'](null, '', fragment);
    this.#take(fragment);
  }

  #take(fragment: string): void {
    const place = parsePlace(fragment);
    // What was done on a page is no news on another.
    if (place.page !== this.place.value.page) this.#unsay();
    this.place.value = place;
  }

  get storedKey(): string | null {
    const operators = sessionStorage.getItem(OPERATOR_KEY);
    if (operators !== null) return operators;
    const stored = localStorage.getItem(STORED_KEY);
    if (stored === null) return null;
    const [until = '', key = ''] = stored.split(' ');
    if (Number(until) > Date.now()) return key;
    localStorage.removeItem(STORED_KEY);
    return null;
  }

  /** The key of a shop that other tabs use stays when the operator leaves this one. */
  #forgetKey(): void {
    if (sessionStorage.getItem(OPERATOR_KEY) === null) localStorage.removeItem(STORED_KEY);
    else sessionStorage.removeItem(OPERATOR_KEY);
  }

  /**
   * Says in one sentence what was done, also to screen readers, in place of what was said before; `undo` takes it back.
   * `later` is what else is known then, or "": it is added, unless something was said or taken back meanwhile.
   */
  say(text: string, undo?: () => void, later?: Promise<string>): void {
    const id = ++this.#said;
    const takeBack = this.#onceFrom(id, undo);
    hideMessage();
    showMessage({ id, text, undo: takeBack, isBegun: later !== undefined });
    void later?.then((more) => {
      if (id === this.#said)
        showMessage({ id, text: more === '' ? text : `${text}. ${more}`, undo: takeBack });
    });
  }

  /** Says why nothing was done; `again` tries once more to take back what a message was about. */
  refuse(text: string, again?: () => void): void {
    const id = ++this.#said;
    hideMessage();
    showMessage({ id, text, undo: this.#onceFrom(id, again), isRefusal: true });
  }

  /** Does nothing when it is pressed twice, or while the message leaves. */
  #onceFrom(id: number, undo: (() => void) | undefined): (() => void) | undefined {
    if (undo === undefined) return undefined;
    return () => {
      if (id !== this.#said) return;
      this.#said++;
      undo();
    };
  }

  /** No message is left, and none is completed later. */
  #unsay(): void {
    this.#said++;
    hideMessage();
  }

  /** Signs in with this key, of a shop or of the operator; the failure when it is neither. */
  async signIn(secret: string): Promise<CallFailure | null> {
    const asked = ++this.#asked;
    // No text tells the one kind from the other, only what each opens.
    if (sessionStorage.getItem(OPERATOR_KEY) === secret) return this.#signInAsOperator(secret);
    const calls = callsWith(secret, '', this.#waits);
    const [key, content] = await Promise.all([calls.reads.getCurrentKey(), contentOf(calls.reads)]);
    if (asked !== this.#asked) return null;
    if (key.ok) {
      if (!content.ok) return content;
      sessionStorage.removeItem(OPERATOR_KEY);
      if (this.storedKey !== secret) localStorage.setItem(STORED_KEY, `${Date.now() + KEPT_MS} ${secret}`);
      this.#secret = secret;
      this.operator.value = null;
      this.#show(calls, '', key.value.key, content);
      return null;
    }
    if (key.code !== 'UNAUTHORIZED') return key;
    const failure = await this.#signInAsOperator(secret);
    // NOT_FOUND: no operator's key is taken here.
    return failure?.code === 'NOT_FOUND' ? key : failure;
  }

  /** Also opens the shop that was open in this tab. */
  async #signInAsOperator(secret: string): Promise<CallFailure | null> {
    const calls = operatorCallsWith(secret);
    const asked = this.#asked;
    const listed = await calls.listShops({ query: { limit: 1 } });
    if (asked !== this.#asked) return null;
    if (!listed.ok) {
      const isRefused = listed.code === 'UNAUTHORIZED' || listed.code === 'NOT_FOUND';
      if (isRefused && this.storedKey === secret) this.#forgetKey();
      return listed;
    }
    this.#secret = secret;
    sessionStorage.setItem(OPERATOR_KEY, secret);
    this.operator.value = {
      calls,
      callsOf: (shopId) => callsWith(secret, operatedPath(shopId), this.#waits),
    };
    const open = sessionStorage.getItem(OPERATED_SHOP);
    // One that was deleted meanwhile leaves the list.
    if (open !== null && (await this.openShop(open)) !== null) this.leaveShop();
    this.isKeyRefused.value = false;
    return null;
  }

  /** Opens a shop for the operator; the failure when it cannot be. */
  async openShop(id: string): Promise<CallFailure | null> {
    const { value } = this.operator;
    if (value === null) throw new Error('only an operator chooses a shop');
    const isOther = this.#shopId !== '' && this.#shopId !== id;
    const asked = ++this.#asked;
    const calls = value.callsOf(id);
    const content = await contentOf(calls.reads);
    if (asked !== this.#asked) return null;
    if (!content.ok) return content;
    this.#show(calls, operatedPath(id), OPERATORS_KEY, content);
    sessionStorage.setItem(OPERATED_SHOP, id);
    // The records of the last shop are not in this one.
    if (isOther) this.#goTo(linkTo(FIRST_PAGE));
    return null;
  }

  /** The operator deleted a shop. */
  forgetShop(id: string): void {
    if (id === this.#shopId) this.drafts.clear();
  }

  /** Back to the shops of the operator. What was typed stays until another shop is opened. */
  leaveShop(): void {
    this.#asked++;
    this.#unsay();
    forgetCarts();
    sessionStorage.removeItem(OPERATED_SHOP);
    this.signedIn.value = null;
    this.showChangeset(null);
  }

  #show(
    { reads: calls, writesWith }: GuardedCalls,
    shopPath: string,
    key: CurrentKey,
    { shop, staging }: Content,
  ): void {
    if (shop.id !== this.#shopId) {
      this.drafts.clear();
      this.uncertain.clear();
    }
    if (this.#shopId !== '' && shop.id !== this.#shopId) forgetCarts();
    this.#shopId = shop.id;
    this.showChangeset(staging);
    const mayWrite = key.permission !== 'read';
    this.signedIn.value = { calls, writesWith, shopPath, key, mayWrite, shop };
    this.isKeyRefused.value = false;
  }

  /** Shows or hides what only developers need; kept in this browser. */
  toggleDeveloper(): void {
    if (this.isDeveloper.value) localStorage.removeItem(DEVELOPER);
    else localStorage.setItem(DEVELOPER, 'on');
    this.isDeveloper.value = !this.isDeveloper.value;
  }

  signOut(): void {
    this.#forgetKey();
    this.operator.value = null;
    this.leaveShop();
  }

  /** Shows which changeset is active; what is still being read is older. */
  showChangeset(changeset: Changeset | null): void {
    this.#known = ++this.#readings;
    this.changeset.value = changeset;
  }

  /** Reads which changeset is active, and shows it. */
  async readChangeset() {
    const reading = ++this.#readings;
    const read = await this.signedIn.value?.calls.getStaging();
    if (read?.ok && reading > this.#known) {
      this.#known = reading;
      this.changeset.value = read.value.staging;
    }
    return read;
  }

  /** The changeset to which the page says that writes go; null where it says that they are live. */
  get destination(): string | null {
    return this.changeset.value?.id ?? null;
  }

  /** What is edited: the changeset while one is active. */
  get view(): 'live' | 'staged' {
    return this.destination === null ? 'live' : 'staged';
  }

  /** Returns the outcome; a refused key makes the page ask for another. */
  seen<T>(outcome: CallOutcome<T>): CallOutcome<T> {
    if (!outcome.ok && outcome.code === 'UNAUTHORIZED') {
      if (this.storedKey === this.#secret) this.#forgetKey();
      this.isKeyRefused.value = true;
    }
    return outcome;
  }
}

export const AppContext = createContext<AppState | null>(null);

/** The part is rendered again when a shared value changes. */
export function useApp(): AppState {
  const app = useContext(AppContext);
  if (app === null) throw new Error('no state of the console above this part');
  useSyncExternalStore(app.subscribe, app.changes);
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
