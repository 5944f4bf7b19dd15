/** What services answer to carts, and what differs between the answers of two. */
import { Agent, type Dispatcher, interceptors, request } from 'undici';
import type { Rate } from '../../src/engine/wire/answer.ts';
import { UsageError } from '../command-line.ts';
import { ANSWER_MS_MAX } from '../load/undici-carrier.ts';
import type { NamedCart } from '../profiles/own-shop.ts';
import type { Service } from './options.ts';

export interface Reply {
  /** 0 without an answer. */
  readonly status: number;
  /** Of a refusal, or why there was no answer. */
  readonly code: string;
  /** null when the answer has none. */
  readonly rates: readonly Rate[] | null;
}

export interface RateDifference {
  /** With the currency; "" of a refusal. */
  readonly service: string;
  readonly kind: 'price' | 'dates' | 'lost' | 'gained' | 'refusal';
  /** What the price changed by. */
  readonly cents: number;
  readonly text: string;
}

export interface CartDifference extends NamedCart {
  readonly replies: readonly [Reply, Reply];
  readonly differences: readonly RateDifference[];
}

/** Carts that are compared at a time. */
const AT_A_TIME = 8;

async function ask(service: Service, { cart }: NamedCart, dispatcher: Dispatcher): Promise<Reply> {
  try {
    const { statusCode, body } = await request(service.origin + service.path, {
      method: 'POST',
      headers: { authorization: service.authorization, 'content-type': 'application/json' },
      body: JSON.stringify(cart),
      dispatcher,
    });
    return readReply(statusCode, await body.text());
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return { status: 0, code: code ?? message, rates: null };
  }
}

interface AnswerBody {
  readonly rates?: readonly Rate[];
  readonly error?: { readonly code?: string };
}

function readReply(status: number, text: string): Reply {
  let answer: AnswerBody | null = null;
  try {
    answer = JSON.parse(text) as AnswerBody | null;
  } catch {
    // A proxy's page, for instance: an answer without rates.
  }
  const rates = status === 200 && Array.isArray(answer?.rates) ? answer.rates : null;
  return { status, code: answer?.error?.code ?? '', rates };
}

const timeouts = {
  headersTimeout: ANSWER_MS_MAX,
  bodyTimeout: ANSWER_MS_MAX,
  connect: { timeout: ANSWER_MS_MAX },
};

/** Throws `UsageError` unless the service answers a first cart with rates, or refuses it for what it is. */
export async function assertAnswers(service: Service, cart: NamedCart): Promise<void> {
  const agent = new Agent(timeouts);
  const reply = await ask(service, cart, agent);
  await agent.destroy();
  const { status, code, rates } = reply;
  if (status === 0) throw new UsageError(`${service.url} cannot be reached: ${code}`);
  if (status === 401 || status === 403) {
    throw new UsageError(`${service.url} refuses the key: ${nameOf(reply)}`);
  }
  if (status === 404 || (rates === null && code === '')) {
    throw new UsageError(`${service.url} is no service of POST ${service.path}: it answers ${nameOf(reply)}`);
  }
}

export const nameOf = ({ status, code }: Pick<Reply, 'status' | 'code'>): string =>
  status === 0 ? code : `${status} ${code}`.trim();

export const datesOf = ({ minDeliveryDate, maxDeliveryDate }: Rate): string =>
  [minDeliveryDate ?? [], maxDeliveryDate ?? []].flat().join(' to ');

/** By service code and currency, the cheapest first. */
function byService(rates: readonly Rate[]): ReadonlyMap<string, readonly Rate[]> {
  const found = new Map<string, Rate[]>();
  const ordered = rates.toSorted(
    (a, b) => a.totalPrice - b.totalPrice || datesOf(a).localeCompare(datesOf(b)),
  );
  for (const rate of ordered) {
    const service = `${rate.serviceCode} ${rate.currency}`;
    found.set(service, [...(found.get(service) ?? []), rate]);
  }
  return found;
}

function compareRates(service: string, before?: Rate, after?: Rate): readonly RateDifference[] {
  const of = (kind: RateDifference['kind'], cents: number, text: string): RateDifference => ({
    service,
    kind,
    cents,
    text: `${service} ${text}`,
  });
  if (before === undefined) return [of('gained', 0, `gained (${after?.totalPrice})`)];
  if (after === undefined) return [of('lost', 0, `lost (${before.totalPrice})`)];
  const cents = after.totalPrice - before.totalPrice;
  const price = `${before.totalPrice} -> ${after.totalPrice} (${cents > 0 ? '+' : ''}${cents})`;
  const [one, two] = [datesOf(before), datesOf(after)];
  return [
    ...(cents === 0 ? [] : [of('price', cents, price)]),
    ...(one === two ? [] : [of('dates', 0, `${one || 'no date'} -> ${two || 'no date'}`)]),
  ];
}

/** Names and descriptions of rates, and their order, are no difference. */
function differencesOf(before: Reply, after: Reply): readonly RateDifference[] {
  if (before.rates === null || after.rates === null) {
    const text = `${nameOf(before)} -> ${nameOf(after)}`;
    return nameOf(before) === nameOf(after) ? [] : [{ service: '', kind: 'refusal', cents: 0, text }];
  }
  const [olds, news] = [byService(before.rates), byService(after.rates)];
  return [...new Set([...olds.keys(), ...news.keys()])].flatMap((service) => {
    const [a, b] = [olds.get(service) ?? [], news.get(service) ?? []];
    const longer = a.length > b.length ? a : b;
    return longer.flatMap((_, at) => compareRates(service, a[at], b[at]));
  });
}

/**
 * Sends each cart to both services in the same moment. One that differs is asked again, since a cutoff or a change may
 * have come between the two. Refusals for load are waited out. Throws `UsageError` when a service stops answering.
 */
export async function compareAnswers(
  [first, second]: readonly [Service, Service],
  carts: readonly NamedCart[],
): Promise<readonly CartDifference[]> {
  const agent = new Agent(timeouts);
  const patient = agent.compose(
    interceptors.retry({ methods: ['POST'], statusCodes: [429, 503], maxRetries: 4, throwOnError: false }),
  );
  const answered = async (service: Service, cart: NamedCart): Promise<Reply> => {
    const reply = await ask(service, cart, patient);
    if (reply.status === 0)
      throw new UsageError(`${service.url} does not answer ${cart.name}: ${reply.code}`);
    return reply;
  };
  const both = (cart: NamedCart) => Promise.all([answered(first, cart), answered(second, cart)]);
  const found: CartDifference[][] = [];
  const left = carts.entries();
  const compareSome = async (): Promise<void> => {
    for (const [at, cart] of left) {
      let replies = await both(cart);
      if (differencesOf(...replies).length > 0) replies = await both(cart);
      const differences = differencesOf(...replies);
      if (differences.length > 0) found[at] = [{ ...cart, replies, differences }];
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_A_TIME }, compareSome));
  } finally {
    await agent.destroy();
  }
  return found.flat();
}
