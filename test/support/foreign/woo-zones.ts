/** WooCommerce's zones as plainly as they can be read: the first zone that takes the place, then its costs. */

export interface WooLocation {
  readonly code: string;
  readonly type: 'country' | 'state' | 'continent' | 'postcode';
}

export interface WooShippingMethod {
  readonly method_id: string;
  readonly title: string;
  readonly enabled: boolean;
  readonly settings: Readonly<Record<string, string>>;
}

export interface WooShippingZone {
  readonly id: number;
  readonly name: string;
  readonly order: number;
  readonly locations: readonly WooLocation[];
  readonly methods: readonly WooShippingMethod[];
}

export interface WooPlace {
  readonly country: string;
  readonly state: string;
  readonly postcode: string;
}

export interface WooCart {
  readonly quantity: number;
  readonly cents: number;
  /** After discounts. */
  readonly discountedCents: number;
}

const CONTINENT_OF: Readonly<Record<string, string>> = {
  ...{ US: 'NA', CA: 'NA', JP: 'AS' },
  ...{ DE: 'EU', GB: 'EU', NL: 'EU', XK: 'EU' },
};
const packed = (text: string): string => text.toUpperCase().replace(/[ -]/g, '');

/** Two digits for each letter or digit. */
const asDigits = (text: string): string =>
  [...packed(text).replaceAll('*', '')]
    .map((each) => (/\d/.test(each) ? `0${each}` : String(each.charCodeAt(0) - 64).padStart(2, '0')))
    .join('');

export function takesPostcode(line: string, country: string, postcode: string): boolean {
  const [from, to] = line.split('...');
  if (from !== undefined && to !== undefined) {
    if (/^\d+$/.test(from) && /^\d+$/.test(to)) {
      const code = packed(postcode);
      // PHP compares two texts as numbers where both are numbers, else as texts.
      // Only ranges of four digits are meant for codes with letters, those of the Netherlands.
      if (!/^\d+$/.test(code)) return from.length === 4 && to.length === 4 && code >= from && code <= to;
      return BigInt(code) >= BigInt(from) && BigInt(code) <= BigInt(to);
    }
    const code = asDigits(postcode);
    const at = BigInt(code);
    return (
      at >= BigInt(asDigits(from).padEnd(code.length, '0')) &&
      at <= BigInt(asDigits(to).padEnd(code.length, '0'))
    );
  }
  const upper = line.toUpperCase();
  if (!upper.endsWith('*')) return packed(upper) === packed(postcode);
  // A code of the United Kingdom is an outward part, a space and three characters.
  const code = packed(postcode);
  if (country === 'GB') return `${code.slice(0, -3)} ${code.slice(-3)}`.startsWith(upper.slice(0, -1));
  return code.startsWith(packed(upper.slice(0, -1)));
}

export function zoneOf(zones: readonly WooShippingZone[], place: WooPlace): WooShippingZone | undefined {
  const takes = ({ id, locations }: WooShippingZone): boolean => {
    if (id === 0) return true;
    const places = locations.filter(({ type }) => type !== 'postcode');
    const postcodes = locations.filter(({ type }) => type === 'postcode');
    const isPlaced =
      places.length === 0 ||
      places.some(
        ({ type, code }) =>
          (type === 'country' && code === place.country) ||
          (type === 'state' && code === `${place.country}:${place.state}`) ||
          (type === 'continent' && code === CONTINENT_OF[place.country]),
      );
    const isCoded =
      postcodes.length === 0 ||
      postcodes.some(({ code }) => takesPostcode(code, place.country, place.postcode));
    return isPlaced && isCoded;
  };
  const ordered = [...zones].sort(
    (a, b) => Number(a.id === 0) - Number(b.id === 0) || a.order - b.order || a.id - b.id,
  );
  return ordered.find(takes);
}

/** Title and cents of everything offered. */
export function wooRates(
  zones: readonly WooShippingZone[],
  place: WooPlace,
  cart: WooCart,
): [string, number][] {
  return (zoneOf(zones, place)?.methods ?? []).flatMap((method): [string, number][] => {
    const cents = method.enabled ? centsOf(method, cart) : null;
    return cents === null ? [] : [[method.title, cents]];
  });
}

function centsOf({ method_id, settings }: WooShippingMethod, cart: WooCart): number | null {
  if (method_id === 'free_shipping') {
    const needed = settings['requires'] === 'min_amount' ? Number(settings['min_amount']) * 100 : 0;
    return (settings['ignore_discounts'] === 'yes' ? cart.cents : cart.discountedCents) >= needed ? 0 : null;
  }
  const cost = settings['cost'] ?? '';
  if (cost === '') return method_id === 'local_pickup' ? 0 : null;
  const withFees = cost.replace(/\[fee([^\]]*)\]/g, (_, attributes: string) =>
    String(feeOf(attributes, cart)),
  );
  const filled = withFees
    .replaceAll('[qty]', String(cart.quantity))
    .replaceAll('[cost]', String(cart.cents / 100));
  return Math.floor(amountOf(filled) * 100 + 0.5 + 1e-7);
}

function feeOf(attributes: string, { cents }: WooCart): number {
  const read = (name: string): number => Number(new RegExp(`${name}="([^"]+)"`).exec(attributes)?.[1] ?? 0);
  const fee = ((cents / 100) * read('percent')) / 100;
  const raised = read('min_fee') > 0 ? Math.max(fee, read('min_fee')) : fee;
  return read('max_fee') > 0 ? Math.min(raised, read('max_fee')) : raised;
}

/** Sums of products without brackets. */
const amountOf = (text: string): number =>
  text
    .split('+')
    .map((term) => term.split('*').reduce((product, factor) => product * Number(factor), 1))
    .reduce((total, term) => total + term, 0);
